"""The command of a sim, and the physics steps that its control laws make of it."""

from collections.abc import Callable

from numpy.typing import ArrayLike

from unisim.backend.base import Array, Engine
from unisim.control import Chain, Law, State
from unisim.control.chain import law_on
from unisim.control.function import ControlFunction
from unisim.errors import BadArray
from unisim.intake import Intake, Selection
from unisim.record import Recorder


class Drive:
    """Takes commands, runs the control law before every physics step, counts steps.

    Attributes:
        command: The command held. Shape (n, nu).
        steps: Physics steps of each world since its last reset. Shape (n,), int64.
    """

    def __init__(
        self, engine: Engine, intake: Intake, chain: Chain, check: Callable[[], None]
    ) -> None:
        """Drive an engine by the laws of a task.

        Args:
            engine: The engine.
            intake: Checks what is passed.
            chain: The laws.
            check: Raises when the sim was closed meanwhile.
        """
        self._engine, self._intake = engine, intake
        self._chain, self._check = chain, check
        self._arrays = arrays = chain.batch.arrays
        self.steps = arrays.zeros((intake.all.count,), "int64")
        self.command, self._ctrl = intake.empty("ctrl"), intake.empty("ctrl")

    def step(
        self,
        ctrl: ArrayLike | None,
        count: int,
        control: Law | ControlFunction | None,
        recorder: Recorder,
    ) -> None:
        """Make physics steps, see `unisim.Sim.step`.

        Raises:
            BadArray: If `ctrl` has the wrong shape or dtype.
        """
        law = self._law(control)
        command = self._take(ctrl, law)
        if law is None and not recorder:
            self._engine.step(command, count)
            self._arrays.add(self.steps, count)
        else:
            self._substeps(law, command, count, recorder)
        if command is not None and command.shape == self.command.shape:
            self._arrays.put(self.command, command, None)

    def rest(self, to: Selection) -> None:
        """Hold the pose of worlds that were just reset, and forget what was."""
        arrays, engine = self._arrays, self._engine
        arrays.fill(self.steps, 0, to.index)
        command = arrays.pick(engine.read("ctrl"), to.index)
        self._chain.rest(command, arrays.pick(engine.read("qpos"), to.index))
        arrays.put(self.command, command, to.index)
        self._chain.reset(to.index)

    def _law(self, control: Law | ControlFunction | None) -> Law | None:
        if control is None:
            return self._chain if self._chain.given else None
        return law_on(control, self._chain.batch)

    def _take(self, ctrl: ArrayLike | None, law: Law | None) -> Array | None:
        """The command of a step, a copy for a law; None holds the controls."""
        size = self.command.shape[1] if law is None else law.command_size
        if ctrl is not None:
            command = self._intake.rows("ctrl", ctrl, (size,), self._intake.all)
            return command if law is None else self._arrays.pick(command, None)
        if law is None:
            return None
        if size != self.command.shape[1]:
            expected = f"the command of {size} columns that the law takes"
            raise BadArray("ctrl", expected, "None")
        return self.command

    def _substeps(
        self,
        law: Law | None,
        command: Array | None,
        count: int,
        recorder: Recorder,
    ) -> None:
        engine, ctrl = self._engine, command
        for _ in range(count):
            if law is not None and command is not None:
                state = State(*map(engine.read, ("qpos", "qvel", "time")))
                law.apply(command, state, self._ctrl)
                self._check()  # the law is the user's, and may close the sim
                ctrl = self._ctrl
            engine.step(ctrl, 1)
            self._arrays.add(self.steps, 1)
            recorder.take(engine)
