"""A composed grid of tiles: where they are, and where worlds may start on them."""

import mujoco
import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from unisim.errors import BadArray, BadTerrain, OutOfRange
from unisim.scene.scene import Scene
from unisim.scene.terrain.grid import Tile, cells, tiles_of
from unisim.scene.terrain.heights import Heights
from unisim.scene.terrain.patches import flat_squares
from unisim.terrains import GridCfg


class Terrain:
    """The tiles of a scene's ground, all numbers read from the compiled model.

    Attributes:
        cfg: The grid.
        tiles: Every tile, type by type.
        heights: Heights of the ground at points of the world.
        origins: Middle of each tile, on the ground, in world [m]. Shape
            (levels, types, 3).
        patches: Centres of flat squares, on the ground, in world [m]; where a tile has
            fewer than `cfg.patches`, its own repeat. Shape (levels, types, patches, 3).
        patch_counts: How many each tile has. Shape (levels, types), int64.
    """

    def __init__(self, scene: Scene) -> None:
        """Look at the ground of a scene.

        Args:
            scene: A scene with `terrain.kind = "grid"`.

        Raises:
            BadTerrain: If its ground is no grid, or a tile has no flat square.
        """
        if not isinstance(scene.terrain, GridCfg):
            raise BadTerrain(
                scene.file,
                f"its terrain is of kind {scene.terrain.kind!r}, which has no tiles.",
                "Set terrain.kind = 'grid'.",
            )
        self.cfg = scene.terrain
        self.tiles = tuple(tiles_of(self.cfg))
        self._model = scene.model
        self.heights = Heights(scene.model)
        shape = (self.cfg.levels, len(self.cfg.tiles))
        self.origins: NDArray[np.float64] = np.empty((*shape, 3))
        self.patches: NDArray[np.float64] = np.empty((*shape, self.cfg.patches, 3))
        self.patch_counts: NDArray[np.int64] = np.empty(shape, np.int64)
        if self.heights.samples is not None:
            for tile in self.tiles:
                self._survey(tile, self.heights.samples)

    def spawn(
        self,
        levels: ArrayLike,
        types: ArrayLike,
        seed: int | Generator | None = None,
    ) -> NDArray[np.float64]:
        """Places to start on, one for each pair of level and type.

        Args:
            levels: Level of each tile. Shape (n,), integers.
            types: Type of each tile. Shape (n,), integers.
            seed: Picks one of each tile's flat squares; None takes the middle one.

        Returns:
            Points on the ground, in world [m]. Shape (n, 3).

        Raises:
            BadArray: If the arrays are not of one length, or no integers.
            OutOfRange: If there is no such level or type.
        """
        at = self.check(levels, types)
        which = np.zeros(len(at[0]), np.int64)
        if seed is not None:
            which = np.random.default_rng(seed).integers(0, self.patch_counts[at])
        return self.patches[(*at, which)]

    def place(self, qpos: ArrayLike, points: ArrayLike) -> NDArray[np.float64]:
        """Move everything that is free in some states by one point per state.

        Args:
            qpos: States that stand at the world's origin. Shape (n, nq), or (nq,) for
                all.
            points: Where that origin belongs, in world [m]. Shape (n, 3).

        Returns:
            A copy for `sim.reset(qpos=...)`. Shape (n, nq).

        Raises:
            BadArray: If the shapes do not fit.
        """
        to = np.asarray(points, np.float64)
        if to.ndim != 2 or to.shape[1] != 3:  # noqa: PLR2004
            raise BadArray("points", "shape (n, 3)", str(to.shape))
        shape = (len(to), self._model.nq)
        start = np.asarray(qpos, np.float64)
        if start.shape not in {shape, shape[1:]}:
            raise BadArray("qpos", f"shape {shape}", str(start.shape))
        moved = np.broadcast_to(start, shape).copy()
        free = self._model.jnt_type == mujoco.mjtJoint.mjJNT_FREE
        for address in self._model.jnt_qposadr[free].tolist():
            moved[:, address : address + 3] += to
        return moved

    def check(
        self, levels: ArrayLike, types: ArrayLike
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Levels and types as index arrays.

        Raises:
            BadArray: If the arrays are not of one length, or no integers.
            OutOfRange: If there is no such level or type.
        """
        found = {"levels": np.asarray(levels), "types": np.asarray(types)}
        for (name, array), size in zip(found.items(), self.origins.shape, strict=False):
            if array.ndim != 1 or array.dtype.kind not in "iu":
                got = f"{array.dtype} of shape {array.shape}"
                raise BadArray(name, "integers of shape (n,)", got)
            if array.size and not (array.min() >= 0 and array.max() < size):
                wrong = array[(array < 0) | (array >= size)][0]
                raise OutOfRange(f"terrain {name}", wrong, f"0 to {size - 1}")
        at = found["levels"].astype(np.int64), found["types"].astype(np.int64)
        if len(at[0]) != len(at[1]):
            raise BadArray("types", f"as many as levels, {len(at[0])}", str(len(at[1])))
        return at

    def _survey(self, tile: Tile, field: NDArray[np.float64]) -> None:
        """Fill in the origin and the flat squares of a tile."""
        cfg, place = self.cfg, (tile.level, tile.type)
        n, corner = cells(cfg, cfg.size), np.array([tile.column, tile.row])
        patch = int(np.ceil(cfg.patch / cfg.resolution - 1e-6))
        samples = field[tile.row : tile.row + n + 1]
        samples = samples[:, tile.column : tile.column + n + 1]
        found = flat_squares(samples, patch, cfg.patch_step, cfg.patches)
        if not len(found):
            raise BadTerrain(
                f"terrain tile {tile.name!r}",
                f"it has no square of {cfg.patch:g} m that is flat to "
                f"{cfg.patch_step:g} m.",
                "Give it a larger platform, or terrain a smaller patch or a larger "
                "patch_step.",
            )
        self.origins[place] = self.heights.at(corner + n / 2)
        number = np.arange(cfg.patches) % len(found)
        self.patches[place] = self.heights.at(corner + found[number])
        self.patch_counts[place] = len(found)
