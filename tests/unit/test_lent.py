"""What a sim lends is its own: nobody changes a sim by what was read of it."""

import numpy as np
import pytest

from contract.scenes import composed
from unisim import ContactQueryCfg, SceneCfg, TaskCfg, borrow, build
from unisim.backend.arrays import HOST
from unisim.errors import BadArray
from unisim.probe.contract.worlds import scatter

torch = pytest.importorskip("torch")
QUERY = ContactQueryCfg(name="q", first="pebble", fields=("force",))


@pytest.fixture(scope="module")
def sim():
    scene = composed("sink")
    cfg = SceneCfg(model_file=scene.file)
    task = TaskCfg(scene=cfg, worlds=4, contacts=(QUERY,), vary=("opt.gravity",))
    with build(task, scene) as sim:
        scatter(sim)
        yield sim


LENT = {
    "state": lambda sim: sim.read("qpos"),
    "derived": lambda sim: sim.read("xpos"),
    "field": lambda sim: sim.read("opt.gravity"),
    "sensor": lambda sim: sim.sensor("tip"),
    "part": lambda sim: sim.read("qvel")[1:, ::2],
    "time": lambda sim: sim.read("time"),
    "contact": lambda sim: sim.contact("q").fields["force"],
    "found": lambda sim: sim.contact("q").found,
    "steps": lambda sim: sim.steps,
    "faults": lambda sim: sim.faults,
}


@pytest.mark.parametrize("read", LENT.values(), ids=LENT)
def test_an_export_is_a_copy_that_may_be_written(sim, read):
    before = np.array(read(sim))
    tensor = torch.from_dlpack(read(sim))
    assert np.array_equal(tensor.numpy(), before)
    tensor += 1
    array = np.from_dlpack(read(sim), copy=True)
    array += 1
    assert not np.shares_memory(np.from_dlpack(read(sim)), borrow(read(sim)))
    assert np.array_equal(read(sim), before)


@pytest.mark.parametrize("read", LENT.values(), ids=LENT)
def test_a_write_into_it_is_refused(sim, read):
    array = read(sim)
    with pytest.raises(ValueError, match="read-only"):
        array[...] = 1
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(array)[...] = 1
    with pytest.raises(BufferError, match=r"unisim\.borrow"):
        np.from_dlpack(array, copy=False)


def test_what_is_borrowed_is_the_memory_itself(sim):
    array = borrow(sim.read("qpos"))
    assert type(array) is np.ndarray
    tensor = torch.from_dlpack(array)
    assert tensor.data_ptr() == array.ctypes.data == sim.read("qpos").ctypes.data
    before = tensor.clone()
    sim.step()
    assert not torch.equal(before, tensor)
    assert np.array_equal(tensor.numpy(), sim.read("qpos"))
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


def test_what_is_computed_from_it_is_the_users(sim):
    double = sim.read("qpos") * 2
    assert type(double) is np.ndarray
    assert type(sim.read("qpos").max()) is np.float64
    tensor = torch.from_dlpack(double)
    tensor += 1
    assert np.array_equal(double, tensor.numpy())
    assert borrow(7) == 7


def test_a_control_function_is_lent_its_arrays_and_may_return_what_it_made(sim):
    seen = []

    def control(command, qpos, qvel, _time):
        tensor = torch.from_dlpack(qpos)
        tensor += 1
        seen.append(not np.shares_memory(tensor.numpy(), borrow(qpos)))
        return command.copy() - 0 * qvel[:, :1]

    before = np.array(sim.read("qpos"))
    saved = sim.snapshot()
    sim.step(np.ones((4, sim.layout.sizes["nu"])), control=control)
    first = np.array(sim.read("qpos"))
    sim.restore(saved)
    assert np.array_equal(sim.read("qpos"), before)
    sim.step(np.ones((4, sim.layout.sizes["nu"])))
    assert np.array_equal(sim.read("qpos"), first)
    assert seen == [True]


def test_torch_goes_in_where_it_is_and_means_what_numpy_means(sim):
    saved, nu = sim.snapshot(), sim.layout.sizes["nu"]
    ctrl = torch.linspace(-1, 1, 4 * nu, dtype=torch.float64).reshape(4, nu)
    sim.step(ctrl, 2)
    first = np.array(sim.read("qpos"))
    sim.restore(saved)
    sim.step(ctrl.numpy(), 2)
    assert np.array_equal(sim.read("qpos"), first)
    mask = torch.tensor([False, True, False, True])
    sim.reset(mask, qvel=torch.full((2, sim.layout.sizes["nv"]), 0.5).double())
    assert sim.steps.tolist() == [sim.steps[0], 0, sim.steps[0], 0]
    assert np.all(sim.read("qvel")[[1, 3]] == 0.5)
    sim.write("qvel", torch.zeros((4, sim.layout.sizes["nv"])).double())
    assert not sim.read("qvel").any()


def test_a_tensor_shares_its_memory_and_one_with_gradient_is_refused(sim):
    tensor = torch.ones((4, 3), dtype=torch.float64)
    rows = HOST.rows("ctrl", tensor, (4, 3), "float64")
    assert rows.ctypes.data == tensor.data_ptr()
    nu = sim.layout.sizes["nu"]
    with pytest.raises(BadArray, match="gradient"):
        sim.step(torch.zeros((4, nu), requires_grad=True))
