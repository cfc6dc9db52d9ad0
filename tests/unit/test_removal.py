"""A feature that is taken out of a robot's file is no longer found there.

Every feature of every robot, at the line that a use of it names; what else comes and
goes is said by the same line, or follows from it.
"""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import mujoco
import pytest

from conftest import SHARED
from removal import ELEMENT, HOW, LEFT, follows, nearest, ways, without_controls
from robots.every import files
from unisim.config import SceneCfg
from unisim.errors import BadScene
from unisim.mjcf.detect import Use, detect
from unisim.mjcf.features import FEATURES
from unisim.scene.compose import compose
from unisim.scene.source import Location

OWN = Path(__file__).parents[2] / "models"
SHIPPED = ("biped/scene", "cartpole/cartpole", "gripper/gripper", "quadruped/scene")
ROBOTS = {
    **{
        name: pytest.param(
            SHARED / "models" / name, file, id=name, marks=pytest.mark.real_robot
        )
        for name, file in files().items()
        if "cases" not in file.parts
    },
    **{
        name: pytest.param(OWN, OWN / f"{name}.xml", id=name)
        for name in (*SHIPPED, "twoarm/scene")
    },
}
HELD: Mapping[str, Mapping[str, str]] = {
    "mujoco__tendon_arm__arm26": {
        "geom.type.cylinder": "a tendon wraps each",
        "joint.limited": "without limits MuJoCo finds no lengths of its muscles",
    },
}
"""By robot and feature: why it cannot be taken out there."""
TRIES, LAYERS = 6, 3
"""Elements that are tried, and classes below each other that may state the same."""
Key = tuple[str, str, str, int, str]


class Robot:
    """A copy of a robot's files, which can be edited and put back."""

    def __init__(self, folder: Path, file: Path, copy: Path) -> None:
        def link(source: str, target: str) -> None:
            Path(target).symlink_to(Path(source).resolve())

        shutil.copytree(folder, copy, copy_function=link)
        self.main = copy / file.resolve().relative_to(folder.resolve())
        texts = (path.read_text() for path in copy.rglob("*.xml"))
        self.names = {name for text in texts for name in re.findall(r'"([^"]+)"', text)}
        self.edited: dict[Path, Path] = {}

    def uses(self) -> tuple[mujoco.MjModel, tuple[Use, ...]]:
        scene = compose(SceneCfg(model_file=self.main), visuals=False)
        return scene.model, detect(scene)

    def edit(self, file: Path, text: str) -> None:
        if file.is_symlink():
            self.edited[file] = file.readlink()
            file.unlink()
        file.write_text(text, encoding="utf-8")

    def restore(self) -> None:
        for file, target in self.edited.items():
            file.unlink()
            file.symlink_to(target)
        self.edited.clear()

    def key(self, use: Use) -> Key:
        """What stays the same of a use: names that the composer gives may not."""
        name = use.name if use.name in self.names else ""
        return use.feature, use.kind, str(use.at.file), use.at.line, name


def taken_out(robot: Robot, use: Use) -> tuple[list[Location], tuple[Use, ...]] | None:
    """The lines that were edited, and the uses that are left.

    None when a line is ambiguous or MuJoCo refuses the rest.
    """
    wanted, places = use, []
    for _ in range(LAYERS):
        places.append(wanted.class_at or wanted.at)
        left = edited(robot, wanted)
        if left is None:
            return None
        # a class may state what its element stated too
        still = [item for item in left if _same(item, use, robot)]
        if not still:
            return places, left
        wanted = still[0]
    raise AssertionError(f"still there: {wanted}")


def edited(robot: Robot, use: Use) -> tuple[Use, ...] | None:
    """The uses that are left after one edit that MuJoCo takes."""
    for file, text in ways(use):
        kept = file.read_text(encoding="utf-8")
        robot.edit(file, text)
        if use.kind == "actuator" and nearest(HOW, use.feature) == ELEMENT:
            for path in [*robot.main.parent.glob("*.xml")]:
                robot.edit(path, without_controls(path, use.name))
        try:
            return robot.uses()[1]
        except BadScene:
            robot.edit(file, kept)
    return None


def _same(one: Use, other: Use, robot: Robot) -> bool:
    same = (one.feature, one.kind) == (other.feature, other.kind)
    if other.name in robot.names:
        return same and one.name == other.name
    return same and one.at == other.at


def fixed(model: mujoco.MjModel) -> set[str]:
    """Geoms that something besides their masks makes physical."""
    names = ("mjWRAP_SPHERE", "mjWRAP_CYLINDER")
    types = [int(getattr(mujoco.mjtWrap, name)) for name in names]
    wraps = [
        i for t, i in zip(model.wrap_type, model.wrap_objid, strict=True) if t in types
    ]
    rows = {*wraps, *model.pair_geom1.tolist(), *model.pair_geom2.tolist()}
    return {model.geom(row).name for row in rows}


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNISIM_CACHE", "off")


@pytest.mark.filterwarnings("ignore:.*:UserWarning")
@pytest.mark.parametrize(("folder", "file"), ROBOTS.values())
def test_what_is_taken_out_of_a_robot_is_gone_with_what_follows(
    folder: Path, file: Path, tmp_path: Path, request: pytest.FixtureRequest
):
    robot = Robot(folder, file, tmp_path / "copy")
    try:
        model, before = robot.uses()
    except BadScene:
        pytest.skip("this MuJoCo refuses the robot")
    held = HELD.get(request.node.callspec.id, {})
    untouchable = fixed(model)
    features = dict.fromkeys(use.feature for use in before)
    removed: list[str] = []
    for feature in features:
        if FEATURES[feature].visual or nearest({**LEFT, **held}, feature):
            continue
        uses = [use for use in before if use.feature == feature]
        if feature.startswith(("geom.type.", "contact.convex")):
            uses = [use for use in uses if use.name not in untouchable]
        for use in uses[:TRIES]:
            left = taken_out(robot, use)
            robot.restore()
            if left is not None:
                check_only_what_follows(robot, use, before, *left)
                removed.append(feature)
                break
    kept = [
        feature
        for feature in features
        if not FEATURES[feature].visual and feature not in removed
    ]
    assert [
        feature
        for feature in kept
        if not nearest(LEFT, feature) and feature not in held
    ] == []
    assert len(removed) > 10


def check_only_what_follows(
    robot: Robot,
    use: Use,
    before: tuple[Use, ...],
    places: list[Location],
    after: tuple[Use, ...],
) -> None:
    """What came and went is on elements that the same lines speak of, or follows."""
    touched = {
        (item.kind, item.name)
        for item in before
        if item.at in places or item.class_at in places
    } | {(use.kind, use.name)}
    old = {robot.key(item): item for item in before}
    new = {robot.key(item): item for item in after}
    changed = [(old | new)[key] for key in old.keys() ^ new.keys()]
    surprising = [
        str(item)
        for item in changed
        if (item.kind, item.name) not in touched
        and not follows(use.feature, item.feature)
    ]
    assert surprising == [], str(use)
