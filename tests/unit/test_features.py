"""The vocabulary is total over MuJoCo's enums, and its ids stay what they are."""

import re
from pathlib import Path

import mujoco
import pytest

from unisim.mjcf.enums import ENUMS, members
from unisim.mjcf.features import FAMILIES, FEATURES, nearest
from unisim.probe.scenes import SCENES

IDS = Path(__file__).parent.parent / "feature_ids.txt"
NEWER = {"mjENBL_SPECULATIVE"}
"""Members that only the newest MuJoCo has."""


@pytest.mark.parametrize("enum", ENUMS)
def test_every_member_of_an_enum_is_one_feature_or_never_held(enum):
    row = ENUMS[enum]
    assert set(members(enum)) - set(row.ids) == set(row.absent)
    assert set(row.ids) - set(members(enum)) <= NEWER
    assert len(set(row.ids.values())) == len(row.ids)
    assert set(row.ids.values()) <= set(FEATURES)


def test_no_two_enums_share_an_id():
    ids = [feature for row in ENUMS.values() for feature in row.ids.values()]
    assert len(set(ids)) == len(ids)


def test_every_enum_that_a_model_array_holds_is_covered():
    """MuJoCo's header says which enum an array holds; here are the ones that count."""
    held = {
        *("mjtJoint", "mjtGeom", "mjtEq", "mjtTrn", "mjtDyn", "mjtGain", "mjtBias"),
        *("mjtSensor", "mjtIntegrator", "mjtCone", "mjtSolver", "mjtJacobian"),
        *("mjtDisableBit", "mjtEnableBit", "mjtWrap", "mjtFlexSelf", "mjtSleepPolicy"),
    }
    assert set(ENUMS) == held
    assert all(hasattr(mujoco, enum) for enum in held)


def test_ids_are_a_public_list_that_only_grows():
    committed = IDS.read_text(encoding="utf-8").split()
    assert committed == sorted(set(committed))
    assert set(FEATURES) == set(committed)


@pytest.mark.parametrize("feature", FEATURES.values(), ids=lambda item: item.id)
def test_a_feature_says_in_one_line_what_it_is(feature):
    assert re.fullmatch(r"[a-z0-9_]+(\.[a-z0-9_]+)*", feature.id)
    assert re.fullmatch(r"[A-Zsxyz].{3,70}\.", feature.doc)


def test_every_physical_feature_has_a_scene():
    physical = {name for name, feature in FEATURES.items() if not feature.visual}
    assert set(SCENES) == physical


def test_a_family_covers_what_is_below_it():
    assert FEATURES["joint.damping.ball"].families == ("joint.damping", "joint")
    assert {"joint", "joint.damping", "visual"} <= FAMILIES


def test_an_unknown_id_gets_a_suggestion():
    assert "joint.damping" in nearest("joint.dampng")
    assert nearest("qqqqqq") == ""
