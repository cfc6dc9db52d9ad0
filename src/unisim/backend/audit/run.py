"""One audit: by value, then by behaviour."""

from collections.abc import Iterator, Mapping, Sequence

import mujoco
import numpy as np

from unisim.backend.arrays import host
from unisim.backend.audit.behaviour import observe
from unisim.backend.audit.fields import AUDITED
from unisim.backend.audit.model import from_model
from unisim.backend.audit.oracle import Oracle
from unisim.backend.audit.pairs import named_pairs
from unisim.backend.audit.probe import TOLERANCES, Probe
from unisim.backend.audit.profile import converged, not_consumed, reference_model
from unisim.backend.audit.report import AuditReport, Difference, Unaudited
from unisim.backend.audit.smooth import Smooth
from unisim.backend.audit.table import table
from unisim.backend.audit.value import compare, has_effect
from unisim.backend.base import Array, Backend, Converges, Engine, Readback
from unisim.backend.fields import STATE
from unisim.backend.layout import Layout
from unisim.backend.manifest import Profile
from unisim.errors import AuditFailed
from unisim.mjcf.pairs import allowed, searched
from unisim.scene.scene import Scene

WORLDS = 8
"""Worlds that are driven through the checks of the behaviour, at most."""
_LAW = (
    *("geom_solref", "geom_solimp", "geom_solmix", "pair_solref", "pair_solimp"),
    *("pair_solreffriction", "jnt_solref", "jnt_solimp", "dof_solref", "dof_solimp"),
    *("tendon_solref_lim", "tendon_solimp_lim", "tendon_solref_fri"),
    *("tendon_solimp_fri", "eq_solref", "eq_solimp"),
)
"""Fields of MuJoCo's law of constraints. Where a scene states one, the gate asks."""
_SEED = 0
_SHOWN = 8


def expected(scene: Scene) -> Readback:
    """What a faithful engine reads back."""
    return from_model(scene.model)


def audit(
    scene: Scene,
    layout: Layout,
    backend: Backend,
    engine: Engine,
    profile: Profile,
    accept: tuple[str, ...] = (),
) -> AuditReport:
    """Compare a built engine with the reference.

    Its worlds are driven through random states, and restored to theirs afterwards.

    Args:
        scene: The scene that was built.
        layout: Its layout.
        backend: The adapter, for its readback.
        engine: What it built, as built: nothing varied yet.
        profile: What the engine declares to honour and to replace.
        accept: Features whose approximation was agreed to.

    Raises:
        AuditFailed: If the engine holds or does anything else, with a table.
    """
    reference = reference_model(scene.model, profile)
    want, got = from_model(reference), backend.readback(engine.handle)
    left_out = _left_out(profile, got)
    found = compare(want, got, scene.sources, frozenset(left_out))
    left_out = _left_out(profile, got, _agreed(found, accept, got.loose))
    _raise(backend, [item for item in found if item.field not in left_out])
    if isinstance(engine, Converges) or profile.compliance == "own":
        reference = converged(reference)
    oracle = Oracle(reference, _key(scene, layout))
    qpos = host(engine.read("qpos"))
    probe = Probe(
        engine=engine,
        oracle=oracle,
        names=want.names,
        sources=scene.sources,
        worlds=np.arange(min(len(qpos), WORLDS), dtype=np.int32),
        tolerance=TOLERANCES[qpos.dtype.name],
        kinematic=profile.kinematic,
        square=profile.square,
        smooth=Smooth(oracle) if profile.compliance == "own" else None,
        agreed=tuple(accept),
        certain=got.loose is not None,
        loose=_loose(reference, accept),
    )
    _observe(probe, snapshots=backend.manifest.abilities.snapshot != "none")
    _raise(backend, probe.found)
    return AuditReport(
        backend=backend.name,
        profile=f"{profile.integrator}; {profile.contact}",
        accepted=tuple(accept),
        fields=len(AUDITED) - len(left_out),
        compared=sum(
            has_effect(values)
            for name, values in want.values.items()
            if name not in left_out
        ),
        residuals={name: value for name, (value, _) in probe.residuals.items()},
        tolerances={name: passes for name, (_, passes) in probe.residuals.items()},
        unaudited=(
            *_by_value(left_out),
            *probe.unaudited,
        ),
    )


def _observe(probe: Probe, *, snapshots: bool) -> None:
    """Drive the engine, its solver converged, and bring its worlds back."""
    engine = probe.engine
    if isinstance(engine, Converges):
        engine.converge(whatever=True)
    before, state = engine.snapshot() if snapshots else None, _state(engine)
    try:
        observe(probe, _SEED)
    finally:
        if isinstance(engine, Converges):
            engine.converge(whatever=False)
        if before is None:
            _write_back(engine, state)
        else:
            engine.restore(before)
    _check_restored(probe, state)


def _state(engine: Engine) -> dict[str, Array]:
    """The state of all worlds, copied. Shapes (n, ...)."""
    return {name: np.array(host(engine.read(name))) for name in STATE}


def _write_back(engine: Engine, state: Mapping[str, Array]) -> None:
    """What an engine without snapshots had, as far as it can be written."""
    engine.reset(None, -1)
    for name, values in state.items():
        if values.size:
            engine.write(name, values, None)


def _check_restored(probe: Probe, before: Mapping[str, Array]) -> None:
    """Every part of the state is back, in every world."""
    for name, now in _state(probe.engine).items():
        off = (now != before[name]).reshape(len(now), -1).astype(float)
        if probe.judge("restore", off, 0.0):
            worlds = np.flatnonzero(off.any(axis=1)).tolist()
            got = f"worlds {worlds[:_SHOWN]} differ"
            text = ("as before the audit", got, "it is not saved or not brought back")
            probe.report("model", "model", f"restore ({name})", text)


def _key(scene: Scene, layout: Layout) -> int:
    return -1 if scene.keyframe is None else layout.index("key", scene.keyframe)


def _agreed(
    found: list[Difference], accept: tuple[str, ...], loose: frozenset[str] | None
) -> list[str]:
    """Fields that differ, and that was agreed to: of those that may."""
    differing = {item.field for item in found}
    return [
        name
        for name, field in AUDITED.items()
        if name in differing and (loose is None or name in loose)
        if field.accepted(accept)
    ]


def _left_out(
    profile: Profile, got: Readback, agreed: Sequence[str] = ()
) -> Mapping[str, str]:
    """Fields that are not compared, and why."""
    found = dict.fromkeys(
        not_consumed(profile), "the profile does not take it from the scene"
    )
    found |= dict.fromkeys(agreed, "its approximation was agreed to")
    for name, field in AUDITED.items():
        if field.derived and agreed:
            found[name] = "it follows from what was agreed to"
        elif field.derived and name not in got.values:
            found[name] = "the engine has no such constant"
    if profile.compliance == "own":
        for name in _LAW:
            if name in AUDITED and name not in got.values:
                found[name] = "the engine has a law of its own"
    return found


def _loose(
    model: mujoco.MjModel, accept: tuple[str, ...]
) -> frozenset[tuple[str, str]]:
    """Pairs of geoms whose contact was agreed to be approximate."""
    kinds = [mujoco.mjtGeom(kind).name for kind in model.geom_type]
    types = [f"geom.type.{kind.removeprefix('mjGEOM_').lower()}" for kind in kinds]
    agreed = np.isin(types, accept)
    found = allowed(model) & (agreed[:, None] | agreed)
    if "contact.convex" in accept:
        found |= searched(model)
    return named_pairs(model, found)


def _by_value(left_out: Mapping[str, str]) -> Iterator[Unaudited]:
    """What was not compared by value: derived constants together, others alone."""
    derived: dict[str, list[str]] = {}
    for name, reason in sorted(left_out.items()):
        if AUDITED[name].derived:
            derived.setdefault(reason, []).append(name)
        else:
            yield Unaudited("value", (name,), reason)
    for reason, names in derived.items():
        yield Unaudited("derived constants", tuple(names), reason)


def _raise(backend: Backend, found: list[Difference]) -> None:
    if found:
        raise AuditFailed(backend.name, found, table(found))
