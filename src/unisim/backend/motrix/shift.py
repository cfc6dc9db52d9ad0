"""Sliders whose position is not 0 where the model is at rest.

The engine puts them rightly and moves wrongly what turns above them. It is given
sliders that rest at 0: everything that is said in their positions is shifted.
"""

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Shift:
    """What our numbers are more than the engine's.

    Attributes:
        qpos: Of positions. Shape (nq,).
        joints: Of joints with one axis. Shape (njnt,).
        tendons: Of lengths of fixed tendons. Shape (ntendon,).
        drives: Of the lengths of actuators. Shape (nactuator,).
    """

    qpos: Numbers
    joints: Numbers
    tendons: Numbers
    drives: Numbers


def shift_of(model: mujoco.MjModel) -> Shift:
    """The shift of a reference model."""
    joints = np.zeros(model.njnt)
    slide = np.asarray(model.jnt_type) == int(mujoco.mjtJoint.mjJNT_SLIDE)
    places = np.asarray(model.jnt_qposadr)
    joints[slide] = model.qpos0[places[slide]]
    qpos = np.zeros(model.nq)
    qpos[places[slide]] = joints[slide]
    tendons = np.zeros(model.ntendon)
    for tendon in range(model.ntendon):
        start, count = model.tendon_adr[tendon], model.tendon_num[tendon]
        for stop in range(start, start + count):
            if model.wrap_type[stop] == int(mujoco.mjtWrap.mjWRAP_JOINT):
                joint = model.wrap_objid[stop]
                tendons[tendon] += model.wrap_prm[stop] * joints[joint]
    drives = np.zeros(model.nactuator)
    kinds = {
        int(mujoco.mjtTrn.mjTRN_JOINT): joints,
        int(mujoco.mjtTrn.mjTRN_TENDON): tendons,
    }
    for drive, kind in enumerate(np.asarray(model.actuator_trntype).tolist()):
        if kind in kinds:
            gear = model.actuator_gear[model.actuator_outadr[drive], 0]
            drives[drive] = gear * kinds[kind][model.actuator_trnid[drive, 0]]
    return Shift(qpos, joints, tendons, drives)
