"""What is read of the worlds: views of the engine's arrays, and what is added to them.

Every array is made once, so that its address stays the same.
"""

from collections.abc import Callable, Mapping

import mujoco
import mujoco_warp as mjw
import numpy as np
import warp as wp

from unisim.backend.base import ContactReading, RawContacts
from unisim.backend.device import kernels
from unisim.backend.device.arrays import DeviceArrays, flat, seen_as
from unisim.backend.fields import QUANTITIES
from unisim.backend.layout import Layout
from unisim.backend.queries import Query

KEPT: tuple[str, ...] = tuple(
    name for name, item in QUANTITIES.items() if item.stage == "acc"
)
"""Quantities of the last substep, copied before another pass overwrites them."""
_FRAMES = {"body": "xpos", "geom": "geom_xpos", "site": "site_xpos"}
_ACC = int(mujoco.mjtStage.mjSTAGE_ACC)


class Views:
    """Arrays to hand out, by quantity.

    Attributes:
        kept: What the last substep left, by quantity. Shape (n, columns).
        handed: Every quantity, in the shape that its table states.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mjw.Data,
        state: Mapping[str, wp.array],
        layout: Layout,
        arrays: DeviceArrays,
    ) -> None:
        """Make all arrays."""
        self._data, self._arrays, self._layout = data, arrays, layout
        self._early = {name: arrays.upload(np.zeros(1, bool)) for name in KEPT}
        self.kept: dict[str, wp.array] = {}
        for name in KEPT:
            fresh = flat(getattr(data, name))
            self.kept[name] = arrays.zeros(fresh.shape, "float32")
            columns = np.zeros(fresh.shape[1], bool)
            if name == "sensordata":
                columns = _early(model)
            self._early[name] = arrays.upload(columns)
        self._moving: dict[str, Callable[[], None]] = {}
        self.handed = self._stored(state)
        self._add_velocities(model)

    def keep(self) -> None:
        """Launch: copy what the last substep left."""
        for name, into in self.kept.items():
            wp.copy(into, flat(getattr(self._data, name)))

    def merge(self, dirty: wp.array) -> None:
        """Launch: take dirty worlds and early sensors from the pass just made."""
        for name, into in self.kept.items():
            fresh = flat(getattr(self._data, name))
            inputs = [dirty, self._early[name], fresh, into]
            self._launch(kernels.keep, into.shape, inputs)

    def compute(self, name: str) -> None:
        """Launch: the velocities of a kind of frames, where `name` is one."""
        if name in self._moving:
            self._moving[name]()

    def readings(self, queries: tuple[Query, ...]) -> list["Reading"]:
        """Where each contact query is read."""
        return [
            Reading(item, self.kept["sensordata"], self._arrays) for item in queries
        ]

    def _stored(self, state: Mapping[str, wp.array]) -> dict[str, wp.array]:
        found: dict[str, wp.array] = {}
        for name, item in QUANTITIES.items():
            if name.endswith(("_linvel", "_angvel")):
                continue
            tail = tuple(
                self._layout.sizes[s] if isinstance(s, str) else s for s in item.shape
            )
            rows = state.get(name, self.kept.get(name))
            rows = flat(getattr(self._data, name)) if rows is None else rows
            if name == "sensordata":
                found[name] = rows[:, : tail[0]] if tail[0] else rows
                continue
            found[name] = seen_as(rows, (self._data.nworld, *tail))
        return found

    def _add_velocities(self, model: mujoco.MjModel) -> None:
        of = {
            "body": np.arange(model.nbody),
            "geom": model.geom_bodyid,
            "site": model.site_bodyid,
        }
        for kind, pos in _FRAMES.items():
            body = np.asarray(of[kind], np.int32)
            root = np.asarray(model.body_rootid[body], np.int32)
            self._add_frames(kind, (body, root), getattr(self._data, pos))

    def _add_frames(
        self, kind: str, index: tuple[np.ndarray, np.ndarray], pos: wp.array
    ) -> None:
        body, root = (self._arrays.upload(item) for item in index)
        data, device = self._data, self._arrays.device
        spin, speed = (
            wp.zeros(pos.shape, dtype=wp.vec3, device=device) for _ in range(2)
        )

        def turn() -> None:
            self._launch(kernels.angular, pos.shape, [body, data.cvel, spin])

        def move() -> None:
            inputs = [body, root, data.cvel, pos, data.subtree_com, speed]
            self._launch(kernels.linear, pos.shape, inputs)

        for name, run, out in (("angvel", turn, spin), ("linvel", move, speed)):
            self._moving[f"{kind}_{name}"] = run
            self.handed[f"{kind}_{name}"] = seen_as(out, (*pos.shape, 3))

    def _launch(self, kernel: wp.Kernel, dim: tuple[int, ...], inputs: list) -> None:
        wp.launch(kernel, dim=dim, inputs=inputs, device=self._arrays.device)


class Reading:
    """One contact query, read from what its sensor left."""

    def __init__(
        self, query: Query, sensordata: wp.array, arrays: DeviceArrays
    ) -> None:
        worlds, columns = sensordata.shape
        self._query, self._data, self._device = query, sensordata, arrays.device
        fields = {
            name: wp.array(
                ptr=sensordata.ptr + 4 * (query.start + start),
                dtype=wp.float32,
                shape=(worlds, query.slots, size),
                strides=(4 * columns, 4 * query.width, 4),
                device=arrays.device,
            )
            for name, start, size in query.starts()
        }
        found = arrays.zeros((worlds,), "int64")
        self._read = ContactReading(found, arrays.zeros((worlds,), "bool"), fields)

    def read(self) -> ContactReading:
        """Launch the counts; the fields are views."""
        query, read = self._query, self._read
        inputs = [query.start, query.slots, query.sums, self._data]
        wp.launch(
            kernels.contact_counts,
            dim=read.found.shape,
            inputs=[*inputs, read.found, read.overflow],
            device=self._device,
        )
        return read


def contacts_of(model: mjw.Model, data: mjw.Data, world: int) -> RawContacts:
    """All contacts of one world, copied to the host."""
    contact, count = data.contact, int(data.nacon.numpy()[0])
    count = min(count, data.naconmax)
    own = np.flatnonzero(
        (contact.worldid.numpy()[:count] == world)
        & (contact.type.numpy()[:count] & 1 != 0)
    ).astype(np.int32)
    device = contact.dist.device
    force = wp.zeros(max(len(own), 1), dtype=wp.spatial_vector, device=device)
    ids = wp.array(own if len(own) else [0], dtype=wp.int32, device=device)
    with wp.ScopedDevice(device):
        mjw.contact_force(model, data, ids, True, force)  # noqa: FBT003
    return RawContacts(
        contact.geom.numpy()[own],
        contact.dist.numpy()[own],
        contact.pos.numpy()[own],
        contact.frame.numpy()[own][:, 0],
        force.numpy()[: len(own), :3],
    )


def _early(model: mujoco.MjModel) -> np.ndarray:
    """Which columns of sensordata belong to the position or velocity stage."""
    early = np.ones(model.nsensordata, bool)
    for start, size, stage in zip(
        model.sensor_adr, model.sensor_dim, model.sensor_needstage, strict=True
    ):
        early[start : start + size] = stage != _ACC
    return early
