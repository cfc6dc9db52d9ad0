"""Features of sensors and keyframes."""

import mujoco
import numpy as np

from unisim.mjcf.enums import FRAMES, members
from unisim.mjcf.feature import Feature, Find, Mask, differs, members_of, where

_OBJ, _SENSOR = members("mjtObj"), members("mjtSensor")
_DATA = members("mjtConDataField")
_FRAMED = [value for name, value in _SENSOR.items() if "_FRAME" in name]


def _watches(member: str) -> Find:
    """Frame sensors on one kind of object."""

    def find(model: mujoco.MjModel) -> Mask:
        framed = np.isin(model.sensor_type, _FRAMED)
        return framed & (model.sensor_objtype == _OBJ[f"mjOBJ_{member}"])

    return find


def _reports(bit: int) -> Find:
    """Contact sensors that return one of the fields that a contact has."""

    def find(model: mujoco.MjModel) -> Mask:
        contact = model.sensor_type == _SENSOR["mjSENS_CONTACT"]
        return contact & ((model.sensor_intprm[:, 0] & (1 << bit)) != 0)

    return find


def _enclosed(model: mujoco.MjModel) -> Mask:
    inside = model.sensor_type == _SENSOR["mjSENS_INSIDESITE"]
    return inside & (model.sensor_intprm[:, 0] != 0)


def _pictured(model: mujoco.MjModel) -> Mask:
    rays = model.sensor_type == _SENSOR["mjSENS_RANGEFINDER"]
    return rays & (model.sensor_objtype == _OBJ["mjOBJ_CAMERA"])


def _relative(model: mujoco.MjModel) -> Mask:
    return np.isin(model.sensor_type, _FRAMED) & (model.sensor_refid >= 0)


def _periodic(model: mujoco.MjModel) -> Mask:
    return model.sensor_interval[:, 0] > 0


def _history(column: int) -> Find:
    return lambda model: model.sensor_history[:, column] > 0


def _between(model: mujoco.MjModel) -> Mask:
    """Sensors whose delay may fall between two samples."""
    return _history(1)(model) & (model.sensor_delay > 0)


def _keys(model: mujoco.MjModel) -> Mask:
    return np.ones(model.nkey, bool)


def _posed(model: mujoco.MjModel) -> Mask:
    return np.any(model.key_qpos != model.qpos0, axis=1)


def _moved(model: mujoco.MjModel) -> Mask:
    bodies = np.flatnonzero(model.body_mocapid >= 0)
    home = model.body_pos[bodies[np.argsort(model.body_mocapid[bodies])]]
    return np.any(model.key_mpos != home.reshape(1, -1), axis=1)


def _turned(model: mujoco.MjModel) -> Mask:
    bodies = np.flatnonzero(model.body_mocapid >= 0)
    home = model.body_quat[bodies[np.argsort(model.body_mocapid[bodies])]]
    return np.any(model.key_mquat != home.reshape(1, -1), axis=1)


ROWS: tuple[Feature, ...] = (
    *members_of("mjtSensor"),
    *(
        where(FRAMES.id(rest), doc, "sensor", _watches(rest))
        for rest, doc in FRAMES.docs.items()
    ),
    where(
        "sensor.contact.linvel",
        "Relative velocity at contacts.",
        "sensor",
        _reports(_DATA["mjCONDATA_LINVEL"]),
        attribute="data",
    ),
    where(
        "sensor.contact.angvel",
        "Relative angular velocity at contacts.",
        "sensor",
        _reports(_DATA["mjCONDATA_ANGVEL"]),
        attribute="data",
    ),
    where(
        "sensor.insidesite.enclosed",
        "How far an object juts out of a site.",
        "sensor",
        _enclosed,
        attribute="enclosed",
    ),
    where(
        "sensor.rangefinder.camera",
        "A ray for every pixel of a camera.",
        "sensor",
        _pictured,
        attribute="camera",
    ),
    where("sensor.reftype", "A frame sensor relative to a frame.", "sensor", _relative),
    differs("sensor.cutoff", "Clamp of the output.", "sensor_cutoff"),
    differs("sensor.delay", "The output is older.", "sensor_delay"),
    where("sensor.nsample", "A history of outputs.", "sensor", _history(0)),
    where("sensor.interp", "Interpolation in the history.", "sensor", _between),
    where(
        "sensor.interval",
        "Outputs at intervals.",
        "sensor",
        _periodic,
        "sensor_interval",
    ),
    where("key", "A keyframe.", "key", _keys),
    where("key.qpos", "Positions of a keyframe.", "key", _posed),
    differs("key.qvel", "Velocities of a keyframe.", "key_qvel"),
    differs("key.time", "Time of a keyframe.", "key_time"),
    differs("key.act", "Activations of a keyframe.", "key_act"),
    differs("key.ctrl", "Controls of a keyframe.", "key_ctrl"),
    where("key.mpos", "Positions of mocap bodies.", "key", _moved),
    where("key.mquat", "Orientations of mocap bodies.", "key", _turned),
    differs("key.plastic", "Plastic state of a keyframe.", "key_plastic"),
)
"""Features of `<sensor>` and `<keyframe>`."""
