"""Every physical feature has a probe, and every probe shows its feature in MuJoCo."""

import pytest

from by_hand import by_hand
from unisim.mjcf.detect import detect
from unisim.mjcf.features import FEATURES
from unisim.probe.probe import Watch
from unisim.probe.probes import PROBES, UNPROBED, present
from unisim.probe.rule import SHAKE, Verdict, judge
from unisim.probe.trial import Target, on_mujoco
from unisim.probe.watch import aligned

TARGET = Target(backend="mujoco", profile="default", device="cpu", dtype="float64")
QUIET = pytest.mark.filterwarnings("ignore:flex:UserWarning")


def test_every_physical_feature_has_a_probe_or_a_reason():
    physical = {name for name, feature in FEATURES.items() if not feature.visual}
    assert PROBES.keys() | UNPROBED.keys() == physical
    assert not PROBES.keys() & UNPROBED.keys()


@QUIET
@pytest.mark.parametrize("feature", present())
def test_the_scenes_of_a_probe_differ_by_its_feature(feature):
    probe = PROBES[feature]
    uses = [
        {use.feature for use in detect(by_hand(xml))}
        for xml in (probe.used, probe.unused)
    ]
    assert feature in uses[0]
    assert feature not in uses[1]


@QUIET
@pytest.mark.parametrize("feature", present())
def test_a_probe_has_an_effect_a_hundred_times_the_noise(feature):
    probe = PROBES[feature]
    effects = [
        first - other
        for shake in (0.0, SHAKE)
        for first, other in [
            aligned(
                on_mujoco(TARGET, [probe], used=True, shake=shake)[0],
                on_mujoco(TARGET, [probe], used=False, shake=shake)[0],
            )
        ]
    ]
    found = judge(effects[0], effects[0], effects[1] - effects[0])
    assert found.verdict is Verdict.EXACT, found.note
    # one number at one moment could be chance
    assert effects[0].size >= (3 if probe.horizons == (0,) else 9)


def test_scenes_say_what_is_looked_at():
    for probe in PROBES.values():
        assert (probe.watch is Watch.HELD) == bool(probe.held)
        if probe.watch is Watch.SENSOR:
            assert 'name="x"' in probe.used


def test_a_digest_tells_what_a_measurement_depends_on():
    digests = {probe.digest for probe in PROBES.values()}
    assert len(digests) == len(PROBES)


@pytest.mark.parametrize(
    ("name", "value"), [("RULE", (0.5,)), ("CONSTANTS", (9,)), ("HORIZONS", None)]
)
def test_another_rule_or_start_makes_a_measurement_stale(monkeypatch, name, value):
    probe = PROBES["joint.damping"]
    before = probe.digest
    value = value or dict.fromkeys(Watch, (7,))
    monkeypatch.setattr(f"unisim.probe.probe.{name}", value)
    assert probe.digest != before
