"""Equalities of a scene as constraints of a plant whose solver has them."""

from collections.abc import Iterator

import mujoco
import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import MultibodyConstraintId, RigidBody

from unisim.backend.audit.places import place
from unisim.backend.base import BuildCfg
from unisim.backend.drake.plant import INNER, Tree, pose
from unisim.backend.drake.rest import TAMSI
from unisim.backend.guest.braking import single
from unisim.errors import UnsupportedFeature
from unisim.scene.scene import Sources

_EQ, _OFF = mujoco.mjtEq, int(mujoco.mjtDisableBit.mjDSBL_EQUALITY)
Ties = dict[int, MultibodyConstraintId]
"""Constraints by equality; what ties nothing that moves has none."""
_TWO = 2
_POLYNOMIAL = slice(2, 5)
"""Coefficients of a joint equality beyond the linear one."""


def tie(plant: MultibodyPlant, request: BuildCfg, tree: Tree) -> Ties:
    """Add all equalities of a model.

    Args:
        plant: A plant that is not finalized, its contact approximation chosen.
        request: What was asked for.
        tree: Bodies and joints.

    Raises:
        UnsupportedFeature: If there is no such constraint, naming every equality.
    """
    model = request.scene.model
    if int(model.opt.disableflags) & _OFF:
        return {}
    refusals = dict(_unfit(model, request.scene.sources, request.profile))
    if refusals:
        features = tuple(dict.fromkeys(refusals.values()))
        raise UnsupportedFeature("drake", tuple(refusals), features)
    tier = _Tier(plant, model, tree)
    found = {i: tier.add(i) for i in range(model.neq)}
    return {i: made for i, made in found.items() if made is not None}


def _unfit(
    model: mujoco.MjModel, sources: Sources, profile: str
) -> Iterator[tuple[str, str]]:
    """Equalities that the plant cannot have, and the feature of each."""
    for i in range(model.neq):
        kind = int(model.eq_type[i])
        word = _EQ(kind).name.removeprefix("mjEQ_").lower()
        name, feature = model.equality(i).name, f"equality.{word}"
        what = f"equality {name!r} ({place(sources, 'equality', name)})"
        if profile in TAMSI:
            yield f"{what}: TAMSI has no constraints; choose the profile sap", feature
        elif kind not in {_EQ.mjEQ_CONNECT, _EQ.mjEQ_WELD, _EQ.mjEQ_JOINT}:
            yield f"{what}: Drake has no such constraint", feature
        elif kind == _EQ.mjEQ_JOINT and single(model).sum() < _TWO:
            text = f"{what}: Drake couples two joints, and there is one"
            yield text, "equality.joint"
        elif kind == _EQ.mjEQ_JOINT and np.any(model.eq_data[i, _POLYNOMIAL]):
            text = f"{what}: Drake couples joints linearly alone"
            yield text, "equality.joint.polynomial"


class _Tier:
    """Adds one constraint after another."""

    def __init__(
        self, plant: MultibodyPlant, model: mujoco.MjModel, tree: Tree
    ) -> None:
        self._plant, self._model, self._tree = plant, model, tree
        self._ground: RigidBody | None = None

    def add(self, i: int) -> MultibodyConstraintId | None:
        model = self._model
        if model.eq_type[i] == _EQ.mjEQ_JOINT:
            return self._couple(i)
        bodies, poses = zip(*self._ends(i), strict=True)
        if not np.any(model.body_weldid[list(bodies)]):
            return None
        first, second = (self._side(body) for body in bodies)
        if model.eq_type[i] == _EQ.mjEQ_WELD:
            return self._plant.AddWeldConstraint(first, poses[0], second, poses[1])
        here, there = (item.translation() for item in poses)
        return self._plant.AddBallConstraint(first, here, second, there)

    def _couple(self, i: int) -> MultibodyConstraintId:
        model, joints = self._model, self._tree.joints
        first, second = int(model.eq_obj1id[i]), int(model.eq_obj2id[i])
        start = model.qpos0[model.jnt_qposadr]
        offset, ratio = start[first] + model.eq_data[i, 0], model.eq_data[i, 1]
        if second < 0:  # one joint is held: to any other one, with a ratio of 0
            alone = np.flatnonzero(single(model))
            other = joints[alone[alone != first][0]]
            return self._plant.AddCouplerConstraint(joints[first], other, 0.0, offset)
        offset -= ratio * start[second]
        return self._plant.AddCouplerConstraint(
            joints[first], joints[second], ratio, offset
        )

    def _ends(self, i: int) -> Iterator[tuple[int, RigidTransform]]:
        """Bodies, and the frames on them that are to coincide."""
        model, data = self._model, self._model.eq_data[i]
        ids = int(model.eq_obj1id[i]), int(model.eq_obj2id[i])
        if model.eq_objtype[i] == mujoco.mjtObj.mjOBJ_SITE:
            for site in ids:
                where = pose(model.site_pos[site], model.site_quat[site])
                yield int(model.site_bodyid[site]), where
        elif model.eq_type[i] == _EQ.mjEQ_WELD:
            yield ids[0], pose(data[3:6], data[6:10])
            yield ids[1], RigidTransform(data[:3])
        else:
            yield ids[0], RigidTransform(data[:3])
            yield ids[1], RigidTransform(data[3:6])

    def _side(self, body: int) -> RigidBody:
        """A body; for the world one that is welded to it, which Drake can tie."""
        if body:
            return self._tree.bodies[body]
        if self._ground is None:
            instance = self._plant.GetModelInstanceByName(INNER)
            self._ground = self._plant.AddRigidBody("ground", instance)
            world = self._plant.world_frame()
            self._plant.WeldFrames(world, self._ground.body_frame())
        return self._ground
