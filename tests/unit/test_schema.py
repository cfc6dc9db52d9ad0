"""Every attribute of MuJoCo's XML schema has a meaning; what has none is refused."""

from pathlib import Path

import mujoco
import pytest

from by_hand import by_hand
from schema import pairs, schema
from unisim.config import AttachCfg, SceneCfg
from unisim.errors import UnsupportedFeature
from unisim.mjcf.detect import detect
from unisim.mjcf.features import FEATURES
from unisim.mjcf.schema.table import WORDS, attributes, meaning
from unisim.scene.compose import compose

NEW = int(mujoco.__version__.split(".")[0]) >= 4
UNPRINTED = ("worldbody", "body/frame", "body/replicate")
"""Elements that MuJoCo reads and does not print."""
SINCE_4 = {
    *((f"{where}/joint", "springyield") for where in ("body", "default")),
    *((f"{where}/geom", "castshadow") for where in ("body", "default")),
    *(
        ("default/tendon", name)
        for name in ("actuatorfrclimited", "actuatorfrcrange", "armature")
    ),
    *((f"{tag}", "springyield") for tag in ("default/tendon", "tendon/spatial")),
    ("tendon/fixed", "springyield"),
    *(
        (f"{flex}/elasticity", name)
        for flex in ("body/flexcomp", "deformable/flex")
        for name in ("shear", "yield")
    ),
    ("keyframe/key", "plastic"),
    ("option/flag", "speculative"),
}
"""Pairs that the older MuJoCo lacks."""
GONE_4 = ("body/composite", "equality/flexvert")
"""Elements that the newer MuJoCo lacks."""
PAIRS = sorted((path, name) for path, names in attributes().items() for name in names)


def test_every_attribute_of_the_installed_mujoco_has_a_meaning():
    printed = schema()
    assert set(printed) - set(attributes()) == set()
    assert pairs(printed) - set(PAIRS) == set()


def test_no_row_is_about_what_no_supported_mujoco_has():
    unprinted = {pair for pair in PAIRS if pair[0] in UNPRINTED}
    elsewhere = (
        {pair for pair in PAIRS if pair[0].startswith(GONE_4)} if NEW else SINCE_4
    )
    assert set(PAIRS) - pairs(schema()) - unprinted == elsewhere


def test_a_meaning_is_features_or_one_word():
    for path, name in PAIRS:
        words = meaning(path, name)
        assert words, (path, name)
        assert set(words) <= FEATURES.keys() or (len(words) == 1 and words[0] in WORDS)
        assert len(set(words)) == len(words), (path, name)


def test_every_feature_is_asked_for_by_an_attribute_or_by_an_element():
    asked = {word for pair in PAIRS for word in meaning(*pair)}
    there = {
        *("contact.convex", "joint.several", "sensor.plugin"),
        *("sensor.e_potential", "sensor.e_kinetic", "sensor.clock"),
        *("tendon.fixed", "tendon.spatial"),
    }
    assert FEATURES.keys() - asked == there


@pytest.mark.parametrize(
    ("path", "name", "words"),
    [
        ("body/geom", "condim", [f"geom.condim.{i}" for i in (1, 3, 4, 6)]),
        ("default/geom", "solref", ["geom.solref", "geom.solref.direct"]),
        ("sensor/gyro", "site", ["sensor.gyro"]),
        ("actuator/position", "dampratio", ["notation"]),
        ("body/site", "rgba", ["visual"]),
    ],
)
def test_a_meaning_is_what_the_row_says(path, name, words):
    assert meaning(path, name) == tuple(words)


ARM = """<mujoco>
  <worldbody>
    <frame
      {}>
      <body name="a"><joint name="j"/><geom name="g" size=".1"/></body>
    </frame>
  </worldbody>
</mujoco>"""


def test_an_attribute_that_mujoco_passes_over_is_refused_by_name_and_line():
    scene = by_hand(ARM.format('pos="0 0 1" gravcomp="1"'))
    with pytest.raises(UnsupportedFeature) as refusal:
        detect(scene)
    assert "gravcomp='1' of <frame> (scene.xml:4) is nothing" in str(refusal.value)
    assert refusal.value.features == ("body/frame.gravcomp",)


def test_what_is_stated_beyond_the_table_is_refused_all_at_once():
    scene = by_hand(ARM.format('pos="0 0 1"'))
    (world,) = scene.sources.root.sections("worldbody")
    body = world.children[0].children[0]
    body.attributes["spin"] = "1"
    body.children[0].tag = "knee"
    body.children[1].attributes["fur"] = "soft"
    with pytest.raises(UnsupportedFeature) as refusal:
        detect(scene)
    assert refusal.value.features == ("body.spin", "body/geom.fur", "body/knee")
    assert "<knee> (scene.xml:5)" in str(refusal.value)


def test_an_included_or_attached_file_is_refused_at_its_own_line(tmp_path: Path):
    (tmp_path / "part.xml").write_text(ARM.format('euler="0 0 9" mass="1"'))
    (tmp_path / "hand.xml").write_text(ARM.format('zaxis="0 0 1" gap="1"'))
    host = '<mujoco><include file="part.xml"/></mujoco>'
    (tmp_path / "host.xml").write_text(host)
    attach = AttachCfg(model_file=tmp_path / "hand.xml", prefix="hand_")
    scene = compose(SceneCfg(model_file=tmp_path / "host.xml", attach=(attach,)))
    with pytest.raises(UnsupportedFeature) as refusal:
        detect(scene)
    assert refusal.value.features == ("body/frame.mass", "body/frame.gap")
    assert f"{tmp_path / 'part.xml'}:4" in str(refusal.value)
    assert f"{tmp_path / 'hand.xml'}:4" in str(refusal.value)


def test_the_guide_counts_attributes_and_features_as_they_are():
    guide = (Path(__file__).parents[2] / "docs" / "guide.md").read_text("utf-8")
    text = " ".join(guide.split())
    assert f"{len(pairs(schema())):,}" in text
    assert f"{len(FEATURES)} features" in text
