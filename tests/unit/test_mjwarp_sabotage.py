"""Every audited field that the device holds is changed there, and named."""

import re
from dataclasses import fields

import numpy as np
import pytest

from audit_scene import RICH, SOFT, WORLDS, scene
from unisim.backend import registry
from unisim.backend.arrays import host
from unisim.backend.audit import AUDITED, expected
from unisim.backend.audit.value import compare
from unisim.backend.base import BuildCfg
from unisim.backend.layout import layout_of
from unisim.probe.scenes import SCENES

wp = pytest.importorskip("warp")
mjw = pytest.importorskip("mujoco_warp")

LIAR = 2  # the world that is changed, where the worlds do not share the array
BATCHED = tuple(
    field.name
    for field in fields(mjw.Model)
    if getattr(field.type, "shape", ()) and field.type.shape[0] == "*"
)
FLAGS = {"opt.disableflags": 1 << 5, "opt.enableflags": 1 << 1}
REPLACED = frozenset(registry.load("mjwarp").manifest.profile(None).replaces)
# Whoever varies them has another model compiled, in which no body is simple.
FRAMES = {"body_ipos", "body_iquat"}
# Not on the device, and fixed by what is.
DERIVED = re.compile(
    r"_sameframe$|_(tree|actuator)(num|id)$|^actuator_out|^sensor_needstage$"
    r"|^body_margin$|^dof_M0$|^actuator_length0$"
)
# Refused by the gate, since the engine drops or mixes them in.
REFUSED = re.compile(r"_plugin$|^actuator_(enabled|armature|damping|dampingpoly)$")
# Another form of it is on the device, or the profile says that it decides.
DECIDED = {"opt_impratio", "opt_jacobian", *(f"opt_{name}" for name in REPLACED)}
TEXTS = {
    "rich": RICH.replace('actuatorgroupdisable="3"', "").replace(
        'armature="0.001" damping="0.01" ', ""
    ),
    "soft": SOFT.replace(
        'dof="trilinear">', 'dof="trilinear"><contact selfcollide="none"/>'
    ),
}
if "key_plastic" in AUDITED:  # since MuJoCo 4
    TEXTS["plastic"] = SCENES["key.plastic"].used


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Scene, engine's objects and the reference's values, by name."""
    from unisim.backend.device.arrays import DeviceArrays
    from unisim.backend.device.compiling import start
    from unisim.backend.mjwarp.build import put

    start()
    found = {}
    for name, text in TEXTS.items():
        made = scene(tmp_path_factory.mktemp(name), text)
        vary = tuple(item for item in BATCHED if name == "rich" or item not in FRAMES)
        request = BuildCfg(scene=made, worlds=WORLDS, profile="default", vary=vary)
        handle = put(request, layout_of(made.model), DeviceArrays("cpu"))
        found[name] = made, handle, expected(made)
    return found


def of(built, field):
    """The scene in which a field has rows."""
    if field == "key_plastic":
        return built["plastic"]
    return built["soft" if field.startswith("flex") else "rich"]


def slot(handle, raw):
    """Where the engine keeps a field: its owner and its name there."""
    if raw.startswith("opt."):
        return handle.model.opt, raw.removeprefix("opt.")
    return handle.model, raw


def differences(made, handle, want):
    got = registry.load("mjwarp").readback(handle)
    return compare(want, got, made.sources, frozenset())


def last_row(want, field):
    """Index of the last row that is compared, and its name."""
    values = want.values[field].reshape(len(want.values[field]), -1)
    row = int(np.flatnonzero(np.isfinite(values).any(axis=1))[-1])
    return row, want.names[AUDITED[field].kind][row]


def other(values, raw):
    """Values that differ from these, of the same type."""
    if raw in FLAGS:
        return np.asarray(values) ^ FLAGS[raw]
    if values.dtype == bool:
        return ~values
    if np.issubdtype(values.dtype, np.integer):
        return np.where(values > 0, values - 1, values + 1)
    return values * 1.25 + 0.125


def change(array, raw, row):
    """Change one row of an array on the device, in one world where it can be."""
    new = host(array).copy()
    part = new[LIAR] if raw in BATCHED else new
    if part.ndim and row < len(part):
        part[row] = other(part[row], raw)
    else:
        part[...] = other(part, raw)
    array.assign(new)


def held(raw):
    cls = mjw.Option if raw.startswith("opt.") else mjw.Model
    return raw.removeprefix("opt.") in {field.name for field in fields(cls)}


CASES = [(name, raw) for name, field in AUDITED.items() for raw in field.raw]


@pytest.mark.parametrize(("field", "raw"), [case for case in CASES if held(case[1])])
def test_a_field_that_is_changed_on_the_device_is_named(built, field, raw):
    made, handle, want = of(built, field)
    row, name = last_row(want, field)
    owner, key = slot(handle, raw)
    array = getattr(owner, key)
    if isinstance(array, wp.array):
        before = host(array).copy()
        change(array, raw, row)
        found = differences(made, handle, want)
        array.assign(before)
    else:
        setattr(owner, key, type(array)(other(np.asarray(array), raw)))
        found = differences(made, handle, want)
        setattr(owner, key, array)
    notes = [item.note for item in found if (item.field, item.name) == (field, name)]
    assert notes == [f"world {LIAR}" if raw in BATCHED else ""]


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_else_is_named(built, text):
    found = {item.field for item in differences(*built[text])}
    assert found <= DECIDED


@pytest.mark.parametrize(
    ("field", "raw"), [case for case in CASES if not held(case[1])]
)
def test_a_field_that_is_not_on_the_device_is_not_read_back(built, field, raw):
    _, handle, want = of(built, field)
    got = registry.load("mjwarp").readback(handle)
    if AUDITED[field].derived:
        assert DERIVED.search(field)
        assert field not in got.values
    else:
        assert field in DECIDED or REFUSED.search(field)
        assert want.values[field].size


def test_a_ratio_that_is_changed_in_the_engines_form_is_named(built):
    made, handle, want = built["rich"]
    array = handle.model.opt.impratio_invsqrt
    before = host(array).copy()
    array.assign(before * np.float32(1.25))
    found = {item.field for item in differences(made, handle, want)}
    array.assign(before)
    assert "opt_impratio" in found


def test_a_pair_that_the_engine_no_longer_looks_at_is_named(built):
    made, handle, want = built["rich"]
    array = handle.model.nxn_pairid_filtered
    before = host(array).copy()
    pairs = host(handle.model.nxn_geom_pair_filtered)
    floor, cube = made.model.geom("floor").id, made.model.geom("cube").id
    changed = before.copy()
    changed[(pairs == sorted((floor, cube))).all(axis=1), 0] = -2
    array.assign(changed)
    found = differences(made, handle, want)
    array.assign(before)
    stated = [(d.name, d.note) for d in found if d.field == "collision_pairs"]
    assert stated == [("cube", "with geom floor")]
