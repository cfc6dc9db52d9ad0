"""A user's array function as a control law."""

from collections.abc import Callable

import numpy as np

from unisim.backend.base import Array, Worlds
from unisim.backend.lent import Lent, lent
from unisim.control.law import Law, Memory, State
from unisim.errors import BadArray, BadControl

ControlFunction = Callable[[Array, Array, Array, Array], Array]
"""From command, qpos, qvel and time, all lent and of all worlds, to ctrl."""
_PLAIN = (np.ndarray, Lent)


class FunctionLaw:
    """Controls computed by a function of command, qpos, qvel and time.

    What the function itself remembers is not part of a snapshot; a law that remembers
    implements `unisim.control.Law`.
    """

    def __init__(self, function: ControlFunction, command_size: int) -> None:
        """Take the function and the columns of the command it wants.

        Args:
            function: Called before every physics step with command (n, command_size),
                qpos (n, nq), qvel (n, nv) and time (n,) [s]; returns ctrl (n, nu) in
                the sim's dtype.
            command_size: Columns of the command.
        """
        self.command_size = command_size
        self.memory: Memory = ()
        self._function = function

    def apply(self, command: Array, state: State, out: Array, /) -> None:
        """Call the function and check what it returns.

        Raises:
            BadArray: If the result is not an array of `out`'s shape and dtype.
        """
        result = self._function(
            lent(command), lent(state.qpos), lent(state.qvel), lent(state.time)
        )
        if (
            type(result) not in _PLAIN
            or result.shape != out.shape
            or result.dtype != out.dtype
        ):
            name = "ctrl of the control function"
            raise BadArray(name, _describe(out), _describe(result))
        np.copyto(out, result)

    def reset(self, _worlds: Worlds | None, /) -> None:
        """Do nothing: nothing is remembered."""

    def rest(self, _command: Array, _qpos: Array, /) -> None:
        """Do nothing: what the function makes of a command is its own affair."""


def law_of(control: Law | ControlFunction, nu: int) -> Law:
    """A law as it is, and an array function as a law whose command has nu columns.

    Raises:
        BadControl: If it is neither.
    """
    if isinstance(control, Law):
        return control
    if not callable(control):
        problem = f"{control!r} is neither a control law nor a function of arrays."
        raise BadControl("passed", [problem])
    return FunctionLaw(control, nu)


def _describe(value: Array) -> str:
    """What a user's function may have returned, which can be anything."""
    if type(value) not in _PLAIN:
        return f"a {type(value).__name__}"
    return f"an array of shape {value.shape} and dtype {value.dtype}"
