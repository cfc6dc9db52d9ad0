"""Features of flexes and plugins, and of what has no physical effect."""

from collections.abc import Mapping

import mujoco
import numpy as np

from unisim.mjcf.feature import Feature, Find, Mask, differs, members_of, where
from unisim.mjcf.masks import physical

_COUNTS: Mapping[str, tuple[str, str, str]] = {
    "camera": ("camera", "ncam", "A camera."),
    "light": ("light", "nlight", "A light."),
    "material": ("material", "nmat", "A material."),
    "texture": ("texture", "ntex", "A texture."),
    "skin": ("skin", "nskin", "A skin."),
    "numeric": ("numeric", "nnumeric", "Custom numbers."),
    "text": ("text", "ntext", "Custom text."),
    "tuple": ("tuple", "ntuple", "A custom tuple."),
}


_QUADRATIC = 2
_TETRAHEDRA = 3
"""Order of interpolation."""


def _all(count: str) -> Find:
    return lambda model: np.ones(int(getattr(model, count)), bool)


def _plugged(field: str) -> Find:
    return lambda model: np.asarray(getattr(model, field)) >= 0


def _dim(number: int) -> Find:
    return lambda model: model.flex_dim == number


def _collides(model: mujoco.MjModel) -> Mask:
    return (model.flex_contype != 0) | (model.flex_conaffinity != 0)


def _owned(field: str, addresses: str) -> Find:
    """Flexes whose stretch of a shared array holds anything."""

    def find(model: mujoco.MjModel) -> Mask:
        array, starts = getattr(model, field), getattr(model, addresses)
        mask = np.zeros(model.nflex, bool)
        ends = [*starts[1:], len(array)]
        for flex, (start, end) in enumerate(zip(starts, ends, strict=False)):
            mask[flex] = start >= 0 and bool(np.any(array[start:end]))
        return mask

    return find


def _folds(model: mujoco.MjModel) -> Mask:
    """Flexes whose elements may touch each other."""
    return _collides(model) & (model.flex_selfcollide != 0)


def _solid(model: mujoco.MjModel) -> Mask:
    return _folds(model) & (model.flex_dim == _TETRAHEDRA)


def _interpolated(model: mujoco.MjModel) -> Mask:
    return _folds(model) & (model.flex_interp != 0)


def _quadratic(model: mujoco.MjModel) -> Mask:
    return np.abs(model.flex_interp) == _QUADRATIC


_STRETCH = _owned("flex_stiffness", "flex_stiffnessadr")
_BEND = _owned("flex_bending", "flex_bendingadr")


def _elastic(model: mujoco.MjModel) -> Mask:
    return _STRETCH(model) | _BEND(model)


def _edges(model: mujoco.MjModel) -> Mask:
    return model.flex_edgestiffness != 0


def _drawn(model: mujoco.MjModel) -> Mask:
    return ~physical(model)


FLEXES: tuple[Feature, ...] = (
    where("flex", "A deformable body.", "flex", _all("nflex")),
    *(
        where(f"flex.dim.{number}", f"A flex of {name}.", "flex", _dim(number))
        for number, name in ((1, "edges"), (2, "triangles"), (3, "tetrahedra"))
    ),
    *members_of("mjtFlexSelf", _collides),
    where(
        "flex.selfcollide.solid",
        "Collisions inside a flex of tetrahedra.",
        "flex",
        _solid,
        attribute="dim",
    ),
    where(
        "flex.selfcollide.interpolated",
        "Collisions inside a flex that follows nodes.",
        "flex",
        _interpolated,
        attribute="dof",
    ),
    where("flex.contact", "A flex that collides.", "flex", _collides),
    differs("flex.passive", "Passive collisions.", "flex_passive"),
    differs("flex.rigid", "A flex on one body.", "flex_rigid"),
    differs("flex.dof", "Vertices interpolated from nodes.", "flex_interp"),
    where(
        "flex.dof.quadratic",
        "Vertices interpolated quadratically from nodes.",
        "flex",
        _quadratic,
    ),
    where("flex.edge.stiffness", "Stiffness of edges.", "flex", _edges),
    differs("flex.edge.damping", "Damping of edges.", "flex_edgedamping"),
    where("flex.elasticity", "Elastic material.", "flex", _STRETCH),
    where("flex.elasticity.bending", "Elastic bending.", "flex", _BEND),
    differs(
        "flex.elasticity.damping",
        "Damping of the material.",
        "flex_damping",
        0,
        _elastic,
    ),
    differs(
        "flex.elasticity.yield", "A material that yields.", "flex_yield", 0, _elastic
    ),
)
"""Features of `<flex>`."""

PLUGINS: tuple[Feature, ...] = (
    where("plugin.body", "Forces from a plugin.", "body", _plugged("body_plugin")),
    where("plugin.geom", "A shape from a plugin.", "geom", _plugged("geom_plugin")),
    where("plugin.actuator", "A plugin.", "actuator", _plugged("actuator_plugin")),
    where("plugin.sensor", "A plugin.", "sensor", _plugged("sensor_plugin")),
)
"""Features of `<extension>`."""

VISUAL: tuple[Feature, ...] = (
    where("visual.geom", "A geom nothing but a picture shows.", "geom", _drawn),
    *(
        where(f"visual.{word}", doc, kind, _all(count))
        for word, (kind, count, doc) in _COUNTS.items()
    ),
    differs("visual.noise", "Noise of a sensor: noted, never added.", "sensor_noise"),
)
"""What has no effect on the physics."""

ROWS: tuple[Feature, ...] = (*FLEXES, *PLUGINS, *VISUAL)
"""All of them."""
