"""The engine's objects, and what is left to the reference."""

from dataclasses import dataclass

import motrixsim as mx
import mujoco

from unisim.backend.motrix.cfg import MotrixCfg
from unisim.backend.motrix.share import Share
from unisim.backend.motrix.shift import Shift


@dataclass
class Handle:
    """All that `readback` may look at.

    Attributes:
        world: The engine's intermediate that the model was built from.
        model: The engine's model.
        rest: The reference without the engine's share: what the engine leaves to it.
        share: What the engine does by itself.
        shift: What positions here are more than the engine's.
        cfg: How its solver was to be set.
        pairs: Names of the geoms whose contacts are reported.
        data: The worlds.
    """

    world: mx.msd.World
    model: mx.SceneModel
    rest: mujoco.MjModel
    share: Share
    shift: Shift
    cfg: MotrixCfg
    pairs: tuple[tuple[str, str], ...] = ()
    data: mx.SceneData | None = None
