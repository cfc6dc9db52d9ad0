"""What a running sim of an engine can do, and how `require` names it."""

from typing import Annotated, Literal, get_args

import mujoco
from pydantic import Field
from pydantic.dataclasses import dataclass

from unisim.config import STRICT, ContactField, ContactKind, ContactReduce


def _fields(kind: type) -> list[str]:
    items = vars(kind).items()
    return [x for x, item in items if isinstance(item, property) and x[0] != "_"]


FIELDS = frozenset(
    {*_fields(mujoco.MjModel), *(f"opt.{name}" for name in _fields(mujoco.MjOption))}
)
"""What a model holds, in MuJoCo's names."""
_FLAGS = ("batching", "deterministic", "rendering", "second_sim")
_QUERY = "contact.query"
_QUERIES = {
    "kind": get_args(ContactKind),
    "fields": get_args(ContactField),
    "reduce": get_args(ContactReduce),
}
"""By key of a contact query: what it may say."""

ABILITIES: tuple[str, ...] = (
    *_FLAGS,
    "snapshot.exact",
    "snapshot.state",
    _QUERY,
    *(f"{_QUERY}.{key}.{word}" for key, words in _QUERIES.items() for word in words),
    *(f"vary.{name}" for name in sorted(FIELDS)),
)
"""The abilities that `require` may name."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class Abilities:
    """What a running sim of this engine can do."""

    devices: Annotated[tuple[str, ...], Field(min_length=1)]
    """Kinds of device that the claims were made on, e.g. `cpu`, `cuda`."""
    untried: tuple[Literal["cuda"], ...] = ()
    """Kinds of device that the same code addresses, where nothing was measured: they
    need consent to `device.KIND`."""
    dtypes: Annotated[tuple[Literal["float64", "float32"], ...], Field(min_length=1)]
    batching: bool
    """Whether many worlds advance in one call of the engine."""
    vary: tuple[str, ...] = ()
    """Model fields that may differ between worlds, in MuJoCo's names."""
    contact_kinds: tuple[str, ...] = ()
    """What contact queries may name: `geom`, `body`, `subtree`."""
    contact_fields: tuple[str, ...] = ()
    """What contact queries may return."""
    contact_reduce: tuple[str, ...] = ()
    """How contact queries may choose among contacts."""
    snapshot: Literal["exact", "state", "none"] = "none"
    """`exact` continues bit by bit, `state` restores what `write` could."""
    deterministic: bool = False
    """Whether equal runs can be made bit-equal."""
    second_sim: bool = False
    """Whether two sims may live in one process."""
    rendering: bool = False
    """Whether the engine draws its own pictures."""

    @property
    def names(self) -> frozenset[str]:
        """The abilities that are there, as `require` names them."""
        present = {name for name in _FLAGS if getattr(self, name)}
        if self.snapshot != "none":
            present |= {"snapshot.state", f"snapshot.{self.snapshot}"}
        if self.contact_kinds:
            present.add(_QUERY)
        have = {
            "kind": self.contact_kinds,
            "fields": self.contact_fields,
            "reduce": self.contact_reduce,
        }
        present |= {f"{_QUERY}.{key}.{x}" for key, words in have.items() for x in words}
        return frozenset(present | {f"vary.{name}" for name in self.vary})
