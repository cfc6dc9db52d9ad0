"""Drake: a `MultibodyPlant` translated from the reference model, a context per world.

The plant is made through its API, never through its parser. What the plant has no word
for is computed by the reference and pushes the joints.
"""

from unisim.backend.adapter import Adapter
from unisim.backend.base import Backend

BACKEND: Backend = Adapter(__name__, ("pydrake",))
