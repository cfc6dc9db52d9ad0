"""Worlds that a device does not hold are refused by a sentence."""

import pytest

from contract.scenes import composed
from unisim.backend.base import BuildCfg
from unisim.backend.layout import layout_of
from unisim.errors import OutOfMemory

wp = pytest.importorskip("warp")
pytest.importorskip("mujoco_warp")
from unisim.backend.device import memory  # noqa: E402
from unisim.backend.device.arrays import DeviceArrays  # noqa: E402
from unisim.backend.device.compiling import start  # noqa: E402
from unisim.backend.mjwarp.build import put  # noqa: E402


def place(worlds):
    start()
    made = composed("quadruped")
    request = BuildCfg(scene=made, worlds=worlds, profile="default")
    return put(request, layout_of(made.model), DeviceArrays("cpu"))


def test_what_a_world_takes_is_refused_before_it_is_taken(monkeypatch):
    data = place(2).data
    each = memory.held(data) - memory.held(place(1).data)
    state = sum(getattr(data, n).capacity for n in ("qpos", "qvel", "xpos", "xmat"))
    assert each > state // 2
    monkeypatch.setattr(memory, "memory", lambda _: 7 * each)
    place(7)
    with pytest.raises(OutOfMemory, match=r"^8 worlds do not fit") as caught:
        place(8)
    assert (caught.value.worlds, caught.value.each) == (8, each)


def test_nested_arrays_count():
    data = place(2).data
    assert memory.held(data.contact) > 0
    assert memory.held(data) > memory.held(data.contact) + memory.held(data.efc)
    assert memory.held("no array") == 0


def test_what_warp_finds_no_room_for_is_out_of_memory():
    start()
    with (
        pytest.raises(OutOfMemory, match="10 worlds"),
        memory.allocating(wp.get_device("cpu"), 10, 5),
    ):
        wp.empty((1 << 25, 1 << 25), dtype=wp.uint8, device="cpu")
    with pytest.raises(OutOfMemory), memory.allocating(wp.get_device("cpu"), 10, 5):
        raise RuntimeError("Failed to convert input data") from MemoryError()


def test_another_error_of_warp_is_left_alone():
    with (
        pytest.raises(RuntimeError, match="launch"),
        memory.allocating(wp.get_device("cpu"), 10, 5),
    ):
        raise RuntimeError("launch failed")
