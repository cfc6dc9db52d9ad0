"""What the schema's table calls composition, notation or visual is so: it is shown.

Two proofs, each for every attribute of the installed MuJoCo that is called so:

* Composition and visual: two scenes, full of what could feel it, differ in the value of
  this attribute alone. Their compiled physics and their motion, sensors included, are
  the same, bit by bit. For names the two values are two names, for classes two classes
  that say the same.
* Notation: a scene states the attribute, and another one says the same without it.
  Their physics are the same. The value has an effect: so it is one that others have.
"""

from collections.abc import Iterable
from pathlib import Path

import mujoco
import numpy as np
import pytest

from proof import notation
from proof.compare import compiled, differences, motion, physics
from proof.files import ASSETS
from proof.scenes import pair_of_scenes, stated
from schema import pairs, schema
from unisim.mjcf.schema.table import attributes, meaning

UNPRINTED = ("body/frame", "body/replicate")
HERE = sorted(
    pairs(schema())
    | {(path, name) for path in UNPRINTED for name in attributes()[path]}
)
"""Every pair of the installed MuJoCo."""
MOVED = 1e-5
"""How far rounding may move a scene that is written in another way, [m] and [rad]."""
NO_SKIN = "body/composite/skin"
"""A cable is the only composite that is left, and it has no skin."""


def is_one_of(words: Iterable[str]) -> list[tuple[str, str]]:
    return [
        pair
        for pair in HERE
        if all(word in words or word.startswith("visual.") for word in meaning(*pair))
    ]


SEEN = is_one_of(["visual"])
SAME = [*is_one_of(["composition"]), *(pair for pair in SEEN)]
MEANT = [pair for pair in HERE if meaning(*pair) == ("notation",)]


def by_element(chosen: list[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for path, name in dict.fromkeys(chosen):
        found.setdefault(path, []).append(name)
    return sorted(found.items())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("assets")
    for name, content in ASSETS.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(content)
    return place


def saved(model: mujoco.MjModel) -> bytes:
    buffer = np.zeros(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, buffer)
    return buffer.tobytes()


def of_texts(folder: Path, texts: Iterable[str]) -> list[mujoco.MjModel]:
    return [compiled(folder / "scene.xml", text) for text in texts]


def felt(one: mujoco.MjModel, two: mujoco.MjModel) -> list[str]:
    """What two models do not share: arrays of the physics, and the motion."""
    return differences({**physics(one), **motion(one)}, {**physics(two), **motion(two)})


@pytest.mark.filterwarnings("ignore:flex:UserWarning")
@pytest.mark.parametrize(("path", "names"), by_element(SAME))
def test_two_values_have_the_same_physics_and_motion(folder, path, names):
    shown = {}
    for name in names:
        one, two = of_texts(folder, pair_of_scenes(path, name))
        shown[name] = felt(one, two)
        if (path, name) in SEEN:
            # else the proof would be about nothing
            assert (saved(one) != saved(two)) == (path != NO_SKIN), name
    assert {name: what for name, what in shown.items() if what} == {}


@pytest.mark.filterwarnings("ignore:compiler attribute 'settotalmass':UserWarning")
@pytest.mark.parametrize(("path", "names"), by_element(MEANT))
def test_notation_says_what_others_say_too(folder, path, names):
    for name in names:
        if f"{path} {name}" in notation.BY_HAND:
            texts = notation.BY_HAND[f"{path} {name}"]
            assert felt(*of_texts(folder, texts)) == []
            continue
        file = folder / "scene.xml"
        file.write_text(notation.stated(path, name), encoding="utf-8")
        model, text, near = notation.meant(file, path, name)
        other = compiled(folder / "other.xml", text)
        assert differences(physics(model), physics(other), near) == [], name
        assert differences(motion(model), motion(other), MOVED) == [], name
        assert has_effect(file, model, notation.stated(path, name, out=True)), name


def has_effect(file: Path, model: mujoco.MjModel, without: str) -> bool:
    """Whether a scene without an attribute is another one, or none."""
    try:
        other = compiled(file, without)
    except ValueError:
        return True
    return differences(physics(model), physics(other)) != []


def test_every_pair_is_in_a_class_with_a_proof_or_belongs_to_features():
    """None is left out: that they have scenes is what the tests above find."""
    proven = {*SAME, *MEANT}
    assert len(proven) > 600
    for pair in set(HERE) - proven:
        words = meaning(*pair)
        assert not {"composition", "notation", "visual"} & set(words), pair
        assert any(not word.startswith("visual.") for word in words), pair


@pytest.mark.parametrize(
    ("path", "name", "values"),
    [
        ("body/geom", "friction", (".1", ".9")),
        ("body/geom", "rgba", ("1 1 1 1", "1 1 1 0")),
        ("default/geom", "rgba", ("1 1 1 1", "1 1 1 0")),
        ("asset/mesh", "material", ("n_material", "n_clear")),
        ("body/camera", "fovy", ("30", "60")),
        ("body/site", "size", (".1", ".5")),
        ("body/inertial", "mass", ("1", "2")),
        ("actuator/motor", "gear", ("1", "2")),
    ],
)
def test_the_proof_fails_for_what_is_felt(folder, path, name, values):
    assert felt(*of_texts(folder, (stated(path, name, value) for value in values)))


def test_the_proof_of_notation_fails_for_what_nothing_else_says(folder):
    """Damping is no notation: without it the scene is another one."""
    file = folder / "scene.xml"
    file.write_text(notation.LIMBS, encoding="utf-8")
    model, text, near = notation.meant(file, "body/joint", "damping")
    other = compiled(folder / "other.xml", text)
    assert "dof_damping" in differences(physics(model), physics(other), near)
