"""Tiny scenes with holes, and pairs of them: with a feature and without."""

from collections.abc import Callable
from typing import NamedTuple

Scene = str


class Pair(NamedTuple):
    """A scene with a feature, and its twin without."""

    used: Scene
    unused: Scene


def arm(
    joint: str = "",
    *,
    head: str = "",
    geom: str = "",
    tail: str = "",
    geoms: str = "",
    kind: str = "hinge",
) -> Scene:
    """Two links on a fixed base; what is inserted belongs to the first of a kind."""
    return f"""<mujoco>{head}
  <worldbody>
    <geom name="floor" type="plane" size="3 3 1"/><site name="o" pos="0 .1 1.3"/>{geoms}
    <body name="a" pos="0 0 1">
      <joint name="j" type="{kind}" axis="0 1 0" {joint}/><site name="s" pos=".1 0 0"/>
      <geom name="g" type="capsule" size=".04" fromto="0 0 0 .3 0 0" {geom}/>
      <body name="b" pos=".4 0 0">
        <joint name="k" axis="0 1 0"/><site name="t" pos=".1 .02 .05"/>
        <geom name="h" type="sphere" size=".05" pos=".1 0 0"/>
      </body>
    </body>
  </worldbody>{tail}
</mujoco>"""


def box(
    attributes: str = "",
    *,
    head: str = "",
    floor: str = "",
    tail: str = "",
    joint: str = "<freejoint name='j'/>",
) -> Scene:
    """A box that lies on a floor."""
    return f"""<mujoco>{head}
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1" {floor}/>
    <body name="a" pos="0 0 .099">{joint}<site name="s" size=".2"/>
      <geom name="g" type="box" size=".1 .1 .1" {attributes}/>
    </body>
  </worldbody>{tail}
</mujoco>"""


def free(joint: str, *, kind: str = "free", head: str = "") -> Scene:
    """A body on a free or ball joint."""
    return f"""<mujoco>{head}
  <worldbody>
    <body name="a" pos="0 0 1"><joint name="j" type="{kind}" {joint}/>
      <geom name="g" type="box" size=".1 .2 .3" pos=".02 0 0"/>
    </body>
  </worldbody>
</mujoco>"""


def options(attributes: str, scene: Callable[..., Scene] = box) -> Pair:
    """An option stated, and left out."""
    return Pair(scene(head=f"<option {attributes}/>"), scene())


def flags(attributes: str, scene: Callable[..., Scene] = box, **inserts: str) -> Pair:
    """Flags stated, and left out."""
    head = f"<option><flag {attributes}/></option>"
    return Pair(scene(head=head, **inserts), scene(**inserts))


def off(name: str, *, joint: str = "", tail: str = "") -> Pair:
    """A flag that takes the effect from something of an arm."""
    head = f'<option><flag {name}="disable"/></option>'
    return Pair(arm(joint, head=head, tail=tail), arm(joint, tail=tail))


def on_block(head: str) -> Scene:
    """An ellipsoid on a block: where they touch is searched for."""
    scene = box(head=head).replace('"plane" size="3 3 .1"', '"box" size="3 3 .1"')
    return scene.replace(
        'type="box" size=".1 .1 .1"', 'type="ellipsoid" size=".1 .2 .1"'
    )


def joint(attributes: str, without: str = "") -> Pair:
    """A hinge of an arm with attributes, and without."""
    return Pair(arm(attributes), arm(without))


def each(attribute: str) -> dict[str, Pair]:
    """An attribute on a hinge, a ball and a free joint."""
    return {
        f"joint.{attribute}": joint(f'{attribute}="0.3"'),
        **{
            f"joint.{attribute}.{kind}": Pair(
                free(f'{attribute}="0.3"', kind=kind), free("", kind=kind)
            )
            for kind in ("ball", "free")
        },
    }


def geom(attributes: str, without: str = "") -> Pair:
    """A box on a floor with attributes, and without."""
    return Pair(box(attributes), box(without))


def shape(attributes: str, *, head: str = "") -> Pair:
    """A geom that collides, and one that does not."""
    scene = """<mujoco>{head}
  <worldbody>
    <body name="a"><geom name="g" {attributes}/></body>
    <body pos="0 0 .4"><freejoint/><geom type="{other}" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>"""
    other = "box" if "sphere" in attributes else "sphere"
    used = scene.format(head=head, attributes=attributes, other=other)
    off = f'{attributes} contype="0" conaffinity="0"'
    return Pair(used, scene.format(head=head, attributes=off, other=other))


MESH = """<asset><mesh name="m" vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2"/></asset>"""
HFIELD = """<asset><hfield name="m" nrow="2" ncol="2" size="1 1 .2 .1"
  elevation="0 .5 .5 1"/></asset>"""
SDF = """<extension><plugin plugin="mujoco.sdf.torus"><instance name="i">
  <config key="radius1" value=".35"/><config key="radius2" value=".15"/></instance>
  </plugin></extension><asset><mesh name="m"><plugin instance="i"/></mesh></asset>"""


def sdf(*, used: bool = True, head: str = "") -> Scene:
    """A torus as a signed distance field, or a sphere in its place."""
    inner = '<geom name="g" type="sdf" mesh="m"><plugin instance="i"/></geom>'
    return f"""<mujoco>{SDF if used else ""}{head}
  <worldbody>
    <body name="a">{inner if used else '<geom name="g" size=".1"/>'}</body>
    <body name="b" pos="0 0 .4"><freejoint/><geom type="sphere" size=".1"/></body>
  </worldbody>
</mujoco>"""


ELLIPTIC = '<option cone="elliptic"/>'


def pair(attributes: str, without: str = "", *, head: str = "") -> Pair:
    """A contact pair with attributes, and without."""
    scene = '<contact><pair name="p" geom1="floor" geom2="g" {}/></contact>'
    return Pair(
        box(head=head, tail=scene.format(attributes)),
        box(head=head, tail=scene.format(without)),
    )


def equality(used: str, without: str) -> Pair:
    """Constraints between two tendons, joints, bodies or sites of an arm."""
    return Pair(
        arm(tail=f"{TENDONS}<equality>{used}</equality>"),
        arm(tail=f"{TENDONS}<equality>{without}</equality>"),
    )


TENDONS = """<tendon><fixed name="f"><joint joint="j" coef="1"/></fixed>
  <spatial name="p"><site site="o"/><site site="s"/></spatial></tendon>"""
CONNECT = '<connect name="e" body1="b" anchor=".1 0 0" {}/>'


def connect(attributes: str, without: str = "") -> Pair:
    """A connect constraint with attributes, and without."""
    return equality(CONNECT.format(attributes), CONNECT.format(without))


def tendon(attributes: str, without: str = "", *, tail: str = "") -> Pair:
    """A fixed tendon with attributes, and without."""
    scene = """<tendon><fixed name="f" {}><joint joint="j" coef="1"/>
  <joint joint="k" coef=".5"/></fixed></tendon>"""
    return Pair(
        arm(tail=scene.format(attributes) + tail),
        arm(tail=scene.format(without) + tail),
    )


def wrap(used: str, without: str = '<site site="o"/><site site="t"/>') -> Pair:
    """Paths of a spatial tendon over an arm with something to wrap on."""
    geoms = """<geom name="w" size=".05" pos=".2 .1 1.15"/>
  <geom name="c" type="cylinder" size=".05 .2" euler="90 0 0" pos=".2 .1 1.15"/>"""
    scene = '<tendon><spatial name="p">{}</spatial></tendon>'
    return Pair(
        arm(geoms=geoms, tail=scene.format(used)),
        arm(geoms=geoms, tail=scene.format(without)),
    )


def actuator(used: str, without: str = '<motor name="u" joint="j"/>') -> Pair:
    """Actuators of an arm."""
    return Pair(
        arm(tail=f"{TENDONS}<actuator>{used}</actuator>"),
        arm(tail=f"{TENDONS}<actuator>{without}</actuator>"),
    )


def general(attributes: str, without: str = 'joint="j"') -> Pair:
    """A general actuator with attributes, and without."""
    return actuator(
        f'<general name="u" {attributes}/>', f'<general name="u" {without}/>'
    )


def sensor(
    used: str,
    without: str = '<clock name="x"/>',
    *,
    kind: str = "hinge",
    limited: bool = False,
    **inserts: str,
) -> Pair:
    """Sensors on an arm with tendons, a camera and a motor; with limits if need be."""
    reach = 'limited="true" range="-1 1"' if limited else ""
    tail = f"""<tendon><fixed name="f" {reach}><joint joint="k"
  coef="1"/></fixed></tendon><actuator><motor name="u" joint="k"/><motor name="v"
  tendon="f"/></actuator><sensor>{{}}</sensor>"""
    limit = 'range="-57 57"' if limited else ""
    return Pair(
        arm(limit, tail=tail.format(used), geoms=CAMERA, kind=kind, **inserts),
        arm(limit, tail=tail.format(without), geoms=CAMERA, kind=kind, **inserts),
    )


CAMERA = '<camera name="c" pos="0 -2 1" xyaxes="1 0 0 0 0 1" resolution="64 48"/>'


def key(attributes: str) -> Pair:
    """Keys of a hinge with a filtered motor and a mocap body."""
    scene = """<mujoco>
  <worldbody>
    <body name="m" mocap="true" pos="1 0 0"><geom size=".1" contype="2"/></body>
    <body name="a"><joint name="j"/><geom size=".1" pos=".2 0 0"/></body>
  </worldbody>
  <actuator><general name="u" joint="j" dyntype="filter" dynprm=".1"/></actuator>
  <keyframe><key name="home" {}/></keyframe>
</mujoco>"""
    return Pair(scene.format(attributes), scene.format(""))


def flex(
    attributes: str = "",
    inner: str = "",
    *,
    dim: int = 2,
    count: str = "3 3 1",
    tail: str = "",
    head: str = "",
) -> Scene:
    """A hanging cloth, cable or block."""
    return f"""<mujoco>{head}
  <worldbody>
    <flexcomp name="f" type="grid" count="{count}" spacing=".1 .1 .1" dim="{dim}"
      mass=".5" radius=".01" pos="0 0 1" {attributes}>{inner}
    </flexcomp>
  </worldbody>{tail}
</mujoco>"""


def flexes(used: str, without: str = "", *, dim: int = 2, count: str = "3 3 1") -> Pair:
    """A deformable with something inside its element."""
    return Pair(
        flex(inner=used, dim=dim, count=count),
        flex(inner=without, dim=dim, count=count),
    )
