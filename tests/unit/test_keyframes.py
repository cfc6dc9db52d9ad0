"""Every key holds the whole scene, whichever file wrote which part of it."""

import mujoco
import pytest

from scene_files import no_cache, write  # noqa: F401
from unisim.config import AttachCfg, SceneCfg
from unisim.errors import BadKeyframe, Clash, CompileFailed
from unisim.scene.compose import compose

HOST = """<mujoco><worldbody>
<body name='a'><joint name='ball' type='ball'/><geom size='.1'/>
<body name='b' pos='1 0 0'><joint name='slide' type='slide'/><geom size='.1'/></body>
</body><body name='hand' mocap='true' pos='0 0 2'/></worldbody>
<actuator><motor name='m' joint='slide'/>
<general name='g' joint='slide' dyntype='integrator' gainprm='2'/></actuator>
<keyframe>{}</keyframe></mujoco>"""
FULL = """<key name='full' time='2.5' qpos='.6 .8 0 0 .3' qvel='1 2 3 4' act='.7'
ctrl='5 6' mpos='1 2 3' mquat='0 0 1 0'/>"""
FRAGMENT = """<mujoco><worldbody><body name='c' pos='0 1 0'><freejoint name='free'/>
<geom size='.1'/></body><body name='foot' mocap='true' pos='0 0 9'/></worldbody>
<actuator><general name='h' joint='slide' dyntype='filter' dynprm='1'/></actuator>
{}</mujoco>"""


def model_of(folder, keys, *fragments, **settings):
    names = [f"f{i}" for i in range(len(fragments))]
    file = write(
        folder, main=HOST.format(keys), **dict(zip(names, fragments, strict=True))
    )
    files = tuple(folder / f"{name}.xml" for name in names)
    return compose(SceneCfg(model_file=file, fragments=files, **settings))


def part(array, model, kind, name):
    """What one object has in a key."""
    number = getattr(model, kind)(name).id
    if kind == "joint":
        adr = model.jnt_qposadr if array == "qpos" else model.jnt_dofadr
        widths = {"qpos": (7, 4, 1, 1), "qvel": (6, 3, 1, 1)}[array]
        width = widths[model.jnt_type[number]]
    else:
        adr = getattr(model, f"actuator_{array}adr")
        width = getattr(model, f"actuator_{array}num")[number]
    values = getattr(model.key("full"), array)
    return values[adr[number] :][:width].tolist()


def test_all_arrays_of_a_key_keep_their_owners(tmp_path):
    model = model_of(tmp_path, FULL, FRAGMENT.format("")).model
    key = model.key("full")
    assert key.time[0] == 2.5
    assert part("qpos", model, "joint", "ball") == [0.6, 0.8, 0, 0]
    assert part("qpos", model, "joint", "slide") == [0.3]
    assert part("qpos", model, "joint", "free") == [0, 1, 0, 1, 0, 0, 0]
    assert part("qvel", model, "joint", "ball") == [1, 2, 3]
    assert part("qvel", model, "joint", "slide") == [4]
    assert part("qvel", model, "joint", "free") == [0] * 6
    assert part("act", model, "actuator", "g") == [0.7]
    assert part("act", model, "actuator", "h") == [0]
    assert [part("ctrl", model, "actuator", n) for n in "mgh"] == [[5], [6], [0]]
    hand, foot = (model.body(n).mocapid[0] for n in ("hand", "foot"))
    assert key.mpos.reshape(-1, 3)[hand].tolist() == [1, 2, 3]
    assert key.mpos.reshape(-1, 3)[foot].tolist() == [0, 0, 9]
    assert key.mquat.reshape(-1, 4)[hand].tolist() == [0, 0, 1, 0]
    assert key.mquat.reshape(-1, 4)[foot].tolist() == [1, 0, 0, 0]


def test_an_array_that_a_key_leaves_out_has_its_default(tmp_path):
    model = model_of(
        tmp_path, "<key name='full' ctrl='5 6'/>", FRAGMENT.format("")
    ).model
    assert part("qpos", model, "joint", "ball") == [1, 0, 0, 0]
    assert part("qpos", model, "joint", "free") == [0, 1, 0, 1, 0, 0, 0]
    assert part("ctrl", model, "actuator", "g") == [6]


def test_a_short_array_leaves_the_rest_as_in_mujoco(tmp_path):
    keys = "<key name='full' qpos='.6 .8' qvel='7' time=''/>"
    alone, joined = (
        model_of(tmp_path, keys, *f).model for f in ((), (FRAGMENT.format(""),))
    )
    for model in (alone, joined):
        assert part("qpos", model, "joint", "ball") == [0.6, 0.8, 0, 0]
        assert part("qpos", model, "joint", "slide") == [0]
        assert part("qvel", model, "joint", "ball") == [7, 0, 0]
    assert part("qpos", joined, "joint", "free") == [0, 1, 0, 1, 0, 0, 0]


def test_a_key_may_be_written_for_the_whole_scene(tmp_path):
    keys = "<key name='full' qpos='1 0 0 0 .3 4 5 6 0 1 0 0'/>"
    model = model_of(tmp_path, keys, FRAGMENT.format("")).model
    assert part("qpos", model, "joint", "free") == [4, 5, 6, 0, 1, 0, 0]
    assert part("qpos", model, "joint", "slide") == [0.3]


def test_a_key_of_a_fragment_joins_that_of_the_file(tmp_path):
    keys = "<keyframe><key name='full' qpos='4 5 6 0 1 0 0'/></keyframe>"
    model = model_of(tmp_path, FULL, FRAGMENT.format(keys)).model
    assert model.nkey == 1
    assert model.key("full").time[0] == 2.5
    assert part("qpos", model, "joint", "free") == [4, 5, 6, 0, 1, 0, 0]
    assert part("qpos", model, "joint", "ball") == [0.6, 0.8, 0, 0]


def test_numbers_of_a_key_stay_what_they_are_to_the_last_bit(tmp_path):
    keys = "<key name='full' qpos='1 0 0 0 0.30000000000000004' time='.1'/>"
    model = model_of(tmp_path, keys, FRAGMENT.format("")).model
    assert part("qpos", model, "joint", "slide") == [0.1 + 0.2]


BAD = {
    "qpos='1 0 0 0 3 "
    "4'": "main.xml:8: qpos of key 'k' has 6 numbers; {}main.xml has 5 and the "
    "whole scene 12. Write as many as one of them has.",
    "qpos='1 0 0 0 x'": "main.xml:8: qpos of key 'k': could not convert",
    "ctrl='1 2 3 4'": "main.xml:8: ctrl of key 'k' has 4 numbers; {}main.xml has 2 and",
    "time='x'": "main.xml:8: time of key 'k'",
}


@pytest.mark.parametrize(("text", "message"), BAD.items(), ids=BAD.keys())
def test_a_key_that_does_not_fit_is_refused_on_its_line(tmp_path, text, message):
    with pytest.raises(BadKeyframe) as caught:
        model_of(tmp_path, f"<key name='k'\n{text}/>", FRAGMENT.format(""))
    shown = str(caught.value).removeprefix(f"{tmp_path}/")
    assert shown.startswith(message.format(f"{tmp_path}/"))


def test_the_model_alone_refuses_it_on_its_line_too(tmp_path):
    with pytest.raises(CompileFailed, match=r"main.xml:8: ") as caught:
        model_of(tmp_path, "<key name='k'\nqpos='1 0 0 0 3 4'/>")
    assert "invalid qpos size, expected 5, got 6" in str(caught.value)


def attach(folder, keys, chosen, **settings):
    arm = (
        "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>"
        "<keyframe><key name='k' qpos='.4' time='3'/></keyframe></mujoco>"
    )
    write(folder, arm=arm)
    part = AttachCfg(model_file=folder / "arm.xml", prefix="p_", keyframe=chosen)
    return model_of(folder, keys, attach=(part,), **settings)


def test_the_scene_starts_in_the_key_composed_of_those_that_are_named(tmp_path):
    scene = attach(tmp_path, FULL, "k")
    names = [scene.model.key(i).name for i in range(scene.model.nkey)]
    assert names == ["full", "composed", "p_k"]
    assert scene.keyframe == "composed"
    assert part("qpos", scene.model, "joint", "p_j") == [0.4]
    assert scene.model.key("composed").qpos.tolist() == [1, 0, 0, 0, 0, 0.4]
    assert scene.model.key("p_k").time[0] == 3


def test_without_a_named_key_an_attached_model_has_its_defaults(tmp_path):
    scene = attach(tmp_path, FULL, None, keyframe="full")
    assert scene.keyframe == "full"
    assert part("qpos", scene.model, "joint", "p_j") == [0]
    assert scene.model.key("p_k").qpos.tolist() == [0.6, 0.8, 0, 0, 0.3, 0.4]
    assert attach(tmp_path, FULL, None).keyframe is None


def test_a_key_named_composed_is_not_overwritten(tmp_path):
    with pytest.raises(Clash, match=r"key 'composed' clashes"):
        attach(tmp_path, "<key name='composed'/>", "k")


def test_mujoco_alone_ignores_the_pose_of_the_attachment(tmp_path):
    """Why keys are written anew: MuJoCo's own attach leaves the key where it was."""
    free = (
        "<mujoco><worldbody><body name='b'><freejoint name='j'/><geom size='.1'/>"
        "</body>"
        "</worldbody><keyframe><key name='k' qpos='1 0 0 1 0 0 0'/></keyframe>"
        "</mujoco>"
    )
    spec = mujoco.MjSpec()
    frame = spec.worldbody.add_frame(pos=[0, 0, 5])
    spec.attach(mujoco.MjSpec.from_string(free), prefix="p_", frame=frame)
    assert spec.compile().key("p_k").qpos[2] == 0
    write(tmp_path, free=free)
    file = write(tmp_path, main="<mujoco/>")
    cfg = AttachCfg(model_file=tmp_path / "free.xml", prefix="p_", pos=(0.0, 0.0, 5.0))
    model = compose(SceneCfg(model_file=file, attach=(cfg,))).model
    assert model.key("p_k").qpos[:3].tolist() == [1, 0, 5]
