"""One audit: by value, then by behaviour."""

import numpy as np

from unisim.backend.arrays import host
from unisim.backend.audit.behaviour import observe
from unisim.backend.audit.fields import AUDITED
from unisim.backend.audit.model import from_model
from unisim.backend.audit.oracle import Oracle
from unisim.backend.audit.probe import TOLERANCES, Probe
from unisim.backend.audit.profile import not_consumed, reference_model
from unisim.backend.audit.report import AuditReport, Difference, Unaudited
from unisim.backend.audit.table import table
from unisim.backend.audit.value import compare
from unisim.backend.base import Backend, Engine, Readback
from unisim.backend.layout import Layout
from unisim.backend.manifest import Profile
from unisim.errors import AuditFailed
from unisim.scene.scene import Scene

WORLDS = 8
"""Worlds that are driven through the checks of the behaviour, at most."""
_SEED = 0


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

    The first worlds are driven through random states and restored afterwards.

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
    skip = not_consumed(profile) | {
        name for name, field in AUDITED.items() if field.accepted(accept)
    }
    found = compare(want, got, scene.sources, skip)
    _raise(backend, found)
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
    )
    snapshot = engine.snapshot()
    try:
        observe(probe, _SEED)
    finally:
        engine.restore(snapshot)
    _raise(backend, probe.found)
    return AuditReport(
        backend=backend.name,
        profile=f"{profile.integrator}; {profile.contact}",
        accepted=tuple(accept),
        fields=len(AUDITED) - len(skip),
        residuals={name: value for name, (value, _) in probe.residuals.items()},
        tolerances={name: passes for name, (_, passes) in probe.residuals.items()},
        unaudited=(
            *(Unaudited("value", (name,), _why(name, accept)) for name in sorted(skip)),
            *probe.unaudited,
        ),
    )


def _key(scene: Scene, layout: Layout) -> int:
    return -1 if scene.keyframe is None else layout.index("key", scene.keyframe)


def _why(name: str, accept: tuple[str, ...]) -> str:
    if AUDITED[name].accepted(accept):
        return "its approximation was agreed to"
    return "the profile does not take it from the scene"


def _raise(backend: Backend, found: list[Difference]) -> None:
    if found:
        raise AuditFailed(backend.name, found, table(found))
