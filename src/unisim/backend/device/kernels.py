"""Kernels over all worlds: rows by mask and index, velocities of frames, faults.

Those of a `Program` have one signature each: a record on the CPU tells kernels apart by
name, not by overload.
"""

from typing import Any

import warp as wp

from unisim.backend.base import Fault

_CONTROL, _CAPACITY = int(Fault.CONTROL), int(Fault.CAPACITY)
_HUGE = 1e10


@wp.kernel(enable_backward=False)
def put_masked(
    mask: wp.array[wp.bool],
    wanted: wp.bool,
    rows: wp.array2d[Any],
    target: wp.array2d[Any],
):
    """Write target[w] = rows[w] in the worlds whose mask is as wanted."""
    world, column = wp.tid()
    if mask[world] == wanted:
        target[world, column] = rows[world, column]


@wp.kernel(enable_backward=False)
def put_rows(index: wp.array[wp.int32], rows: wp.array2d[Any], target: wp.array2d[Any]):
    """Put rows[i] at target[index[i]]."""
    row, column = wp.tid()
    target[index[row], column] = rows[row, column]


@wp.kernel(enable_backward=False)
def pick_rows(
    index: wp.array[wp.int32], source: wp.array2d[Any], target: wp.array2d[Any]
):
    """Write target[i] = source[index[i]]."""
    row, column = wp.tid()
    target[row, column] = source[index[row], column]


@wp.kernel(enable_backward=False)
def pick_columns(
    index: wp.array[wp.int32],
    source: wp.array2d[wp.float32],
    target: wp.array2d[wp.float32],
):
    """Write target[w, j] = source[w, index[j]]."""
    world, column = wp.tid()
    target[world, column] = source[world, index[column]]


@wp.kernel(enable_backward=False)
def put_origin(
    mask: wp.array[wp.bool],
    key: wp.array[wp.int32],
    table: wp.array2d[wp.float32],
    target: wp.array2d[wp.float32],
):
    """Write target[w] = table[key] in masked worlds."""
    world, column = wp.tid()
    if mask[world]:
        target[world, column] = table[key[0], column]


@wp.kernel(enable_backward=False)
def put_time(
    mask: wp.array[wp.bool],
    key: wp.array[wp.int32],
    table: wp.array2d[wp.float64],
    target: wp.array2d[wp.float64],
):
    """Do so in float64.

    It has a name of its own, since what is recorded on a CPU tells kernels of a module
    apart by their names alone, not by the types of their arguments.
    """
    world, column = wp.tid()
    if mask[world]:
        target[world, column] = table[key[0], column]


@wp.kernel(enable_backward=False)
def start_anew(
    mask: wp.array[wp.bool],
    faults: wp.array[wp.uint8],
    overflow: wp.array[wp.int32],
    dirty: wp.array[wp.bool],
):
    """Forget the faults of masked worlds, which need a forward pass."""
    world = wp.tid()
    if mask[world]:
        faults[world] = wp.uint8(0)
        overflow[world] = 0
        dirty[world] = True


@wp.kernel(enable_backward=False)
def fill_masked(mask: wp.array[wp.bool], value: Any, target: wp.array[Any]):
    """Write target[w] = value in masked worlds."""
    world = wp.tid()
    if mask[world]:
        target[world] = value


@wp.kernel(enable_backward=False)
def add(number: Any, target: wp.array[Any]):
    """Add a number."""
    world = wp.tid()
    target[world] = target[world] + number


@wp.kernel(enable_backward=False)
def count(number: wp.int64, target: wp.array[wp.int64]):
    """Add a number: of one signature, which is quicker to launch."""
    world = wp.tid()
    target[world] = target[world] + number


@wp.kernel(enable_backward=False)
def put_slot(slot: int, rows: wp.array2d[Any], target: wp.array3d[Any]):
    """Write target[w, slot] = rows[w]."""
    world, column = wp.tid()
    target[world, slot, column] = rows[world, column]


@wp.kernel(enable_backward=False)
def fold(over: int, rows: wp.array2d[Any], target: wp.array2d[Any]):
    """Minimum (0), maximum (1) or whether any was not zero (2), in place."""
    world, column = wp.tid()
    value = rows[world, column]
    if over == 0:
        target[world, column] = wp.min(target[world, column], value)
    elif over == 1:
        target[world, column] = wp.max(target[world, column], value)
    elif value != type(value)(0):
        target[world, column] = type(value)(1)


for _kind in (wp.float32, wp.float64, wp.int64):
    _rows, _line = wp.array(dtype=_kind, ndim=2), wp.array(dtype=_kind, ndim=1)
    _mask, _index = wp.array(dtype=wp.bool), wp.array(dtype=wp.int32)
    wp.overload(put_masked, [_mask, wp.bool, _rows, _rows])
    wp.overload(put_rows, [_index, _rows, _rows])
    wp.overload(pick_rows, [_index, _rows, _rows])
    wp.overload(fill_masked, [_mask, _kind, _line])
    wp.overload(add, [_kind, _line])
    wp.overload(put_slot, [wp.int32, _rows, wp.array(dtype=_kind, ndim=3)])
    if _kind is not wp.int64:
        wp.overload(fold, [wp.int32, _rows, _rows])
for _kind in (wp.uint8, wp.bool):
    wp.overload(fill_masked, [_mask, _kind, wp.array(dtype=_kind, ndim=1)])


@wp.kernel(enable_backward=False)
def unite(mask: wp.array[wp.bool], target: wp.array[wp.bool]):
    """Set target wherever mask is set."""
    world = wp.tid()
    if mask[world]:
        target[world] = True


@wp.kernel(enable_backward=False)
def switch(values: wp.array2d[wp.float32], target: wp.array2d[wp.bool]):
    """Turn 0 and 1 into switches."""
    world, column = wp.tid()
    target[world, column] = values[world, column] != 0.0


@wp.kernel(enable_backward=False)
def narrow(values: wp.array[wp.float64], target: wp.array[wp.float32]):
    """Round to float32."""
    world = wp.tid()
    target[world] = wp.float32(values[world])


@wp.kernel(enable_backward=False)
def keep(
    dirty: wp.array[wp.bool],
    early: wp.array[wp.bool],
    fresh: wp.array2d[wp.float32],
    kept: wp.array2d[wp.float32],
):
    """Take the early columns of all worlds, and every column of dirty ones."""
    world, column = wp.tid()
    if dirty[world] or early[column]:
        kept[world, column] = fresh[world, column]


@wp.kernel(enable_backward=False)
def angular(
    body: wp.array[wp.int32],
    cvel: wp.array2d[wp.spatial_vector],
    out: wp.array2d[wp.vec3],
):
    """Angular velocity of frames in world."""
    world, frame = wp.tid()
    out[world, frame] = wp.spatial_top(cvel[world, body[frame]])


@wp.kernel(enable_backward=False)
def linear(
    body: wp.array[wp.int32],
    root: wp.array[wp.int32],
    cvel: wp.array2d[wp.spatial_vector],
    pos: wp.array2d[wp.vec3],
    com: wp.array2d[wp.vec3],
    out: wp.array2d[wp.vec3],
):
    """Velocity of the origins of frames in world, moved from the tree's com."""
    world, frame = wp.tid()
    spatial = cvel[world, body[frame]]
    arm = pos[world, frame] - com[world, root[frame]]
    turn = wp.cross(wp.spatial_top(spatial), arm)
    out[world, frame] = wp.spatial_bottom(spatial) + turn


@wp.func
def _bad(value: wp.float32):
    return not (wp.abs(value) < wp.float32(_HUGE))


@wp.kernel(enable_backward=False)
def apply_controls(
    ctrl: wp.array2d[wp.float32],
    applied: wp.array2d[wp.float32],
    faults: wp.array[wp.uint8],
):
    """Apply the controls of each world, or none of them if one is bad."""
    world = wp.tid()
    bad = bool(False)
    for column in range(ctrl.shape[1]):
        if _bad(ctrl[world, column]):
            bad = True
    if bad:
        faults[world] = faults[world] | wp.uint8(_CONTROL)
    for column in range(ctrl.shape[1]):
        applied[world, column] = wp.where(bad, 0.0, ctrl[world, column])


@wp.kernel(enable_backward=False)
def check_rows(bit: int, rows: wp.array2d[wp.float32], faults: wp.array[wp.uint8]):
    """Flag worlds of which a value is not finite, or huge."""
    world = wp.tid()
    bits = int(0)
    for column in range(rows.shape[1]):
        if _bad(rows[world, column]):
            bits = bit
    if bits != 0:
        faults[world] = faults[world] | wp.uint8(bits)


@wp.kernel(enable_backward=False)
def check_capacity(
    pool: int,
    rows: int,
    bits: int,
    wanted: wp.array[wp.int32],
    candidates: wp.array[wp.int32],
    nefc: wp.array[wp.int32],
    overflow: wp.array[wp.int32],
    faults: wp.array[wp.uint8],
):
    """Flag worlds that lost contacts: all share one pool; constraint rows are own."""
    world = wp.tid()
    full = wanted[0] > pool or candidates[0] > pool or nefc[world] > rows
    if full or (overflow[world] & bits) != 0:
        faults[world] = faults[world] | wp.uint8(_CAPACITY)


@wp.kernel(enable_backward=False)
def contact_counts(
    column: int,
    slots: int,
    sums: wp.bool,
    sensordata: wp.array2d[wp.float32],
    found: wp.array[wp.int64],
    overflow: wp.array[wp.bool],
):
    """How many contacts a query's sensor found, and whether slots were missing."""
    world = wp.tid()
    count = wp.int64(sensordata[world, column])
    found[world] = count
    overflow[world] = count > wp.int64(slots) and not sums
