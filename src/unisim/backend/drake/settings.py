"""How a plant finds contacts and solves for them, whatever the scene."""

from importlib.metadata import version

from pydrake.geometry import HydroelasticContactRepresentation
from pydrake.multibody.plant import (
    ContactModel,
    DiscreteContactApproximation,
    MultibodyPlant,
)

from unisim.errors import UnsupportedFeature

_APPROXIMATION = {"tamsi": "kTamsi", "sap": "kSap", "hydroelastic": "kTamsi"}
_MODEL = ContactModel.kHydroelasticWithFallback
_SURFACE = HydroelasticContactRepresentation.kTriangle


def approximation(profile: str) -> DiscreteContactApproximation:
    """How the plant solves for contacts in a profile.

    Raises:
        UnsupportedFeature: If Drake has it no more.
    """
    known = DiscreteContactApproximation.__members__
    if (name := _APPROXIMATION[profile]) not in known:
        reason = f"profile {profile!r}: Drake {version('drake')} no longer has it"
        raise UnsupportedFeature("drake", [reason], ())
    return known[name]


def set_contact_model(plant: MultibodyPlant) -> None:
    """Choose how a plant finds contacts, before it is finalized."""
    plant.set_contact_model(_MODEL)
    plant.set_contact_surface_representation(_SURFACE)


def wanted(profile: str) -> tuple[object, ...]:
    """What `settings_of` tells of a plant; Drake's own threshold of near rigidity."""
    return approximation(profile), _MODEL, _SURFACE, 1.0


def settings_of(plant: MultibodyPlant) -> tuple[object, ...]:
    """What a plant tells of it."""
    return (
        plant.get_discrete_contact_approximation(),
        plant.get_contact_model(),
        plant.get_contact_surface_representation(),
        plant.get_sap_near_rigid_threshold(),
    )
