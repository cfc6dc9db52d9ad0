"""Builds a batch of worlds on MotrixSim from a composed scene."""

import mujoco

from unisim.backend.base import BuildCfg
from unisim.backend.guest.engine import GuestEngine, Parts
from unisim.backend.layout import Layout
from unisim.backend.motrix.cfg import settings
from unisim.backend.motrix.load import load
from unisim.backend.motrix.mend import Mender
from unisim.backend.motrix.parts import Handle
from unisim.backend.motrix.share import damping_of, rest_of, share_of
from unisim.backend.motrix.shift import shift_of
from unisim.backend.motrix.sim import MotrixGuest
from unisim.backend.motrix.text import text_of
from unisim.backend.motrix.unfit import unfit
from unisim.errors import UnsupportedFeature

_ACC = int(mujoco.mjtStage.mjSTAGE_ACC)


def build(request: BuildCfg, layout: Layout) -> GuestEngine:
    """Import the engine's share of a scene, and put the contract around its worlds.

    Raises:
        UnsupportedFeature: If the importer does not take all of it.
        UnknownName: If a contact query names what the scene does not have.
        BadConfig: If a setting is unknown or has the wrong type.
    """
    handle, model = handle_of(request, watched=_watched(request)), request.scene.model

    def watched() -> Handle:
        return handle if handle.pairs else handle_of(request, watched=True)

    guest = MotrixGuest(handle, model, request.worlds, request.vary, watched)
    implicit = damping_of(model, handle.share)
    braking = guest.braking if guest.brakes else None
    parts = Parts(guest, handle.rest, implicit, braking)
    return GuestEngine(parts, request, layout)


def handle_of(request: BuildCfg, *, watched: bool) -> Handle:
    """Import the engine's share of a scene.

    Args:
        request: What is asked for.
        watched: Whether contacts are reported after every step.

    Raises:
        UnsupportedFeature: If the importer does not take all of it, or the engine
            does otherwise than is stated.
        BadConfig: If a setting is unknown or has the wrong type.
    """
    cfg, scene = settings(request), request.scene
    share = share_of(scene.model, request.vary)
    if found := unfit(scene, share):
        features = dict.fromkeys(name for _, name in found if name)
        reasons = [reason for reason, _ in found]
        raise UnsupportedFeature("motrix", reasons, tuple(features))
    text = text_of(scene, share, watched=watched)
    world, model = load(text, scene, Mender(scene.model, cfg))
    rest = rest_of(scene.model, share)
    shift = shift_of(scene.model)
    return Handle(world, model, rest, share, shift, cfg, text.pairs)


def _watched(request: BuildCfg) -> bool:
    """Whether anything that is read after a step needs contacts."""
    sensors = request.scene.model.sensor_needstage
    return bool(request.contacts) or bool((sensors == _ACC).any())
