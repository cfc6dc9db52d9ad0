"""`check` finds what each case is about, at its line, and lets nothing of it pass."""

import json
import re

import pytest

from unisim.backend import registry
from unisim.cli import main

pytestmark = pytest.mark.real_robot
NOTATION = ()
"""What is gone after the compile: every backend gets its meaning."""
STATIC = {
    "B01_dampratio": {
        "actuator/position@dampratio": ["actuator.biastype.affine dampratio="],
        "joint@armature": ["joint.armature armature="],
        "option@integrator=implicitfast": ["option.integrator.implicitfast integrator"],
    },
    "B04_repeated_sections": {
        "compiler (repeated)": NOTATION,
        "option (repeated)": ["option.timestep timestep=", "option.gravity gravity="],
        "actuator (repeated)": ["actuator.trntype.joint*2 <motor"],
        "equality (repeated)": ["equality.joint*2 <equality>"],
        "sensor (repeated)": ["sensor.jointpos s1", "sensor.jointvel s2"],
        "contact/exclude": ["contact.exclude*2 <exclude"],
    },
    "B05_option_flags": {
        "option/flag@gravity": ["option.flag.gravity <flag"],
        "option/flag@contact": ["option.flag.contact <flag"],
        "option@integrator=RK4": ['option.integrator.rk4 "RK4"'],
        "option@cone=elliptic": ['option.cone.elliptic "elliptic"'],
        "option@impratio": ["option.impratio impratio="],
        "option@iterations": ["option.iterations iterations="],
        "option@tolerance": ["option.tolerance tolerance="],
    },
    "B09_actuator_order": {
        "actuator order != joint order": ["actuator.trntype.joint*4 joint="],
    },
    "B11_mimic_index": {
        "equality/joint": ["equality.joint <equality>"],
        "equality@polycoef": ["equality.joint polycoef="],
        "equality@solref": ["equality.solref solref="],
    },
    "B13_free_joint_spin": {
        "freejoint": ["joint.type.free freejoint"],
        "sensor/gyro": ["sensor.gyro <gyro"],
        "sensor/frameangvel": ["sensor.frameangvel <frameangvel"],
    },
    "B16_inertial_quat": {
        "inertial@quat": NOTATION,
        "inertial@fullinertia": NOTATION,
    },
    "B18_eulerseq": {
        "compiler@eulerseq (upper case)": NOTATION,
        "body@euler": NOTATION,
        "geom@euler": NOTATION,
    },
    "B20_gain_defaults": {
        "actuator/position (no kp)": ["actuator.biastype.affine*3 <position"],
        "actuator/velocity (no kv)": ["actuator.biastype.affine*3 <velocity"],
        "default class on actuators": ["actuator.forcelimited class="],
    },
    "B22_armature_defaults": {
        "default class (nested)": ["joint.armature*2 <joint"],
        "childclass": ["joint.damping*4 <joint"],
        "joint@armature": ["joint.armature*2 <joint"],
        "freejoint": ["joint.type.free*2 free"],
    },
    "B27_mesh_inertia": {
        "asset/mesh@inertia": NOTATION,
        "asset/mesh@vertex/@face (inline)": NOTATION,
        "geom mesh (non-convex)": ["geom.type.mesh*5 mesh="],
    },
    "B29_masks_and_excludes": {
        "contact/exclude": ["contact.exclude <exclude"],
        "geom@contype": ["geom.mask contype="],
        "geom@conaffinity": ["geom.mask conaffinity="],
        "parent-child filter": NOTATION,
        "static parent": NOTATION,
    },
    "B31_many_joints_one_body": {
        "several joints on one body": ["joint.several*3 <joint"],
        "joint ball": ['joint.type.ball "ball"'],
        "joint slide": ['joint.type.slide "slide"'],
    },
    "B34_contact_capacity": {
        "48 free bodies": ["joint.type.free*48 <freejoint"],
        "box-box contacts": ["geom.type.box*52 box", "contact.convex*52 box"],
        # which capacity a backend takes is seen when it builds
        "size/capacity": NOTATION,
    },
    "B36_keyframe_restores": {
        "keyframe@ctrl": ["key.ctrl ctrl="],
        "keyframe@act": ["key.act act="],
        "keyframe@time": ["key.time time="],
        "actuator/intvelocity (stateful)": ["actuator.dyntype.integrator intvel"],
    },
}
"""By case and by entry of its `static_features`: the feature, how many elements use it,
and what stands in the line of each."""
LINE = re.compile(r"(?P<feature>\S+?)(?:\*(?P<count>\d+))? (?P<text>.+)")


def expected(shared, case) -> dict:
    text = (shared / "cases" / case / "expected.json").read_text(encoding="utf-8")
    return json.loads(text)


def test_there_is_a_word_on_every_static_feature_of_every_case(shared):
    cases = sorted(path.name for path in (shared / "cases").glob("B*"))
    assert cases == sorted(STATIC)
    for case in cases:
        assert expected(shared, case)["static_features"] == list(STATIC[case]), case


@pytest.mark.parametrize("case", STATIC)
def test_a_static_feature_is_found_at_its_line(case, shared, capsys):
    file = shared / "cases" / case / "model.xml"
    lines = file.read_text(encoding="utf-8").splitlines()
    main(["check", str(file), "--json"])
    (report,) = json.loads(capsys.readouterr().out)["backends"]
    for entry, wanted in STATIC[case].items():
        for want in wanted:
            feature, count, text = LINE.fullmatch(want).groups()
            uses = [use for use in report["uses"] if use["feature"] == feature]
            assert len(uses) == int(count or 1), (entry, want)
            places = [lines[use["at"]["line"] - 1] for use in uses]
            assert all(text in place for place in places), (entry, want, places)


@pytest.mark.parametrize("case", STATIC)
def test_what_a_backend_does_not_reproduce_is_refused_by_name(case, shared, capsys):
    """Every `must` of a case: the value itself, or a refusal before the first step."""
    assert expected(shared, case)["must"]
    file = shared / "cases" / case / "model.xml"
    features = {
        LINE.fullmatch(want)["feature"]
        for wanted in STATIC[case].values()
        for want in wanted
    }
    main(["check", str(file), "--backend", "all", "--json"])
    reports = json.loads(capsys.readouterr().out)["backends"]
    assert len(reports) == len(registry.known())
    for report in reports:
        for use in report["uses"]:
            if use["feature"] not in features:
                continue
            named = f"{use['feature']}: {use['kind']} {use['name']!r}"
            at = f"({use['at']['file']}:{use['at']['line']}"
            said = [x for x in report["refusals"] if x.startswith(named) and at in x]
            if use["level"] == "exact":
                assert use["basis"] != "nothing", (report["backend"], named)
                assert not said
            else:
                assert len(said) == 1, (report["backend"], named)
