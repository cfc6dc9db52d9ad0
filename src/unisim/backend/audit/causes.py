"""Guesses which parameter makes a joint's force deviate."""

from collections.abc import Sequence

import mujoco
import numpy as np

from unisim.backend.audit.names import owner
from unisim.backend.audit.oracle import Array, Sample
from unisim.backend.audit.probe import Probe

_SURE = 0.98  # share of the deviation that one cause must explain
_MOST = 3  # bodies named
_SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))


def cause(
    probe: Probe,
    dof: int,
    found: Sequence[Sample],
    last: Sequence[int],
) -> str:
    """What explains a dof's deviation best, in words.

    Args:
        probe: The audit under way.
        dof: The dof.
        found: The steps in which it deviates.
        last: The deviating dofs that no deviating dof descends from.
    """
    force = np.concatenate([sample.force[:, dof] for sample in found])
    before = np.concatenate([sample.states.qvel[:, dof] for sample in found])
    after = np.concatenate([sample.qvel[:, dof] for sample in found])
    drive = np.concatenate([sample.want.actuator[:, dof] for sample in found])
    candidates = {
        "armature": after - before,
        "damping": after,
        "frictionloss": np.sign(before),
        _drives(probe, dof): drive,
        **_spring(probe, dof, found),
    }
    shares = {what: _explained(force, x) for what, x in candidates.items()}
    best = max(shares, key=lambda what: shares[what])
    if shares[best] > _SURE:
        return f"{best} (explains {shares[best]:.0%})"
    bodies = ", ".join(_body(probe, i) for i in last[:_MOST])
    drives = _drives(probe, dof)
    return f"mass, centre of mass or inertia of {bodies} or below; or {drives}"


def deepest(model: mujoco.MjModel, dofs: Sequence[int]) -> list[int]:
    """The dofs among these that none of the others descends from."""
    above: set[int] = set()
    for dof in dofs:
        parent = int(model.dof_parentid[dof])
        while parent >= 0:
            above.add(parent)
            parent = int(model.dof_parentid[parent])
    return [dof for dof in dofs if dof not in above]


def _spring(probe: Probe, dof: int, found: Sequence[Sample]) -> dict[str, Array]:
    model = probe.oracle.model
    joint = int(model.dof_jntid[dof])
    if int(model.jnt_type[joint]) not in _SINGLE:
        return {}
    column = int(model.jnt_qposadr[joint])
    stretch = np.concatenate([sample.states.qpos[:, column] for sample in found])
    return {"stiffness or springref": stretch - model.qpos_spring[column]}


def _explained(force: Array, regressor: Array) -> float:
    """Share of a force that is proportional to a regressor."""
    total, size = float(force @ force), float(regressor @ regressor)
    if total == 0 or size == 0:
        return 0.0
    return float(force @ regressor) ** 2 / (total * size)


def _drives(probe: Probe, dof: int) -> str:
    """The actuators that act on a joint directly, and their parameters."""
    _, joint = owner("dof", probe.names["dof"][dof])
    model = probe.oracle.model
    index = probe.names["joint"].index(joint)
    on_joint = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))
    names = [
        name
        for i, name in enumerate(probe.names["actuator"])
        if int(model.actuator_trntype[i]) in on_joint
        and int(model.actuator_trnid[i, 0]) == index
    ]
    stated = f" of {', '.join(names)}" if names else "s that reach it"
    return f"gain, gear, bias, range or order of the actuator{stated}"


def _body(probe: Probe, dof: int) -> str:
    body = int(probe.oracle.model.dof_bodyid[dof])
    return f"body {probe.names['body'][body]}"
