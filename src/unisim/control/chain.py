"""The laws of a task, one after the other."""

from collections.abc import Sequence

from unisim.backend.arrays import HOST, Arrays
from unisim.backend.base import Array, Worlds
from unisim.backend.layout import Layout
from unisim.config import DCMotorCfg, DelayCfg, KeyframesCfg, LawCfg, PDCfg
from unisim.control.delay import Delay
from unisim.control.function import ControlFunction, FunctionLaw, law_of
from unisim.control.keyframes import Keyframes, visited
from unisim.control.kinds import Kinds
from unisim.control.law import Batch, Law, Memory, Passthrough, State
from unisim.control.motors import Motors
from unisim.control.pd import PD, DCMotor, driven
from unisim.errors import BadControl
from unisim.scene.scene import Scene


class Chain:
    """A law made of laws: the output of each is the command of the next."""

    def __init__(self, laws: Sequence[Law], batch: Batch, through: Law) -> None:
        """Take laws of nu columns, and what stands for them where there are none."""
        self.given = bool(laws)
        self.laws = tuple(laws) or (through,)
        self.command_size = self.laws[0].command_size
        self.memory: Memory = tuple(part for law in self.laws for part in law.memory)
        self.batch = batch
        self._between = [(law, batch.empty(batch.nu)) for law in self.laws[:-1]]

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
        arrays = self.batch.arrays
        return tuple(arrays.pick(part, None) for part in self.memory)

    def restore(self, memory: Memory) -> None:
        """Go back to a snapshot of this chain."""
        for part, saved in zip(self.memory, memory, strict=True):
            self.batch.arrays.put(part, saved, None)


def bind(cfgs: Sequence[LawCfg], scene: Scene, layout: Layout, batch: Batch) -> Chain:
    """Make the laws of a config ready to run in a number of worlds.

    Args:
        cfgs: The laws in the order they are applied; none passes the command on.
        scene: The scene they control.
        layout: Its layout.
        batch: Sizes and kind of the arrays: commands, state and controls.

    Raises:
        BadControl: If a law cannot drive the actuators it was given.
        UnknownName: If a law names a key that the scene does not have.
    """
    kinds = kinds_of(batch.arrays)
    through = kinds.passthrough(batch)
    laws: list[Law] = []
    driving: list[Motors] = []
    for cfg in reversed(cfgs):
        match cfg:
            case PDCfg() | DCMotorCfg():
                motors, gains = driven(cfg, scene, layout)
                _refuse_second(cfg.kind, motors, driving, scene)
                driving.append(motors)
                of = kinds.pd if isinstance(cfg, PDCfg) else kinds.motor
                law = of(motors, gains, batch)
            case DelayCfg():
                steps = cfg.steps
                law = kinds.delay(steps, batch) if steps else through
            case KeyframesCfg():
                table, rate = visited(cfg, driving, scene, layout)
                law = kinds.keyframes(table, rate, batch)
        laws.insert(0, law)
    return Chain(laws, batch, through)


def law_on(control: Law | ControlFunction, batch: Batch) -> Law:
    """A law as it is, and an array function as a law whose command has nu columns.

    Raises:
        BadControl: If it is neither.
    """
    if batch.arrays is HOST or isinstance(control, Law) or not callable(control):
        return law_of(control, batch.nu)
    return kinds_of(batch.arrays).function(control, batch.nu, batch)


def kinds_of(arrays: Arrays) -> Kinds:
    """The laws that work on a kind of arrays."""
    if arrays is HOST:
        return _HOST
    from unisim.control.device import KINDS  # noqa: PLC0415 - it needs Warp

    return KINDS


_HOST = Kinds(
    passthrough=lambda batch: Passthrough(batch.nu),
    pd=PD,
    motor=DCMotor,
    delay=Delay,
    keyframes=Keyframes,
    function=lambda function, size, _batch: FunctionLaw(function, size),
)


def _refuse_second(
    kind: str, motors: Motors, later: Sequence[Motors], scene: Scene
) -> None:
    """Refuse to drive what a later law drives: it would take torques for targets."""
    taken = {name for item in later for name in item.names}
    twice = [name for name in motors.names if name in taken]
    if twice:
        raise BadControl(
            kind,
            [
                f"{scene.sources.line('actuator', name)} is driven by a later law too: "
                "leave it out of the kp of one of them."
                for name in twice
            ],
        )
