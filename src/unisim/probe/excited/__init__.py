"""Pairs of scenes in which a feature moves something.

The smallest scenes of `unisim.probe.scenes` say that a feature is asked for; here are
those of the features that need company to have an effect: a spring on a tendon, a motor
to limit, two boxes to keep apart. What is on by default is compared with what is not.
"""

from collections.abc import Mapping

from unisim.probe.excited.lying import LYING
from unisim.probe.excited.moves import MOVES
from unisim.probe.excited.sensed import SENSED
from unisim.probe.excited.switches import SWITCHES
from unisim.probe.templates import Pair

EXCITED: Mapping[str, Pair] = {**MOVES, **SWITCHES, **LYING, **SENSED}
"""By feature id."""
