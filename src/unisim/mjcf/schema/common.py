"""Attributes that many elements share."""

Row = dict[str, str]
"""Meaning by attributes of one element."""

NAME: Row = {"name": "composition"}
NAMED: Row = {"name class": "composition"}
USER: Row = {"user": "composition"}
TURN: Row = {"axisangle euler xyaxes zaxis": "notation"}
CONFIG: Row = {"key value": "plugin*"}

MASS = "joint.type*"
"""What feels the mass and the inertia of a body."""
SHAPE = "geom.type*"
"""What feels where a geom is and how large."""
MESH = "geom.type.mesh geom.type.sdf"
RAYS = "sensor.rangefinder"
"""Rays pass through what is fully transparent."""
VIEW = "sensor.camprojection sensor.rangefinder visual.camera"
"""What feels the picture of a camera."""
VOLUME = "sensor.touch sensor.insidesite sensor.contact"
"""What feels the size of a site."""
SITES = (
    "sensor.touch sensor.accelerometer sensor.velocimeter sensor.gyro sensor.force "
    "sensor.torque sensor.magnetometer sensor.camprojection sensor.rangefinder "
    "sensor.insidesite sensor.contact sensor.objtype.site sensor.reftype "
    "tendon.wrap.site tendon.wrap.sidesite actuator.trntype.site actuator.refsite "
    "actuator.trntype.slidercrank actuator.trntype.so3 equality.connect.site "
    "equality.weld.site"
)
"""What feels where a site is."""


def each(words: str, meaning: str) -> Row:
    """The same meaning for some attributes, one by one."""
    return dict.fromkeys(words.split(), meaning)
