"""What a solver profile declares, put into the reference."""

import copy
from collections.abc import Mapping

import mujoco

from unisim.backend.audit.fields import AUDITED
from unisim.backend.manifest import Profile

_INT, _CONE, _SOL = mujoco.mjtIntegrator, mujoco.mjtCone, mujoco.mjtSolver
_WORDS: Mapping[str, Mapping[str, int]] = {
    "integrator": {
        "Euler": int(_INT.mjINT_EULER),
        "RK4": int(_INT.mjINT_RK4),
        "implicit": int(_INT.mjINT_IMPLICIT),
        "implicitfast": int(_INT.mjINT_IMPLICITFAST),
    },
    "cone": {
        "pyramidal": int(_CONE.mjCONE_PYRAMIDAL),
        "elliptic": int(_CONE.mjCONE_ELLIPTIC),
    },
    "solver": {
        "PGS": int(_SOL.mjSOL_PGS),
        "CG": int(_SOL.mjSOL_CG),
        "Newton": int(_SOL.mjSOL_NEWTON),
    },
}
ITERATIONS, SEARCHES = 100, 50
"""Iterations of a solver and of its line search that let it converge: MuJoCo's own."""
_FLAGS = {"opt_disableflags": "flag", "opt_enableflags": "flag"}


def reference_model(model: mujoco.MjModel, profile: Profile) -> mujoco.MjModel:
    """The scene's model with the options that a profile declares.

    What a profile replaces by something that MuJoCo has a word for is set, in a copy,
    and so is the first of the choices that it follows where the scene's is none of
    them; anything else stays as the scene states it.
    """
    instead = {
        field: _WORDS[field][word]
        for field, word in profile.replaces.items()
        if word in _WORDS.get(field, {})
    }
    for field, words in profile.follows.items():
        known = _WORDS.get(field, {})
        choices = [known[word] for word in words if word in known]
        if choices and int(getattr(model.opt, field)) not in choices:
            instead[field] = choices[0]
    if not instead:
        return model
    reference = copy.copy(model)
    for field, value in instead.items():
        setattr(reference.opt, field, value)
    return reference


def converged(model: mujoco.MjModel) -> mujoco.MjModel:
    """A copy whose solver iterates until it converges, whatever the scene allows it."""
    model = copy.copy(model)
    model.opt.iterations = max(model.opt.iterations, ITERATIONS)
    model.opt.ls_iterations = max(model.opt.ls_iterations, SEARCHES)
    return model


def not_consumed(profile: Profile) -> frozenset[str]:
    """Audited option fields that the engine does not take from the scene."""
    return frozenset(
        name
        for name, field in AUDITED.items()
        if field.kind == "option" and not _held(name, profile)
    )


def _held(name: str, profile: Profile) -> bool:
    word = _FLAGS.get(name, name.removeprefix("opt_"))
    replaced = profile.replaces.get(word)
    if replaced is not None:
        return replaced in _WORDS.get(word, {})
    return "*" in profile.consumes or word in profile.consumes
