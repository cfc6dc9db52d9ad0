"""Writes what is only notation as its compiled meaning."""

import mujoco
import numpy as np

from unisim.scene.passes.defaults import classless, empty_defaults
from unisim.scene.passes.rewrite import opened, recompiled, written
from unisim.scene.scene import Scene

_AUTO = mujoco.mjtLimited.mjLIMITED_AUTO
_KINDS = mujoco.mjtActuator
# elements whose time constant no other attribute can say
_FILTERED = (_KINDS.mjACTUATOR_POSITION, _KINDS.mjACTUATOR_CYLINDER)
_STATIC = mujoco.mjtDyn.mjDYN_NONE
_LIMITS = {
    "limited": "range",
    "actfrclimited": "actfrcrange",
    "ctrllimited": "ctrlrange",
    "forcelimited": "forcerange",
    "actlimited": "actrange",
}


def resolve_notation(scene: Scene) -> Scene:
    """No inheritrange, dampratio, timeconst, springdamper or automatic limit left.

    Classes are expanded too, since they may say these. A servo or a cylinder with a
    time constant becomes a `general`. The model is bit-identical.
    """
    spec = opened(scene)
    empty_defaults(spec)
    resolve(spec, scene.model)
    return recompiled(scene, classless(written(spec)))


def resolve(spec: mujoco.MjSpec, model: mujoco.MjModel) -> None:
    """Give a spec's elements the compiled values that notation stood for.

    Args:
        spec: Compiled, so that ids are indices of `model`.
        model: Where the values come from.
    """
    for joint in spec.joints:
        if joint.springdamper.any():
            joint.springdamper = np.zeros(2)
            joint.stiffness[0] = model.jnt_stiffness[joint.id]
            joint.damping[0] = model.dof_damping[model.jnt_dofadr[joint.id]]
    for actuator in spec.actuators:
        _actuator(actuator, model)
    if spec.compiler.autolimits:
        for element in (*spec.joints, *spec.tendons, *spec.actuators):
            _limits(element)


def _actuator(actuator: mujoco.MjsActuator, model: mujoco.MjModel) -> None:
    if actuator.biasprm[2] > 0:
        actuator.biasprm = model.actuator_biasprm[actuator.id]
    if actuator.inheritrange:
        actuator.inheritrange = 0
        control = model.actuator_ctrladr[actuator.id]
        actuator.ctrlrange = model.actuator_ctrlrange[control]
        actuator.actrange = model.actuator_actrange[actuator.id]
    if actuator.type in _FILTERED and actuator.dyntype != _STATIC:
        actuator.type = _KINDS.mjACTUATOR_GENERAL


def _limits(element: object) -> None:
    """Say that a range limits, where it does so only by being there."""
    for limited, interval in _LIMITS.items():
        if getattr(element, limited, None) == _AUTO and any(getattr(element, interval)):
            setattr(element, limited, mujoco.mjtLimited.mjLIMITED_TRUE)
