"""A running batch of worlds on MuJoCo Warp.

Freshness: the engine's derived arrays lag one substep behind the state after a step.
The first read that needs them runs the position and velocity stages again; what belongs
to the acceleration stage of the last substep was copied before. After a reset or a
write, the worlds concerned take everything from a forward pass.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import mujoco
import mujoco_warp as mjw
import numpy as np
import warp as wp
from mujoco_warp import OverflowType

from unisim.backend.audit.profile import ITERATIONS, SEARCHES
from unisim.backend.base import Array, ContactReading, RawContacts, Snapshot, Worlds
from unisim.backend.device import kernels
from unisim.backend.device.arrays import DeviceArrays, flat, seen_as
from unisim.backend.device.program import TURN, Program
from unisim.backend.fields import QUANTITIES
from unisim.backend.layout import Layout
from unisim.backend.mjwarp.fields import DERIVED, SOURCES, Handle
from unisim.backend.mjwarp.state import WorldState
from unisim.backend.mjwarp.views import Views, contacts_of
from unisim.backend.queries import Query
from unisim.errors import BadArray

_LOST = int(OverflowType.ALL & ~(OverflowType.ITERATIONS | OverflowType.LS_ITERATIONS))
_TIES = (int(mujoco.mjtEq.mjEQ_CONNECT), int(mujoco.mjtEq.mjEQ_WELD))
_RK4 = int(mujoco.mjtIntegrator.mjINT_RK4)
_BLIND = int(mujoco.mjtDisableBit.mjDSBL_SENSOR)
_SENSOR = mujoco.mjtSensor
_DEEP = [
    int(kind)
    for kind in (
        _SENSOR.mjSENS_GEOMDIST,
        _SENSOR.mjSENS_GEOMNORMAL,
        _SENSOR.mjSENS_GEOMFROMTO,
        _SENSOR.mjSENS_E_KINETIC,
    )
]
_POSITION = (
    mjw.kinematics,
    mjw.com_pos,
    mjw.camlight,
    mjw.flex,
    mjw.tendon,
    mjw.transmission,
)
_PLAIN = frozenset(name for name, item in QUANTITIES.items() if item.stage == "acc") - {
    "sensordata"
}


@dataclass(frozen=True)
class MjwarpSnapshot:
    """Copies of the state, of what the last substep left, of varied fields, faults."""

    state: Mapping[str, wp.array]
    kept: Mapping[str, wp.array]
    varied: Mapping[str, wp.array]
    faults: wp.array


class MjwarpEngine:
    """Implements `unisim.backend.base.Engine` on `mujoco_warp`."""

    def __init__(
        self,
        handle: Handle,
        arrays: DeviceArrays,
        layout: Layout,
        queries: tuple[Query, ...],
        vary: tuple[str, ...],
    ) -> None:
        """Take over model and data; every world is at the model's defaults."""
        self._handle, self._arrays = handle, arrays
        self._model, self._data = handle.model, handle.data
        worlds = self._data.nworld
        self._tied = bool(np.isin(handle.names.eq_type, _TIES).any())
        adhering = handle.names.actuator_trntype == mujoco.mjtTrn.mjTRN_BODY
        self._looks_deep = bool(
            adhering.any() or np.isin(handle.names.sensor_type, _DEEP).any()
        )
        self._timestep = float(handle.names.opt.timestep)
        self._state = WorldState(handle.names, self._data, arrays)
        self._views = Views(handle.names, self._data, self._state.rows, layout, arrays)
        self._readings = self._views.readings(queries)
        self._fields = {name: _field(self._model, name) for name in vary}
        self._faults = arrays.zeros((worlds,), "uint8")
        self._history = wp.clone(self._data.history)
        self._sensed = wp.clone(self._data.sensordata)
        self._dirty = arrays.zeros((worlds,), "bool")  # needs a whole forward pass
        self._any_dirty = False
        self._late = False  # what the last substep left is not copied yet
        self._lagging = False  # stages of the state before the last substep
        self._done: set[str] = set()  # velocities computed since the last change
        self._plan()

    @property
    def handle(self) -> Handle:
        """Model, data and room."""
        return self._handle

    @property
    def faults(self) -> wp.array:
        """`Fault` bits per world. Shape (n,), uint8."""
        return self._faults

    def converge(self, *, whatever: bool) -> None:
        """See `unisim.backend.base.Converges`; a captured graph holds old numbers."""
        stated, options = self._handle.names.opt, self._model.opt
        options.iterations, options.ls_iterations = (
            (max(stated.iterations, ITERATIONS), max(stated.ls_iterations, SEARCHES))
            if whatever
            else (stated.iterations, stated.ls_iterations)
        )
        self._plan()

    def step(self, ctrl: Array | None, count: int) -> None:
        """See `unisim.backend.base.Engine`."""
        if ctrl is not None:
            self._put(self._state.rows["ctrl"], ctrl, None)
        for _ in range(count):
            self._advance()
        if self._any_dirty:
            self._dirty.zero_()
            self._any_dirty = False
        self._late = self._lagging = True
        self._done.clear()

    def reset(self, worlds: Worlds | None, key: int) -> None:
        """See `unisim.backend.base.Engine`."""
        self._choose(worlds)
        self._state.key.fill_(key + 1)
        self._reset()
        self._touched()

    def read(self, name: str) -> wp.array:
        """See `unisim.backend.base.Engine`."""
        if QUANTITIES[name].stage != "state":
            self._refresh(look=name not in _PLAIN)
            if name not in self._done:
                self._views.compute(name)
                self._done.add(name)
        return self._views.handed[name]

    def write(self, name: str, values: Array, worlds: Worlds | None) -> None:
        """See `unisim.backend.base.Engine`."""
        self._put(self._state.rows[name], values, worlds)
        if name == "eq_active":
            self._state.switch()
        self._choose(worlds)
        self._launch(kernels.unite, [self._state.mask, self._dirty])
        self._state.check(self._faults)
        self._touched()

    def contact(self, query: int) -> ContactReading:
        """See `unisim.backend.base.Engine`."""
        self._refresh(look=False)
        return self._readings[query].read()

    def raw_contacts(self, world: int) -> RawContacts:
        """See `unisim.backend.base.Engine`; waits for the device."""
        self._refresh()
        self._forward_only()
        return contacts_of(self._model, self._data, world)

    def vary(self, name: str, values: Array, worlds: Worlds | None) -> None:
        """See `unisim.backend.base.Engine`; waits for the device."""
        self._refresh(look=False)
        names = (name, *(DERIVED if name in SOURCES else ()))
        fields = {item: flat(_field(self._model, item)) for item in names}
        before = {item: wp.clone(array) for item, array in fields.items()}
        self._put(fields[name], values, worlds)
        self._choose(worlds)
        if name in SOURCES:
            self._derive(fields, before)
        if not all(np.isfinite(array.numpy()).all() for array in fields.values()):
            for item, array in before.items():
                wp.copy(fields[item], array)
            raise BadArray(name, "values that a world can have", "others")
        self._launch(kernels.unite, [self._state.mask, self._dirty])
        self._touched()

    def varied(self, name: str) -> wp.array:
        """See `unisim.backend.base.Engine`."""
        field = self._fields[name]
        return seen_as(field, (*field.shape, *getattr(field.dtype, "_shape_", ())))

    def snapshot(self) -> MjwarpSnapshot:
        """See `unisim.backend.base.Engine`."""
        self._refresh()
        fields = self._all_fields()
        return MjwarpSnapshot(
            {name: wp.clone(rows) for name, rows in self._state.rows.items()},
            {name: wp.clone(rows) for name, rows in self._views.kept.items()},
            {name: wp.clone(rows) for name, rows in fields.items()},
            wp.clone(self._faults),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """See `unisim.backend.base.Engine`."""
        if not isinstance(snapshot, MjwarpSnapshot):
            raise BadArray("snapshot", "one of this engine", type(snapshot).__name__)
        for into, saved in (
            (self._state.rows, snapshot.state),
            (self._views.kept, snapshot.kept),
            (self._all_fields(), snapshot.varied),
        ):
            for name, rows in saved.items():
                wp.copy(into[name], rows)
        wp.copy(self._faults, snapshot.faults)
        self._state.switch()
        self._dirty.zero_()
        self._any_dirty = self._late = False
        self._lagging = True
        self._done.clear()

    def close(self) -> None:
        """See `unisim.backend.base.Engine`."""
        # the arrays go with the last reference to them
        vars(self).clear()

    def _plan(self) -> None:
        """Make the programs, nothing captured yet."""
        device = self._arrays.device
        self._advance = Program(self._advance_launches, device)
        self._forward = Program(self._forward_launches, device)
        self._look = Program(self._look_launches, device)
        self._keep = Program(self._views.keep, device)
        self._reset = Program(self._reset_launches, device)

    def _advance_launches(self) -> None:
        self._prepare()
        _step(self._model, self._data, self._sensed)
        self._state.advance(self._timestep)
        self._check()

    def _prepare(self) -> None:
        """Launch: give the engine time and controls, and velocities where it lags.

        It takes the change of the Jacobians of connects and welds from velocities that
        the pass before has left: what was read would change what comes.
        """
        self._state.apply(self._faults)
        if self._tied:
            model, data = self._model, self._data
            mjw.kinematics(model, data)
            mjw.com_pos(model, data)
            mjw.com_vel(model, data)
            mjw.subtree_vel(model, data)

    def _forward_launches(self) -> None:
        """A whole pass; what it leaves counts in the worlds that need it."""
        self._preserving(self._pass)
        self._views.merge(self._dirty)
        self._dirty.zero_()

    def _pass(self) -> None:
        self._prepare()
        mjw.forward(self._model, self._data)
        self._check()

    def _look_launches(self) -> None:
        self._preserving(self._stages)
        self._views.merge(self._dirty)

    def _stages(self) -> None:
        """Position and velocity stages, without constraints where no sensor asks."""
        model, data = self._model, self._data
        self._state.apply(self._faults)
        if self._looks_deep:
            mjw.fwd_position(model, data, factorize=False)
        else:
            for stage in _POSITION:
                stage(model, data)
        data.sensordata.zero_()
        mjw.sensor_pos(model, data)
        mjw.fwd_velocity(model, data)
        mjw.sensor_vel(model, data)

    def _reset_launches(self) -> None:
        self._state.reset()
        inputs = [self._state.mask, self._faults, self._data.overflow, self._dirty]
        self._launch(kernels.start_anew, inputs)

    def _check(self) -> None:
        """Launch: flag worlds that are not what they should be any more."""
        data = self._data
        self._state.check(self._faults)
        inputs = [data.naconmax, data.njmax, _LOST, data.nacon, data.ncollision]
        inputs += [data.nefc, data.overflow, self._faults]
        self._launch(kernels.check_capacity, inputs)

    def _refresh(self, *, look: bool = True) -> None:
        """Bring what is read to the current state, once after any change."""
        if self._late:
            self._keep()
            self._late = False
        if self._any_dirty:
            self._forward_only()
            self._any_dirty = False
        elif self._lagging and look:
            self._look()
            self._lagging = False

    def _forward_only(self) -> None:
        self._forward()
        self._lagging = False

    def _preserving(self, launches: Callable[[], None]) -> None:
        """Launch a pass that may not change what delayed sensors remember."""
        history = self._data.history
        if history.size:
            wp.copy(self._history, history)
        launches()
        if history.size:
            wp.copy(history, self._history)

    def _derive(
        self, fields: Mapping[str, wp.array], before: Mapping[str, wp.array]
    ) -> None:
        """Compute the constants that follow, in the chosen worlds only."""
        with TURN, wp.ScopedDevice(self._arrays.device):
            mjw.set_const(self._model, self._data, restore=False)
        for item in DERIVED:
            rows = fields[item]
            inputs = [self._state.mask, False, before[item], rows]
            device = self._arrays.device
            wp.launch(kernels.put_masked, dim=rows.shape, inputs=inputs, device=device)

    def _all_fields(self) -> dict[str, wp.array]:
        """Fields that vary, and those that follow from them. Shape (n, columns)."""
        names = set(self._fields)
        if names & SOURCES:
            names |= set(DERIVED)
        return {name: flat(_field(self._model, name)) for name in sorted(names)}

    def _put(self, target: wp.array, values: Array, worlds: Worlds | None) -> None:
        if isinstance(values, np.ndarray):
            kind = np.float64 if target.dtype is wp.float64 else np.float32
            values = self._arrays.upload(values.astype(kind, copy=False))
        if values.size:
            self._arrays.put(target, values, worlds)

    def _choose(self, worlds: Worlds | None) -> None:
        """Mark worlds in the mask."""
        mask = self._state.mask
        if worlds is None:
            mask.fill_(True)  # noqa: FBT003
        elif isinstance(worlds, np.ndarray):
            mask.assign(np.isin(np.arange(self._data.nworld), worlds))
        else:
            wp.copy(mask, worlds)

    def _touched(self) -> None:
        self._any_dirty = True
        self._done.clear()

    def _launch(self, kernel: wp.Kernel, inputs: list) -> None:
        """Launch over all worlds."""
        dim, device = self._data.nworld, self._arrays.device
        wp.launch(kernel, dim=dim, inputs=inputs, device=device)


def _field(model: mjw.Model, name: str) -> wp.array:
    owner = model.opt if name.startswith("opt.") else model
    return getattr(owner, name.removeprefix("opt."))


def _step(model: mjw.Model, data: mjw.Data, sensed: wp.array) -> None:
    """Launch a step, of which the first pass senses, as in MuJoCo.

    Of the four passes of RK4 the engine would sense each, and leave the last.
    """
    if model.opt.integrator != _RK4:
        mjw.step(model, data)
        return
    mjw.forward(model, data)
    flags = model.opt.disableflags
    model.opt.disableflags = flags | _BLIND
    if sensed.size:
        wp.copy(sensed, data.sensordata)
    mjw.rungekutta4(model, data)
    if sensed.size:
        wp.copy(data.sensordata, sensed)
    model.opt.disableflags = flags
