"""Worlds that Drake moves."""

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray
from pydrake.geometry import SceneGraph
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import FixedOffsetFrame
from pydrake.systems.framework import Diagram

from unisim.backend.base import Array, BuildCfg, Worlds
from unisim.backend.drake.contact import varied
from unisim.backend.drake.contacts import Touch, gathered, touches
from unisim.backend.drake.drives import Drives
from unisim.backend.drake.geometry import Geometry, vary_friction
from unisim.backend.drake.joints import Coordinates
from unisim.backend.drake.material import Material
from unisim.backend.drake.plant import Tree, pose
from unisim.backend.drake.slots import Part
from unisim.backend.drake.ties import Ties
from unisim.backend.drake.varied import Variation
from unisim.backend.drake.worlds import World
from unisim.backend.guest.guest import Contacts, Inputs
from unisim.backend.guest.pool import Pool

_HUGE = 1e10


@dataclass(frozen=True)
class Handle:
    """Drake's own objects, and what is left to the reference.

    Attributes:
        diagram: The plant and its scene graph.
        plant: The plant.
        scene_graph: The scene graph.
        worlds: A context per world.
        rest: The model of the actuators and passive forces that the plant lacks.
        ties: Constraints by equality.
        carrying: Frames that carry a state: of balls, and of mocap bodies.
        profile: The solver profile.
        materials: What each part of a geom is to be made of.
    """

    diagram: Diagram
    plant: MultibodyPlant
    scene_graph: SceneGraph
    worlds: tuple[World, ...]
    rest: mujoco.MjModel
    ties: Ties
    carrying: tuple[FixedOffsetFrame, ...]
    profile: str
    materials: Mapping[Part, Material]


@dataclass(frozen=True)
class Built:
    """What was put into the plant, by the indices of the reference model.

    Attributes:
        tree: Bodies and joints.
        drives: What acts on the joints.
        geometry: Geoms that may collide.
    """

    tree: Tree
    drives: Drives
    geometry: Geometry


class DrakeGuest:
    """Implements `unisim.backend.guest.guest.Guest`."""

    def __init__(
        self,
        handle: Handle,
        built: Built,
        request: BuildCfg,
        threads: int,
    ) -> None:
        """Put all worlds at the model's defaults."""
        plant, count = handle.plant, len(handle.worlds)
        model = request.scene.model
        asked, tree = (request.profile, request.vary), built.tree
        self._variation = Variation(model, (tree, built.drives), handle.worlds, asked)
        self._rubbing = Rubbing(handle, built.geometry, model)
        self._handle, self._tree, self._geometry = handle, tree, built.geometry
        self._pool = Pool(handle.worlds, threads)
        sizes = plant.num_positions(), plant.num_velocities()
        self._coordinates = Coordinates(model, tree, sizes)
        self._qpos = np.tile(np.asarray(model.qpos0), (count, 1))
        self._qvel = np.zeros((count, model.nv))
        self._start = np.asarray(model.qpos0).copy()
        self._lifts = bool(built.drives.ballasts)
        self._all = np.arange(count)
        self._tied = np.ones((count, model.neq))
        self._mocap = np.full((count, model.nmocap, 7), np.nan)
        self._switch(np.tile(model.eq_active0, (count, 1)), self._all)

    @property
    def handle(self) -> Handle:
        """See `unisim.backend.guest.guest.Guest`."""
        return self._handle

    @property
    def qpos(self) -> Array:
        """Positions. Shape (n, nq)."""
        return self._qpos

    @property
    def qvel(self) -> Array:
        """Velocities. Shape (n, nv)."""
        return self._qvel

    def put(self, qpos: Array, qvel: Array, worlds: Worlds | None) -> None:
        """See `unisim.backend.guest.guest.Guest`."""
        which = self._which(worlds)
        self._qpos[which], self._qvel[which] = qpos, qvel
        self._touch(which)

    def step(self, inputs: Inputs, count: int, worlds: Worlds | None) -> None:
        """See `unisim.backend.guest.guest.Guest`."""
        which = self._which(worlds)
        self._take(inputs, which)
        once = self._coordinates.plain and not self._variation.servos.any
        for _ in range(1 if once else count):
            qpos, qvel = self._advance(inputs, which, count if once else 1)
            rows = slice(None) if which is self._all else which
            self._qpos[rows], self._qvel[rows] = qpos, qvel
            if not once:
                self._touch(which)

    def forward(self, inputs: Inputs, worlds: Worlds) -> Array:
        """See `unisim.backend.guest.guest.Guest`."""
        which = self._which(worlds)
        self._take(inputs, which)
        _, qvel = self._advance(inputs, which, 1)
        self._touch(which)
        return qvel

    def contacts(self, worlds: Worlds | None) -> Contacts:
        """See `unisim.backend.guest.guest.Guest`."""
        which, handle = self._which(worlds), self._handle
        return gathered(which, [self._touches(handle.worlds[i]) for i in which])

    def _touches(self, world: World) -> list[Touch]:
        """Contacts of a world; none of a world that Drake gave up."""
        if not self._geometry.parts or not world.ready:
            return []
        return list(touches(self._handle.plant, world.context, self._geometry))

    def vary(self, name: str, values: Array, worlds: Worlds | None) -> Array:
        """See `unisim.backend.guest.guest.Guest`."""
        if name == "geom_friction":
            self._rubbing.set(values, self._which(worlds))
            return values
        return self._variation.set(name, values, self._which(worlds))

    def braking(self) -> Array:
        """Damping that acts at the end of a step. Shape (n, nv)."""
        return self._variation.braking()

    def save(self) -> tuple[Array, Array, Array]:
        """See `unisim.backend.guest.guest.Guest`."""
        return self._qpos.copy(), self._qvel.copy(), self._variation.released.copy()

    def restore(self, saved: object) -> None:
        """See `unisim.backend.guest.guest.Guest`."""
        if isinstance(saved, tuple):
            qpos, qvel, released = saved
            self.put(qpos, qvel, None)
            self._variation.release(released, self._all)

    def close(self) -> None:
        """See `unisim.backend.guest.guest.Guest`."""
        self._pool.close()
        vars(self).clear()

    def _which(self, worlds: Worlds | None) -> NDArray[np.integer]:
        return self._all if worlds is None else worlds

    def _touch(self, which: NDArray[np.integer]) -> None:
        """The contexts of some worlds have another state than ours."""
        for world in which.tolist():
            self._handle.worlds[world].dirty = True

    def _advance(
        self, inputs: Inputs, which: NDArray[np.integer], count: int
    ) -> tuple[Array, Array]:
        """Positions and velocities of some worlds after some steps."""
        rows = slice(None) if which is self._all else which
        push = self._pushing(inputs, rows)
        qpos, qvel = self._qpos[rows], self._qvel[rows]
        fit = np.ones(len(which), bool)
        if not all(map(_calm, (qpos, qvel, push))):
            fit = _fits(qpos) & _fits(qvel) & _fits(push)
            lost = ~fit[:, None]
            qpos = np.where(lost, self._start, qpos)
            qvel, push = np.where(lost, 0.0, qvel), np.where(lost, 0.0, push)
        servos = self._variation.servos
        if servos.any:
            rates = servos.released(inputs.ctrl[rows], qpos, qvel, which)
            self._variation.release(rates, which)
        know = self._coordinates
        if self._tree.balls:
            self._turn_balls(which, know.ball_rotations(qpos))
        turn = know.rotations(qpos)
        state = know.state(qpos, qvel, turn)
        self._pool.step(which, (state, know.forces(push, turn), fit), count)
        qvel = know.velocities(state, turn)
        return know.positions(state, qpos, qvel), qvel

    def _pushing(self, inputs: Inputs, rows: NDArray[np.integer] | slice) -> Array:
        """All joint forces, the weight of ballast taken away. Shape (k, nv)."""
        lift = self._variation.lift[rows]
        if inputs.push is None:
            return lift
        return lift + inputs.push[rows] if self._lifts else inputs.push[rows]

    def _turn_balls(self, which: NDArray[np.integer], balls: Array) -> None:
        for j, (frame, base) in enumerate(self._tree.balls.values()):
            for row, world in enumerate(which.tolist()):
                turn = RigidTransform(RotationMatrix(balls[row, j]))
                context = self._handle.worlds[world].context
                frame.SetPoseInParentFrame(context, base @ turn)

    def _take(self, inputs: Inputs, which: NDArray[np.integer]) -> None:
        """Move the mocap bodies that were moved, switch equalities on and off."""
        if self._handle.ties:
            self._switch(inputs.eq_active, which)
        if self._tree.mocaps:
            self._carry(inputs, which)

    def _switch(self, active: Array, which: NDArray[np.integer]) -> None:
        plant, now = self._handle.plant, active[which] != 0
        for row, i in np.argwhere(now != self._tied[which]).tolist():
            if i in self._handle.ties:
                context = self._handle.worlds[which[row]].context
                mine = self._handle.ties[i]
                plant.SetConstraintActiveStatus(context, mine, bool(now[row, i]))
        self._tied[which] = now

    def _carry(self, inputs: Inputs, which: NDArray[np.integer]) -> None:
        now = np.concatenate((inputs.mocap_pos, inputs.mocap_quat), -1)[which]
        moved = (now != self._mocap[which]).any(axis=-1)
        for row, j in np.argwhere(moved).tolist():
            where = now[row, j]
            if np.isfinite(where).all() and np.any(where[3:]):
                context = self._handle.worlds[which[row]].context
                frame = self._tree.mocaps[j]
                frame.SetPoseInParentFrame(context, pose(where[:3], where[3:]))
        self._mocap[which] = now


class Rubbing:
    """The friction of geoms, in each world."""

    def __init__(
        self, handle: Handle, geometry: Geometry, model: mujoco.MjModel
    ) -> None:
        """Look at worlds that are as they were built."""
        self._handle, self._geometry, self._model = handle, geometry, model

    def set(self, values: Array, which: NDArray[np.integer]) -> None:
        """Set those of some worlds. Shape (k, ngeom, 3).

        Raises:
            BadArray: If Drake cannot give some pair its friction; nothing has changed.
        """
        plan = self._geometry.plan
        rows = [varied(self._model, plan, own) for own in values]
        plant, graph = self._handle.plant, self._handle.scene_graph
        for world, friction, own in zip(which.tolist(), rows, values, strict=True):
            root = self._handle.worlds[world].root
            vary_friction(plant, graph, root, self._geometry, friction, own)


def _calm(values: Array) -> bool:
    """Whether all values are finite and none is huge."""
    return bool(np.all(np.abs(values) < _HUGE))


def _fits(values: Array) -> NDArray[np.bool_]:
    """Rows that are finite and not huge. Shape (k,)."""
    return (np.abs(values) < _HUGE).all(axis=1)
