"""Mends, by name, what the importer made of a text, in the engine's intermediate."""

from collections.abc import Iterator

import motrixsim as mx
import mujoco
from motrixsim import msd

from unisim.backend.guest.soft import rubbing_of, spring_of
from unisim.backend.motrix.cfg import MotrixCfg


class Mender:
    """Gives an imported world the springs of its constraints, and its solver."""

    def __init__(self, model: mujoco.MjModel, cfg: MotrixCfg) -> None:
        """Take the model whose values hold, and the solver's settings."""
        self._model, self._cfg = model, cfg
        self._step = float(model.opt.timestep)

    def __call__(self, world: "mx.msd.World") -> None:
        """Change a world."""
        option = world.simulate_option
        option.constraint_solver_iterations = self._cfg.iterations
        option.constraint_solver_tolerance = self._cfg.tolerance
        world.simulate_option = option
        for geom in world.hierarchy.geoms:
            self._geom(geom)
        for link in links_of(world):
            for geom in link.geoms:
                self._geom(geom)
            for joint in link.joints:
                self._joint(joint)
        for pair in world.contact_pairs.pairs:
            solref = self._model.pair(pair.name).solref
            pair.contact_model = self._soft(pair.contact_model, solref)
        self._equalities(world)
        for tendon in world.tendon_set.joint_tendons:
            self._tendon(tendon)

    def _geom(self, geom: msd.Geometry) -> None:
        material = geom.physics_material
        solref = self._model.geom(geom.name).solref
        material.contact_model = self._soft(material.contact_model, solref)
        geom.physics_material = material

    def _joint(self, joint: msd.Joint) -> None:
        model = self._model
        index = model.joint(joint.name).id
        joint.limit_force = self._soft(joint.limit_force, model.jnt_solref[index])
        dof = int(model.jnt_dofadr[index])
        friction = joint.friction_damping
        friction.damping = rubbing_of(
            model.dof_solref[dof], model.dof_solimp[dof], self._step
        )
        joint.friction_damping = friction

    def _equalities(self, world: "mx.msd.World") -> None:
        held = world.equality_constraint_set
        for item in (*held.connects, *held.welds, *held.joints):
            spring = item.spring
            self._sprung(spring, self._model.equality(item.name).solref)
            item.spring = spring

    def _tendon(self, tendon: msd.JointTendon) -> None:
        model = self._model
        row = model.tendon(tendon.name).id
        spring = tendon.limit_force
        self._sprung(spring, model.tendon_solref_lim[row])
        tendon.limit_force = spring
        friction = tendon.friction_damping
        friction.damping = rubbing_of(
            model.tendon_solref_fri[row], model.tendon_solimp_fri[row], self._step
        )
        tendon.friction_damping = friction

    def _soft(
        self, held: msd.ConstraintForceModel, solref: object
    ) -> msd.ConstraintForceModel:
        """A force model of the same impedance whose spring does a solref."""
        spring = held.value
        self._sprung(spring, solref)
        return msd.ConstraintForceModel.impedance(spring)

    def _sprung(self, held: msd.ImpedanceSpring, solref: object) -> None:
        spring = held.spring
        spring.k, spring.d = spring_of(solref, self._step)
        held.spring = spring


def links_of(world: "mx.msd.World") -> Iterator[msd.Link]:
    """All links of a world, parents first."""
    waiting = [body.link for body in reversed(world.hierarchy.bodies)]
    while waiting:
        link = waiting.pop()
        yield link
        waiting.extend(reversed(link.children))
