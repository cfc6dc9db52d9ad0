"""Worlds of MuJoCo's own that follow another engine, state by state."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import mujoco
import numpy as np
from mujoco.batch import Batch
from numpy.typing import NDArray

from unisim.backend.base import Array, Worlds
from unisim.backend.fields import STATE
from unisim.errors import BadArray, NotDeclared, UnknownName

_NONE = int(mujoco.mjtStage.mjSTAGE_NONE)
S = TypeVar("S", bound=np.generic)


@dataclass(frozen=True)
class FollowerSnapshot:
    """The state and the varied fields of all worlds of a follower."""

    state: NDArray[np.float64]
    varied: Mapping[str, NDArray[np.generic]]


class Follower:
    """n worlds of a model that follow an engine.

    Attributes:
        model: The model that all worlds share, constraints switched off.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        worlds: int,
        threads: int = 0,
        vary: tuple[str, ...] = (),
    ) -> None:
        """Put all worlds at the model's defaults.

        Args:
            model: A model of our own, which nothing else may change.
            worlds: Number of worlds n.
            threads: Threads that compute; 0 is one per processor.
            vary: Model fields that will differ between worlds.
        """
        # a fault must stay where the engine has it, nothing may heal it here
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
        model.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
        self.model = model
        self._batch = Batch(model, worlds, threads)
        self._views = {name: self._batch.bind(name) for name in STATE}
        self._varied = {name: self._batch.expand(name) for name in vary}
        self._state = self._batch.state

    def write(self, name: str, values: Array, worlds: Worlds | None = None) -> None:
        """Take a part of the engine's state.

        Args:
            name: A writable quantity of `unisim.backend.fields`.
            values: Shape (k, ...) for k worlds.
            worlds: Which ones, None for all.

        Raises:
            UnknownName: If there is no such quantity.
            BadArray: If the array has the wrong shape.
        """
        if name not in self._views:
            raise UnknownName("writable quantity", name, STATE)
        _put(self._views[name], name, values, worlds)

    def reset(self, worlds: Worlds | None = None, key: int = -1) -> None:
        """Return worlds to a key (-1: the defaults); varied fields stay."""
        self._batch.reset(worlds, keyframe=key, stage=_NONE)

    def vary(self, name: str, values: Array, worlds: Worlds | None = None) -> None:
        """Take the engine's values of a varied field; derived constants follow.

        Raises:
            NotDeclared: If it was not declared.
            BadArray: If the array has the wrong shape.
        """
        self.varied(name)
        _put(self._varied[name], name, values, worlds)
        self._batch.set_const(worlds)

    def varied(self, name: str) -> Array:
        """Values of a varied field. Shape (n, ...), read-only.

        Raises:
            NotDeclared: If it was not declared.
        """
        if name not in self._varied:
            known = ", ".join(self._varied) or "none"
            raise NotDeclared("Field", name, f"Those that vary are: {known}.")
        return locked(self._varied[name])

    @property
    def all_varied(self) -> Mapping[str, Array]:
        """Values of all varied fields, by name. Shapes (n, ...), read-only."""
        return {name: locked(values) for name, values in self._varied.items()}

    def snapshot(self) -> FollowerSnapshot:
        """The whole state: activations, delay lines and varied fields too."""
        varied = {name: values.copy() for name, values in self._varied.items()}
        return FollowerSnapshot(self._state.copy(), varied)

    def restore(self, snapshot: FollowerSnapshot) -> None:
        """Go back to a snapshot of this follower."""
        self._state[...] = snapshot.state
        for name, values in snapshot.varied.items():
            self._varied[name][...] = values
        if snapshot.varied:
            self._batch.set_const()


def locked(values: NDArray[S]) -> NDArray[S]:
    """A read-only view."""
    view = values.view()
    view.flags.writeable = False
    return view


def _put(view: Array, name: str, values: Array, worlds: Worlds | None) -> None:
    """Write some worlds' rows; numpy alone would repeat what is too small."""
    count = len(view) if worlds is None else len(worlds)
    expected = (count, *view.shape[1:])
    if values.shape != expected:
        raise BadArray(name, f"shape {expected}", f"shape {values.shape}")
    view[slice(None) if worlds is None else worlds] = values
