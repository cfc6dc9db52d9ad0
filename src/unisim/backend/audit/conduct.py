"""Checks of how worlds go on: several steps, what is then read, and who is touched."""

from collections.abc import Iterator

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.arrays import host
from unisim.backend.audit.dry import check_ties, loosened
from unisim.backend.audit.oracle import Array, Oracle, States
from unisim.backend.audit.probe import Probe
from unisim.backend.audit.smooth import Smooth
from unisim.backend.derived import Bind, Derived

_FIRST, _HELD = 3, 2
_KINDS = {"body": "nbody", "geom": "ngeom", "site": "nsite", "tendon": "ntendon"}
_READ = {
    "xipos": "body",
    "site_xpos": "site",
    "site_xmat": "site",
    "site_linvel": "site",
    "site_angvel": "site",
    "geom_xpos": "geom",
    "geom_xmat": "geom",
    "geom_linvel": "geom",
    "geom_angvel": "geom",
    "ten_length": "tendon",
    "ten_velocity": "tendon",
    "qfrc_passive": "dof",
    "qacc": "dof",
    "qfrc_actuator": "dof",
}
_ACC = ("qacc", "qfrc_actuator")
_LATE = ("sensordata", *_ACC)
_HINT = "the state before the last substep, another frame, or another order"


class Future:
    """What MuJoCo makes of k states in some steps, and what is then to be read.

    Attributes:
        free: Worlds that nothing touched and no limit stopped on the way. Shape (k,).
        qpos: Shape (k, nq).
        qvel: Shape (k, nv).
        time: [s]. Shape (k,).
        moved: How far each dof went. Shape (k, nv).
        answer: Largest acceleration of each dof, if no forces cancelled. Shape (k, nv).
        read: Derived quantities by name. Shape (k, ...).
    """

    def __init__(self, oracle: Oracle, states: States, steps: int) -> None:
        """Step every state, its controls held."""
        model, data = oracle.model, oracle.data
        count, derived = len(states), Derived(model)
        self.free = np.ones(count, bool)
        self.qpos, self.qvel = np.empty((count, model.nq)), np.empty((count, model.nv))
        self.time, self.moved = np.empty(count), np.empty((count, model.nv))
        self.answer = np.zeros((count, model.nv))
        bind = _bind(data)
        rows: dict[str, list[Array]] = {name: [] for name in (*_READ, "sensordata")}
        for world in range(count):
            oracle.place(states, world)
            for _ in range(steps):
                self.free[world] &= data.ncon == 0 and data.nl == 0
                mujoco.mj_step(model, data)
                answer = self.answer[world], oracle.answers()
                self.answer[world] = np.maximum(*answer)
            late = {name: np.array(getattr(data, name), float) for name in _LATE}
            _refresh(model, data)
            self.free[world] &= data.ncon == 0 and data.nl == 0
            for name, values in rows.items():
                now = np.asarray(derived.read(name, bind)[0], np.float64)
                if name == "sensordata":
                    now = np.where(_acc_columns(model), late[name], now)
                values.append(late[name] if name in _ACC else now.copy())
            # where the reference explodes, MuJoCo's autoreset puts it back
            self.free[world] &= not data.warning.number.any()
            self.qpos[world], self.qvel[world] = data.qpos, data.qvel
            self.time[world] = data.time
            mujoco.mj_differentiatePos(
                model, self.moved[world], 1.0, states.qpos[world], data.qpos
            )
        self.read = {name: np.array(values) for name, values in rows.items()}


def check_future(probe: Probe, states: States) -> None:
    """Several steps end where the reference's do, controls held without being told."""
    model, engine = probe.oracle.model, probe.engine
    want = Future(probe.oracle, states, _FIRST + _HELD)
    probe.write(states)
    ctrl = np.array(host(engine.read("ctrl")))
    ctrl[probe.worlds] = states.ctrl
    engine.step(ctrl, _FIRST)
    engine.step(None, _HELD)
    late = np.abs(probe.read("time") - want.time)[want.free] / model.opt.timestep
    for _ in probe.judge("time", late[:, None], probe.tolerance.rows):
        text = (f"{want.time[0]:.9g}", f"{probe.read('time')[0]:.9g}", "steps made")
        probe.report("model", "model", "time", text)
    if not want.free.any():
        probe.skip("several steps", "something touches within a few steps")
        return
    loose = np.zeros(model.nv, bool)
    if probe.smooth is not None:
        loose = loosened(model)
    _compare_places(probe, want, loose)
    if probe.smooth is not None and loose.any():
        want = _meet(probe, states, probe.smooth, loose)
    for name, kind in _READ.items():
        if not (loose.any() and name in _ACC):
            _compare_read(probe, want, name, kind)
    _compare_sensors(probe, want, early=bool(loose.any()))


def _meet(
    probe: Probe, states: States, smooth: Smooth, loose: NDArray[np.bool_]
) -> Future:
    """What is to be read where the engine's own friction and ties have led."""
    end = probe.held()
    if probe.oracle.model.neq:
        check_ties(probe, states, _FIRST + _HELD, smooth, end)
    names = tuple(probe.names["dof"][i] for i in np.flatnonzero(loose))
    reason = "the engine's own dry friction or equalities act on it"
    probe.skip("several steps and accelerations", reason, names)
    return Future(probe.oracle, end, 0)


def check_others(probe: Probe, states: States) -> None:
    """A reset or a write of some worlds leaves the others alone."""
    probe.write(states)
    worlds, some = probe.worlds, probe.worlds[::2]
    before = {name: _all(probe, name) for name in ("qpos", "time")}
    probe.engine.reset(some, probe.oracle.key)
    _compare_others(probe, "reset", before, some)
    probe.write(states)
    last = worlds[-1:]
    row = np.array(host(probe.engine.read("qpos")))[last]
    probe.engine.write("qpos", row, last)
    time = np.full(1, 7.5).astype(row.dtype)
    probe.engine.write("time", time, last)
    before["time"][last] = time
    _compare_others(probe, "write", before, np.zeros(0, np.int32))


def check_writes(probe: Probe, seed: int) -> None:
    """What is not part of the motion's state reads back as written, and resets."""
    model, rng = probe.oracle.model, np.random.default_rng(seed)
    count, dtype = len(probe.worlds), host(probe.engine.read("qpos")).dtype
    shapes = {"time": (), "xfrc_applied": (model.nbody, 6), "qfrc_applied": (model.nv,)}
    shapes["userdata"] = (model.nuserdata,)
    values = {name: rng.uniform(0.1, 1, (count, *s)) for name, s in shapes.items()}
    off = 1.0 - np.asarray(model.eq_active0, dtype=np.float64)
    values["eq_active"] = np.tile(off, (count, 1))
    probe.engine.reset(probe.worlds, -1)
    start = {name: probe.read(name) for name in values}
    for name, value in values.items():
        if value.size:
            probe.engine.write(name, value.astype(dtype), probe.worlds)
    for name, value in values.items():
        _compare_plain(probe, "state read back", name, value)
    probe.engine.reset(probe.worlds, -1)
    for name, value in start.items():
        _compare_plain(probe, "reset", name, value)


def _all(probe: Probe, name: str) -> Array:
    """A quantity of all worlds, copied. Shape (n, ...), float64."""
    return np.array(host(probe.engine.read(name)), dtype=np.float64)


def _compare_plain(probe: Probe, check: str, name: str, want: Array) -> None:
    flat = want.reshape(len(want), -1)
    off = np.abs(probe.read(name).reshape(flat.shape) - flat)
    if probe.judge(check, off, probe.tolerance.state):
        text = ("as written", f"off by {off.max():.3g}", "it is dropped or kept")
        probe.report("model", "model", f"{check} ({name})", text)


def _compare_others(
    probe: Probe, check: str, before: dict[str, Array], some: NDArray[np.int32]
) -> None:
    """Worlds outside of `some` hold what they held."""
    for name, want in before.items():
        off = np.abs(_all(probe, name) - want)
        off[some] = 0
        if probe.judge("other worlds", off.reshape(len(off), -1), 0.0):
            worlds = np.flatnonzero(off.reshape(len(off), -1).any(axis=1)).tolist()
            got = f"worlds {worlds[:8]} change"
            text = ("other worlds stay", got, "worlds are not told apart")
            probe.report("model", "model", f"{check} of some worlds ({name})", text)


def _compare_places(probe: Probe, want: Future, loose: NDArray[np.bool_]) -> None:
    """Positions after the steps, relative to how far each dof went.

    Nothing is said about dofs that are `loose`. Shape (nv,).
    """
    model, got = probe.oracle.model, probe.read("qpos")
    off, steps = np.empty_like(want.moved), _FIRST + _HELD
    for world in range(len(off)):
        mujoco.mj_differentiatePos(model, off[world], 1.0, want.qpos[world], got[world])
    size = np.abs(want.moved[want.free]).max(axis=0)
    size = np.maximum(size, 1e-3 * size.max(initial=0.0) + 1e-6)
    largest = np.maximum(1.0, np.abs(want.qpos).max(axis=1, keepdims=True))
    lost = steps * largest + (steps * model.opt.timestep) ** 2 * want.answer
    excess = np.abs(off) - probe.tolerance.rounding * lost
    residual = np.where(loose, 0.0, np.maximum(excess, 0.0))[want.free] / size
    for dof in probe.judge("several steps", residual, probe.tolerance.rows):
        got_text = f"off by {residual[:, dof].max():.3g} of its way"
        text = (
            f"within {probe.tolerance.rows:g}",
            got_text,
            "steps made, controls held, or how positions follow velocities",
        )
        probe.report("dof", probe.names["dof"][dof], "several steps", text)


def _compare_read(probe: Probe, want: Future, name: str, kind: str) -> None:
    expected = want.read[name][want.free]
    if not expected.size:
        return
    got = probe.read(name)[want.free].reshape(expected.shape)
    off = np.abs(got - expected).reshape(*expected.shape[:2], -1).max(axis=-1)
    off = np.maximum(off - probe.tolerance.rounding * _lost(probe, want, name), 0.0)
    size = max(float(np.abs(expected).max()), 1e-6)
    passes = probe.tolerance.rows
    for i in probe.judge(name, off / size, passes):
        text = (f"within {passes:g}", f"off by {off[:, i].max() / size:.3g}", _HINT)
        probe.report(kind, probe.names[kind][i], name, text)


def _lost(probe: Probe, want: Future, name: str) -> Array:
    """What rounding is relative to, where forces cancel. Broadcasts to (k, rows)."""
    model, answer = probe.oracle.model, want.answer[want.free]
    if name == "qacc":
        return answer
    if not name.endswith(("vel", "velocity")):
        return np.zeros((len(answer), 1))
    gained = (_FIRST + _HELD) * model.opt.timestep * answer.sum(axis=1, keepdims=True)
    return gained * (1.0 if name.endswith("angvel") else max(1.0, model.stat.extent))


def _compare_sensors(probe: Probe, want: Future, *, early: bool) -> None:
    """Sensors without a past; only those of early stages, if so told."""
    model = probe.oracle.model
    expected, got = want.read["sensordata"], probe.read("sensordata")
    late = _acc_columns(model)
    clock = np.asarray(model.sensor_type) == mujoco.mjtSensor.mjSENS_CLOCK
    for i, columns in _sensors(model):
        # a state that is compared by itself has no time
        if early and (late[columns].any() or clock[i]):
            continue
        name = probe.names["sensor"][i]
        values = expected[want.free][:, columns]
        size = max(float(np.abs(values).max()), 1e-3)
        off = np.abs(got[want.free][:, columns] - values).max(axis=1) / size
        if probe.judge("sensordata", off[:, None], probe.tolerance.contact):
            got_text = f"off by {off.max():.3g}"
            text = (f"within {probe.tolerance.contact:g}", got_text, _HINT)
            probe.report("sensor", name, "sensordata", text)
    delayed = [
        probe.names["sensor"][i]
        for i in range(model.nsensor)
        if model.sensor_history[i, 0]
    ]
    if delayed:
        probe.skip("sensordata", "its past is not compared", tuple(delayed))


def _sensors(model: mujoco.MjModel) -> Iterator[tuple[int, slice]]:
    """Sensors without a past, and their columns."""
    for i in range(model.nsensor):
        start, size = int(model.sensor_adr[i]), int(model.sensor_dim[i])
        if not model.sensor_history[i, 0] and size:
            yield i, slice(start, start + size)


def _acc_columns(model: mujoco.MjModel) -> NDArray[np.bool_]:
    stage = np.repeat(model.sensor_needstage, model.sensor_dim)
    return stage == int(mujoco.mjtStage.mjSTAGE_ACC)


def _bind(data: mujoco.MjData) -> Bind:
    """MuJoCo's arrays of one world, as a batch of one."""
    return lambda name: np.asarray(getattr(data, name))[None]


def _refresh(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Position and velocity stages of the current state."""
    mujoco.mj_step1(model, data)
