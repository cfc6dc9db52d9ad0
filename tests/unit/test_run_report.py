"""The report of a run: what is on disk, and what is on the page."""

import json
import os
import re
import subprocess
import sys
from base64 import b64decode
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import unisim
from unisim.backend.audit.report import Unaudited
from unisim.config import CameraCfg, RunCfg, SceneCfg, load
from unisim.progress import Silent
from unisim.runtime.canvas import CannotRender
from unisim.runtime.measured import Pose
from unisim.runtime.picture import film
from unisim.runtime.run import run
from unisim.runtime.table import rows

Image = pytest.importorskip("PIL.Image")
ROOT = Path(__file__).resolve().parent.parent.parent
QUADRUPED = ROOT / "configs" / "quadruped.toml"
SCENE = """<mujoco>
  <worldbody>
    <light pos="0 0 9"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom size=".3" rgba="{} 1"/></body>
    <body name="fixed" pos="0 0 -3"><geom size=".1"/></body>
  </worldbody>
</mujoco>"""
HIDDEN, RED = "0 0 0", "1 0 0"


def run_process(folder, *arguments, **environment):
    """Run the quadruped briefly, as a process of its own."""
    command = [
        sys.executable,
        "-m",
        "unisim",
        "run",
        QUADRUPED,
        "--worlds",
        "3",
        "--seconds",
        "0.4",
        "--out",
        folder,
        *arguments,
    ]
    unset = ("MUJOCO_GL", "PYOPENGL_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
    plain = {k: v for k, v in os.environ.items() if k not in unset}
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        env=plain | environment,
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Folder and output of a run without a display."""
    folder = tmp_path_factory.mktemp("run") / "quadruped"
    done = run_process(folder, "--progress")
    assert done.returncode == 0, done.stderr
    return folder, done


def images(page):
    """The pictures that are embedded in a page."""
    found = re.findall(r"data:image/(\w+);base64,([A-Za-z0-9+/=]+)", page)
    return {kind: Image.open(BytesIO(b64decode(text))) for kind, text in found}


def test_all_files_are_there_and_nothing_else(written):
    folder, _ = written
    names = {path.name for path in folder.iterdir()}
    assert names == {"report.html", "result.json", "table.txt", "picture.png"}


def test_table_is_printed_and_progress_is_on_stderr(written):
    folder, done = written
    table = (folder / "table.txt").read_text(encoding="utf-8")
    assert done.stdout == f"{table}report: {folder / 'report.html'}\n"
    for row in ("worlds", "env-steps/s", "audit by value", "ground force", "faults"):
        assert re.search(rf"^{row}\s", table, re.MULTILINE)
    for part in (
        "composed in",
        "worlds: at least",
        "built and audited in",
        "stepped",
        "drew",
        "wrote",
    ):
        assert part in done.stderr


def test_result_holds_the_numbers(written):
    folder, _ = written
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert result["worlds"] == 3
    assert result["steps"] == 100
    assert result["seconds"] == pytest.approx(0.4)
    assert result["env_steps_per_second"] > 0
    assert result["versions"]["unisim"] == unisim.__version__
    assert len(result["digest"]) == 64
    assert result["faults"] == {}
    assert result["no_pictures"] is None
    assert len(result["height"]["quantile_0.5"]) == len(result["time"]) == 20
    assert len(result["tracking"]) == 12
    assert result["ground_force"]["weight"] == pytest.approx(135.97, abs=0.01)
    assert 0 < result["audit"]["compared"] < result["audit"]["fields"]
    assert result["audit"]["residuals"].keys() == result["audit"]["tolerances"].keys()
    assert [item["name"] for item in result["contacts"]] == [
        "FR",
        "FL",
        "RR",
        "RL",
        "fallen",
    ]


def test_page_stands_alone_with_three_plots_and_the_tables_numbers(written):
    folder, _ = written
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)
    for row in (folder / "table.txt").read_text(encoding="utf-8").splitlines()[2:]:
        for cell in re.split(r"\s{2,}", row):
            assert cell in page
    assert "weight, 136 N" in page
    assert "FR_calf [rad]" in page


def test_pictures_show_something_that_moves(written):
    folder, _ = written
    page = (folder / "report.html").read_text(encoding="utf-8")
    found = images(page)
    moving = found["webp"]
    assert moving.n_frames == 4
    assert moving.size == (640, 360)
    frames = []
    for i in range(moving.n_frames):
        moving.seek(i)
        frames.append(np.asarray(moving.convert("RGB"), float))
    assert 40 < frames[0].mean() < 220
    assert frames[0].std() > 15
    assert np.abs(frames[0] - frames[-1]).max() > 60
    strip = Image.open(folder / "picture.png")
    assert strip.tobytes() == found["png"].tobytes()


@pytest.mark.parametrize(
    "environment",
    [{"MUJOCO_GL": "off"}, {"MUJOCO_GL": "egl", "PYOPENGL_PLATFORM": "osmesa"}],
)
def test_without_opengl_everything_else_is_written(tmp_path, environment):
    folder = tmp_path / "out"
    done = run_process(folder, "--json", **environment)
    assert done.returncode == 0
    assert done.stderr.startswith("unisim: No pictures: ")
    assert "MUJOCO_GL=egl" in done.stderr
    assert "Traceback" not in done.stderr
    names = {path.name for path in folder.iterdir()}
    assert names == {"report.html", "result.json", "table.txt"}
    result = json.loads(done.stdout)
    assert result["no_pictures"] in done.stderr
    assert "No pictures: " in (folder / "report.html").read_text(encoding="utf-8")


def test_run_is_open_to_python(tmp_path):
    task = load(ROOT / "configs" / "cartpole.toml")
    fields = {"worlds": 2, "run": RunCfg(seconds=0.1, amplitude=0.1)}
    report = run(replace(task, **fields), "pole", tmp_path / "out")
    assert report.folder == tmp_path / "out"
    assert report.outcome.measured.steps == 50
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "No contact query of this task" in page


def test_the_table_names_what_was_not_audited_and_how_much_was(tmp_path):
    task = load(ROOT / "configs" / "cartpole.toml")
    outcome = run(task, "pole", tmp_path / "out").outcome
    audit = replace(
        outcome.built.audit,
        fields=100,
        compared=60,
        residuals={"sensors": 0.0},
        tolerances={"sensors": 0.0},
        unaudited=(
            Unaudited("limit stops", tuple("abcdef"), "no force reaches them"),
            Unaudited("loops", ("g",), "none closes"),
            Unaudited("motion", (), "nothing moves"),
        ),
    )
    said = rows(replace(outcome, built=replace(outcome.built, audit=audit)))
    assert [row for row in said if row[0].startswith(("audit", "not audited"))] == [
        (
            "audit by value",
            "60",
            "fields of this scene equal the reference; 40 more fields without effect "
            "in it",
        ),
        ("audit by behaviour", "0", "all 1 residual are exactly 0"),
        (
            "not audited",
            "limit stops",
            "a, b, c, d and 2 more, see result.json: no force reaches them",
        ),
        ("not audited", "loops", "g: none closes"),
        ("not audited", "motion", "nothing moves"),
    ]


def scene_of(folder, colour, stand_in=None):
    file = folder / "scene.xml"
    file.write_text(SCENE.format(colour), encoding="utf-8")
    return unisim.compose(SceneCfg(model_file=file, visual_model_file=stand_in))


def pose_at(scene, pos):
    """A pose of the ball, by coordinates and by body poses."""
    qpos = np.array([*pos, 1, 0, 0, 0], float)
    xpos = np.array([[0, 0, 0], pos, [0, 0, -3]], float)
    xquat = np.tile([1.0, 0, 0, 0], (3, 1))
    empty = {"mocap_pos": np.zeros((0, 3)), "mocap_quat": np.zeros((0, 4))}
    return Pose(0.0, {"qpos": qpos, "xpos": xpos, "xquat": xquat, **empty})


def red_centre(image):
    """Row and column of the centre of what is red."""
    red = (image[..., 0] > 60) & (image[..., 1] < 40) & (image[..., 2] < 40)
    assert red.sum() > 20
    return [float(axis.mean()) for axis in np.nonzero(red)]


CAMERA = CameraCfg(
    azimuth=90.0, elevation=0.0, distance=6.0, fovy=60.0, width=120, height=100
)


def test_a_picture_shows_the_engines_state(tmp_path):
    scene = scene_of(tmp_path, RED)
    scene.model.stat.center[:] = 0.0
    poses = [pose_at(scene, (x, 0.0, 0.0)) for x in (-1.0, 1.0)]
    left, right = map(red_centre, film(scene, CAMERA, poses, Silent()).images)
    # at 6 m, 60 degrees of the picture's height of 100 pixels see 6.93 m
    assert left == pytest.approx([49.5, 59.5 - 14.4], abs=1.5)
    assert right == pytest.approx([49.5, 59.5 + 14.4], abs=1.5)


def test_a_picture_shows_the_stand_in_where_the_bodies_are(tmp_path):
    other = tmp_path / "visual.xml"
    other.write_text(
        '<mujoco><worldbody><light pos="0 0 9"/><body name="ball" pos="0 0 9">'
        '<geom size=".3" pos="0 0 1" rgba="1 0 0 1"/></body></worldbody></mujoco>',
        encoding="utf-8",
    )
    scene = scene_of(tmp_path, HIDDEN, other)
    scene.model.stat.center[:] = 0.0
    pose = pose_at(scene, (1.0, 0.0, 0.0))
    upright, turned = pose, Pose(0.0, dict(pose.quantities))
    # a quarter turn about y moves the geom from above the body to the side
    half = np.sqrt(0.5)
    xquat = np.array([[1, 0, 0, 0], [half, 0, half, 0], [1, 0, 0, 0]])
    turned.quantities["xquat"] = xquat
    above, beside = film(scene, CAMERA, [upright, turned], Silent()).images
    assert red_centre(above) == pytest.approx([49.5 - 14.4, 59.5 + 14.4], abs=1.5)
    assert red_centre(beside) == pytest.approx([49.5, 59.5 + 28.9], abs=1.5)


def test_a_camera_follows_its_body(tmp_path):
    scene = scene_of(tmp_path, RED)
    camera = replace(CAMERA, body="ball")
    image = film(scene, camera, [pose_at(scene, (4.0, 1.0, 2.0))], Silent()).images[0]
    assert red_centre(image) == pytest.approx([49.5, 59.5], abs=1.0)


def test_switched_off_opengl_is_a_typed_error(tmp_path, monkeypatch):
    monkeypatch.setenv("MUJOCO_GL", "off")
    scene = scene_of(tmp_path, RED)
    with pytest.raises(CannotRender, match="MUJOCO_GL=off"):
        film(scene, CAMERA, [pose_at(scene, (0.0, 0.0, 0.0))], Silent())
