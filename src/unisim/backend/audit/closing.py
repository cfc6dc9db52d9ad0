"""Closes kinematic loops: moves a state onto its active equality constraints."""

import mujoco
import numpy as np

from unisim.backend.audit.oracle import Array, Oracle

_ROUNDS, _CLOSED = 100, 1e-9
_EQUALITY = int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)


def close_loops(oracle: Oracle, qvel: Array | None = None) -> bool:
    """Project a configuration, or a velocity, onto the equality constraints.

    Args:
        oracle: Holds the configuration, its position stage computed; it is changed.
        qvel: Velocity to project in place; None projects the configuration.

    Returns:
        Whether all loops are closed.
    """
    model, data = oracle.model, oracle.data
    if qvel is not None:
        rows, _ = equality_rows(oracle)
        if len(rows):
            qvel -= np.linalg.pinv(rows, rcond=1e-6) @ (rows @ qvel)
        return True
    for _ in range(_ROUNDS):
        rows, error = equality_rows(oracle)
        if np.abs(error).max(initial=0.0) < _CLOSED:
            return True
        change = -np.linalg.pinv(rows, rcond=1e-6) @ error
        change *= min(1.0, 0.5 / max(np.abs(change).max(), 1e-12))
        mujoco.mj_integratePos(model, data.qpos, change, 1.0)
        mujoco.mj_fwdPosition(model, data)
    return False


def equality_rows(oracle: Oracle) -> tuple[Array, Array]:
    """Jacobian and violation of the active equality rows. Shapes (k, nv) and (k,)."""
    model, data = oracle.model, oracle.data
    chosen = np.asarray(data.efc_type) == _EQUALITY
    if not chosen.any():
        return np.zeros((0, model.nv)), np.zeros(0)
    dense = np.zeros((data.nefc, model.nv))
    if mujoco.mj_isSparse(model):
        mujoco.mju_sparse2dense(
            dense, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind
        )
    else:
        dense[:] = np.reshape(data.efc_J, (data.nefc, model.nv))
    return dense[chosen], np.asarray(data.efc_pos)[chosen]
