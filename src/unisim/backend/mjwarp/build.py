"""Puts the reference model on a device with MuJoCo Warp."""

import warnings

import mujoco
import mujoco_warp as mjw
import numpy as np
import warp as wp

from unisim.backend.base import BuildCfg
from unisim.backend.capacity import Capacity, needed
from unisim.backend.device.arrays import DeviceArrays
from unisim.backend.device.compiling import compiling, start
from unisim.backend.device.memory import allocating, held
from unisim.backend.fields import QUANTITIES
from unisim.backend.layout import Layout
from unisim.backend.mjwarp.cfg import settings
from unisim.backend.mjwarp.fields import DERIVED, SOURCES, Handle
from unisim.backend.mjwarp.sim import MjwarpEngine
from unisim.backend.queries import model_of, queries_of
from unisim.errors import BadConfig, UnsupportedFeature
from unisim.mjcf.detect import detect
from unisim.scene.terrain.places import spread

_MOST = 2**31 - 1
"""Elements of an array of Warp along one axis."""


def build(request: BuildCfg, layout: Layout) -> MjwarpEngine:
    """Put model and data on the device, and make every kernel of a step ready.

    Raises:
        BadConfig: If a setting is unknown or has the wrong type.
        UnknownName: If a contact query names what the scene does not have.
        UnsupportedFeature: If MuJoCo Warp does not take the model.
        OutOfMemory: If the worlds do not fit on the device.
    """
    start()
    arrays = DeviceArrays(request.device)
    handle = put(request, layout, arrays)
    queries = queries_of(handle.names, request.contacts)
    each = held(handle.data) // request.worlds
    with allocating(arrays.device, request.worlds, each):
        engine = MjwarpEngine(handle, arrays, layout, queries, request.vary)
        with compiling("mjwarp makes its kernels ready"):
            _warm_up(engine)
    return engine


def put(request: BuildCfg, layout: Layout, arrays: DeviceArrays) -> Handle:
    """Put model and data on the device, with room for what the reference needs.

    Raises:
        UnisimError: In any form that `build` raises.
    """
    cfg, model = settings(request), model_of(request, layout)
    # there is no autoreset to switch off
    model.opt.disableflags &= ~int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    key = request.scene.keyframe
    number = -1 if key is None else layout.index("key", key)
    seen = needed(model, number, request.seed, spread(request.scene))
    room = Capacity(
        cfg.contacts_per_world or seen.contacts,
        cfg.rows_per_world or seen.rows,
    )
    _check_room(room, request.worlds, model.nv)
    with wp.ScopedDevice(arrays.device):
        model_there = _put_model(request, model)
        data = _make_data(model, request.worlds, room)
    _set_options(model_there, request, arrays)
    return Handle(model_there, data, model, room)


def _make_data(model: mujoco.MjModel, worlds: int, room: Capacity) -> mjw.Data:
    """State and scratch of all worlds, on the current device of Warp."""

    def make(count: int) -> mjw.Data:
        return mjw.make_data(
            model, nworld=count, nconmax=room.contacts, njmax=room.rows
        )

    each = held(make(2)) - held(make(1))
    with allocating(wp.get_device(), worlds, each):
        return make(worlds)


def _check_room(room: Capacity, worlds: int, nv: int) -> None:
    """Refuse more than an array of the engine counts.

    Raises:
        BadConfig: Then.
    """
    contacts, entries = room.contacts * worlds, room.rows * nv
    problems = [
        f"{name}: {each:,} per world are {total:,} {what}; the engine's arrays hold up "
        f"to {_MOST:,}. Ask for less room, or for fewer worlds."
        for name, each, total, what in (
            (
                "contacts_per_world",
                room.contacts,
                contacts,
                "in the pool of all worlds",
            ),
            ("rows_per_world", room.rows, entries, "entries of the Jacobian of each"),
        )
        if total > _MOST
    ]
    if problems:
        raise BadConfig("engine", problems)


def _warm_up(engine: MjwarpEngine) -> None:
    """Run everything that a step, a reset and a read launch, once."""
    engine.reset(None, -1)
    engine.step(None, 1)
    for name in QUANTITIES:
        engine.read(name)
    engine.reset(None, -1)
    engine.read("qacc")


def _put_model(request: BuildCfg, model: mujoco.MjModel) -> mjw.Model:
    """The model on the device, with room for what varies and what follows from it."""
    vary = {name for name in request.vary if not name.startswith("opt.")}
    if vary & SOURCES:
        vary |= set(DERIVED)
    sizes = dict.fromkeys(sorted(vary), request.worlds)
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            held = mjw.put_model(model, batch_sizes=sizes)
    except (NotImplementedError, ValueError) as error:
        raise UnsupportedFeature("mjwarp", [str(error)], ()) from error
    if said:
        reasons = [str(item.message) for item in said]
        raise UnsupportedFeature("mjwarp", reasons, ())
    return held


def _set_options(held: mjw.Model, request: BuildCfg, arrays: DeviceArrays) -> None:
    options = request.scene.model.opt
    if any(use.feature == "option.tolerance" for use in detect(request.scene)):
        held.opt.tolerance = arrays.upload(np.array([options.tolerance], np.float32))
    held.opt.warn_overflow = 0  # faults say it
    held.opt.deterministic = request.deterministic and not arrays.on_host
    for name in request.vary:
        if name.startswith("opt."):
            vector = np.array(getattr(options, name[4:]), np.float32)
            rows = np.tile(vector, (request.worlds, 1))
            field = wp.array(rows, dtype=wp.vec3, device=arrays.device)
            setattr(held.opt, name[4:], field)
