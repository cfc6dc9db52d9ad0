"""The laws that work on one kind of arrays."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unisim.control.function import ControlFunction
from unisim.control.law import Batch, Law
from unisim.control.motors import Motors
from unisim.control.pd import Gains


@dataclass(frozen=True)
class Kinds:
    """How each law is made.

    Attributes:
        passthrough: The command is the control.
        pd: From motors and gains.
        motor: PD within what a DC motor can give, from the same.
        delay: From the number of physics steps.
        keyframes: From a table of commands (k, nu) and the keys per physics step.
        function: From an array function and the columns of its command.
    """

    passthrough: Callable[[Batch], Law]
    pd: Callable[[Motors, Gains, Batch], Law]
    motor: Callable[[Motors, Gains, Batch], Law]
    delay: Callable[[int, Batch], Law]
    keyframes: Callable[[NDArray[np.float64], float, Batch], Law]
    function: Callable[[ControlFunction, int, Batch], Law]
