"""Small scenes whose right behaviour is known without any engine."""

from unisim.parity.experiments.arm import ARM
from unisim.parity.experiments.bench import Bench as Bench
from unisim.parity.experiments.experiment import Check as Check
from unisim.parity.experiments.experiment import Experiment as Experiment
from unisim.parity.experiments.free_fall import FREE_FALL
from unisim.parity.experiments.pendulum import PENDULUM
from unisim.parity.experiments.slide import SLIDING
from unisim.parity.experiments.spin import SPINNING
from unisim.parity.experiments.weights import WEIGHTS

EXPERIMENTS: tuple[Experiment, ...] = (
    *FREE_FALL, *PENDULUM, *SPINNING, *SLIDING, *WEIGHTS, *ARM,
)  # fmt: skip
"""All of them."""
