"""Pairs of scenes: with a mention that has no effect, and without."""

from unisim.probe.templates import Pair, arm, box

Mentions = dict[str, tuple[Pair, ...]]
"""By feature id: each scene that mentions it, and its twin."""

MOTOR = '<actuator><motor name="u" joint="j" {}/></actuator>'
SLIPPERY = '<option><flag contact="disable"/></option>'


def alone(head: str = "", geom: str = "", other: str = "", tail: str = "") -> str:
    """A pendulum that can touch nothing, in a world without other constraints."""
    geom = geom if "size" in geom else f'size=".1" {geom}'
    return f"""<mujoco>{head}
  <worldbody>
    <body name="a"><joint name="j" axis="0 1 0"/>
      <geom name="g" pos=".2 0 0" {geom}/>{other}
    </body>
  </worldbody>{tail}
</mujoco>"""


def options(attributes: str) -> Pair:
    """An option where nothing feels it, and left out."""
    return Pair(alone(f"<option {attributes}/>"), alone("<option/>"))


def switched(flag: str, used: str, *, state: str = "disable", **inserts: str) -> Pair:
    """Something on an arm whose flag takes its effect, and left out."""
    head = f'<option><flag {flag}="{state}"/></option>'
    return Pair(
        arm(used, head=head, **inserts),
        arm("", head=head, **dict.fromkeys(inserts, "")),
    )


def flag(name: str, scene: str, state: str = "disable") -> Pair:
    """A flag in a scene that holds nothing it acts on."""
    head = f'<mujoco><option><flag {name}="{state}"/></option>'
    return Pair(
        scene.replace("<mujoco>", head), scene.replace("<mujoco>", "<mujoco><option/>")
    )


def geom(attributes: str, *, without: str = "") -> tuple[Pair, Pair]:
    """A geom without masks, and one that has nothing to touch."""
    off = 'contype="0" conaffinity="0"'
    return (
        Pair(box(f"{off} {attributes}"), box(f"{off} {without}")),
        Pair(alone(geom=attributes), alone(geom=without)),
    )


def overridden(attributes: str) -> Pair:
    head = '<option><flag override="enable"/></option>'
    return Pair(box(attributes, head=head), box(head=head))
