"""Attached models keep their physics, wherever, however and how often they are put."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from scene_files import no_cache, stl, write  # noqa: F401
from unisim.config import AttachCfg, OptionsCfg, SceneCfg
from unisim.errors import BadAttachment, BadScene, Clash, CompileFailed, UnknownName
from unisim.scene import flatten
from unisim.scene.compose import compose

OWN = Path(__file__).parents[2] / "models"
GRIPPER = OWN / "gripper/gripper.xml"
SIDES = ("left", "right")
PER_OBJECT = {
    "body": ("mass", "inertia", "ipos", "iquat", "pos", "quat", "gravcomp"),
    "joint": ("type", "pos", "axis", "range", "limited", "stiffness", "solref"),
    "geom": ("type", "pos", "quat", "size", "friction", "condim", "contype", "solref"),
    "site": ("type", "pos", "quat", "size"),
    "actuator": ("gainprm", "biasprm", "ctrlrange", "forcerange", "gear", "trntype"),
    "equality": ("type", "data", "solref"),
    "tendon": ("range", "stiffness", "damping", "lengthspring"),
    "sensor": ("type", "objtype", "dim"),
}
SHORT = {"joint": "jnt", "equality": "eq"}
DOF = ("damping", "armature", "frictionloss")


def grippers(body, host, **settings):
    return SceneCfg(
        model_file=OWN / "twoarm" / host,
        attach=tuple(
            AttachCfg(
                model_file=GRIPPER,
                prefix=f"{side}_gripper_",
                body=body,
                to=f"{side}_flange",
                keyframe=key,
            )
            for side, key in zip(SIDES, ("open", "closed"), strict=True)
        ),
        **settings,
    )


def reference(body, host):
    """The same, attached by MuJoCo's own spec."""
    spec = mujoco.MjSpec.from_file(str(OWN / "twoarm" / host))
    for side in SIDES:
        part = mujoco.MjSpec.from_file(str(GRIPPER))
        part.option = spec.option
        site, prefix = spec.site(f"{side}_flange"), f"{side}_gripper_"
        if body is None:
            spec.attach(part, prefix=prefix, site=site)
        else:
            site.attach_body(part.body(body), prefix, "")
    return spec.compile()


def check_named(model, ref):
    """Everything that has a name in the reference is the same in the model."""
    checked = 0
    for kind, fields in PER_OBJECT.items():
        for i in range(count(ref, kind)):
            name = mujoco.mj_id2name(ref, mujoco.mju_str2Type(kind), i)
            if not name:
                continue
            other = mujoco.mj_name2id(model, mujoco.mju_str2Type(kind), name)
            assert other >= 0, name
            for field in fields:
                array = f"{SHORT.get(kind, kind)}_{field}"
                value = getattr(model, array)[other]
                assert value == pytest.approx(getattr(ref, array)[i], abs=1e-15), name
                checked += 1
    assert checked > 100


def count(model, kind):
    return getattr(model, f"n{SHORT.get(kind, kind)}")


@pytest.mark.parametrize("host", ["twoarm.xml", "scene.xml"])
@pytest.mark.parametrize("body", ["palm", None], ids=["subtree", "whole"])
def test_the_same_gripper_sits_on_both_arms(body, host):
    model, ref = compose(grippers(body, host)).model, reference(body, host)
    for kind in PER_OBJECT:
        assert count(model, kind) == count(ref, kind)
    check_named(model, ref)
    for i in range(ref.njnt):
        mine, theirs = (m.joint(ref.joint(i).name) for m in (model, ref))
        for field in DOF:
            assert getattr(mine, field).tolist() == getattr(theirs, field).tolist()
    assert model.nexclude == ref.nexclude
    assert model.opt.timestep == ref.opt.timestep == 0.002


@pytest.mark.parametrize("body", ["palm", None], ids=["subtree", "whole"])
def test_attaching_moves_as_mujoco_says(body):
    model, ref = (
        compose(grippers(body, "twoarm.xml")).model,
        reference(body, "twoarm.xml"),
    )
    mine, theirs = mujoco.MjData(model), mujoco.MjData(ref)
    for data in (mine, theirs):
        data.ctrl[:] = np.linspace(-0.3, 0.4, data.ctrl.size)
    mujoco.mj_step(model, mine, 200)
    mujoco.mj_step(ref, theirs, 200)
    assert np.abs(mine.qpos).max() > 0.1
    assert mine.qpos == pytest.approx(theirs.qpos, abs=1e-9)


def test_keys_of_the_arms_and_the_grippers_are_composed():
    scene = compose(grippers("palm", "scene.xml", keyframe="ready"))
    model, key = scene.model, scene.model.key("ready")
    assert scene.keyframe == "ready"
    host = mujoco.MjModel.from_xml_path(str(OWN / "twoarm/scene.xml"))
    for i in range(host.njnt):
        mine, theirs = (m.joint(host.joint(i).name).qposadr[0] for m in (model, host))
        width = 7 if host.jnt_type[i] == 0 else 1
        want = host.key("ready").qpos[theirs : theirs + width]
        assert key.qpos[mine : mine + width].tolist() == want.tolist()
    opening = {"left": 0.04, "right": 0.0}
    for side in SIDES:
        for jaw in ("a", "b"):
            joint = model.joint(f"{side}_gripper_jaw_{jaw}")
            assert key.qpos[joint.qposadr[0]] == opening[side]
        grip = model.actuator(f"{side}_gripper_grip").id
        assert key.ctrl[model.actuator_ctrladr[grip]] == 2 * opening[side]


def test_both_grippers_are_driven_by_their_names():
    model = compose(grippers("palm", "twoarm.xml", keyframe="ready")).model
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("ready").id)
    for side, opening in (("left", 0.01), ("right", 0.06)):
        data.actuator(f"{side}_gripper_grip").ctrl[:] = opening
    mujoco.mj_step(model, data, 2000)
    assert data.sensor("left_gripper_opening_pos").data[0] == pytest.approx(
        0.01, abs=2e-3
    )
    assert data.sensor("right_gripper_opening_pos").data[0] == pytest.approx(
        0.06, abs=2e-3
    )


HOST = """<mujoco><compiler angle='radian'/><default><default class='turned'>
<site euler='0 0 .5' pos='0 .1 0'/></default></default>
<worldbody><body name='base' pos='1 0 0' euler='.3 0 0'>
<joint name='h' axis='0 1 0'/><geom size='.1'/>
<site name='plain' pos='.2 0 .1' euler='.1 .2 .3'/>
<site name='classed' class='turned'/>
<site name='both' class='turned' quat='1 0 .4 0'/>
<frame name='f' pos='0 0 .4' euler='0 .7 0'>
<site name='framed' pos='.1 .1 0' axisangle='0 1 0 .2'/></frame></body>
<site name='world' pos='0 0 2'/>
</worldbody></mujoco>"""
PART = """<mujoco><compiler angle='degree'/><worldbody>
<body name='tip' pos='.05 0 0' euler='30 0 0'><joint name='j' range='-40 40'/>
<geom name='g' size='.05' mass='.2'/></body></worldbody>
<actuator><motor name='m' joint='j'/></actuator>
<keyframe><key name='bent' qpos='.25' ctrl='3'/></keyframe></mujoco>"""
TARGETS = [
    ("site", "plain"),
    ("site", "classed"),
    ("site", "both"),
    ("site", "framed"),
    ("site", "world"),
    ("body", "base"),
    ("frame", "f"),
]


def attached(folder, part=PART, host=HOST, **settings):
    file = write(folder, main=host, part=part)
    more = settings.pop("scene", {})
    part_cfg = AttachCfg(model_file=folder / "part.xml", prefix="p_", **settings)
    return SceneCfg(model_file=file, attach=(part_cfg,), **more)


def pose(model, kind, name):
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    found = getattr(data, kind)(name)
    return found.xpos.copy(), found.xmat.reshape(3, 3).copy()


@pytest.mark.parametrize("body", ["tip", None], ids=["subtree", "whole"])
@pytest.mark.parametrize(("kind", "to"), TARGETS)
def test_a_model_goes_where_its_site_body_or_frame_is(tmp_path, kind, to, body):
    quat = (0.8, 0.0, 0.6, 0.0)
    cfg = attached(
        tmp_path, to=to, to_kind=kind, pos=(0.1, 0.2, 0.3), quat=quat, body=body
    )
    model, host = compose(cfg).model, mujoco.MjModel.from_xml_string(HOST)
    if kind == "frame":
        place, turn = frame_of(host)
    else:
        place, turn = pose(host, kind, to)
    mount = rotation(quat)
    tip = rotation((np.cos(np.pi / 12), np.sin(np.pi / 12), 0, 0))
    at, facing = pose(model, "body", "p_tip")
    assert at == pytest.approx(place + turn @ ([0.1, 0.2, 0.3] + mount @ [0.05, 0, 0]))
    assert facing == pytest.approx(turn @ mount @ tip)
    assert model.joint("p_j").range == pytest.approx(np.radians([-40, 40]))
    assert model.actuator("p_m").trnid[0] == model.joint("p_j").id


def frame_of(host):
    """Pose of the frame, by a body put into it."""
    text = HOST.replace(
        "<site name='framed'", "<body name='there'/><site name='framed'"
    )
    return pose(mujoco.MjModel.from_xml_string(text), "body", "there")


def rotation(quat):
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, np.array(quat, dtype=float))
    return matrix.reshape(3, 3)


FREE = """<mujoco><worldbody><body name='top' pos='0 0 .1'><freejoint name='free'/>
<geom size='.1'/><body name='arm' pos='.2 0 0'><joint name='j'/><geom size='.1'/></body>
</body><body name='target' mocap='true' pos='.5 0 0'/></worldbody>
<keyframe><key name='k' time='1.5' qpos='1 2 3 .6 .8 0 0 .4' qvel='1 2 3 4 5 6 7'
mpos='.1 .2 .3' mquat='0 1 0 0'/></keyframe></mujoco>"""


@pytest.mark.parametrize("to", [None, "world"])
def test_a_key_of_a_free_model_moves_with_it(tmp_path, to):
    turn = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))
    cfg = attached(
        tmp_path, FREE, to=to, pos=(10.0, 20.0, 30.0), quat=turn, keyframe="k"
    )
    scene = compose(cfg)
    key = scene.model.key(scene.keyframe)
    lift = 0.0 if to is None else 2.0
    start = scene.model.joint("p_free").qposadr[0]
    quat = np.zeros(4)
    mujoco.mju_mulQuat(quat, np.array(turn), np.array([0.6, 0.8, 0, 0]))
    assert key.qpos[start : start + 3] == pytest.approx([8, 21, 33 + lift])
    assert key.qpos[start + 3 : start + 7] == pytest.approx(quat)
    assert key.qpos[scene.model.joint("p_j").qposadr[0]] == 0.4
    speed = scene.model.joint("p_free").dofadr[0]
    assert key.qvel[speed : speed + 7] == pytest.approx([-2, 1, 3, 4, 5, 6, 7])
    assert key.mpos.ravel() == pytest.approx([9.8, 20.1, 30.3 + lift])
    mujoco.mju_mulQuat(quat, np.array(turn), np.array([0, 1.0, 0, 0]))
    assert key.mquat.ravel() == pytest.approx(quat)
    assert scene.model.key("p_k").time[0] == 1.5
    assert scene.model.key("p_k").qpos.tolist() == key.qpos.tolist()


def test_a_free_joint_below_the_world_is_refused_or_dropped(tmp_path):
    text = FREE.replace("<body name='target' mocap='true' pos='.5 0 0'/>", "")
    text = text.replace("mpos='.1 .2 .3' mquat='0 1 0 0'", "")
    with pytest.raises(BadAttachment, match=r"part.xml:1: a free joint .*'drop'.*'p_'"):
        compose(attached(tmp_path, text, to="plain"))
    cfg = attached(tmp_path, text, to="plain", free_joint="drop", keyframe="k")
    model = compose(cfg).model
    assert [model.joint(i).name for i in range(model.njnt)] == ["h", "p_j"]
    assert model.key("composed").qpos.tolist() == [0, 0.4]
    cfg = attached(tmp_path, text, to="plain", body="arm")
    assert compose(cfg).model.nbody == 3


def test_a_free_joint_that_is_needed_cannot_be_dropped(tmp_path):
    text = FREE.replace(
        "<keyframe>", "<sensor>\n<framepos objtype='body' objname='top'/></sensor>"
                      "<equality>"
        "\n<joint joint1='free'/></equality><keyframe>"
    )  # fmt: skip
    with pytest.raises(
        BadAttachment, match=r"part.xml:6: <joint> needs the free joint"
    ):
        compose(attached(tmp_path, text, to="plain", free_joint="drop"))


def test_two_models_may_own_files_of_one_name(tmp_path):
    mesh = (
        "<mujoco><asset><mesh name='m' file='base.stl'/></asset><worldbody><body>"
        "<joint/><geom name='g' type='mesh' mesh='m'/></body></worldbody>"
        "</mujoco>"
    )
    parts = []
    for folder, scale in (("a", 0.1), ("b", 0.2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "base.stl").write_bytes(stl(scale))
        file = write(tmp_path / folder, main=mesh)
        parts.append(AttachCfg(model_file=file, prefix=f"{folder}_"))
    host = write(tmp_path, main="<mujoco/>")
    model = compose(SceneCfg(model_file=host, attach=tuple(parts))).model
    small, big = (model.geom(f"{folder}_g").rbound[0] for folder in "ab")
    assert big == pytest.approx(2 * small)


NESTED = """<mujoco><option density='7'/>
<asset><model name='n' file='part.xml'/></asset>
<worldbody><body name='holder' pos='0 0 1'><geom size='.1'/><joint name='hold'/>
<frame euler='0 90 0'><attach model='n' body='tip' prefix='n_'/></frame></body>
</worldbody>
<keyframe><key name='up' qpos='.6'/></keyframe></mujoco>"""


# MuJoCo itself says what it makes of options that disagree
@pytest.mark.filterwarnings("ignore:Attach conflict:UserWarning")
@pytest.mark.parametrize("option", ["", "<option density='8' timestep='.1'/>"])
@pytest.mark.parametrize("conflict", ["warning", "merge"])
def test_an_attach_element_is_flattened_like_mujoco_does_it(tmp_path, option, conflict):
    main, part = NESTED, PART.replace("<worldbody>", f"{option}<worldbody>")
    if conflict == "merge":
        main = NESTED.replace("<option", "<compiler conflict='merge'/><option")
        part = part.replace(" density='8'", "")
    file = write(tmp_path, main=main, part=part)
    scene = compose(SceneCfg(model_file=file, keyframe="up"))
    assert (
        flatten.differences(mujoco.MjModel.from_xml_path(str(file)), scene.model) == []
    )
    assert "<attach" not in scene.xml
    assert "<model" not in scene.xml
    assert scene.model.key("up").qpos.tolist() == [0.6, 0]
    assert scene.model.key("n_bent").qpos.tolist() == [0.6, 0.25]


def test_a_model_that_attaches_a_model_can_be_attached(tmp_path):
    write(tmp_path, part=PART)
    inner = NESTED.replace("file='part.xml'", "file='tip.xml'")
    write(tmp_path, tip=PART)
    cfg = attached(tmp_path, inner, "<mujoco><worldbody><site name='s'/></worldbody>"
                                    "</mujoco>",
                   to="s", keyframe="up")  # fmt: skip
    scene = compose(cfg)
    names = [scene.model.joint(i).name for i in range(scene.model.njnt)]
    assert names == ["p_hold", "p_n_j"]
    assert scene.model.key("composed").qpos.tolist() == [0.6, 0]
    assert scene.model.key("p_n_bent").qpos.tolist() == [0.6, 0.25]
    assert scene.sources.where("joint", "p_n_j").file == tmp_path / "tip.xml"
    assert scene.model.opt.density == 7


def test_options_of_a_child_fill_what_the_host_leaves_open(tmp_path):
    host = "<mujoco><option timestep='.004'/></mujoco>"
    part = (
        "<mujoco><option timestep='.004' density='3'><flag energy='enable'/>"
        "</option></mujoco>"
    )
    opt = compose(attached(tmp_path, part, host)).model.opt
    assert (opt.timestep, opt.density) == (0.004, 3)
    assert opt.enableflags == mujoco.mjtEnableBit.mjENBL_ENERGY


def test_options_that_disagree_are_decided_by_the_config_alone(tmp_path):
    host = "<mujoco>\n<option timestep='.004'/></mujoco>"
    part = "<mujoco>\n\n<option timestep='.005'/></mujoco>"
    with pytest.raises(
        Clash, match=r"main.xml:2: .*'.004' clashes.*'.005' at .*part.xml:3"
    ):
        compose(attached(tmp_path, part, host))
    more = {"options": OptionsCfg(timestep=0.001)}
    assert (
        compose(attached(tmp_path, part, host, scene=more)).model.opt.timestep == 0.001
    )


UNKNOWN = [
    ({"to": "plane"}, "main.xml has no site 'plane'. Did you mean 'plain'"),
    (
        {"to": "bas", "to_kind": "body"},
        "main.xml has no body 'bas'. Did you mean 'base'",
    ),
    ({"to": "x", "to_kind": "frame"}, "main.xml has no frame 'x'. Known: f"),
    ({"body": "tap"}, "part.xml has no body 'tap'. Did you mean 'tip'"),
    ({"keyframe": "bend"}, "the model attached as 'p_' has no key 'bend'. Did you"),
]


@pytest.mark.parametrize(("settings", "message"), UNKNOWN)
def test_an_unknown_place_names_those_there_are(tmp_path, settings, message):
    with pytest.raises(UnknownName, match=message):
        compose(attached(tmp_path, **settings))


REFUSED = {
    "fromto": (
        "<mujoco><worldbody>\n<site name='s' type='capsule' size='.1'\nfromto='0 0 0 "
        "1 1 1'/>"
        "</worldbody></mujoco>",
        r"main.xml:3: site 's' is posed by fromto",
    ),
    "replicated": (
        "<mujoco><worldbody><replicate count='2'><body>\n<site name='s'/></body>"
        "</replicate>"
        "</worldbody></mujoco>",
        r"main.xml:2: site 's' is replicated",
    ),
    "names": (
        "<mujoco><worldbody><body name='p_tip'><site name='s'/></body></worldbody>"
        "</mujoco>",
        r"(main|part).xml.*p_tip",
    ),
}


@pytest.mark.parametrize(("host", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_attached_to_is_refused(tmp_path, host, message):
    with pytest.raises(BadScene, match=message):
        compose(attached(tmp_path, host=host, to="s"))


INERTIAL = """<worldbody><body name='tip'><joint/><inertial mass='.1' pos='0 0 0'
diaginertia='1 2 2'/><geom euler='.1 .2 .3' type='box' size='.1 .2 .3'/></body>
</worldbody></mujoco>"""
KEPT = ("angle='radian'", "eulerseq='zyx'", "usethread='false'", "saveinertial='true'")
LOST = (
    "settotalmass='7'",
    "inertiafromgeom='true'",
    "balanceinertia='true'",
    "boundmass='2'",
    "inertiagrouprange='1 2'",
)


@pytest.mark.parametrize("setting", KEPT)
def test_a_model_keeps_the_compiler_settings_of_its_numbers(tmp_path, setting):
    part = f"<mujoco><compiler {setting}/>{INERTIAL}"
    model = compose(attached(tmp_path, part, to="plain")).model
    alone = mujoco.MjModel.from_xml_string(part)
    assert model.geom_quat[-1] == pytest.approx(alone.geom_quat[0], abs=1e-15)
    assert model.body_mass[-1] == alone.body_mass[1]


@pytest.mark.parametrize("setting", LOST)
def test_a_compiler_setting_that_would_get_lost_is_refused(tmp_path, setting):
    part = f"<mujoco>\n<compiler\n{setting}/>{INERTIAL}"
    with pytest.raises(BadAttachment, match=rf"part.xml:3: .*{setting.split('=')[0]}"):
        compose(attached(tmp_path, part, to="plain"))


def test_the_hosts_total_mass_does_not_spread_to_what_is_attached(tmp_path):
    host = HOST.replace("<compiler", "<compiler settotalmass='5'")
    with pytest.raises(BadAttachment, match=r"main.xml:1: settotalmass"):
        compose(attached(tmp_path, host=host, to="plain"))


def test_a_prefix_serves_one_copy(tmp_path):
    cfg = attached(tmp_path)
    with pytest.raises(Clash, match="prefix 'p_'"):
        compose(SceneCfg(model_file=cfg.model_file, attach=cfg.attach * 2))


def test_a_key_made_by_attaching_takes_no_name_of_another(tmp_path):
    host = HOST.replace("</worldbody>", "</worldbody><keyframe><key name='p_bent' "
                                        "qpos='1'/>"
                        "</keyframe>")  # fmt: skip
    with pytest.raises(Clash, match=r"key 'p_bent' clashes"):
        compose(attached(tmp_path, host=host, to="plain"))


def test_an_error_of_an_attached_model_is_on_its_line(tmp_path):
    part = PART.replace("size='.05'", "\nsize='-.05'")
    with pytest.raises(CompileFailed, match=r"part.xml:4: .*size 0 must be positive"):
        compose(attached(tmp_path, part, to="plain"))
    part = PART.replace("<motor name", "\n<motor\nname").replace(
        "joint='j'", "joint='i'"
    )
    with pytest.raises(CompileFailed, match=r"part.xml:6: .*unknown transmission"):
        compose(attached(tmp_path, part, to="plain"))
    nested = NESTED.replace("'part.xml'", "'tip.xml'")
    write(tmp_path, tip=PART.replace("mass='.2'", "\n\nmess='.2'"))
    with pytest.raises(CompileFailed, match=r"tip.xml:[35]: .*unrecognized attribute"):
        compose(SceneCfg(model_file=write(tmp_path, main=nested)))


def test_a_flat_text_that_differs_is_refused(tmp_path, monkeypatch):
    join = flatten._join

    def spoil(root, *rest):
        join(root, *rest)
        geom = next(e for e in root.walk() if e.attributes.get("name") == "p_g")
        geom.attributes["mass"] = "0.21"

    monkeypatch.setattr(flatten, "_join", spoil)
    with pytest.raises(CompileFailed, match=r"body_mass"):
        compose(attached(tmp_path, to="plain"))


@pytest.mark.parametrize("visuals", [True, False])
def test_attaching_leaves_the_sources_as_they_are_when_cached(
    tmp_path, monkeypatch, visuals
):
    monkeypatch.setenv("UNISIM_CACHE", str(tmp_path / "cache"))
    cfg = attached(tmp_path, NESTED.replace("part.xml", "tip.xml"), to="plain")
    write(tmp_path, tip=PART)
    cold, warm = (compose(cfg, visuals=visuals) for _ in range(2))
    assert (cold.xml, cold.digest, cold.assets) == (warm.xml, warm.digest, warm.assets)
    tags = [[element.tag for element in s.sources.root.walk()] for s in (cold, warm)]
    assert tags[0] == tags[1]
    for name in ("p_n_j", "p_hold", "h"):
        assert cold.sources.where("joint", name) == warm.sources.where("joint", name)
