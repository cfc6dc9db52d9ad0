"""Every probe: for each physical feature its scenes, and what is looked at."""

from collections.abc import Iterator, Mapping
from importlib.metadata import version
from types import MappingProxyType

from unisim.mjcf.features import FEATURES
from unisim.probe.excited import EXCITED
from unisim.probe.probe import Probe, Watch
from unisim.probe.scenes import GONE_4, SCENES, SINCE_4

_NEWER = 4
"""Major version of MuJoCo that some features came or went with."""
UNPROBED: Mapping[str, str] = {
    "actuator.biastype.user": "acts only through a callback of the process",
    "actuator.dyntype.user": "acts only through a callback of the process",
    "actuator.gaintype.user": "acts only through a callback of the process",
    "option.flag.autoreset": "no backend repairs a world, whatever the file says",
    **dict.fromkeys(
        ("option.jacobian.auto", "option.jacobian.dense", "option.jacobian.sparse"),
        "is how matrices are stored: nothing moves otherwise",
    ),
    "sensor.user": "acts only through a callback of the process",
}
"""Features that no scene can show, and why: nothing of them is measured."""

_HELD: Mapping[str, str] = {
    **{
        f"option.flag.{name}": "opt_disableflags"
        for name in ("island", "midphase", "multiccd", "nativeccd")
    },
    **{
        f"option.flag.{name}": "opt_enableflags"
        for name in ("energy", "fwdinv", "invdiscrete", "speculative")
    },
    **{f"option.solver.{name}": "opt_solver" for name in ("cg", "newton", "pgs")},
    "flex.selfcollide.interpolated": "flex_selfcollide",
    "option.ls_tolerance": "opt_ls_tolerance",
    "size.nuserdata": "nuserdata",
    "key.plastic": "key_plastic",
}
"""By feature that moves nothing: the audited field that shows it."""
_WATCHED: Mapping[str, Watch] = {
    "geom": Watch.PLACE,
    "geom.type": Watch.REST,
    "geom.type.sdf": Watch.PLACE,
    "contact": Watch.PLACE,
    "plugin.geom": Watch.PLACE,
    "option.sdf_initpoints": Watch.PLACE,
    "option.sdf_iterations": Watch.PLACE,
    "body.mocap": Watch.PLACE,
    "joint.several": Watch.BODIES,
    "joint.type": Watch.BODIES,
    "flex": Watch.BODIES,
    "equality.flex": Watch.BODIES,
    "key": Watch.RESET,
    "sensor": Watch.SENSOR,
    "plugin.sensor": Watch.SENSOR,
    "option.magnetic": Watch.SENSOR,
    "option.flag.sensor": Watch.SENSOR,
    "geom.gap": Watch.SENSOR,
    "contact.pair.gap": Watch.SENSOR,
}
"""By feature or family, the most specific first: what is looked at; else velocities."""

_RESTING = frozenset(
    {
        *("geom.mask", "contact.exclude", "contact.pair"),
        *("option.flag.contact", "option.flag.constraint"),
        *("geom.condim.1", "geom.condim.3", "geom.friction", "geom.priority"),
        *("contact.pair.condim.1", "contact.pair.condim.3", "contact.pair.friction"),
    }
)
"""Features that decide whether something touches at all, and how far it slides."""


def _probes() -> Iterator[Probe]:
    for feature in SCENES:
        if feature in UNPROBED:
            continue
        pair = EXCITED.get(feature, SCENES[feature])
        yield Probe(
            feature=feature,
            used=pair.used,
            unused=_without(pair.unused, feature),
            watch=_watch(feature),
            held=_HELD.get(feature, ""),
            bent="<freejoint" not in pair.used and _watch(feature) is not Watch.REST,
        )


def _without(scene: str, feature: str) -> str:
    """A scene whose sensor is not the one that is looked at, where it only fills in."""
    for filler in ("clock", "e_kinetic"):
        if feature != f"sensor.{filler}":
            scene = scene.replace(f'<{filler} name="x"/>', f'<{filler} name="y"/>')
    return scene


def _watch(feature: str) -> Watch:
    if feature in _HELD:
        return Watch.HELD
    if feature in _RESTING:
        return Watch.REST
    names = (feature, *FEATURES[feature].families)
    return next((_WATCHED[name] for name in names if name in _WATCHED), Watch.MOTION)


PROBES: Mapping[str, Probe] = MappingProxyType(
    {probe.feature: probe for probe in _probes()}
)
"""By feature id."""


def present() -> tuple[str, ...]:
    """Features whose scenes the installed MuJoCo reads, sorted."""
    newer = int(version("mujoco").split(".")[0]) >= _NEWER
    return tuple(sorted(PROBES.keys() - (GONE_4 if newer else SINCE_4)))
