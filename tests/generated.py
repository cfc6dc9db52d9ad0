"""Random valid MJCF: every notation that a pass rewrites, in small scenes."""

from collections.abc import Callable

from hypothesis import strategies as st

MOST_BODIES = 6
# joints that share an axis would leave a singular inertia
ARMATURE = ' armature="0.05"'
Draw = Callable[[st.SearchStrategy], object]

POSES = st.sampled_from((
    "",
    ' pos="0.1 -0.2 0.3"',
    ' pos="0 0.3 0.1" euler="20 -35 50"',
    ' axisangle="1 2 -1 40"',
    ' quat="1 0.3 -0.2 0.6"',
    ' pos="0.2 0 0" xyaxes="1 0.2 0 0 1 0.3"',
    ' zaxis="0.3 -0.4 1"',
))  # fmt: skip
GEOMS = st.sampled_from((
    'size="0.06"',
    'type="box" size="0.03 0.05 0.07"',
    'type="ellipsoid" size="0.05 0.06 0.08" density="700"',
    'type="capsule" size="0.03" fromto="0 0 0 0.1 0.2 -0.1"',
    'type="cylinder" size="0.04" fromto="0.1 0 0 -0.1 0.1 0.2" mass="0.4"',
    'type="box" size="0.03" fromto="0 0.1 0 0 0 0.3"',
    'type="capsule" size="0.04 0.08"',
    'type="mesh" mesh="wedge"',
))  # fmt: skip
HINGES = st.sampled_from((
    'range="-60 75" axis="1 0 0"',
    'range="-0.4 0.6" type="slide" axis="0 1 1"',
    'springdamper="0.2 0.7" axis="0 1 0" range="-20 70"',
    'damping="0.3" stiffness="2" springref="20" ref="5"'
    ' range="-80 80"',
    'limited="auto" range="-40 40" actuatorfrcrange="-3 3"',
    'limited="false" range="-10 20" frictionloss="0.1"',
))  # fmt: skip
SERVOS = st.sampled_from((
    'position kp="20" dampratio="0.8"',
    'position kp="15" kv="1.5" inheritrange="0.9"',
    'position kp="10" timeconst="0.1" ctrlrange="-1 1"',
    'position',
    'intvelocity kp="12" dampratio="1" actrange="-1 1"',
    'velocity kv="0.7" ctrlrange="-2 2" ctrllimited="true"',
    'motor gear="3" forcerange="-4 4"',
    'damper kv="0.5" ctrlrange="0 1"',
    'cylinder timeconst="0.2" area="1.5"',
    'pid kp="5" dampratio="0.5" ki="1"',
    'general gainprm="4" biastype="affine" biasprm="1 -4 -0.2" dyntype="filter"'
    ' dynprm="0.3"',
    'dcmotor motorconst="0.4" resistance="2"',
))  # fmt: skip
DEFAULTS = st.lists(
    st.sampled_from((
        '<joint damping="0.4"/>',
        '<joint range="-50 30" springdamper="0.3 1"/>',
        '<geom density="600" friction="0.7 0.01 0.001"/>',
        '<geom type="capsule" size="0.05 0.1" euler="0 90 10"/>',
        '<site size="0.02" axisangle="0 1 0 33"/>',
        '<position kp="30" dampratio="1.2" inheritrange="0.8"/>',
        '<general gear="2" forcerange="-3 4"/>',
        '<motor forcerange="-2 3"/>',
        '<equality solref="0.03 1.1"/>',
        '<tendon stiffness="3" damping="0.2"/>',
        '<pair friction="0.4 0.4 0.01 0.001 0.001"/>',
        '<mesh scale="0.5 0.6 0.7"/>',
        '<light directional="true"/>',
    )),
    max_size=4,
    unique_by=lambda text: {"position": "general", "motor": "general"}.get(
        text[1:].split()[0], text[1:].split()[0]
    ),
)  # fmt: skip
CLASSES = ("", ' class="main"', ' class="a"', ' class="b"', ' class="c"')


class _Writer:
    """Writes one scene; counts what it has written."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.bodies: list[str] = []
        self.hinges: list[str] = []
        self.geoms = self.sites = self.nq = 0

    def pick(self, *choices: str) -> str:
        return self.draw(st.sampled_from(choices))

    def chance(self) -> bool:
        return self.draw(st.booleans())

    def classed(self) -> str:
        return self.pick(*CLASSES)

    def body(self, depth: int) -> str:
        name = f"body_{len(self.bodies)}_"
        self.bodies.append(name)
        content = self.joints(depth) + self.geom() + self.site()
        if self.chance():
            content += self.framed(self.geom() + self.site())
        for _ in range(self.draw(st.integers(0, 2)) if depth < 2 else 0):
            if len(self.bodies) >= MOST_BODIES:
                break
            child = self.body(depth + 1)
            content += self.framed(child) if self.chance() else child
        inertial = '<inertial pos="0.01 0 0.02" mass="0.9"' + self.pick(
            ' fullinertia="0.02 0.03 0.04 0.001 0.002 0.003"/>',
            ' diaginertia="0.02 0.03 0.04" euler="10 20 30"/>',
        )
        content = inertial + content if self.chance() else content
        childclass = self.pick(*CLASSES[:1], *CLASSES[2:]).replace(
            "class", "childclass"
        )
        pose = self.draw(POSES)
        return f'<body name="{name}"{childclass}{pose}>{content}</body>'

    def framed(self, content: str) -> str:
        childclass = self.pick("", "", ' childclass="b"')
        return f"<frame{childclass}{self.draw(POSES)}>{content}</frame>"

    def joints(self, depth: int) -> str:
        kind = self.pick("free", "ball", "hinges", "hinges", "hinges")
        if kind == "free" and depth == 0:
            self.nq += 7
            return "<freejoint/>"
        if kind in ("free", "ball"):
            self.nq += 4
            return f'<joint type="ball" {ARMATURE}{self.classed()}/>'
        text = ""
        for _ in range(self.draw(st.integers(1, 2))):
            name = f"hinge_{len(self.hinges)}_"
            self.hinges.append(name)
            self.nq += 1
            text += (
                f'<joint name="{name}"{self.classed()}{ARMATURE} {self.draw(HINGES)}/>'
            )
        return text

    def geom(self) -> str:
        self.geoms += 1
        name = f"geom_{self.geoms}_"
        shape = self.draw(GEOMS)
        pose = "" if "fromto" in shape else self.draw(POSES)
        return f'<geom name="{name}"{self.classed()} {shape}{pose}/>'

    def site(self) -> str:
        self.sites += 1
        name = f"site_{self.sites}_"
        return f'<site name="{name}"{self.classed()}{self.draw(POSES)}/>'

    def actuators(self) -> str:
        text = ""
        for index, hinge in enumerate(self.hinges[:4]):
            servo = self.draw(SERVOS)
            tag, _, rest = servo.partition(" ")
            classed = self.classed()
            text += f'<{tag} name="drive_{index}_" joint="{hinge}"{classed} {rest}/>'
        return f"<actuator>{text}</actuator>"

    def links(self) -> str:
        """Tendons, equalities, pairs and sensors between what there is."""
        tendon = equality = sensor = ""
        for hinge in self.hinges[:2]:
            tendon += f'<joint joint="{hinge}" coef="{len(tendon) + 1}"/>'
            sensor += f'<jointpos joint="{hinge}"/>'
        if tendon:
            tendon = f'<fixed name="rope"{self.classed()}>{tendon}</fixed>'
            sensor += '<tendonpos tendon="rope"/>'
        if len(self.hinges) > 2:
            equality += (
                f'<joint joint1="{self.hinges[0]}" joint2="{self.hinges[1]}"'
                f' polycoef="0.1 0.5 0 0 0"{self.classed()}/>'
            )
        if len(self.bodies) > 2:
            first, *_, last = self.bodies
            equality += f'<weld body1="{first}" body2="{last}"{self.classed()}/>'
        sensor += '<framequat objtype="site" objname="site_1_"/><gyro site="site_1_"/>'
        pair = f'<pair geom1="floor" geom2="geom_1_"{self.classed()}/>'
        return (
            f"<tendon>{tendon}</tendon><equality>{equality}</equality>"
            f"<sensor>{sensor}</sensor><contact>{pair}</contact>"
        )


@st.composite
def mjcf(draw: Draw) -> str:
    """A random scene in which every object but its keyframe can be told by name."""
    writer = _Writer(draw)
    main, a, b, c = ("".join(draw(DEFAULTS)) for _ in range(4))
    world = writer.body(0)
    if writer.chance():
        world = writer.framed(world)
    if writer.chance():
        world += writer.body(0)
    qpos = " ".join(str(round(0.1 + 0.03 * i, 2)) for i in range(writer.nq))
    angle = writer.pick('angle="degree"', 'eulerseq="zyx"', 'boundmass="0.2"')
    return f"""<mujoco>
  <compiler {angle}/>
  <option timestep="0.002" gravity="0 0.5 -9"/>
  <default>{main}<default class="a">{a}<default class="b">{b}</default></default>
    <default class="c">{c}</default></default>
  <asset><mesh name="wedge"{writer.pick("", ' class="a"')}
    vertex="0 0 0 0.2 0 0 0 0.15 0 0 0 0.1" refpos="0.01 0 0"/></asset>
  <worldbody>
    <light name="sun" directional="true" pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 1" pos="0 0 -0.5"{writer.classed()}/>
    <replicate count="3" offset="0.3 0 0" euler="0 0 25"><site name="mark"/></replicate>
    {world}
  </worldbody>
  {writer.actuators()}{writer.links()}
  <keyframe><key name="home" qpos="{qpos}"/></keyframe>
</mujoco>"""
