"""Rows of actuators and sensors."""

from collections.abc import Mapping

from unisim.mjcf.schema.common import CONFIG, NAME, NAMED, USER, Row

_ANY: Row = (
    NAMED
    | USER
    | {
        "ctrlrange": "actuator.ctrllimited",
        "delay interp nsample": "actuator.{attribute}",
        "group": "option.actuatorgroupdisable",
    }
)
_FORCE: Row = {"forcelimited forcerange": "actuator.forcelimited"}
_LIMIT: Row = {"ctrllimited": "actuator.ctrllimited"}
_ON: Row = {
    "joint": "actuator.trntype.joint*",
    "jointinparent": "actuator.trntype.jointinparent",
    "tendon": "actuator.trntype.tendon",
    "cranksite slidersite": "actuator.trntype.slidercrank",
    "site": "actuator.trntype.site",
    "armature cranklength lengthrange": "actuator.{attribute}",
    "damping gear": "actuator.{attribute}*",
}
_REFERRED: Row = {"refsite": "actuator.refsite"}
_MOTOR = _ANY | _FORCE | _LIMIT | _ON
_INPUT: Row = {"input": "actuator.inputs*"}
_ACTIVE: Row = {"actlimited actrange": "actuator.actlimited"}
_PROGRAM: Row = {
    "actdim dynprm dyntype": "actuator.dyntype*",
    "actearly": "actuator.actearly",
}
_GAINS = "actuator.gaintype.fixed actuator.biastype.affine"
_SERVO: Row = {"kp kv": _GAINS, "dampratio inheritrange": "notation"}
_MUSCLE = "actuator.gaintype.muscle actuator.biastype.muscle"
_PID = "actuator.gaintype.pid actuator.dyntype.pid"
_DCMOTOR = " ".join(f"actuator.{kind}type.dcmotor" for kind in ("dyn", "gain", "bias"))

ACTUATORS: Mapping[str, Row] = {
    "actuator": {},
    "actuator/general": _MOTOR
    | _REFERRED
    | _INPUT
    | _ACTIVE
    | _PROGRAM
    | {
        "body": "actuator.trntype.body",
        "gainprm gaintype": "actuator.gaintype*",
        "biasprm biastype": "actuator.biastype*",
        "ffrange velrange": "actuator.ctrllimited",
        "inheritrange": "notation",
    },
    "actuator/motor": _MOTOR | _REFERRED,
    "actuator/position": _MOTOR | _REFERRED | _SERVO | {"timeconst": "notation"},
    "actuator/velocity": _MOTOR | _REFERRED | {"kv": _GAINS},
    "actuator/intvelocity": _MOTOR | _REFERRED | _ACTIVE | _SERVO,
    "actuator/orientation": _ANY
    | _FORCE
    | _INPUT
    | {
        "joint site": "actuator.trntype.so3",
        "refsite": "actuator.refsite actuator.trntype.so3",
        "kp kv": "actuator.gaintype.so3 actuator.biastype.so3",
        "dampratio": "notation",
    },
    "actuator/pid": _MOTOR
    | _REFERRED
    | _INPUT
    | {
        "kp kv ki imax slewmax": _PID,
        "dampratio inheritrange": "notation",
        "ffrange posrange velrange": "actuator.ctrllimited",
    },
    "actuator/damper": _ANY | _FORCE | _ON | _REFERRED | {"kv": _GAINS},
    "actuator/cylinder": _MOTOR
    | _REFERRED
    | {"area bias diameter": _GAINS, "timeconst": "actuator.dyntype.filter"},
    "actuator/muscle": _ANY
    | _FORCE
    | _LIMIT
    | {key: word for key, word in _ON.items() if key != "site"}
    | {
        "force fpmax fvmax lmax lmin range scale vmax": _MUSCLE,
        "tausmooth timeconst": "actuator.dyntype.muscle",
    },
    "actuator/adhesion": _ANY
    | _FORCE
    | {"body": "actuator.trntype.body", "gain": "actuator.gaintype.fixed"},
    "actuator/dcmotor": _ANY
    | _LIMIT
    | _ON
    | _REFERRED
    | _INPUT
    | {
        "cogging controller inductance lugre motorconst": _DCMOTOR,
        "nominal resistance saturation thermal": _DCMOTOR,
    },
    "actuator/plugin": _MOTOR
    | _ACTIVE
    | _PROGRAM
    | {"instance plugin": "plugin.actuator"},
    "actuator/plugin/config": CONFIG,
}
"""Actuators, by element."""

_PLAIN: Row = NAME | USER | {"cutoff": "sensor.cutoff", "noise": "visual.noise"}
_SENSOR: Row = _PLAIN | {"delay interp interval nsample": "sensor.{attribute}"}
_FRAMED: Row = {"objname objtype": "sensor.{tag} sensor.objtype*"}
_BETWEEN: Row = {"body1 body2 geom1 geom2": "sensor.{tag}"}

SENSORS: Mapping[str, Row] = {
    "sensor": {},
    "sensor/touch sensor/accelerometer sensor/velocimeter sensor/gyro sensor/force "
    "sensor/torque sensor/magnetometer": _SENSOR | {"site": "sensor.{tag}"},
    "sensor/camprojection": _SENSOR | {"camera site": "sensor.{tag}"},
    "sensor/rangefinder": _SENSOR
    | {"data site": "sensor.{tag}", "camera": "sensor.rangefinder.camera"},
    "sensor/jointpos sensor/jointvel sensor/jointactuatorfrc sensor/ballquat "
    "sensor/ballangvel sensor/jointlimitpos sensor/jointlimitvel "
    "sensor/jointlimitfrc": _SENSOR | {"joint": "sensor.{tag}"},
    "sensor/tendonpos sensor/tendonvel sensor/tendonactuatorfrc "
    "sensor/tendonlimitpos sensor/tendonlimitvel sensor/tendonlimitfrc": _SENSOR
    | {"tendon": "sensor.{tag}"},
    "sensor/actuatorpos sensor/actuatorvel sensor/actuatorfrc": _SENSOR
    | {"actuator": "sensor.{tag}"},
    "sensor/framepos sensor/framequat sensor/framexaxis sensor/frameyaxis "
    "sensor/framezaxis sensor/framelinvel sensor/frameangvel": _SENSOR
    | _FRAMED
    | {"refname reftype": "sensor.reftype"},
    "sensor/framelinacc sensor/frameangacc": _SENSOR | _FRAMED,
    "sensor/subtreecom sensor/subtreelinvel sensor/subtreeangmom": _SENSOR
    | {"body": "sensor.{tag}"},
    "sensor/insidesite": _SENSOR
    | {
        "objname objtype site": "sensor.{tag}",
        "enclosed": "sensor.insidesite.enclosed",
    },
    "sensor/distance sensor/normal sensor/fromto": _SENSOR | _BETWEEN,
    "sensor/contact": _SENSOR
    | _BETWEEN
    | {
        "num reduce site subtree1 subtree2": "sensor.contact",
        "data": "sensor.contact*",
    },
    "sensor/e_potential sensor/e_kinetic sensor/clock": _SENSOR,
    "sensor/tactile": {key: word for key, word in _SENSOR.items() if key != "noise"}
    | {"geom mesh": "sensor.tactile"},
    "sensor/user": _PLAIN | {"datatype dim needstage objname objtype": "sensor.user"},
    "sensor/plugin": NAME
    | USER
    | {
        "cutoff": "sensor.cutoff",
        "instance objname objtype plugin refname reftype": "plugin.sensor",
    },
    "sensor/plugin/config": CONFIG,
}
"""Sensors, by element."""
