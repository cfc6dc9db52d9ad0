"""What is seen of a running scene: numbers by the name of what they belong to."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import mujoco
import numpy as np

from unisim.probe.probe import Watch
from unisim.probe.start import Array, joint_name

Seen = Mapping[str, Array]
"""By name: what was seen of it. Shape (horizons, STARTS, k)."""
Slices = Mapping[str, tuple[str, slice]]
"""By name: the quantity that is read, and its columns once it is flat."""
_OBJ = mujoco.mjtObj
SENSOR = "x"
"""Name of the sensor that is looked at."""
STATE: tuple[str, ...] = (
    *("time", "qpos", "qvel", "act", "ctrl"),
    *("mocap_pos", "mocap_quat"),
)
"""What a reset to a key sets."""


def slices(model: mujoco.MjModel, watch: Watch, prefix: str) -> Slices:
    """Where to find what is looked at of one scene, in a model that may hold several.

    Args:
        model: The model.
        watch: What is looked at; not `Watch.HELD`, which is read back.
        prefix: What the names of the scene begin with in the model.
    """
    if watch is Watch.RESET:
        return {name: (name, slice(None)) for name in STATE}
    found = dict[str, tuple[str, slice]]()
    for name, quantity, columns in _EVERY[watch](model):
        if name.startswith(prefix):
            found[f"{name.removeprefix(prefix)} {quantity}"] = quantity, columns
    return found


def _joints(model: mujoco.MjModel) -> Iterator[tuple[str, str, slice]]:
    ends = [*model.jnt_dofadr[1:].tolist(), model.nv]
    for joint, end in enumerate(ends[: model.njnt]):
        first = int(model.jnt_dofadr[joint])
        yield joint_name(model, joint), "qvel", slice(first, int(end))


def _bodies(*quantities: str) -> "Every":
    def every(model: mujoco.MjModel) -> Iterator[tuple[str, str, slice]]:
        for body in range(1, model.nbody):
            name = mujoco.mj_id2name(model, _OBJ.mjOBJ_BODY, body) or ""
            for quantity in quantities:
                yield name, quantity, slice(3 * body, 3 * body + 3)

    return every


def _sensors(model: mujoco.MjModel) -> Iterator[tuple[str, str, slice]]:
    for sensor in range(model.nsensor):
        name = mujoco.mj_id2name(model, _OBJ.mjOBJ_SENSOR, sensor) or ""
        if name.endswith(SENSOR):
            first = int(model.sensor_adr[sensor])
            yield (
                name,
                "sensordata",
                slice(first, first + int(model.sensor_dim[sensor])),
            )


Every = Callable[[mujoco.MjModel], Iterable[tuple[str, str, slice]]]
_EVERY: Mapping[Watch, Every] = {
    Watch.MOTION: _joints,
    Watch.BODIES: _bodies("body_linvel", "body_angvel"),
    Watch.PLACE: _bodies("xpos"),
    Watch.REST: _bodies("xpos"),
    Watch.SENSOR: _sensors,
}


def look(read: Callable[[str], Array], places: Slices) -> dict[str, Array]:
    """Look once. Shapes (STARTS, k)."""
    quantities = {name for name, _ in places.values()}
    values = {name: read(name) for name in quantities}
    flat = {name: array.reshape(len(array), -1) for name, array in values.items()}
    return {key: flat[name][:, columns] for key, (name, columns) in places.items()}


def aligned(used: Seen, unused: Seen) -> tuple[Array, Array]:
    """What both scenes have, in one order; what the other lacks is at rest there.

    Returns:
        Shapes (horizons, STARTS, k).
    """
    both = [
        name
        for name, values in used.items()
        if name in unused and unused[name].shape == values.shape
    ]
    if both:
        pairs = [(used[name], unused[name]) for name in both]
        return _joined([one for one, _ in pairs]), _joined([two for _, two in pairs])
    first, other = list(used.values()), list(unused.values())
    return _joined([*first, *_nothing(other)]), _joined([*_nothing(first), *other])


def _nothing(seen: Sequence[Array]) -> list[Array]:
    return [np.zeros_like(values) for values in seen]


def _joined(seen: Sequence[Array]) -> Array:
    return np.concatenate(seen, axis=2)
