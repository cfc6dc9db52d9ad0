"""What the probes say of engines whose faults are known."""

import pytest

from probed import Altered, dies, hangs, raises, scaled
from unisim.probe.child import Child, Failed
from unisim.probe.measure import measure, measure_by
from unisim.probe.probes import PROBES
from unisim.probe.rule import Verdict
from unisim.probe.trial import Target
from unisim.progress import Silent

TARGET = Target(backend="mujoco", profile="default", device="cpu", dtype="float64")
NAMES = (
    *("joint.damping", "joint.armature.ball", "actuator.gear", "tendon.wrap.sphere"),
    *("geom.friction", "contact.pair.solref", "sensor.gyro", "option.gravity"),
    *("option.solver.cg", "key.qvel", "equality.weld", "joint.type.ball"),
)
CHOSEN = [PROBES[name] for name in NAMES]


def verdicts(engine, probes=CHOSEN, **more):
    found = measure_by(engine, TARGET, probes, Silent(), **more)
    return {name: finding.verdict for name, finding in found.items()}


@pytest.mark.parametrize(
    ("share", "verdict"),
    [
        (1.0, Verdict.EXACT),
        (0.9, Verdict.APPROXIMATE),
        (0.0, Verdict.IGNORED),
        (-1.0, Verdict.WRONG),
    ],
)
def test_an_engine_that_honours_so_much_of_every_feature(share, verdict):
    found = verdicts(Altered(scaled(share)))
    assert found == dict.fromkeys(sorted(NAMES), verdict)


def test_what_is_not_exact_on_a_sheet_is_measured_alone():
    def alter(name, used, unused):
        return scaled(0.0 if name == "joint.damping" else 1.0)(name, used, unused)

    engine = Altered(alter)
    found = verdicts(engine)
    assert found["joint.damping"] is Verdict.IGNORED
    assert {found[name] for name in NAMES if name != "joint.damping"} == {Verdict.EXACT}
    alone = {names for names, _ in engine.asked if len(names) == 1}
    assert ("joint.damping",) in alone
    assert ("joint.armature.ball",) not in alone
    assert max(len(names) for names, _ in engine.asked) > 1


def test_one_that_is_refused_on_a_sheet_is_found_and_the_others_are_measured():
    def alter(name, used, unused):
        return Failed("refused", "no") if name == "equality.weld" else used

    found = verdicts(Altered(alter))
    assert found["equality.weld"] is Verdict.REFUSED
    assert {found[name] for name in NAMES if name != "equality.weld"} == {Verdict.EXACT}


@pytest.mark.parametrize(
    ("how", "verdict"),
    [
        ("refused", Verdict.INCONCLUSIVE),
        ("crashed", Verdict.CRASHED),
        ("hung", Verdict.HUNG),
    ],
)
def test_what_befalls_the_scene_without_the_feature_is_told(how, verdict):
    class Broken(Altered):
        def ask(self, target, probes, *, used):
            return Failed(how, "nothing works")

    found = measure_by(Broken(None), TARGET, CHOSEN[:1], Silent())
    (finding,) = found.values()
    assert finding.verdict is verdict
    assert "without it" in finding.note
    assert "nothing works" in finding.note


def test_a_process_that_dies_is_a_verdict_with_its_last_words():
    child = Child(60.0, dies)
    answer = child.ask(TARGET, CHOSEN[:1], used=True)
    assert answer == Failed("crashed", "exit status 7: Segmentation of everything")
    assert child.ask(TARGET, CHOSEN[:1], used=True) == answer  # it was started anew
    child.close()


def test_an_exception_of_the_engine_is_a_refusal_in_its_words():
    child = Child(60.0, raises)
    answer = child.ask(TARGET, CHOSEN[:1], used=True)
    assert answer == Failed("refused", "ValueError: no such thing here")
    child.close()


def test_a_process_that_hangs_is_ended():
    child = Child(0.5, hangs)
    answer = child.ask(TARGET, CHOSEN[:1], used=True)
    child.close()
    assert answer == Failed("hung", "no answer within 0.5 s")


def test_the_mujoco_backend_in_its_process():
    found = measure(TARGET, [PROBES["joint.damping"], PROBES["key.qvel"]], Silent())
    assert {item.verdict for item in found.values()} == {Verdict.EXACT}
