"""Which joints a tendon pulls, an equality ties, and a body hangs on."""

import mujoco
import numpy as np

from unisim.backend.audit.drives import coupled

_OBJ = mujoco.mjtObj


def tied(model: mujoco.MjModel) -> set[int]:
    """Joints whose push an equality would undo."""
    joints: set[int] = set()
    for i, kind in enumerate(coupled(model)):
        if not model.eq_active0[i]:
            continue
        ids = (int(model.eq_obj1id[i]), int(model.eq_obj2id[i]))
        if kind == _OBJ.mjOBJ_JOINT:
            joints |= {joint for joint in ids if joint >= 0}
        elif kind in (_OBJ.mjOBJ_BODY, _OBJ.mjOBJ_SITE):
            bodies = ids if kind == _OBJ.mjOBJ_BODY else model.site_bodyid[list(ids)]
            first, second = (above(model, int(body)) for body in bodies)
            joints |= first ^ second
        elif kind == _OBJ.mjOBJ_TENDON:
            joints |= set().union(*(pulled(model, i) for i in ids if i >= 0))
        else:
            return set(range(model.njnt))
    return joints


def pulled(model: mujoco.MjModel, tendon: int) -> set[int]:
    """Joints on the path of a fixed tendon; all joints for a spatial one."""
    start, count = int(model.tendon_adr[tendon]), int(model.tendon_num[tendon])
    path = slice(start, start + count)
    if np.all(model.wrap_type[path] == mujoco.mjtWrap.mjWRAP_JOINT):
        return {int(joint) for joint in model.wrap_objid[path]}
    return set(range(model.njnt))


def above(model: mujoco.MjModel, body: int) -> set[int]:
    """Joints that move a body."""
    joints: set[int] = set()
    while body > 0:
        start = int(model.body_jntadr[body])
        joints |= set(range(start, start + int(model.body_jntnum[body])))
        body = int(model.body_parentid[body])
    return joints
