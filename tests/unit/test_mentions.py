"""What a scene mentions without effect is no use; MuJoCo is the judge of the effect."""

import re
from collections import Counter
from collections.abc import Iterator

import mujoco
import numpy as np
import pytest

from by_hand import by_hand
from mentions import MENTIONS, reason
from schema import schema
from unisim.mjcf.detect import detect
from unisim.mjcf.features import FEATURES
from unisim.mjcf.places import attributes
from unisim.mjcf.schema.table import meaning
from unisim.probe.scenes import GONE_4, SINCE_4

OLD = mujoco.__version__.startswith("3.")
PAIRS = [
    pytest.param(feature, pair, id=f"{feature}-{number}")
    for feature, pairs in MENTIONS.items()
    for number, pair in enumerate(pairs)
    if feature not in (SINCE_4 if OLD else GONE_4)
]
QUIET = pytest.mark.filterwarnings("ignore:flex:UserWarning")
SEEDS, STEPS = 3, 60


def physical() -> Iterator[str]:
    return (name for name, feature in FEATURES.items() if not feature.visual)


def features(xml: str) -> set[str]:
    return {use.feature for use in detect(by_hand(xml))}


def paths(xml: str) -> np.ndarray:
    """States and sensor data of driven runs, the first from the key if there is one."""
    model = mujoco.MjModel.from_xml_string(xml)
    rows = []
    for seed in range(SEEDS):
        random, data = np.random.default_rng(seed), mujoco.MjData(model)
        if model.nkey:
            mujoco.mj_resetDataKeyframe(model, data, 0)
        data.qvel[:] += seed * random.normal(0, 0.5, model.nv)
        held = [data.time, *data.ctrl, *data.mocap_pos.flat, *data.mocap_quat.flat]
        rows.append(np.concatenate([data.qpos, data.qvel, data.act, held]))
        for step in range(STEPS):
            if step or not model.nkey:
                data.ctrl[:] = random.normal(0, 1, model.nu)
            mujoco.mj_step(model, data)
            state = [data.qpos, data.qvel, data.act, data.sensordata]
            rows.append(np.concatenate(state))
    return np.concatenate(rows)


def test_every_physical_feature_is_mentioned_or_it_is_said_why_it_cannot_be():
    assert MENTIONS.keys() <= set(physical())
    assert [name for name in physical() if not reason(name)] == [
        name for name in physical() if name in MENTIONS
    ]


@QUIET
@pytest.mark.parametrize(("feature", "pair"), PAIRS)
def test_a_mention_is_no_use_and_moves_nothing_in_mujoco(feature, pair):
    mentioned, silent = pair
    np.testing.assert_array_equal(paths(mentioned), paths(silent))
    assert feature not in features(mentioned)


@pytest.mark.parametrize(("feature", "pair"), PAIRS)
def test_a_mention_says_more_than_its_twin(feature, pair):
    """Some attribute or element of the feature is written in one of the two only."""
    one, other = (Counter(xml.split()) for xml in pair)
    words = {*attributes(FEATURES[feature]), *feature.split(".")} - {""}
    text = " ".join(((one - other) + (other - one)).elements())
    assert any(re.search(rf"\b{word}", text) for word in words), (text, words)


DRAWN = {"mesh", "texture", "material", "site", "camera", "light"}


def test_a_class_that_no_element_takes_asks_for_nothing():
    """Everything that a class can state, in one that nobody takes."""
    lines = [
        (path.removeprefix("default/"), name)
        for path, names in schema().items()
        if path.startswith("default/") and path.split("/")[1] not in DRAWN
        for name in names
        if set(meaning(path, name)) & FEATURES.keys()
    ]
    assert len(lines) > 150
    plain = '<mujoco>{}<worldbody><body name="a"><joint name="j"/><geom name="g" '
    plain += 'size=".1"/></body></worldbody></mujoco>'
    silent = features(plain.format(""))
    read = 0
    for tag, name in lines:
        for value in ("1", "true", "1 2", "ball", "mesh", "filter", "affine", "1 2 3"):
            group = f'<{tag} {name}="{value}"/>'
            head = f'<default><default class="c">{group}</default></default>'
            try:
                scene = by_hand(plain.format(head))
            except ValueError:
                continue  # MuJoCo has another word for this one
            assert {use.feature for use in detect(scene)} == silent, (tag, name)
            read += 1
            break
    assert read > 0.8 * len(lines)
