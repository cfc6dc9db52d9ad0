"""Scenes with and without each feature of bodies, joints, geoms, pairs and tendons."""

from unisim.probe.templates import (
    CONNECT,
    ELLIPTIC,
    HFIELD,
    MESH,
    Pair,
    arm,
    box,
    connect,
    each,
    equality,
    flex,
    flexes,
    free,
    geom,
    joint,
    pair,
    sdf,
    shape,
    tendon,
    wrap,
)

_DRIVE = '<actuator><motor name="u" {} gear="9"/></actuator>'
_JOINTS = {
    "joint.type.free": Pair(free(""), free("", kind="ball")),
    "joint.type.ball": Pair(free("", kind="ball"), free("")),
    "joint.type.slide": Pair(arm(kind="slide"), arm()),
    "joint.type.hinge": Pair(arm(), free("")),
    "joint.several": Pair(
        free("", kind="hinge").replace("<geom", '<joint axis="1 0 0"/><geom'),
        free("", kind="hinge"),
    ),
    "joint.pos": joint('pos="0 0 .2"'),
    "joint.ref": joint('ref="20"'),
    **each("damping"),
    "joint.damping.polynomial": joint('damping="0.3 0.1"', 'damping="0.3"'),
    **each("stiffness"),
    "joint.stiffness.polynomial": joint('stiffness="3 1"', 'stiffness="3"'),
    # A rest position needs a spring to have an effect.
    "joint.springref": joint('stiffness="3" springref="30"', 'springref="30"'),
    "joint.springyield": joint('stiffness="3" springyield=".1"', 'stiffness="3"'),
    **each("armature"),
    **each("frictionloss"),
    "joint.limited": joint('range="-10 10"'),
    "joint.limited.ball": Pair(
        free('range="0 10"', kind="ball"), free("", kind="ball")
    ),
    "joint.margin": joint('range="-10 10" margin=".1"', 'margin=".1"'),
    "joint.solreflimit": joint(
        'range="-10 10" solreflimit=".1 1"', 'solreflimit=".1 1"'
    ),
    "joint.solreflimit.direct": joint(
        'range="-10 10" solreflimit="-3000 -40"', 'range="-10 10" solreflimit=".1 1"'
    ),
    "joint.solimplimit": joint(
        'range="-10 10" solimplimit=".5 .9 .01"', 'solimplimit=".5 .9 .01"'
    ),
    "joint.solreffriction": joint(
        'frictionloss="1" solreffriction=".1 1"', 'solreffriction=".1 1"'
    ),
    "joint.solreffriction.direct": joint(
        'frictionloss="30" solreffriction="-30 -4"',
        'frictionloss="30" solreffriction=".1 1"',
    ),
    "joint.solimpfriction": joint(
        'frictionloss="1" solimpfriction=".5 .9 .01"', 'solimpfriction=".5 .9 .01"'
    ),
    "joint.actuatorfrcrange": Pair(
        arm('actuatorfrcrange="-1 1"', tail=_DRIVE.format('joint="j"')),
        arm(tail=_DRIVE.format('joint="j"')),
    ),
    "joint.actuatorgravcomp": Pair(
        arm('actuatorgravcomp="true"').replace('name="b"', 'name="b" gravcomp="1"'),
        arm('actuatorgravcomp="true"'),
    ),
    "body.mocap": Pair(
        box(joint="").replace('name="a"', 'name="a" mocap="true"'), box(joint="")
    ),
    "body.gravcomp": Pair(arm().replace('name="b"', 'name="b" gravcomp=".5"'), arm()),
}

_SLEEP = '<option><flag sleep="enable"/></option>'
_TREE = {
    "body.sleep.never": 'sleep="never"',
    "body.sleep.allowed": 'sleep="allowed"',
    "body.sleep.init": 'sleep="init"',
    "body.sleep.auto_allowed": "",
}
_SLEEPS = {
    **{
        feature: Pair(
            box(head=_SLEEP).replace('name="a"', f'name="a" {attribute}'),
            box().replace('name="a"', f'name="a" {attribute}'),
        )
        for feature, attribute in _TREE.items()
    },
    # A tree that an actuator moves never sleeps by itself.
    "body.sleep.auto_never": Pair(
        arm(head=_SLEEP, tail='<actuator><motor name="u" joint="j"/></actuator>'),
        arm(head=_SLEEP),
    ),
}

_GEOMS = {
    "geom.type.plane": shape('type="plane" size="1 1 .1"'),
    "geom.type.hfield": shape('type="hfield" hfield="m"', head=HFIELD),
    "geom.type.sphere": shape('type="sphere" size=".3"'),
    "geom.type.capsule": shape('type="capsule" size=".2 .2"'),
    "geom.type.ellipsoid": shape('type="ellipsoid" size=".2 .2 .3"'),
    "geom.type.cylinder": shape('type="cylinder" size=".2 .2"'),
    "geom.type.box": shape('type="box" size=".2 .2 .3"'),
    "geom.type.mesh": shape('type="mesh" mesh="m"', head=MESH),
    "geom.type.sdf": Pair(sdf(), sdf(used=False)),
    "geom.condim.1": Pair(box('condim="1"'), box()),
    "geom.condim.3": Pair(box(), box('condim="4"', floor='condim="4"')),
    "geom.condim.4": geom('condim="4"'),
    "geom.condim.6": geom('condim="6"'),
    "geom.mask": geom('contype="2" conaffinity="1"'),
    "geom.priority": geom('priority="1" friction=".3"', 'friction=".3"'),
    "geom.friction": geom('friction=".3"'),
    # Spin and roll are felt in four and six dimensions only.
    "geom.friction.torsional": geom(
        'condim="4" friction="1 .1"', 'condim="3" friction="1 .1"'
    ),
    "geom.friction.rolling": geom(
        'condim="6" friction="1 .005 .01"', 'condim="4" friction="1 .005 .01"'
    ),
    "geom.solref": geom('solref=".05 .7"'),
    "geom.solref.direct": geom('solref="-3000 -40"', 'solref=".05 .7"'),
    "geom.solimp": geom('solimp=".5 .9 .01"'),
    "geom.solmix": geom('solmix="3" solref=".1 1"', 'solref=".1 1"'),
    "geom.margin": geom('margin=".02"'),
    "geom.gap": geom('margin=".02" gap=".01"', 'margin=".02"'),
    "geom.adhesion": geom('adhesion="5"'),
    "geom.surfacevel": geom('surfacevel="1 0 0 0 0 0"'),
    "geom.fluidshape": Pair(
        free("", head='<option density="1000" viscosity=".01"/>').replace(
            'name="g"', 'name="g" fluidshape="ellipsoid"'
        ),
        free("").replace('name="g"', 'name="g" fluidshape="ellipsoid"'),
    ),
    "contact.pair": Pair(pair("").used, box()),
    "contact.pair.condim.1": pair('condim="1"'),
    "contact.pair.condim.3": pair('condim="3"', 'condim="1"'),
    "contact.pair.condim.4": pair('condim="4"'),
    "contact.pair.condim.6": pair('condim="6"'),
    "contact.pair.friction": pair('friction=".3"'),
    "contact.pair.friction.anisotropic": pair('friction=".3 .6"', 'friction=".3 .3"'),
    "contact.pair.solref": pair('solref=".05 .7"'),
    "contact.pair.solref.direct": pair('solref="-3000 -40"'),
    # Pyramids have no friction dimensions of their own.
    "contact.pair.solreffriction": pair('solreffriction=".05 .7"', head=ELLIPTIC),
    "contact.pair.solreffriction.direct": pair(
        'solreffriction="-3000 -400"', 'solreffriction=".05 .7"', head=ELLIPTIC
    ),
    "contact.pair.solimp": pair('solimp=".5 .9 .01"'),
    "contact.pair.margin": pair('margin=".02"'),
    "contact.pair.gap": pair('margin=".02" gap=".01"', 'margin=".02"'),
    "contact.pair.adhesion": pair('adhesion="5"'),
    "contact.convex": Pair(
        box().replace('"plane" size="3 3 .1"', '"box" size="1 1 1" pos="0 0 -1"'),
        box(),
    ),
    "contact.exclude": Pair(
        arm(tail='<contact><exclude name="x" body1="a" body2="b"/></contact>'), arm()
    ),
}

_WELD = '<weld name="e" body1="b" {}/>'
_LINKS = {
    "equality.connect": Pair(connect("").used, arm()),
    "equality.weld": equality(_WELD.format(""), ""),
    "equality.joint": equality('<joint name="e" joint1="j" joint2="k"/>', ""),
    "equality.tendon": equality('<tendon name="e" tendon1="f" tendon2="p"/>', ""),
    "equality.flex": flexes('<edge equality="true"/>'),
    "equality.flexvert": flexes('<edge equality="vert"/>'),
    "equality.flexstrain": Pair(
        flex('dof="trilinear"', '<edge equality="strain"/>', dim=3, count="3 3 3"),
        flex('dof="trilinear"', dim=3, count="3 3 3"),
    ),
    "equality.connect.site": equality(
        '<connect name="e" site1="o" site2="t"/>', CONNECT.format("")
    ),
    "equality.weld.site": equality(
        '<weld name="e" site1="o" site2="t"/>', _WELD.format("")
    ),
    "equality.weld.torquescale": equality(
        _WELD.format('torquescale=".1"'), _WELD.format("")
    ),
    "equality.joint.constant": equality(
        '<joint name="e" joint1="j"/>', '<joint name="e" joint1="j" joint2="k"/>'
    ),
    "equality.joint.polynomial": equality(
        '<joint name="e" joint1="j" joint2="k" polycoef="0 1 .5 0 0"/>',
        '<joint name="e" joint1="j" joint2="k" polycoef="0 1 0 0 0"/>',
    ),
    "equality.tendon.constant": equality(
        '<tendon name="e" tendon1="f"/>', '<tendon name="e" tendon1="f" tendon2="p"/>'
    ),
    "equality.tendon.polynomial": equality(
        '<tendon name="e" tendon1="f" tendon2="p" polycoef="0 1 .5 0 0"/>',
        '<tendon name="e" tendon1="f" tendon2="p" polycoef="0 1 0 0 0"/>',
    ),
    "equality.active": connect('active="false"'),
    "equality.solref": connect('solref=".05 .7"'),
    "equality.solref.direct": connect('solref="-3000 -40"'),
    "equality.solimp": connect('solimp=".5 .9 .01"'),
    "tendon.fixed": Pair(tendon("").used, arm()),
    "tendon.spatial": Pair(
        wrap('<site site="o"/><site site="t"/>').used, tendon("").used
    ),
    "tendon.wrap.joint": Pair(
        tendon("").used, wrap('<site site="o"/><site site="t"/>').used
    ),
    "tendon.wrap.site": Pair(
        wrap('<site site="o"/><site site="t"/>').used, tendon("").used
    ),
    "tendon.wrap.pulley": wrap(
        '<site site="o"/><site site="s"/><pulley divisor="2"/>'
        '<site site="o"/><site site="t"/>'
    ),
    "tendon.wrap.sphere": wrap('<site site="o"/><geom geom="w"/><site site="t"/>'),
    "tendon.wrap.cylinder": wrap('<site site="o"/><geom geom="c"/><site site="t"/>'),
    "tendon.wrap.sidesite": wrap(
        '<site site="o"/><geom geom="w" sidesite="s"/><site site="t"/>',
        '<site site="o"/><geom geom="w"/><site site="t"/>',
    ),
    "tendon.limited": tendon('range="-.1 .1"'),
    "tendon.margin": tendon('range="-.1 .1" margin=".05"', 'margin=".05"'),
    "tendon.solreflimit": tendon(
        'range="-.1 .1" solreflimit=".1 1"', 'solreflimit=".1 1"'
    ),
    "tendon.solreflimit.direct": tendon(
        'range="-.1 .1" solreflimit="-3000 -40"', 'range="-.1 .1" solreflimit=".1 1"'
    ),
    "tendon.solimplimit": tendon(
        'range="-.1 .1" solimplimit=".5 .9 .01"', 'solimplimit=".5 .9 .01"'
    ),
    "tendon.stiffness": tendon('stiffness="5"'),
    "tendon.stiffness.polynomial": tendon('stiffness="5 1"', 'stiffness="5"'),
    "tendon.springlength": tendon(
        'stiffness="5" springlength=".2"', 'springlength=".2"'
    ),
    "tendon.springlength.range": tendon(
        'stiffness="5" springlength=".1 .2"', 'stiffness="5" springlength=".1"'
    ),
    "tendon.springyield": tendon('stiffness="5" springyield=".1"', 'stiffness="5"'),
    "tendon.damping": tendon('damping=".5"'),
    "tendon.damping.polynomial": tendon('damping=".5 .1"', 'damping=".5"'),
    "tendon.frictionloss": tendon('frictionloss=".5"'),
    "tendon.solreffriction": tendon(
        'frictionloss=".5" solreffriction=".1 1"', 'solreffriction=".1 1"'
    ),
    "tendon.solreffriction.direct": tendon(
        'frictionloss=".5" solreffriction="-30 -4"',
        'frictionloss=".5" solreffriction=".1 1"',
    ),
    "tendon.solimpfriction": tendon(
        'frictionloss=".5" solimpfriction=".5 .9 .01"', 'solimpfriction=".5 .9 .01"'
    ),
    "tendon.armature": tendon('armature=".1"'),
    "tendon.actuatorfrcrange": Pair(
        tendon('actuatorfrcrange="-1 1"', tail=_DRIVE.format('tendon="f"')).used,
        tendon("", tail=_DRIVE.format('tendon="f"')).used,
    ),
}

BODIES: dict[str, Pair] = {**_JOINTS, **_SLEEPS, **_GEOMS, **_LINKS}
"""By feature id."""
