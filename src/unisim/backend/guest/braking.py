"""What MuJoCo's integrators take at the end of a step: forces that brake.

A rotor with an inertia of h·d beside an explicit force -d·v is that force at the end of
a step of h; so a guest whose own steps are explicit can do as MuJoCo's Euler and
implicitfast do. MuJoCo leaves a servo out while its force is at its limit.
"""

from collections.abc import Iterator

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.backend.guest.geared import Geared, on_one_axis
from unisim.errors import BadArray, UnsupportedFeature

_OFF, _JNT = mujoco.mjtDisableBit, mujoco.mjtJoint
_BIAS, _GAIN = mujoco.mjtBias, mujoco.mjtGain
_LEAST, _MOST = 1e-4, 0.9999
"""MuJoCo's bounds of an impedance."""
_GROUPS = 30
"""The last group that options switch off."""
SERVED = (
    *("actuator_gear", "actuator_gainprm", "actuator_biasprm"),
    *("actuator_ctrlrange", "actuator_forcerange"),
)
"""Fields of servos that may differ between worlds."""
_NEWER = 4
"""Major version of MuJoCo since which a joint's limit of force lets servos go."""
FAST = int(mujoco.mjtIntegrator.mjINT_IMPLICITFAST)


def single(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Joints with one axis. Shape (njnt,)."""
    return np.isin(model.jnt_type, (int(_JNT.mjJNT_HINGE), int(_JNT.mjJNT_SLIDE)))


def damped(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Dofs whose damper is linear and taken at the end of a step. Shape (nv,)."""
    bent = np.any(model.dof_dampingpoly, axis=1)
    fast = model.opt.integrator == FAST
    late = fast or on(model, _OFF.mjDSBL_EULERDAMP)
    return ~bent & (late and on(model, _OFF.mjDSBL_DAMPER))


def servo(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Actuators on one joint of one axis, of a fixed gain, that may brake."""
    acting = on(model, _OFF.mjDSBL_ACTUATION) & ~_switched_off(model)
    affine = np.asarray(model.actuator_biastype) == _BIAS.mjBIAS_AFFINE
    affine &= np.asarray(model.actuator_gaintype) == _GAIN.mjGAIN_FIXED
    return np.asarray(acting & affine & on_one_axis(model))


def _switched_off(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Actuators whose group the options switch off. Shape (nactuator,)."""
    groups = np.asarray(model.actuator_group)
    bits = (int(model.opt.disableactuator) >> np.clip(groups, 0, _GROUPS)) & 1
    return (bits == 1) & (groups >= 0) & (groups <= _GROUPS)


def dry(model: mujoco.MjModel) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Dry friction, and how fast it comes on.

    MuJoCo's friction gives way like a damper below its limit; the same damper stands
    in for it here.

    Returns:
        Largest friction [N m or N] and that damper [N m s/rad or N s/m]. Shape (nv,).
    """
    off = int(model.opt.disableflags) & int(_OFF.mjDSBL_FRICTIONLOSS)
    loss = np.asarray(model.dof_frictionloss) * (0.0 if off else 1.0)
    impedance = np.clip(model.dof_solimp[:, :2], _LEAST, _MOST)
    time, ratio = model.dof_solref[:, 0], model.dof_solref[:, 1]
    safe = not int(model.opt.disableflags) & int(_OFF.mjDSBL_REFSAFE)
    longer = np.maximum(time, 2 * model.opt.timestep) if safe else time
    with np.errstate(divide="ignore", invalid="ignore"):
        brake = np.where(
            time > 0, 2 / (impedance[:, 1] * longer), -ratio / impedance[:, 1]
        )
        soft = (1 - impedance[:, 0]) / impedance[:, 0] * model.dof_invweight0
        return loss, np.where(soft > 0, brake / soft, 0.0)


def on(model: mujoco.MjModel, flag: mujoco.mjtDisableBit) -> bool:
    """Whether a flag does not switch something off."""
    return not int(model.opt.disableflags) & int(flag)


class Servos:
    """What brakes at the end of a step beside dampers of joints, in each world.

    Attributes:
        dofs: Those that it may brake, or give inertia. Shape (k,).
    """

    def __init__(self, model: mujoco.MjModel, backend: str, worlds: int) -> None:
        """Find what there is; servos are none where the integrator takes none so.

        Args:
            model: The reference model.
            backend: Who is asked to do without what there is no rotor for.
            worlds: Number of worlds n.

        Raises:
            UnsupportedFeature: If an actuator has inertia, or implicitfast takes
                something implicitly, that no rotor can stand for, naming it.
        """
        self._fast = model.opt.integrator == FAST
        if self._fast and (refusals := list(_unfit(model))):
            raise UnsupportedFeature(
                backend, refusals, ("option.integrator.implicitfast",)
            )
        self._model = model
        self._geared = Geared(model, damped(model), backend)
        self._which = which = np.flatnonzero(self._fast & servo(model))
        joints = model.actuator_trnid[which, 0]
        self._dofs = np.asarray(model.jnt_dofadr)[joints]
        self.dofs = np.union1d(self._dofs, self._geared.dofs)
        self._at = np.asarray(model.jnt_qposadr)[joints]
        self._ctrl = np.asarray(model.actuator_ctrladr)[which]
        self._out = np.asarray(model.actuator_outadr)[which]
        self._limited = np.asarray(model.actuator_forcelimited)[which].astype(bool)
        held = np.asarray(model.actuator_ctrllimited)[self._ctrl].astype(bool)
        self._held = held & on(model, _OFF.mjDSBL_CLAMPCTRL)
        self._shared = _borne(model)[joints]
        self._borne = np.asarray(model.jnt_actfrcrange)[joints]
        self._onto = np.zeros((len(which), model.nv))
        self._onto[np.arange(len(which)), self._dofs] = 1.0
        self._fields: dict[str, Array] = {
            name: np.repeat(np.asarray(getattr(model, name))[None], worlds, axis=0)
            for name in SERVED
        }

    @property
    def any(self) -> bool:
        """Whether the braking of some may come and go with their limits."""
        limited = self._which[self._limited | self._shared]
        return bool(self._fields["actuator_biasprm"][:, limited, 2].any())

    def set(self, name: str, values: Array, which: NDArray[np.integer]) -> None:
        """Set a field of `SERVED` of some worlds.

        Raises:
            BadArray: If something would brake that no rotor can stand for.
        """
        if self._fast and name == "actuator_biasprm":
            affine = np.asarray(self._model.actuator_biastype) == _BIAS.mjBIAS_AFFINE
            fit = servo(self._model) & ~(_bounded(self._model) & _moving(self._model))
            if np.any(values[:, affine & ~fit, 2]):
                raise BadArray(
                    *(name, "no damping where implicitfast couples or limits it"),
                    "an actuator that brakes otherwise than on one joint alone",
                )
        self._fields[name][which] = values

    def damping(self, which: NDArray[np.integer]) -> Array:
        """Damping that all of them have together. Shape (k, nv)."""
        gear = self._fields["actuator_gear"][which]
        return self.served(which) + self._geared.damping(gear)

    def served(self, which: NDArray[np.integer]) -> Array:
        """That of servos alone, of which some may be left out. Shape (k, nv)."""
        return self._rates(which) @ self._onto

    def armature(self, which: NDArray[np.integer]) -> Array:
        """Inertia that actuators add to dofs [kg m^2, kg]. Shape (k, nv)."""
        return self._geared.armature(self._fields["actuator_gear"][which])

    def released(
        self, ctrl: Array, qpos: Array, qvel: Array, which: NDArray[np.integer]
    ) -> Array:
        """Damping that is left out, since a force is at its limit. Shape (k, nv)."""
        own = {name: values[which] for name, values in self._fields.items()}
        inside = own["actuator_ctrlrange"][:, self._ctrl]
        given = ctrl[:, self._ctrl]
        clipped = np.clip(given, inside[..., 0], inside[..., 1])
        given = np.where(self._held, clipped, given)
        gear = own["actuator_gear"][:, self._out, 0]
        bias = own["actuator_biasprm"][:, self._which]
        force = own["actuator_gainprm"][:, self._which, 0] * given + bias[..., 0]
        force += bias[..., 1] * gear * qpos[:, self._at]
        force += bias[..., 2] * gear * qvel[:, self._dofs]
        ends = own["actuator_forcerange"][:, self._which]
        full = self._limited & ((force <= ends[..., 0]) | (force >= ends[..., 1]))
        if self._shared.any():  # MuJoCo 4 looks at what a joint may bear, too
            clipped = np.clip(force, ends[..., 0], ends[..., 1])
            force = np.where(self._limited, clipped, force)
            borne = ((force * gear) @ self._onto)[:, self._dofs]
            least, most = self._borne.T
            full |= self._shared & ((borne <= least) | (borne >= most))
        return np.where(full, self._rates(which), 0.0) @ self._onto

    def _rates(self, which: NDArray[np.integer]) -> Array:
        """Damping of each. Shape (k, servos)."""
        gear = self._fields["actuator_gear"][which][:, self._out, 0]
        return -self._fields["actuator_biasprm"][which][:, self._which, 2] * gear * gear


def _unfit(model: mujoco.MjModel) -> Iterator[str]:
    """What implicitfast takes implicitly, and no rotor can stand for."""
    rotors, off = servo(model), _switched_off(model)
    hidden = _bounded(model) & _moving(model)
    for i in np.flatnonzero(~off).tolist():
        name = f"actuator {model.actuator(i).name!r}"
        if not brakes(model, i):
            continue
        if not rotors[i]:
            yield f"{name}: it brakes, and not one joint alone with a fixed gain"
        elif hidden[i]:
            yield f"{name}: it brakes, up to a limit, behind dynamics of its own"
        elif _joined(model, i):
            yield f"{name}: it brakes, and its joint's limit holds for others too"
    for i in np.flatnonzero(~on_one_axis(model)).tolist():
        if model.actuator_damping[i] or np.any(model.actuator_dampingpoly[i]):
            yield f"actuator {model.actuator(i).name!r}: its damping couples joints"
    yield from _coupling(model)


def _coupling(model: mujoco.MjModel) -> Iterator[str]:
    """What brakes several joints at once."""
    if model.opt.density or model.opt.viscosity:
        yield "option density or viscosity: the drag of a fluid couples joints"
    for i in range(model.ntendon):
        if model.tendon_damping[i] or np.any(model.tendon_dampingpoly[i]):
            yield f"tendon {model.tendon(i).name!r}: its damping couples joints"


def _borne(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Joints at whose limit of force servos stop braking: MuJoCo 4's. Shape (njnt,)."""
    newer = int(mujoco.__version__.split(".")[0]) >= _NEWER
    return np.asarray(model.jnt_actfrclimited).astype(bool) & newer


def _joined(model: mujoco.MjModel, i: int) -> bool:
    """Whether a servo's joint has such a limit, and other forces beside servos."""
    joint = int(model.actuator_trnid[i, 0])
    if not _borne(model)[joint]:
        return False
    there = on_one_axis(model)
    there &= np.asarray(model.actuator_trnid)[:, 0] == joint
    return bool(np.any(there & ~servo(model)) or model.jnt_actgravcomp[joint])


def _bounded(model: mujoco.MjModel) -> NDArray[np.bool_]:
    return np.asarray(model.actuator_forcelimited).astype(bool)


def _moving(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Actuators whose force does not follow from state and controls alone."""
    still = np.asarray(model.actuator_dyntype) == mujoco.mjtDyn.mjDYN_NONE
    return ~still | (np.asarray(model.actuator_delay) > 0)


def brakes(model: mujoco.MjModel, i: int) -> bool:
    """Whether an actuator's force depends on the velocity."""
    gain, bias = int(model.actuator_gaintype[i]), int(model.actuator_biastype[i])
    plain = {int(mujoco.mjtGain.mjGAIN_FIXED)}
    if gain == mujoco.mjtGain.mjGAIN_AFFINE and model.actuator_gainprm[i, 2] == 0:
        plain.add(gain)
    if gain not in plain:
        return True
    if bias == mujoco.mjtBias.mjBIAS_AFFINE:
        return bool(model.actuator_biasprm[i, 2])
    return bias != mujoco.mjtBias.mjBIAS_NONE
