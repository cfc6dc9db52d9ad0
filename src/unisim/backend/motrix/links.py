"""Reads back bodies: the engine's links."""

import motrixsim as mx
import mujoco
import numpy as np
from motrixsim import msd
from numpy.typing import NDArray

from unisim.backend.motrix.mend import links_of
from unisim.backend.motrix.parts import Handle

Worlds = dict[str, NDArray[np.float64]]
_ROUND = 2.0**-21
"""Roundings of single precision that a difference of two numbers is forgiven."""


def read_links(
    model: mujoco.MjModel, handle: Handle, worlds: Worlds
) -> tuple[str, ...]:
    """Fill in the bodies of a model.

    Args:
        model: What to fill in.
        handle: The engine's objects.
        worlds: Takes values that differ between worlds.

    Returns:
        Names of the bodies.
    """
    links = {str(link.name): link for link in handle.model.links}
    stated = {str(link.name): link for link in links_of(handle.world)}
    names, count = ["world"], 1
    model.body_pos[0], model.body_quat[0] = 0, (1, 0, 0, 0)
    for body in range(1, model.nbody):
        name = model.body(body).name
        if name not in links:
            continue
        names.append(name)
        link = links[name]
        parent = "world" if link.parent is None else str(link.parent.name)
        model.body_parentid[body] = _index(model, mujoco.mjtObj.mjOBJ_BODY, parent)
        pose = np.asarray(link.local_pose, np.float64)
        model.body_pos[body], model.body_quat[body] = pose[:3], pose[[6, 3, 4, 5]]
        if handle.share.gravcomp:
            model.body_gravcomp[body] = stated[name].gravcomp
        count += 1
    _masses(model, handle, links, worlds)
    mocaps = {str(body.name) for body in handle.model.bodies if body.is_mocap}
    for body in range(model.nbody):
        mocap = model.body(body).name in mocaps
        model.body_mocapid[body] = model.body_mocapid[body] if mocap else -1
    return (*names, *(set(links) - set(names)))


def _masses(
    model: mujoco.MjModel, handle: Handle, links: dict[str, mx.Link], worlds: Worlds
) -> None:
    """Mass, centre of mass and inertia; of bodies that nothing moves, as imported.

    The engine keeps none of those: they have no effect.
    """
    data = handle.data
    count = 1 if data is None else data.shape[0]
    mass = np.zeros((count, model.nbody))
    com, inertia = np.zeros((count, model.nbody, 3)), np.zeros((count, model.nbody, 9))
    stated = {str(link.name): link for link in links_of(handle.world)}
    for body in range(1, model.nbody):
        name = model.body(body).name
        if name not in links:
            mass[:, body] = np.nan
            continue
        link, held = links[name], stated[name].inertial
        mass[:, body] = held.mass or 0
        com[:, body] = 0 if held.pos is None else held.pos
        inertia[:, body] = _stated(held)
        # of what weighs nothing, too, the engine forgets where it does
        if _moves(link) and data is not None and held.mass:
            mass[:, body] = link.get_mass_override(data)
            com[:, body] = link.get_center_of_mass_override(data)
            found = _full(link.get_inertia_override(data))
            # it holds them about the link's origin, in single precision
            arm = np.sum(com[:, body] ** 2, axis=1, keepdims=True)
            held_to = _ROUND * (
                np.abs(found).max(axis=1, keepdims=True) + held.mass * arm
            )
            same = np.abs(found - inertia[:, body]) <= held_to
            inertia[:, body] = np.where(same, inertia[:, body], found)
    for name, values in (
        ("body_mass", mass),
        ("body_com", com),
        ("body_inertia", inertia),
    ):
        worlds[name] = values[0] if (values == values[:1]).all() else values


def _stated(held: msd.Inertia) -> NDArray[np.float64]:
    """Inertia about the centre of mass that was imported, in body axes. Shape (9,)."""
    if held.diag_inertia is None:
        return np.zeros(9)
    frame, quat = np.zeros(9), np.asarray(held.orientation, np.float64)[[3, 0, 1, 2]]
    mujoco.mju_quat2Mat(frame, quat)
    axes = frame.reshape(3, 3)
    return (axes * held.diag_inertia @ axes.T).ravel()


def _moves(link: mx.Link) -> bool:
    """Whether a joint, or a free one, moves a link or one that it hangs on."""
    if link.body.floatingbase is not None:
        return True
    above: mx.Link | None = link
    while above is not None:
        if above.num_joints:
            return True
        above = above.parent
    return False


def _full(six: NDArray[np.float32]) -> NDArray[np.float64]:
    """Matrices of xx, yy, zz, xy, xz, yz. Shape (n, 9)."""
    return np.asarray(six, np.float64)[:, [0, 3, 4, 3, 1, 5, 4, 5, 2]]


def _index(model: mujoco.MjModel, kind: mujoco.mjtObj, name: str) -> int:
    return mujoco.mj_name2id(model, kind, name)
