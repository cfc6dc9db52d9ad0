"""The laws of a task, one after the other."""

from collections.abc import Sequence

import numpy as np

from unisim.backend.base import Array, Worlds
from unisim.backend.layout import Layout
from unisim.config import DCMotorCfg, DelayCfg, KeyframesCfg, LawCfg, PDCfg
from unisim.control.delay import Delay
from unisim.control.keyframes import bind_keyframes
from unisim.control.law import Batch, Law, Memory, Passthrough, State
from unisim.control.pd import PD, bind_pd
from unisim.errors import BadControl
from unisim.scene.scene import Scene


class Chain:
    """A law made of laws: the output of each is the command of the next."""

    def __init__(self, laws: Sequence[Law], batch: Batch) -> None:
        """Take at least one law; all of them take commands of nu columns."""
        self.laws = tuple(laws)
        self.command_size = laws[0].command_size
        self.memory: Memory = tuple(part for law in laws for part in law.memory)
        self._between = [(law, batch.empty(batch.nu)) for law in laws[:-1]]

    def apply(self, command: Array, state: State, out: Array, /) -> None:
        """Run all laws in turn."""
        for law, buffer in self._between:
            law.apply(command, state, buffer)
            command = buffer
        self.laws[-1].apply(command, state, out)

    def reset(self, worlds: Worlds | None, /) -> None:
        """Forget what was remembered of some worlds (None: all)."""
        for law in self.laws:
            law.reset(worlds)

    def rest(self, command: Array, qpos: Array, /) -> None:
        """Turn controls into the command that holds a pose, from the last law on."""
        for law in reversed(self.laws):
            law.rest(command, qpos)

    def snapshot(self) -> Memory:
        """A copy of all that the laws remember."""
        return tuple(part.copy() for part in self.memory)

    def restore(self, memory: Memory) -> None:
        """Go back to a snapshot of this chain."""
        for part, saved in zip(self.memory, memory, strict=True):
            np.copyto(part, saved)


def bind(
    cfgs: Sequence[LawCfg], scene: Scene, layout: Layout, worlds: int, dtype: str
) -> Chain:
    """Make the laws of a config ready to run in a number of worlds.

    Args:
        cfgs: The laws in the order they are applied; none passes the command on.
        scene: The scene they control.
        layout: Its layout.
        worlds: Number of worlds n.
        dtype: `float64` or `float32`; of commands, state and controls.

    Raises:
        BadControl: If a law cannot drive the actuators it was given.
        UnknownName: If a law names a key that the scene does not have.
    """
    batch = Batch(worlds, layout.sizes["nu"], dtype)
    laws: list[Law] = []
    driving: list[PD] = []
    for cfg in reversed(cfgs):
        match cfg:
            case PDCfg() | DCMotorCfg():
                law = bind_pd(cfg, scene, layout, batch)
                _refuse_second(cfg.kind, law, driving, scene)
                driving.append(law)
            case DelayCfg():
                law = Delay(cfg.steps, batch) if cfg.steps else Passthrough(batch.nu)
            case KeyframesCfg():
                later = [item.motors for item in driving]
                law = bind_keyframes(cfg, later, scene, layout, batch)
        laws.insert(0, law)
    return Chain(laws or [Passthrough(batch.nu)], batch)


def _refuse_second(kind: str, law: PD, later: Sequence[PD], scene: Scene) -> None:
    """Refuse to drive what a later law drives: it would take torques for targets."""
    taken = {name for item in later for name in item.motors.names}
    twice = [name for name in law.motors.names if name in taken]
    if twice:
        raise BadControl(
            kind,
            [
                f"{scene.sources.line('actuator', name)} is driven by a later law too: "
                "leave it out of the kp of one of them."
                for name in twice
            ],
        )
