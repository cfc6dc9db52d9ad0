"""Gives every body its compiled inertia as an explicit `<inertial>`."""

import mujoco
import numpy as np

from unisim.scene.passes.rewrite import opened, recompiled, written
from unisim.scene.scene import Scene


def explicit_inertials(scene: Scene) -> Scene:
    """Every body states its inertia: pos [m], quat, mass [kg], diaginertia [kg m²].

    Masses and densities of geoms no longer matter, nor do the compiler's settings that
    scale or bound what was inferred from them.
    """
    spec = opened(scene)
    model = scene.model
    for body in spec.bodies[1:]:
        body.explicitinertial = True
        body.mass = model.body_mass[body.id]
        body.ipos = model.body_ipos[body.id]
        body.iquat = model.body_iquat[body.id]
        body.inertia = model.body_inertia[body.id]
        body.fullinertia = np.full(6, np.nan)
        body.ialt.type = mujoco.mjtOrientation.mjORIENTATION_QUAT
    compiler = spec.compiler
    compiler.inertiafromgeom = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_FALSE
    compiler.settotalmass = -1
    compiler.boundmass = compiler.boundinertia = 0
    compiler.balanceinertia = False
    return recompiled(scene, written(spec))
