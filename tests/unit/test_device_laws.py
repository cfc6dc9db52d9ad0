"""The laws on a device compute what the numpy laws compute, in float32."""

from types import SimpleNamespace

import numpy as np
import pytest

from arm import ARM, LAYOUT, N, command_of, scene_of, state_of
from unisim.backend.arrays import HOST, host
from unisim.config import DCMotorCfg, DelayCfg, KeyframesCfg, PDCfg
from unisim.control import Batch, State, bind
from unisim.control.chain import law_on
from unisim.errors import BadArray
from unisim.runtime.command import Tap

wp = pytest.importorskip("warp")
from unisim.backend.device.arrays import DeviceArrays  # noqa: E402

KP = {"foot": 30.0, "knee": 20.0, "hip": 10.0}
KV = {"foot": 3.0, "knee": 2.0, "hip": 1.0}
PD = PDCfg(kp=KP, kv=KV, limit={"knee": 5.0})
STALL, NO_LOAD = dict.fromkeys(KP, 8.0), dict.fromkeys(KP, 3.0)
DC = DCMotorCfg(kp=KP, kv=KV, stall=STALL, no_load=NO_LOAD, limit={"hip": 2.0})
KEYS = KeyframesCfg(keys=("low", "high"), seconds=0.07)
CHAINS = {
    "none": (),
    "pd": (PD,),
    "motor": (DC,),
    "delay": (DelayCfg(steps=3),),
    "keyframes": (KEYS,),
    "all": (KEYS, DelayCfg(steps=2), PD),
}


@pytest.fixture(scope="module")
def arrays():
    return DeviceArrays("cpu")


@pytest.fixture
def batch(arrays):
    return Batch(N, LAYOUT.sizes["nu"], "float32", arrays)


def chains(cfgs, batch):
    scene = scene_of(ARM)
    on_host = Batch(batch.worlds, batch.nu, batch.dtype, HOST)
    return [bind(cfgs, scene, LAYOUT, each) for each in (on_host, batch)]


def on_device(arrays, state):
    return State(
        *(arrays.upload(item) for item in (state.qpos, state.qvel, state.time))
    )


@pytest.mark.parametrize("cfgs", CHAINS.values(), ids=CHAINS)
def test_step_by_step_the_controls_are_those_of_numpy(arrays, batch, cfgs):
    law, twin = chains(cfgs, batch)
    out = np.zeros((N, batch.nu), np.float32)
    device = batch.empty(batch.nu)
    for step in range(9):
        if step == 5:
            for each, worlds in ((law, [1, 3]), (twin, [1, 3])):
                each.reset(np.array(worlds, np.int32))
        if step == 7:
            mask = np.arange(N) == 2
            law.reset(np.flatnonzero(mask))
            twin.reset(arrays.upload(mask))
        command = command_of(step, "float32")
        state = state_of(LAYOUT, step, "float32")
        law.apply(command, state, out)
        twin.apply(arrays.upload(command), on_device(arrays, state), device)
        np.testing.assert_allclose(host(device), out, rtol=2e-6, atol=2e-5)
    assert len(np.unique(out)) > 20


@pytest.mark.parametrize("cfgs", CHAINS.values(), ids=CHAINS)
def test_the_resting_command_is_that_of_numpy(arrays, batch, cfgs):
    law, twin = chains(cfgs, batch)
    command, qpos = command_of(1, "float32").copy(), state_of(LAYOUT, 2, "float32").qpos
    device = arrays.upload(command)
    law.rest(command, qpos)
    twin.rest(device, arrays.upload(qpos))
    np.testing.assert_array_equal(host(device), command)


@pytest.mark.parametrize("name", ["pd", "motor", "all"])
def test_what_reaches_a_pd_law_is_written_down_on_the_device_too(arrays, batch, name):
    command, state = command_of(3, "float32"), state_of(LAYOUT, 3, "float32")
    given = (command, state), (arrays.upload(command), on_device(arrays, state))
    found, put_out = [], []
    for law, (told, at) in zip(chains(CHAINS[name], batch), given, strict=True):
        built = SimpleNamespace(law=law)
        tap = Tap(SimpleNamespace(built=built, read=lambda _: np.zeros_like(command)))
        out = law.batch.empty(batch.nu)
        tap.apply(told, at, out)
        assert len(tap.columns) == len(KP)
        found.append(tap.targets)
        put_out.append(host(out))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-6)
    np.testing.assert_allclose(put_out[1], put_out[0], rtol=2e-6, atol=2e-5)
    assert len(np.unique(found[0])) > N


def test_a_snapshot_of_the_laws_continues_where_it_was_taken(arrays, batch):
    _, law = chains(CHAINS["all"], batch)
    out = batch.empty(batch.nu)

    def path():
        found = []
        for step in range(4):
            command = arrays.upload(command_of(step, "float32"))
            state = on_device(arrays, state_of(LAYOUT, step, "float32"))
            law.apply(command, state, out)
            found.append(host(out).copy())
        return np.array(found)

    path()
    saved = law.snapshot()
    first = path()
    law.reset(None)
    assert not np.array_equal(path(), first)
    law.restore(saved)
    assert np.array_equal(path(), first)


def test_a_function_of_torch_tensors_is_a_law(arrays, batch):
    torch = pytest.importorskip("torch")

    def function(command, qpos, _qvel, time):
        tensor = torch.from_dlpack(command)
        return tensor * 2 + torch.from_dlpack(time)[:, None].float()

    law = law_on(function, batch)
    command, state = command_of(1, "float32"), state_of(LAYOUT, 0, "float32")
    out = batch.empty(batch.nu)
    law.apply(arrays.upload(command), on_device(arrays, state), out)
    expected = command * 2 + state.time[:, None].astype(np.float32)
    np.testing.assert_allclose(host(out), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("result", "message"),
    [(None, "NoneType"), ([[0.0]], "list"), ("wrong shape", r"shape \(2, 2\)")],
)
def test_a_function_that_returns_no_controls_is_refused(arrays, batch, result, message):
    if result == "wrong shape":
        result = wp.zeros((2, 2), dtype=wp.float32, device="cpu")
    law = law_on(lambda *_: result, batch)
    state = on_device(arrays, state_of(LAYOUT, 0, "float32"))
    out = batch.empty(batch.nu)
    with pytest.raises(BadArray, match=f"control function.*{message}"):
        law.apply(arrays.upload(command_of(1, "float32")), state, out)
