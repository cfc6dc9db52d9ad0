"""The cache gives back what was composed, and is never trusted."""

import struct
import subprocess
import sys
from pathlib import Path

import mujoco
import pytest

from scene_files import stl, write
from unisim.config import AttachCfg, SceneCfg
from unisim.scene import cache, compose, flatten

MAIN = """<mujoco><asset><mesh name='m' file='a.stl'/></asset><worldbody><body>
<joint name='j'/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>"""


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("UNISIM_CACHE", str(folder))
    return folder


@pytest.fixture
def file(tmp_path):
    (tmp_path / "a.stl").write_bytes(stl(0.2))
    return write(tmp_path, main=MAIN)


@pytest.fixture
def compiles(monkeypatch):
    """How often MuJoCo compiled a scene."""
    count = []

    def counted(*args, **kwargs):
        count.append(args)
        return flatten.compile_root(*args, **kwargs)

    monkeypatch.setattr(compose, "compile_root", counted)
    return count


def scene(file, **settings):
    return compose.compose(SceneCfg(model_file=file), **settings)


def test_a_second_time_is_read_and_is_the_same(file, compiles):
    cold, warm = scene(file), scene(file)
    assert len(compiles) == 1
    assert flatten.differences(cold.model, warm.model) == []
    assert (cold.xml, cold.digest, cold.assets) == (warm.xml, warm.digest, warm.assets)
    assert warm.sources.where("joint", "j").line == 2


@pytest.mark.parametrize("change", ["text", "asset", "visuals", "mujoco"])
def test_what_changes_the_scene_is_compiled_anew(file, compiles, change, monkeypatch):
    first = scene(file)
    if change == "text":
        write(file.parent, main=MAIN.replace("'j'", "'k'"))
    elif change == "asset":
        (file.parent / "a.stl").write_bytes(stl(0.3))
    elif change == "mujoco":
        monkeypatch.setattr(mujoco, "__version__", "3.17.1")
    again = scene(file, visuals=change != "visuals")
    assert len(compiles) == 2
    if change == "asset":
        ratio = again.model.geom_rbound[0] / first.model.geom_rbound[0]
        assert ratio == pytest.approx(1.5)


def damage(entry: Path, kind: str) -> None:
    content = bytearray(entry.read_bytes())
    if kind == "flipped":
        content[len(content) * 2 // 3] ^= 4
    elif kind == "truncated":
        del content[-20:]
    elif kind == "empty":
        content.clear()
    elif kind == "older":
        content[13:14] = b"1"
    elif kind == "garbage":
        content = bytearray(struct.pack("<d", 1.5) * 100)
    entry.write_bytes(content)


DAMAGES = ("flipped", "truncated", "empty", "garbage")


@pytest.mark.parametrize(
    ("part", "kind"),
    [("*.scene", "older"), *((p, k) for p in ("*.scene", "*.mjb") for k in DAMAGES)],
)
def test_a_damaged_entry_is_rebuilt(file, home, compiles, part, kind):
    cold = scene(file)
    entry = next(home.glob(part))
    sound = entry.read_bytes()
    damage(entry, kind)
    assert flatten.differences(cold.model, scene(file).model) == []
    assert len(compiles) == 2
    assert entry.read_bytes() == sound
    scene(file)
    assert len(compiles) == 2


@pytest.mark.parametrize("part", ["*.scene", "*.mjb"])
def test_half_an_entry_is_rebuilt(file, home, compiles, part):
    scene(file)
    next(home.glob(part)).unlink()
    scene(file)
    assert len(compiles) == 2


def test_a_folder_that_cannot_be_written_is_no_hindrance(file, home, compiles):
    home.write_text("a file, where the folder should be")
    assert scene(file).digest == scene(file).digest
    assert len(compiles) == 2


def test_the_cache_can_be_switched_off(file, home, compiles, monkeypatch):
    monkeypatch.setenv("UNISIM_CACHE", "off")
    scene(file)
    scene(file)
    assert len(compiles) == 2
    assert not home.exists()


def test_the_cache_lies_in_the_users_cache_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("UNISIM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.folder() == tmp_path / "unisim"


def test_the_entries_used_last_are_kept(tmp_path, home, monkeypatch):
    monkeypatch.setattr(cache, "_BYTES", 10**6)
    files = []
    for i in range(3):
        sites = f"<site name='s{i}'/>" * 1
        text = f"<mujoco><worldbody><geom size='1'/>{sites}</worldbody></mujoco>"
        files.append(tmp_path / f"{i}.xml")
        files[i].write_text(text)
    first, second = scene(files[0]), scene(files[1])
    assert len(list(home.glob("*.scene"))) == 2
    size = max(entry.stat().st_size for entry in home.glob("*.mjb"))
    monkeypatch.setattr(cache, "_BYTES", int(2.5 * size))
    scene(files[0])  # used again, hence later than the second
    scene(files[2])
    left = [entry.read_bytes() for entry in home.glob("*.scene")]
    assert len(left) == 2
    assert any(first.xml.encode() in text for text in left)
    assert not any(second.xml.encode() in text for text in left)
    assert len(list(home.iterdir())) == 4


RACE = """
import sys
from pathlib import Path
from unisim.config import SceneCfg
from unisim.scene.compose import compose
for _ in range(20):
    print(compose(SceneCfg(model_file=Path(sys.argv[1]))).model.geom_rbound[0])
    for entry in Path(sys.argv[2]).glob("*.scene"):
        entry.unlink(missing_ok=True)
"""


def test_two_processes_share_one_cache(file, home):
    command = [sys.executable, "-c", RACE, str(file), str(home)]
    workers = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    answers = [worker.communicate(timeout=120) for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0], answers
    assert len({line for out, _ in answers for line in out.split()}) == 1
    assert not [item for item in home.iterdir() if item.is_dir()]


def test_an_entry_under_another_name_is_not_trusted(tmp_path, file, home):
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "a.stl").write_bytes(stl(0.2))
    scene(write(folder, main=MAIN.replace("name='j'", "name='k'")))
    other = {item.suffix: item.read_bytes() for item in home.glob("*.*")}
    first = scene(file)
    for item in home.glob("*.*"):
        item.write_bytes(other[item.suffix])
    again = scene(file)
    assert again.model.joint(0).name == first.model.joint(0).name == "j"
    assert again.digest == first.digest


HINGE = "<body name='{0}'><joint name='{0}'/><geom size='.1'/></body>"
KEYED = "<mujoco><worldbody>{}</worldbody><keyframe>{}</keyframe></mujoco>"


def keyed(joint, **keys):
    """A model of one hinge, with keys by name."""
    listed = "".join(f"<key name='{k}' qpos='{v}'/>" for k, v in keys.items())
    return KEYED.format(HINGE.format(joint), listed)


def test_another_key_of_an_attached_model_is_another_entry(tmp_path):
    file = write(tmp_path, main=keyed("a", home=0.7), part=keyed("b", low=0.1, high=2))
    for key, expected in (("low", 0.1), ("high", 2.0)):
        part = AttachCfg(model_file=tmp_path / "part.xml", prefix="p_", keyframe=key)
        model = compose.compose(SceneCfg(model_file=file, attach=(part,))).model
        assert model.key("composed").qpos.tolist() == [0.0, expected]


def test_another_key_of_the_scene_is_another_entry(tmp_path):
    file = write(tmp_path, main=keyed("a", home=0.7), part=keyed("b", low=0.1))
    part = AttachCfg(model_file=tmp_path / "part.xml", prefix="p_")
    for key, expected in ((None, 0.0), ("home", 0.7)):
        cfg = SceneCfg(model_file=file, attach=(part,), keyframe=key)
        assert compose.compose(cfg).model.key("p_low").qpos.tolist() == [expected, 0.1]


def test_another_fragment_that_states_a_key_is_another_entry(tmp_path):
    for first, second, expected in (
        (keyed("b", k=0.3), keyed("c"), [0.0, 0.3, 0.0]),
        (keyed("b"), keyed("c", k=0.3), [0.0, 0.0, 0.3]),
    ):
        file = write(tmp_path, main=keyed("a"), f0=first, f1=second)
        fragments = (tmp_path / "f0.xml", tmp_path / "f1.xml")
        model = compose.compose(SceneCfg(model_file=file, fragments=fragments)).model
        assert model.key("k").qpos.tolist() == expected
