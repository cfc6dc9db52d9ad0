"""Height fields come out of files as they were written, or not at all."""

import io
import struct
import zlib

import mujoco
import numpy as np
import pytest

from scene_files import no_cache, write  # noqa: F401
from unisim.cli import main
from unisim.config import AttachCfg, SceneCfg, load
from unisim.errors import BadAsset, BadTerrain, MissingFile
from unisim.scene.compose import compose
from unisim.scene.export import export
from unisim.terrains import FieldCfg, TerrainCfg

ROBOT = """<mujoco><worldbody>{}<body name='ball' pos='.3 0 2'><freejoint/>
<geom name='ball' size='.1'/></body></worldbody>{}</mujoco>"""
FLOOR = "<geom name='floor' type='plane' size='0 0 1' rgba='.1 .2 .3 1' condim='4'/>"
HEIGHTS = np.arange(12.0).reshape(3, 4) ** 2 / 100 - 0.2
"""Three rows and four columns, every sample another height."""


def composed(folder, floor="", rest="", *, attach=(), **terrain):
    cfg = FieldCfg(resolution=0.5, **terrain)
    file = write(folder, main=ROBOT.format(floor, rest))
    return compose(SceneCfg(model_file=file, terrain=cfg, attach=attach))


def samples(model, name="terrain"):
    """Heights in world as the compiled model has them."""
    field = model.hfield(name)
    shape = field.nrow[0], field.ncol[0]
    base = model.geom(name).pos[2]
    return model.hfield_data.reshape(shape) * field.size[2] + base


@pytest.fixture
def array(tmp_path):
    np.save(tmp_path / "h.npy", HEIGHTS)
    return tmp_path / "h.npy"


def png(rows, kind=None, bits=8, colour=0, interlaced=0):
    """A PNG of a greyscale array; `kind` is the filter, None takes all in turn."""
    width = bits // 8
    raw = rows.astype(">u2" if bits == 16 else "u1").tobytes()
    lines = np.frombuffer(raw, np.uint8).reshape(len(rows), -1).astype(int)
    out, last = b"", np.zeros(lines.shape[1], int)
    for number, line in enumerate(lines):
        which = number % 5 if kind is None else kind
        left = np.concatenate([np.zeros(width, int), line[:-width]])
        corner = np.concatenate([np.zeros(width, int), last[:-width]])
        guess = left + last - corner
        order = np.argmin([abs(guess - i) for i in (left, last, corner)], axis=0)
        paeth = np.choose(order, [left, last, corner])
        predicted = (0, left, last, (left + last) // 2, paeth)[which]
        out += bytes([which]) + bytes(((line - predicted) % 256).tolist())
        last = line
    size = rows.shape[::-1]
    head = struct.pack(">IIBBBBB", *size, bits, colour, 0, 0, interlaced)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(out)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body))
        + name
        + body
        + struct.pack(">I", zlib.crc32(name + body))
        for name, body in parts
    )


def test_an_array_becomes_the_field_row_0_at_the_lowest_y(tmp_path, array):
    model = composed(tmp_path, file=array, pos=(1.0, 2.0, 3.0), base=0.25).model
    assert samples(model) == pytest.approx(HEIGHTS + 3, abs=1e-6)
    assert model.hfield("terrain").size[:2].tolist() == [0.75, 0.5]
    assert model.hfield("terrain").size[3] == 0.25
    assert model.geom("terrain").pos[:2].tolist() == [1, 2]


def test_an_array_is_scaled(tmp_path, array):
    model = composed(tmp_path, file=array, scale=-0.5).model
    assert samples(model) == pytest.approx(HEIGHTS * -0.5, abs=1e-6)


@pytest.mark.parametrize("kind", ["<f4", ">f8", "<i2", "u1"])
def test_an_array_of_any_real_numbers_is_read(tmp_path, kind):
    values = np.arange(6).reshape(2, 3).astype(kind)
    np.save(tmp_path / "h.npy", values)
    model = composed(tmp_path, file=tmp_path / "h.npy").model
    assert samples(model) == pytest.approx(values.astype(float))


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_order_in_memory_of_an_array_does_not_matter(tmp_path, order):
    np.save(tmp_path / "h.npy", np.asarray(HEIGHTS, order=order))
    model = composed(tmp_path, file=tmp_path / "h.npy").model
    assert samples(model) == pytest.approx(HEIGHTS, abs=1e-6)


@pytest.mark.parametrize("height", [0.0, -2.5, 7.0])
def test_a_field_may_be_flat(tmp_path, height):
    np.save(tmp_path / "h.npy", np.full((3, 3), height))
    model = composed(tmp_path, file=tmp_path / "h.npy").model
    assert samples(model) == pytest.approx(np.full((3, 3), height))


@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("kind", [0, 1, 2, 3, 4, None])
def test_a_picture_of_any_filter_is_read_with_its_top_at_the_highest_y(
    tmp_path, bits, kind
):
    values = np.random.default_rng(bits).integers(0, 2**bits, (11, 7))
    (tmp_path / "h.png").write_bytes(png(values, kind, bits))
    model = composed(tmp_path, file=tmp_path / "h.png", scale=2.0).model
    expected = 2.0 * values[::-1] / (2**bits - 1)
    assert samples(model) == pytest.approx(expected, abs=1e-6)


def test_an_8_bit_picture_is_what_mujoco_itself_reads(tmp_path):
    values = np.random.default_rng(0).integers(0, 256, (6, 9))
    values[0, 0], values[0, 1] = 0, 255
    content = png(values)
    (tmp_path / "h.png").write_bytes(content)
    xml = (
        "<mujoco><asset><hfield name='terrain' file='h.png' size='1 1 1 1'/></asset>"
        "<worldbody><geom name='terrain' type='hfield' hfield='terrain'/></worldbody>"
        "</mujoco>"
    )
    theirs = mujoco.MjModel.from_xml_string(xml, {"h.png": content})
    ours = composed(tmp_path, file=tmp_path / "h.png").model
    assert ours.hfield_data == pytest.approx(theirs.hfield_data, abs=1e-6)


def test_a_picture_that_another_program_wrote_is_read(tmp_path):
    pillow = pytest.importorskip("PIL.Image")
    values = np.random.default_rng(1).integers(0, 65536, (20, 30)).astype(np.uint16)
    values[5:] = np.arange(30) * 2000
    stream = io.BytesIO()
    pillow.fromarray(values).save(stream, "png")
    (tmp_path / "h.png").write_bytes(stream.getvalue())
    model = composed(tmp_path, file=tmp_path / "h.png").model
    assert samples(model) == pytest.approx(values[::-1] / 65535, abs=1e-6)


def bad_png(change):
    content = bytearray(png(np.arange(6).reshape(2, 3)))
    change(content)
    return bytes(content)


def flip(content):
    content[-20] ^= 1


GREY = np.arange(6).reshape(2, 3)
BAD_PNG = {
    "this is not a PNG": b"JFIF",
    "a checksum is wrong": bad_png(flip),
    "has no header": png(GREY)[:8],
    "colour type 2, 8 bits": png(GREY, colour=2),
    "colour type 0, 8 bits, interlaced": png(GREY, interlaced=1),
    "colour type 0, 4 bits": png(GREY).replace(
        png(GREY)[16:33],
        struct.pack(">IIBBBBB", 3, 2, 4, 0, 0, 0, 0)
        + struct.pack(
            ">I", zlib.crc32(b"IHDR" + struct.pack(">IIBBBBB", 3, 2, 4, 0, 0, 0, 0))
        ),
    ),
    "another number of samples": png(GREY).replace(
        png(GREY)[16:33],
        struct.pack(">IIBBBBB", 4, 2, 8, 0, 0, 0, 0)
        + struct.pack(
            ">I", zlib.crc32(b"IHDR" + struct.pack(">IIBBBBB", 4, 2, 8, 0, 0, 0, 0))
        ),
    ),
}


@pytest.mark.parametrize(("message", "content"), BAD_PNG.items(), ids=BAD_PNG)
def test_a_bad_picture_is_refused_by_its_name(tmp_path, message, content):
    (tmp_path / "h.png").write_bytes(content)
    with pytest.raises(BadAsset, match=rf"h.png: .*{message}.* 8 or 16 bits"):
        composed(tmp_path, file=tmp_path / "h.png")


BAD_ARRAYS = {
    "2 heights are not finite, the first at row 1, column 2": np.array(
        [[0, 1, 2], [3, 4, np.nan], [np.inf, 1, 1]]
    ),
    "1 heights are not finite, the first at row 0, column 1": np.array(
        [[0, 1e39], [1, 2]]
    ),
    "an array of complex128 holds no heights": np.zeros((2, 2), complex),
    "an array of bool holds no heights": np.zeros((2, 2), bool),
}


@pytest.mark.parametrize(("message", "array"), BAD_ARRAYS.items(), ids=range(4))
def test_a_bad_array_is_refused_by_its_name(tmp_path, message, array):
    np.save(tmp_path / "h.npy", array)
    with pytest.raises(BadAsset, match=f"h.npy: {message}"):
        composed(tmp_path, file=tmp_path / "h.npy")


@pytest.mark.parametrize("shape", [(5,), (2, 2, 2), (1, 9), (9, 1), (0, 4), ()])
def test_an_array_of_a_wrong_shape_is_refused(tmp_path, shape):
    np.save(tmp_path / "h.npy", np.zeros(shape))
    with pytest.raises(BadTerrain, match=r"h.npy: .* two or more rows and columns"):
        composed(tmp_path, file=tmp_path / "h.npy")


def test_what_is_no_array_is_refused(tmp_path):
    (tmp_path / "h.npy").write_bytes(b"heights")
    with pytest.raises(BadAsset, match=r"h.npy: NumPy cannot read it"):
        composed(tmp_path, file=tmp_path / "h.npy")
    (tmp_path / "h.npy").write_bytes(b"")
    with pytest.raises(BadAsset, match=r"h.npy: NumPy cannot read it"):
        composed(tmp_path, file=tmp_path / "h.npy")
    np.save(tmp_path / "h.npy", np.array([[print]]), allow_pickle=True)
    with pytest.raises(BadAsset, match=r"h.npy: NumPy cannot read it"):
        composed(tmp_path, file=tmp_path / "h.npy")


def test_another_kind_of_file_or_none_is_refused(tmp_path):
    with pytest.raises(MissingFile, match=r"h.npy: there is no such height field"):
        composed(tmp_path, file=tmp_path / "h.npy")
    (tmp_path / "h.tif").write_bytes(b"II*")
    with pytest.raises(BadAsset, match=r"h.tif: .*\.npy or a \.png"):
        composed(tmp_path, file=tmp_path / "h.tif")


def test_a_field_too_large_is_refused_with_its_size(tmp_path, array):
    with pytest.raises(
        BadTerrain,
        match=r"h.npy: 3 x 4 = 12 samples would take 48 bytes of the model; "
        r"terrain.max_cells allows 11 samples, 44 bytes",
    ):
        composed(tmp_path, file=array, max_cells=11)
    composed(tmp_path, file=array, max_cells=12)


def test_a_picture_too_large_is_refused_before_it_is_unpacked(tmp_path):
    head = struct.pack(">IIBBBBB", 100_000, 100_000, 16, 0, 0, 0, 0)
    content = png(GREY)[:8] + struct.pack(">I", 13) + b"IHDR" + head
    content += struct.pack(">I", zlib.crc32(b"IHDR" + head))
    (tmp_path / "h.png").write_bytes(content)
    with pytest.raises(BadTerrain, match="would take 40000000000 bytes"):
        composed(tmp_path, file=tmp_path / "h.png")


def test_the_field_touches_as_it_is_told(tmp_path, array):
    own = {
        "friction": (0.6, 0.02, 0.003),
        "condim": 6,
        "contype": 4,
        "conaffinity": 9,
        "solref": (0.05, 0.8),
        "solimp": (0.8, 0.9, 0.002, 0.4, 3.0),
    }
    geom = composed(tmp_path, FLOOR, file=array, replace="floor", **own).model
    geom = geom.geom("terrain")
    for name, value in own.items():
        found = getattr(geom, name)
        assert found == pytest.approx(np.atleast_1d(value)), name


def test_the_plane_touches_as_it_is_told(tmp_path):
    file = write(tmp_path, main=ROBOT.format("", ""))
    terrain = TerrainCfg(kind="plane", condim=1, contype=2, conaffinity=6)
    geom = compose(SceneCfg(model_file=file, terrain=terrain)).model.geom("terrain")
    assert (geom.condim[0], geom.contype[0], geom.conaffinity[0]) == (1, 2, 6)


def test_the_field_replaces_the_floor_and_keeps_its_look(tmp_path, array):
    model = composed(tmp_path, FLOOR, file=array, replace="floor").model
    assert model.ngeom == 2
    assert model.geom("terrain").type[0] == mujoco.mjtGeom.mjGEOM_HFIELD
    assert model.geom("terrain").condim[0] == 4
    assert model.geom("terrain").rgba == pytest.approx([0.1, 0.2, 0.3, 1])


def test_a_floor_that_is_not_named_is_refused(tmp_path, array):
    with pytest.raises(BadTerrain, match=r"floor, geom 'floor'.*terrain.replace"):
        composed(tmp_path, FLOOR, file=array)


def test_a_height_field_named_like_the_terrain_is_refused(tmp_path, array):
    rest = "\n<asset><hfield name='terrain' nrow='2' ncol='2' size='1 1 1 1'/></asset>"
    with pytest.raises(BadTerrain, match=r"main.xml:3: a hfield is named 'terrain'"):
        composed(tmp_path, "", rest, file=array)


def test_the_scene_stays_one_text_and_its_assets(tmp_path, array):
    scene = composed(tmp_path, file=array)
    (name,) = scene.assets
    assert f'file="{name}"' in scene.xml
    export(scene, tmp_path / "out")
    again = mujoco.MjModel.from_xml_path(str(tmp_path / "out" / "scene.xml"))
    assert (samples(again) == samples(scene.model)).all()
    rows, columns = np.frombuffer(scene.assets[name], "<i4", 2)
    assert (rows, columns) == HEIGHTS.shape


def test_a_field_survives_what_is_attached(tmp_path, array):
    part = "<mujoco><worldbody><body name='b'><geom size='.1'/></body></worldbody>"
    write(tmp_path, part=part + "</mujoco>")
    attach = (AttachCfg(model_file=tmp_path / "part.xml", prefix="p_"),)
    scene = composed(tmp_path, FLOOR, file=array, replace="floor", attach=attach)
    assert samples(scene.model) == pytest.approx(HEIGHTS, abs=1e-6)
    assert scene.model.body("p_b").id == 2


def test_another_file_or_setting_makes_another_scene(tmp_path, array, monkeypatch):
    monkeypatch.setenv("UNISIM_CACHE", str(tmp_path / "cache"))
    first = composed(tmp_path, file=array)
    again = composed(tmp_path, file=array)
    assert again.digest == first.digest
    assert (samples(again.model) == samples(first.model)).all()
    thicker = composed(tmp_path, file=array, base=0.3)
    assert thicker.model.hfield("terrain").size[3] == 0.3
    np.save(array, HEIGHTS + np.eye(3, 4))
    changed = composed(tmp_path, file=array)
    assert samples(changed.model) == pytest.approx(HEIGHTS + np.eye(3, 4), abs=1e-6)
    assert len({first.digest, thicker.digest, changed.digest}) == 3


def test_a_field_is_read_beside_its_config(tmp_path, array):
    write(tmp_path, main=ROBOT.format("", ""))
    text = "[scene]\nmodel_file = 'main.xml'\n[scene.terrain]\nkind = 'field'\n"
    (tmp_path / "c.toml").write_text(text + "file = 'h.npy'\nresolution = 0.5\n")
    task = load(tmp_path / "c.toml")
    assert task.scene.terrain.file == array
    assert samples(compose(task.scene).model) == pytest.approx(HEIGHTS, abs=1e-6)


def test_the_memory_of_the_ground_is_stated(tmp_path, capsys):
    heights = np.zeros((30, 50))
    np.save(tmp_path / "ground.npy", heights)
    (tmp_path / "ball.xml").write_text(
        '<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody>'
        "</mujoco>"
    )
    (tmp_path / "task.toml").write_text(
        '[scene]\nmodel_file = "ball.xml"\n[scene.terrain]\nkind = "field"\n'
        'file = "ground.npy"\nresolution = 0.1\n'
    )
    assert (
        main(["compose", str(tmp_path / "task.toml"), "-o", str(tmp_path / "o")]) == 0
    )
    said = "1,500 samples of ground, 0.0 MB, shared by all worlds"
    assert said in capsys.readouterr().out
