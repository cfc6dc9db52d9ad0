"""A running batch of worlds on `mujoco.batch`.

Freshness: MuJoCo's derived arrays lag one substep behind the state after a step. A step
refreshes position and velocity stages in the same call when something derived was read
since the last one; otherwise the first read refreshes them, keeping what belongs to the
acceleration stage of the last substep.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import mujoco
import numpy as np
from mujoco.batch import Batch, SimulationError
from numpy.typing import NDArray

from unisim.backend.base import (
    Array,
    ContactReading,
    Fault,
    RawContacts,
    Snapshot,
    Worlds,
)
from unisim.backend.derived import Derived
from unisim.backend.fields import QUANTITIES, STATE
from unisim.backend.layout import Layout
from unisim.backend.queries import Query
from unisim.errors import BadArray

A = TypeVar("A", bound=NDArray[np.generic])
_NONE = int(mujoco.mjtStage.mjSTAGE_NONE)
_VEL = int(mujoco.mjtStage.mjSTAGE_VEL)
_ACC = int(mujoco.mjtStage.mjSTAGE_ACC)
_HUGE = 1e10
_FEW = 1024
_FAULT_OF = {
    mujoco.mjtWarning.mjWARN_CONTACTFULL: Fault.CAPACITY,
    mujoco.mjtWarning.mjWARN_CNSTRFULL: Fault.CAPACITY,
    mujoco.mjtWarning.mjWARN_BADQPOS: Fault.STATE,
    mujoco.mjtWarning.mjWARN_BADQVEL: Fault.STATE,
    mujoco.mjtWarning.mjWARN_BADQACC: Fault.STATE,
    mujoco.mjtWarning.mjWARN_BADCTRL: Fault.CONTROL,
}
_KEPT = tuple(name for name, item in QUANTITIES.items() if item.stage == "acc")


@dataclass(frozen=True)
class MujocoSnapshot:
    """State rows, varied fields, faults, and what the last substep left behind."""

    state: Array
    varied: Mapping[str, Array]
    kept: Mapping[str, Array]
    faults: NDArray[np.uint8]


class MujocoEngine:
    """Implements `unisim.backend.base.Engine` on a `mujoco.batch.Batch`."""

    def __init__(
        self,
        batch: Batch,
        layout: Layout,
        queries: tuple[Query, ...],
        vary: tuple[str, ...],
    ) -> None:
        """Take over a batch; every world is at the model's defaults."""
        model = batch.model
        self._batch, self._queries = batch, queries
        self._derived = Derived(model)
        self._views = {name: batch.bind(name) for name in STATE}
        self._ctrl = self._views["ctrl"]
        self._handed = {name: _locked(view) for name, view in self._views.items()}
        self._fixed = {name: batch.expand(name) for name in vary}
        self._nsensordata = layout.sizes["nsensordata"]
        self._acc_columns = _acc_columns(model)
        self._state, self._warning = batch.state, batch.warning
        self._checked, self._held, self._told = _checked_columns(batch, model)
        # for few numbers, one call of BLAS is quicker than anything else
        self._few = self._state.ravel() if self._state.size <= _FEW else None
        # warnings up to here are dealt with: MuJoCo counts them until a reset
        self._seen = self._warning[..., 1].copy()
        self._faults = np.zeros(batch.nsim, np.uint8)
        self._handed_faults = _locked(self._faults)
        self._dirty = np.ones(batch.nsim, bool)  # needs a whole forward pass
        self._any_dirty = True
        self._lagging = False  # stages of the state before the last substep
        self._used = False  # something derived was read since the last step
        # a model and a state of one world, made when they are needed
        self._scratch: tuple[mujoco.MjModel | None, mujoco.MjData | None] = None, None
        self._kept: dict[str, Array] = {}
        self._bound: dict[str, Array] = {}
        for name in _KEPT:
            self._bound[name] = batch.bind(name)

    @property
    def handle(self) -> Batch:
        """The batch."""
        return self._batch

    @property
    def faults(self) -> NDArray[np.uint8]:
        """`Fault` bits per world. Shape (n,)."""
        return self._handed_faults

    def step(self, ctrl: Array | None, count: int) -> None:
        """See `unisim.backend.base.Engine`."""
        if ctrl is not None:
            self._ctrl[...] = ctrl
        try:
            self._batch.step(nstep=count, stage=_VEL if self._used else _NONE)
        except SimulationError as error:
            self._stood_still(error)
        self._lagging = not self._used
        self._used = False
        if self._any_dirty:
            self._dirty[:] = False
            self._any_dirty = False
        self._kept = {}
        self._check()

    def reset(self, worlds: Worlds | None, key: int) -> None:
        """See `unisim.backend.base.Engine`."""
        self._batch.reset(worlds, keyframe=key, stage=_NONE)
        where = slice(None) if worlds is None else worlds
        self._faults[where] = 0
        self._seen[where] = 0
        self._touch(worlds)

    def read(self, name: str) -> Array:
        """See `unisim.backend.base.Engine`."""
        if name in self._handed:
            return self._handed[name]
        self._refresh(self._derived.inputs[name])
        values = self._derived.read(name, self._array)
        if name == "sensordata":
            values = values[:, : self._nsensordata]
        return _locked(values)

    def write(self, name: str, values: Array, worlds: Worlds | None) -> None:
        """See `unisim.backend.base.Engine`."""
        self._views[name][slice(None) if worlds is None else worlds] = values
        self._touch(worlds)
        self._check()

    def contact(self, query: int) -> ContactReading:
        """See `unisim.backend.base.Engine`."""
        self._refresh(("sensordata",))
        item = self._queries[query]
        width = item.width
        data = self._array("sensordata")
        block = data[:, item.start : item.start + item.slots * width]
        block = block.reshape(len(data), item.slots, width)
        found = block[:, 0, 0].astype(np.int64)
        overflow = (found > item.slots) & (not item.sums)
        fields = {
            name: _locked(block[..., start : start + size])
            for name, start, size in item.starts()
        }
        return ContactReading(found, overflow, fields)

    def raw_contacts(self, world: int) -> RawContacts:
        """See `unisim.backend.base.Engine`."""
        model, data = self._scratch
        model = self._batch.get_model(world, model)
        data = self._batch.get_data(world, data)
        self._scratch = model, data
        mujoco.mj_forward(model, data)
        count = data.ncon
        local, force = np.zeros(6), np.zeros((count, 3))
        frames = data.contact.frame.reshape(count, 3, 3)
        for i in range(count):
            mujoco.mj_contactForce(model, data, i, local)
            force[i] = frames[i].T @ local[:3]
        return RawContacts(
            data.contact.geom.copy(),
            data.contact.dist.copy(),
            data.contact.pos.copy(),
            frames[:, 0].copy(),
            force,
        )

    def vary(self, name: str, values: Array, worlds: Worlds | None) -> None:
        """See `unisim.backend.base.Engine`."""
        where = slice(None) if worlds is None else worlds
        before = self._fixed[name][where].copy()
        self._fixed[name][where] = values
        try:
            self._batch.set_const(worlds)
        except SimulationError as error:
            self._fixed[name][where] = before
            self._batch.set_const(worlds)
            raise BadArray(name, "values that MuJoCo accepts", str(error)) from None
        self._touch(worlds)

    def varied(self, name: str) -> Array:
        """See `unisim.backend.base.Engine`."""
        return _locked(self._fixed[name])

    def snapshot(self) -> MujocoSnapshot:
        """See `unisim.backend.base.Engine`."""
        self._refresh(())
        varied = {name: values.copy() for name, values in self._fixed.items()}
        kept = {name: self._array(name).copy() for name in _KEPT}
        return MujocoSnapshot(self._state.copy(), varied, kept, self._faults.copy())

    def restore(self, snapshot: Snapshot) -> None:
        """See `unisim.backend.base.Engine`."""
        if not isinstance(snapshot, MujocoSnapshot):
            raise BadArray("snapshot", "one of this engine", type(snapshot).__name__)
        self._state[...] = snapshot.state
        for name, values in snapshot.varied.items():
            self._fixed[name][...] = values
        if snapshot.varied:
            self._batch.set_const()
        self._faults[...] = snapshot.faults
        self._seen[...] = self._warning[..., 1]
        self._kept = {name: values.copy() for name, values in snapshot.kept.items()}
        self._lagging = True
        self._dirty[:] = False
        self._any_dirty = False

    def close(self) -> None:
        """See `unisim.backend.base.Engine`."""
        # the batch, its threads and its memory go with the last reference to it
        vars(self).clear()

    def _touch(self, worlds: Worlds | None) -> None:
        self._dirty[slice(None) if worlds is None else worlds] = True
        self._any_dirty = True

    def _check(self) -> None:
        """Flag worlds whose state, but for user data, is not finite, or huge."""
        few, checked = self._few, self._checked
        # one pass without a temporary: a sum of squares that small has no huge term
        if few is not None:
            squares = np.vdot(few, few)
        else:
            squares = np.einsum("ij,ij->", checked, checked)
        if not squares < _HUGE:
            self._flag(np.abs(checked) < _HUGE)
        self._check_warnings()

    def _flag(self, bounded: NDArray[np.bool_]) -> None:
        self._faults[~bounded[:, self._held].all(axis=1)] |= int(Fault.STATE)
        self._faults[~bounded[:, self._told].all(axis=1)] |= int(Fault.CONTROL)

    def _check_warnings(self) -> None:
        """Flag worlds that MuJoCo has warned about since their reset or restore."""
        if np.count_nonzero(self._warning):
            new = self._warning[..., 1] > self._seen
            for warning, fault in _FAULT_OF.items():
                self._faults[new[:, int(warning)]] |= int(fault)

    def _stood_still(self, error: SimulationError) -> None:
        """Flag worlds whose constraints did not fit at all; pass on other errors."""
        if "mj_stackAlloc" not in str(error):
            raise error
        self._faults[error.ids] |= int(Fault.CAPACITY)

    def _array(self, name: str) -> Array:
        return self._kept.get(name, self._bound[name])

    def _refresh(self, inputs: tuple[str, ...]) -> None:
        """Bring MuJoCo's arrays to the current state, once after any change."""
        self._used = True
        new = [name for name in inputs if name not in self._bound]
        for name in new:
            self._bound[name] = self._batch.bind(name)
        if self._lagging or new:
            self._keep()
            self._forward(None, _VEL)
            self._restore_kept()
            self._lagging = False
        if self._any_dirty:
            worlds = np.flatnonzero(self._dirty).astype(np.int32)
            self._forward(worlds, _ACC)
            for name, values in self._kept.items():
                values[worlds] = self._bound[name][worlds]
            self._dirty[:] = False
            self._any_dirty = False
            self._check_warnings()

    def _forward(self, worlds: Worlds | None, stage: int) -> None:
        try:
            self._batch.forward(worlds, stage)
        except SimulationError as error:
            self._stood_still(error)

    def _keep(self) -> None:
        """Save the last substep's accelerations and forces from a forward pass."""
        for name in _KEPT:
            if name not in self._kept:
                self._kept[name] = self._bound[name].copy()

    def _restore_kept(self) -> None:
        """Take the position- and velocity-stage sensors from the forward pass."""
        fresh = self._bound["sensordata"]
        self._kept["sensordata"] = np.where(
            self._acc_columns, self._kept["sensordata"], fresh
        )


def _locked(values: A) -> A:
    view = values.view()
    view.flags.writeable = False
    return view


def _acc_columns(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Which columns of sensordata belong to the acceleration stage."""
    late = np.zeros(model.nsensordata, bool)
    for start, size, stage in zip(
        model.sensor_adr, model.sensor_dim, model.sensor_needstage, strict=True
    ):
        late[start : start + size] = stage == _ACC
    return late


def _checked_columns(
    batch: Batch, model: mujoco.MjModel
) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
    """A view of the state rows from time to mocap, and its columns of each kind.

    Returns:
        The view, contiguous per row; which of its columns are state; which controls.
    """
    start = 1 + model.nq + model.nv + model.na
    stop = start + model.nhistory + model.nv
    applied = model.nv + 6 * model.nbody + model.neq + 7 * model.nmocap
    kind = np.full(stop + model.nu + applied, ord("s"))
    # what a delay line holds is judged when it comes out
    kind[start : start + model.nhistory] = ord("h")
    kind[stop : stop + model.nu] = ord("c")
    return batch.state[:, : len(kind)], kind == ord("s"), kind == ord("c")
