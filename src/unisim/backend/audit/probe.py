"""What the checks of the behaviour share: the engine's worlds, names and tolerances."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from unisim.backend.arrays import host
from unisim.backend.audit.names import owner
from unisim.backend.audit.oracle import Array, Oracle, Sample, States
from unisim.backend.audit.places import place
from unisim.backend.audit.report import Difference, Unaudited
from unisim.backend.audit.smooth import Smooth
from unisim.backend.base import Engine
from unisim.scene.scene import Sources


@dataclass(frozen=True)
class Tolerances:
    """Largest residuals that pass: fixed per precision, never per engine.

    Attributes:
        state: Of a state read back, relative to its size, at least 1.
        pose: Of positions over the model's extent, and of quaternions.
        velocity: Of body velocities, relative to the fastest.
        force: Of joint forces, relative to each dof's largest force.
        rows: The same where dry friction or an equality acts.
        contact: Of contact and limit forces, relative to the largest.
        floor: Least force that a dof's are held against, relative to the largest of
            all dofs: what rounding leaves where no force acts is no deviation.
        rounding: Of a velocity, relative to its size: over a step, it is a force.
        gap: Of the distance between geoms that touch by a law of the engine's [m].
        height: Of bodies at rest under such a law [m].
        share: Of the sliding or dry friction that a file states, the least that such a
            law must show.
        gained: Of the velocities that a step ends with, relative to the most that one
            of the tree gains: in single precision more is lost on long chains.
        bears: Of the force of a joint's own, its weight for one, the least that its
            stop must bear a little beyond its end: else it might be elsewhere.
        tied: Of what an equality would open by without it, the most that it may.
    """

    state: float
    pose: float
    velocity: float
    force: float
    rows: float
    contact: float
    floor: float
    rounding: float
    gap: float = 1e-3
    height: float = 2e-3
    share: float = 0.65
    gained: float = 5e-3
    bears: float = 0.2
    tied: float = 0.7


TOLERANCES: Mapping[str, Tolerances] = {
    "float64": Tolerances(1e-9, 1e-6, 1e-6, 1e-3, 1e-2, 2e-2, 1e-6, 2e-15),
    "float32": Tolerances(1e-5, 2e-5, 1e-4, 2e-3, 1e-2, 2e-2, 1e-4, 1e-6),
}


@dataclass(frozen=True)
class Probe:
    """One audit under way.

    Attributes:
        engine: The engine under audit.
        oracle: The reference.
        names: Names by kind, as the audit's names.
        sources: Where things are written.
        worlds: Worlds that are used, k of them.
        tolerance: What passes.
        kinematic: Whether the engine moves nothing by forces.
        square: Whether friction is bounded along each of two axes by itself.
        smooth: The reference without constraints, where contacts, limits, dry friction
            and equalities yield by a law of the engine's; None where it is MuJoCo's.
        agreed: Features whose approximation was agreed to.
        certain: Whether the engine tells which values it holds whatever was agreed to.
        loose: Pairs of geoms whose contacts the engine is agreed to approximate.
        found: Differences so far.
        unaudited: What could not be compared so far.
        residuals: Largest residual by check, and what passes.
    """

    engine: Engine
    oracle: Oracle
    names: Mapping[str, tuple[str, ...]]
    sources: Sources
    worlds: NDArray[np.int32]
    tolerance: Tolerances
    kinematic: bool = False
    square: bool = False
    smooth: Smooth | None = None
    agreed: tuple[str, ...] = ()
    certain: bool = False
    loose: frozenset[tuple[str, str]] = frozenset()
    found: list[Difference] = field(default_factory=list[Difference])
    unaudited: list[Unaudited] = field(default_factory=list[Unaudited])
    residuals: dict[str, tuple[float, float]] = field(
        default_factory=dict[str, tuple[float, float]]
    )

    def write(self, states: States) -> None:
        """Reset the worlds and put them into states."""
        self.engine.reset(self.worlds, self.oracle.key)
        dtype = host(self.engine.read("qpos")).dtype
        for name in ("qpos", "qvel", "act", "ctrl"):
            values = getattr(states, name)
            if values.size:
                self.engine.write(name, values.astype(dtype), self.worlds)
        if np.any(states.applied):
            applied = states.applied.astype(dtype)
            self.engine.write("qfrc_applied", applied, self.worlds)

    def step(self, states: States) -> Sample:
        """Advance the written states by one physics step on both sides.

        The other worlds' controls are held.
        """
        self.read("qacc")  # a forward pass, as the reference's
        ctrl = np.array(host(self.engine.read("ctrl")))
        ctrl[self.worlds] = states.ctrl
        self.engine.step(ctrl, 1)
        want, qvel = self.oracle.step(states), self.read("qvel")
        change = (qvel - want.qvel) / self.oracle.model.opt.timestep
        return Sample(states, want, qvel, self.oracle.force(states, change))

    def read(self, name: str) -> Array:
        """A quantity of the audited worlds, copied. Shape (k, ...), float64."""
        values = host(self.engine.read(name))[self.worlds]
        return np.array(values, dtype=np.float64)

    def held(self) -> States:
        """The states that the audited worlds are in."""
        return States(
            qpos=self.read("qpos"),
            qvel=self.read("qvel"),
            act=self.read("act"),
            ctrl=self.read("ctrl"),
            applied=self.read("qfrc_applied"),
        )

    def judge(self, check: str, residual: Array, passes: float) -> list[int]:
        """Note a check's residuals; return the columns that fail, worst first.

        Args:
            check: Name of the check.
            residual: Shape (k, columns).
            passes: Largest that passes.
        """
        worst = np.where(np.isfinite(residual), residual, np.inf).max(
            axis=0, initial=0.0
        )
        before = self.residuals.get(check, (0.0, 0.0))[0]
        self.residuals[check] = (max(before, worst.max(initial=0.0)), passes)
        order = np.argsort(-worst, kind="stable")
        return [int(i) for i in order if worst[i] > passes]

    def report(
        self, kind: str, name: str, check: str, text: tuple[str, str, str]
    ) -> None:
        """Note a difference once per object and check.

        Args:
            kind: Kind of the object.
            name: Its name; parts of an object are named by the object.
            check: Name of the check.
            text: What was expected, what was found, and what usually causes it.
        """
        kind, name = owner(kind, name)
        if any((d.kind, d.name, d.field) == (kind, name, check) for d in self.found):
            return
        at = place(self.sources, kind, name)
        self.found.append(
            Difference(kind, name, check, text[0], text[1], "", at, text[2])
        )

    def skip(self, what: str, reason: str, names: tuple[str, ...] = ()) -> None:
        """Note what could not be compared."""
        self.unaudited.append(Unaudited(what, names, reason))
