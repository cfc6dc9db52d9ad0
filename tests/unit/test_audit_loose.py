"""What is not compared where an engine's approximation of contacts was agreed to."""

import pytest

from audit_scene import Liar, build, build_wrong, scene
from unisim.backend.audit import AUDITED, audit
from unisim.backend.layout import layout_of
from unisim.backend.mujoco import BACKEND
from unisim.errors import AuditFailed

AGREED = ("geom.type.hfield",)
XML = """<mujoco><option timestep="0.004"/><asset>
  <hfield name="h" nrow="2" ncol="2" size="9 9 1 1"/></asset><worldbody>
  <geom name="ground" type="hfield" hfield="h"/>
  <geom name="slab" type="box" size="1 1 .1" pos="20 0 -.1"/>
  <body name="box" pos="0 0 0.11"><freejoint name="root"/>
    <geom name="box" type="box" size=".2 .2 .1"/></body>
  <body name="ball" pos="20 0 0.11"><freejoint name="free"/>
    <geom name="ball" size=".1"/></body></worldbody></mujoco>"""


def inspected(composed, engine, accept):
    layout, profile = layout_of(composed.model), BACKEND.manifest.profile(None)
    return audit(composed, layout, Liar(composed), engine, profile, accept)


def softer(name):
    def change(model):
        model.geom_solref[model.geom(name).id, 0] = 0.06

    return change


def test_contacts_of_agreed_geoms_are_not_compared_and_the_report_names_them(tmp_path):
    composed = scene(tmp_path, XML)
    with pytest.raises(AuditFailed, match="contact"):
        inspected(composed, build_wrong(composed, softer("box")), ())
    report = inspected(composed, build_wrong(composed, softer("box")), AGREED)
    assert [(item.what, item.names) for item in report.unaudited] == [
        ("contact force", ("ball and ground", "box and ground"))
    ]


def test_convex_pairs_that_were_agreed_to_are_not_compared_and_others_are(tmp_path):
    ground = '<geom name="ground" type="hfield" hfield="h"/>'
    slab = '<geom name="ground" type="box" size="9 9 1" pos="0 0 -1"/>'
    composed = scene(tmp_path, XML.replace(ground, slab))
    agreed = ("contact.convex",)
    with pytest.raises(AuditFailed, match="contact"):
        inspected(composed, build_wrong(composed, softer("box")), ())
    report = inspected(composed, build_wrong(composed, softer("box")), agreed)
    (left_out,) = report.unaudited
    assert left_out.names == ("box and ground", "box and slab")
    with pytest.raises(AuditFailed) as failed:
        inspected(composed, build_wrong(composed, softer("ball")), agreed)
    assert {item.name for item in failed.value.differences} == {"ball"}


def test_other_contacts_are_compared_as_ever(tmp_path):
    composed = scene(tmp_path, XML)
    with pytest.raises(AuditFailed) as failed:
        inspected(composed, build_wrong(composed, softer("ball")), AGREED)
    assert {item.name for item in failed.value.differences} == {"ball"}


def test_whether_agreed_geoms_touch_is_compared(tmp_path):
    composed = scene(tmp_path, XML)

    def smaller(model):
        model.geom_size[model.geom("box").id] = 0.05

    with pytest.raises(AuditFailed, match="touching pairs"):
        inspected(composed, build_wrong(composed, smaller), AGREED)


def test_a_value_that_does_not_differ_is_compared_whatever_was_agreed_to(tmp_path):
    composed = scene(tmp_path, XML)
    report = inspected(composed, build(composed), (*AGREED, "geom.solref"))
    assert report.fields == len(AUDITED)
