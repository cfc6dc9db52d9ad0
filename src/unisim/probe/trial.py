"""One trial: a scene, or several on a sheet, driven as its probes ask."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import mujoco
import numpy as np

from unisim.backend import registry
from unisim.backend.audit.model import from_model
from unisim.backend.audit.profile import reference_model
from unisim.backend.base import BuildCfg
from unisim.config import SceneCfg
from unisim.errors import UnknownName
from unisim.probe.probe import Probe, Watch
from unisim.probe.sheet import prefix, sheet
from unisim.probe.start import STARTS, Array, Drive, actuator_name, drive, joint_name
from unisim.probe.subject import Built, Reference, Subject
from unisim.probe.watch import Seen, look, slices
from unisim.scene.compose import compose
from unisim.scene.scene import Scene

FOLDER = "unisim-probe-"
"""What the name of a scene's folder begins with."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """What is probed.

    Attributes:
        backend: Name of the backend.
        profile: Solver profile.
        device: Device of the worlds.
        dtype: Precision of the state.
    """

    backend: str
    profile: str
    device: str
    dtype: str


def target_of(
    backend: str, profile: str | None, device: str = "cpu", dtype: str | None = None
) -> Target:
    """Fill in what is left out: the backend's own.

    Raises:
        UnknownBackend: If nothing is known of the backend.
        UnknownName: If it has no such profile, precision or device.
    """
    manifest = registry.manifest(backend)
    manifest.profile(profile)
    have = manifest.abilities
    dtypes, devices = have.dtypes, (*have.devices, *have.untried)
    kind, colon, index = device.partition(":")
    if kind not in devices or (colon and (kind == "cpu" or not index.isdecimal())):
        raise UnknownName(f"device of {backend}", device, devices)
    if dtype is not None and dtype not in dtypes:
        raise UnknownName(f"dtype of {backend}", dtype, dtypes)
    return Target(
        backend=backend,
        profile=profile or manifest.default_profile,
        device=device,
        dtype=dtype or dtypes[0],
    )


def scene_of(probes: Sequence[Probe], *, used: bool) -> Scene:
    """Compose the scene of a probe, or the sheet of several.

    Raises:
        BadScene: If MuJoCo refuses it.
    """
    texts = [probe.used if used else probe.unused for probe in probes]
    with TemporaryDirectory(prefix=FOLDER) as folder:
        file = Path(folder) / "probe.xml"
        file.write_text(texts[0] if len(texts) == 1 else sheet(texts), encoding="utf-8")
        return compose(SceneCfg(model_file=file))


def on_engine(target: Target, probes: Sequence[Probe], *, used: bool) -> list[Seen]:
    """What an engine does, per probe.

    Raises:
        UnisimError: As the adapter does.
    """
    scene, backend = scene_of(probes, used=used), registry.load(target.backend)
    request = BuildCfg(
        scene=scene,
        worlds=STARTS,
        profile=target.profile,
        device=target.device,
        dtype=target.dtype,
    )
    built = Built(backend, request)
    try:
        if probes[0].watch is Watch.HELD:
            values = backend.readback(built.engine.handle).values
            return [_held(values, probes[0])]
        return _drive(built, scene.model, probes)
    finally:
        built.engine.close()


def on_mujoco(
    target: Target, probes: Sequence[Probe], *, used: bool, shake: float = 0.0
) -> list[Seen]:
    """What MuJoCo does, run as the profile declares, per probe.

    Args:
        target: The engine beside it.
        probes: One, or those of a sheet.
        used: Whether the scenes are those with the feature.
        shake: Relative disturbance of the initial state; where there is one, the state
            is rounded to single precision after each step, too.
    """
    scene = scene_of(probes, used=used)
    profile = registry.manifest(target.backend).profile(target.profile)
    if probes[0].watch is Watch.HELD:
        values = from_model(reference_model(scene.model, profile)).values
        return [_held(values, probes[0])]
    return _drive(
        Reference(scene, profile, rounded=shake > 0), scene.model, probes, shake
    )


def _held(values: Mapping[str, Array], probe: Probe) -> Seen:
    """A value read back, as often as there are starts."""
    row = np.nan_to_num(values[probe.held].reshape(1, 1, -1), posinf=1e6, neginf=-1e6)
    return {probe.held: np.repeat(row, STARTS, axis=1)}


def _drive(
    subject: Subject, model: mujoco.MjModel, probes: Sequence[Probe], shake: float = 0.0
) -> list[Seen]:
    """Start all worlds, step them, and look whenever a probe asks for it."""
    alone = len(probes) == 1
    prefixes = ["" if alone else prefix(index) for index in range(len(probes))]
    places = [
        slices(model, probe.watch, start)
        for probe, start in zip(probes, prefixes, strict=True)
    ]
    if probes[0].watch is Watch.RESET:
        subject.reset(mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY, "home"))
        return [_stacked([look(subject.read, places[0])])]
    begin = drive(model, _plain(model, prefixes), bent=probes[0].bent, shake=shake)
    seen: list[list[dict[str, Array]]] = [[] for _ in probes]
    horizons = [probe.horizons for probe in probes]
    _begin(subject, begin)
    for step in range(1, max(map(max, horizons)) + 1):
        subject.step(begin.ctrl(step))
        for mine, where, when in zip(seen, places, horizons, strict=True):
            if step in when:
                mine.append(look(subject.read, where))
    return [_stacked(mine) for mine in seen]


def _begin(subject: Subject, begin: Drive) -> None:
    subject.reset(-1)
    for name, values in begin.state.items():
        subject.write(name, values)


def _stacked(seen: Sequence[Mapping[str, Array]]) -> Seen:
    return {name: np.array([item[name] for item in seen]) for name in seen[0]}


def _plain(model: mujoco.MjModel, prefixes: Sequence[str]) -> Mapping[str, str]:
    """By name of a joint or an actuator: what its scene calls it."""
    names = [joint_name(model, joint) for joint in range(model.njnt)]
    names += [actuator_name(model, index) for index in range(model.nactuator)]
    own = {
        name: start for name in names for start in prefixes if name.startswith(start)
    }
    return {name: name.removeprefix(own[name]) for name in names}
