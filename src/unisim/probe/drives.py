"""Scenes with and without each feature of actuators, sensors, keys and options."""

from unisim.probe.templates import (
    CONNECT,
    MESH,
    Pair,
    actuator,
    arm,
    box,
    flags,
    flex,
    free,
    general,
    key,
    off,
    on_block,
    options,
    sdf,
    sensor,
)

_SERVO = '<position name="u" joint="j" kp="5"/>'
_MUSCLE = '<muscle name="u" tendon="p"/>'
_MOTOR = '<dcmotor name="u" joint="j" motorconst=".1" resistance="2" {}/>'
_PID = '<pid name="u" joint="j" kp="5" kv="1" ki="2" {}/>'
_SO3 = '<orientation name="u" site="t" refsite="o" kp="5"/>'
_FILTER = 'joint="j" dyntype="filter" dynprm=".1"'


def _on(kind: str) -> Pair:
    """A motor on a ball or free joint, and one on a hinge."""
    tail = '<actuator><motor name="u" joint="j"/></actuator></mujoco>'
    return Pair(
        free("", kind=kind).replace("</mujoco>", tail),
        free("", kind="hinge").replace("</mujoco>", tail),
    )


_ACTUATORS = {
    "actuator.trntype.joint": actuator('<motor name="u" joint="j"/>', ""),
    "actuator.trntype.joint.ball": _on("ball"),
    "actuator.trntype.joint.free": _on("free"),
    "actuator.trntype.joint.several": actuator(
        '<motor name="u" joint="j"/><motor name="v" joint="j"/>',
        '<motor name="u" joint="j"/><motor name="v" joint="k"/>',
    ),
    "actuator.trntype.jointinparent": actuator('<motor name="u" jointinparent="j"/>'),
    "actuator.trntype.slidercrank": actuator(
        '<motor name="u" cranksite="s" slidersite="o" cranklength=".5"/>'
    ),
    "actuator.trntype.tendon": actuator('<motor name="u" tendon="p"/>'),
    "actuator.trntype.site": actuator('<motor name="u" site="t"/>'),
    "actuator.trntype.body": actuator('<adhesion name="u" body="b" ctrlrange="0 1"/>'),
    "actuator.trntype.so3": actuator(_SO3),
    "actuator.dyntype.none": actuator('<motor name="u" joint="j"/>', ""),
    "actuator.dyntype.integrator": general('joint="j" dyntype="integrator"'),
    "actuator.dyntype.filter": general(_FILTER),
    "actuator.dyntype.filterexact": general(
        'joint="j" dyntype="filterexact" dynprm=".1"'
    ),
    "actuator.dyntype.muscle": actuator(_MUSCLE),
    "actuator.dyntype.dcmotor": actuator(_MOTOR.format('inductance=".1"')),
    "actuator.dyntype.pid": actuator(_PID.format(""), _SERVO),
    "actuator.dyntype.user": general('joint="j" dyntype="user" actdim="1"'),
    "actuator.gaintype.fixed": actuator('<motor name="u" joint="j"/>', ""),
    "actuator.gaintype.affine": general('joint="j" gaintype="affine" gainprm="1 1 1"'),
    "actuator.gaintype.muscle": actuator(_MUSCLE),
    "actuator.gaintype.dcmotor": actuator(_MOTOR.format("")),
    "actuator.gaintype.so3": actuator(_SO3),
    "actuator.gaintype.pid": actuator(_PID.format(""), _SERVO),
    "actuator.gaintype.user": general('joint="j" gaintype="user"'),
    "actuator.biastype.none": actuator('<motor name="u" joint="j"/>', _SERVO),
    "actuator.biastype.affine": actuator(_SERVO),
    "actuator.biastype.muscle": actuator(_MUSCLE),
    "actuator.biastype.dcmotor": actuator(_MOTOR.format("")),
    "actuator.biastype.so3": actuator(_SO3),
    "actuator.biastype.user": general('joint="j" biastype="user"'),
    "actuator.ctrllimited": general('joint="j" ctrlrange="-1 1"'),
    "actuator.forcelimited": general('joint="j" forcerange="-1 1"'),
    "actuator.actlimited": general(f'{_FILTER} actrange="-1 1"', _FILTER),
    # There is an activation to look ahead at only with dynamics.
    "actuator.actearly": general(
        f'{_FILTER} actearly="true"', 'joint="j" actearly="true"'
    ),
    "actuator.gear": general('joint="j" gear="5"'),
    "actuator.gear.multiple": general(
        'site="t" gear="1 2 0 0 0 3"', 'site="t" gear="1"'
    ),
    "actuator.refsite": general('site="t" refsite="o"', 'site="t"'),
    "actuator.cranklength": actuator(
        '<motor name="u" cranksite="s" slidersite="o" cranklength=".5"/>'
    ),
    "actuator.lengthrange": actuator(
        '<muscle name="u" tendon="p" lengthrange=".1 1"/>',
        '<motor name="u" tendon="p" lengthrange=".1 1"/>',
    ),
    "actuator.armature": general('joint="j" armature=".1"'),
    "actuator.damping": general('joint="j" damping=".1"'),
    "actuator.damping.polynomial": general(
        'joint="j" damping=".1 .1"', 'joint="j" damping=".1"'
    ),
    "actuator.delay": general(
        'joint="j" delay=".01" nsample="9"', 'joint="j" nsample="9"'
    ),
    "actuator.nsample": general('joint="j" nsample="9"'),
    "actuator.interp": general(
        'joint="j" delay=".01" nsample="9" interp="linear"',
        'joint="j" delay=".01" nsample="9"',
    ),
    "actuator.inputs.several": actuator(_PID.format('input="pos vel"'), _SERVO),
    "actuator.inputs.none": actuator(_MOTOR.format('input="none"'), _MOTOR.format("")),
}


def _of(
    words: str, target: str, *, limited: bool = False, **inserts: str
) -> dict[str, Pair]:
    """Sensors that watch the same kind of element."""
    return {
        f"sensor.{word}": sensor(
            f'<{word} name="x" {target}/>', limited=limited, **inserts
        )
        for word in words.split()
    }


def _touching(field: str) -> Pair:
    """A contact sensor with a field, and without."""
    scene = '<contact name="x" geom1="floor" geom2="h" data="found {}"/>'
    return sensor(scene.format(field), scene.format("force"))


_EYE = '<camera name="c" pos="0 -2 1" xyaxes="1 0 0 0 0 1" resolution="4 3"/>'
_FRAME = '<framepos name="x" objtype="{}" objname="{}" {}/>'
_SENSORS = {
    **_of("touch accelerometer velocimeter gyro force torque magnetometer", 'site="s"'),
    **_of("rangefinder", 'site="s"'),
    "sensor.camprojection": sensor('<camprojection name="x" site="s" camera="c"/>'),
    **_of("jointpos jointvel jointactuatorfrc", 'joint="k"'),
    **_of("jointlimitpos jointlimitvel jointlimitfrc", 'joint="j"', limited=True),
    **_of("ballquat ballangvel", 'joint="j"', kind="ball"),
    **_of("tendonpos tendonvel tendonactuatorfrc", 'tendon="f"'),
    **_of("tendonlimitpos tendonlimitvel tendonlimitfrc", 'tendon="f"', limited=True),
    **_of("actuatorpos actuatorvel actuatorfrc", 'actuator="u"'),
    **_of("framepos framequat framexaxis frameyaxis", 'objtype="site" objname="s"'),
    **_of("framezaxis framelinvel frameangvel", 'objtype="site" objname="s"'),
    **_of("framelinacc frameangacc", 'objtype="site" objname="s"'),
    **_of("subtreecom subtreelinvel subtreeangmom", 'body="a"'),
    **_of("insidesite", 'site="s" objtype="body" objname="b"'),
    **_of("distance normal fromto", 'geom1="floor" geom2="h" cutoff="5"'),
    **_of("contact", 'geom1="floor" geom2="h" data="found force"'),
    **_of("e_potential e_kinetic", ""),
    "sensor.clock": sensor('<clock name="x"/>', '<e_kinetic name="x"/>'),
    "sensor.contact.linvel": _touching("linvel"),
    "sensor.contact.angvel": _touching("angvel"),
    "sensor.insidesite.enclosed": sensor(
        '<insidesite name="x" site="s" objtype="geom" objname="h" enclosed="true"/>',
        '<insidesite name="x" site="s" objtype="geom" objname="h"/>',
    ),
    "sensor.rangefinder.camera": Pair(
        arm(geoms=_EYE, tail='<sensor><rangefinder name="x" camera="c"/></sensor>'),
        arm(geoms=_EYE, tail='<sensor><rangefinder name="x" site="s"/></sensor>'),
    ),
    "sensor.tactile": Pair(
        box(head=MESH, tail='<sensor><tactile name="x" mesh="m" geom="g"/></sensor>'),
        box(head=MESH),
    ),
    "sensor.user": sensor('<user name="x" dim="2" needstage="pos"/>'),
    "sensor.objtype.xbody": sensor(_FRAME.format("xbody", "b", "")),
    "sensor.objtype.body": sensor(_FRAME.format("body", "b", "")),
    "sensor.objtype.geom": sensor(_FRAME.format("geom", "h", "")),
    "sensor.objtype.site": sensor(_FRAME.format("site", "t", "")),
    "sensor.objtype.camera": sensor(_FRAME.format("camera", "c", "")),
    "sensor.reftype": sensor(
        _FRAME.format("site", "t", 'reftype="body" refname="a"'),
        _FRAME.format("site", "t", ""),
    ),
    "sensor.cutoff": sensor(
        '<gyro name="x" site="s" cutoff=".1"/>', '<gyro name="x" site="s"/>'
    ),
    "sensor.delay": sensor(
        '<gyro name="x" site="s" delay=".01" nsample="9"/>',
        '<gyro name="x" site="s" nsample="9"/>',
    ),
    "sensor.nsample": sensor(
        '<gyro name="x" site="s" nsample="9"/>', '<gyro name="x" site="s"/>'
    ),
    "sensor.interp": sensor(
        '<gyro name="x" site="s" delay=".01" nsample="9" interp="linear"/>',
        '<gyro name="x" site="s" delay=".01" nsample="9"/>',
    ),
    "sensor.interval": sensor(
        '<gyro name="x" site="s" interval=".02" nsample="9"/>',
        '<gyro name="x" site="s" nsample="9"/>',
    ),
}

_PLASTIC = '<keyframe><key name="home" {}/></keyframe>'
_KEYS = {
    "key": Pair(key("").used, arm()),
    "key.qpos": key('qpos=".5"'),
    "key.qvel": key('qvel=".5"'),
    "key.time": key('time="2"'),
    "key.act": key('act=".5"'),
    "key.ctrl": key('ctrl=".5"'),
    "key.mpos": key('mpos="2 0 0"'),
    "key.mquat": key('mquat="0 1 0 0"'),
    "key.plastic": Pair(
        arm('stiffness="3" springyield=".1"', tail=_PLASTIC.format('plastic=".2"')),
        arm('stiffness="3" springyield=".1"', tail=_PLASTIC.format("")),
    ),
}

_INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast", "discrete")
_OFF = (
    *("constraint", "contact", "gravity", "warmstart", "filterparent", "refsafe"),
    *("midphase", "autoreset", "island"),
)
_ON = "override energy fwdinv invdiscrete sleep diagexact"
_IPC = '<option integrator="discrete" solver="CG">{}</option>'
_OVERRIDE = '<flag override="enable"/>'


_DRIVE = '<actuator><motor name="u" joint="j" group="2" {}/></actuator>'


def _scoped(attributes: str, flag: str) -> Pair:
    """An option that a flag gives effect to."""
    head = f"<option {attributes}>{{}}</option>"
    return Pair(box(head=head.format(flag)), box(head=head.format("")))


_OPTIONS = {
    # Stated at its default is a use as well: an engine could do otherwise.
    **{
        f"option.integrator.{name.lower()}": options(f'integrator="{name}"', arm)
        for name in _INTEGRATORS
    },
    **{
        f"option.cone.{name}": options(f'cone="{name}"')
        for name in ("pyramidal", "elliptic")
    },
    **{
        f"option.solver.{name.lower()}": options(f'solver="{name}"')
        for name in ("PGS", "CG", "Newton")
    },
    **{
        f"option.jacobian.{name}": options(f'jacobian="{name}"')
        for name in ("dense", "sparse", "auto")
    },
    **{f"option.flag.{name}": flags(f'{name}="disable"') for name in _OFF},
    **{f"option.flag.{name}": flags(f'{name}="enable"') for name in _ON.split()},
    "option.flag.frictionloss": off("frictionloss", joint='frictionloss="1"'),
    "option.flag.limit": off("limit", joint='range="-10 10"'),
    "option.flag.spring": off("spring", joint='stiffness="3"'),
    "option.flag.damper": off("damper", joint='damping=".3"'),
    "option.flag.eulerdamp": off("eulerdamp", joint='damping="3"'),
    "option.flag.equality": off(
        "equality", tail=f"<equality>{CONNECT.format('')}</equality>"
    ),
    "option.flag.actuation": off("actuation", tail=_DRIVE.format("")),
    "option.flag.clampctrl": off("clampctrl", tail=_DRIVE.format('ctrlrange="-1 1"')),
    "option.flag.sensor": off(
        "sensor", tail='<sensor><gyro name="x" site="s"/></sensor>'
    ),
    **{
        f"option.flag.{name}": Pair(
            on_block(f'<option><flag {name}="disable"/></option>'), on_block("")
        )
        for name in ("nativeccd", "multiccd")
    },
    "option.flag.ipc": Pair(
        flex(head=_IPC.format('<flag ipc="enable"/>')),
        flex(head=_IPC.format("")),
    ),
    "option.flag.speculative": flags('speculative="enable"'),
    "option.timestep": options('timestep=".005"'),
    "option.gravity": options('gravity="1 0 -5"'),
    "option.density": options('density="1000"', arm),
    "option.viscosity": options('viscosity=".1"', arm),
    "option.wind": Pair(
        arm(head='<option wind="9 0 0" density="1"/>'),
        arm(head='<option wind="9 0 0"/>'),
    ),
    "option.magnetic": Pair(
        arm(
            head='<option magnetic="1 0 0"/>',
            tail='<sensor><magnetometer name="x" site="s"/></sensor>',
        ),
        arm(head='<option magnetic="1 0 0"/>'),
    ),
    "option.impratio": options('impratio="10" cone="elliptic"'),
    "option.iterations": options('iterations="2"'),
    "option.tolerance": options('tolerance="1e-2"'),
    "option.ls_iterations": options('ls_iterations="2"'),
    "option.ls_tolerance": options('ls_tolerance=".5"'),
    "option.noslip_iterations": options('noslip_iterations="3"'),
    "option.noslip_tolerance": Pair(
        box(head='<option noslip_iterations="3" noslip_tolerance="1e-2"/>'),
        box(head='<option noslip_tolerance="1e-2"/>'),
    ),
    **{
        f"option.ccd_{name}": Pair(
            on_block(f'<option ccd_{name}="{value}"/>'), on_block("")
        )
        for name, value in (("iterations", "3"), ("tolerance", "1e-2"))
    },
    "option.sdf_iterations": Pair(
        sdf(head='<option sdf_iterations="3"/>'),
        sdf(used=False, head='<option sdf_iterations="3"/>'),
    ),
    "option.sdf_initpoints": Pair(
        sdf(head='<option sdf_initpoints="9"/>'),
        sdf(used=False, head='<option sdf_initpoints="9"/>'),
    ),
    "option.sleep_tolerance": _scoped('sleep_tolerance=".1"', '<flag sleep="enable"/>'),
    "option.o_margin": _scoped('o_margin=".02"', _OVERRIDE),
    "option.o_solref": _scoped('o_solref=".05 .7"', _OVERRIDE),
    "option.o_solref.direct": Pair(
        box(head=f'<option o_solref="-3000 -40">{_OVERRIDE}</option>'),
        box(head=f'<option o_solref=".05 .7">{_OVERRIDE}</option>'),
    ),
    "option.o_solimp": _scoped('o_solimp=".5 .9 .01"', _OVERRIDE),
    "option.o_friction": _scoped('o_friction=".3 .3"', _OVERRIDE),
    "option.actuatorgroupdisable": Pair(
        arm(head='<option actuatorgroupdisable="2"/>', tail=_DRIVE.format("")),
        arm(tail=_DRIVE.format("")),
    ),
    "size.nuserdata": Pair(box(head='<size nuserdata="5"/>'), box()),
}


def _extension(name: str) -> str:
    return f'<extension><plugin plugin="{name}"/></extension>'


_TOUCH = '<sensor><plugin name="x" plugin="mujoco.sensor.touch_grid" objtype="site" {}'
_GRID = """objname="s"><config key="size" value="3 3"/><config key="fov" value="9 9"/>
  <config key="gamma" value="0"/><config key="nchannel" value="1"/></plugin></sensor>"""
_PLUGINS = {
    "plugin.body": Pair(
        free("", head=_extension("mujoco.elasticity.cable")).replace(
            "<geom",
            '<plugin plugin="mujoco.elasticity.cable"><config key="twist" value="1e3"/>'
            '<config key="bend" value="1e3"/></plugin><geom',
        ),
        free(""),
    ),
    "plugin.geom": Pair(sdf(), sdf(used=False)),
    "plugin.actuator": Pair(
        arm(
            head=_extension("mujoco.pid"),
            tail='<actuator><plugin name="u" joint="j" plugin="mujoco.pid" actdim="1">'
            '<config key="kp" value="5"/><config key="ki" value="1"/></plugin>'
            "</actuator>",
        ),
        arm(tail='<actuator><motor name="u" joint="j"/></actuator>'),
    ),
    "plugin.sensor": Pair(
        arm(head=_extension("mujoco.sensor.touch_grid"), tail=_TOUCH.format(_GRID)),
        arm(),
    ),
    "sensor.plugin": Pair(
        arm(head=_extension("mujoco.sensor.touch_grid"), tail=_TOUCH.format(_GRID)),
        arm(tail='<sensor><clock name="x"/></sensor>'),
    ),
}

DRIVES: dict[str, Pair] = {
    **_ACTUATORS,
    **_SENSORS,
    **_KEYS,
    **_OPTIONS,
    **_PLUGINS,
}
"""By feature id."""
