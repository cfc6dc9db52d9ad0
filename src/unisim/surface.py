"""Heights of a sim's ground, in the sim's kind of arrays."""

from unisim.backend.arrays import Surface
from unisim.scene.terrain.floor import NAME
from unisim.scene.terrain.heights import Heights
from unisim.sim import Sim


def ground(sim: Sim, geom: str = NAME) -> Surface:
    """Heights of ground that stands still, where rays from above hit it.

    Call what is returned with points (x and y in world [m], shape (..., 2), e.g.
    (n, k, 2)): it returns z in world [m], shape (...), NaN outside the rim and where a
    point is not finite. Points on the sim's device stay there, and so do the heights,
    in float32; nothing waits. On the host it is `unisim.Heights`.

    Args:
        sim: The sim.
        geom: Name of a plane or a height field. A device takes 4 bytes for each sample
            of a field.

    Raises:
        UnknownName: If there is no such geom.
        BadTerrain: If it moves, is another shape, or a field that is not level.
    """
    return sim.built.law.batch.arrays.surface(Heights(sim.built.scene.model, geom))
