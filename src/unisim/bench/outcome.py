"""What a benchmark has found: plain values that are saved, loaded and compared."""

from pathlib import Path

from pydantic import NonNegativeFloat, PositiveFloat, PositiveInt
from pydantic.dataclasses import dataclass

from unisim.config import STRICT, validate
from unisim.errors import BadConfig, MissingFile
from unisim.report import plain


@dataclass(frozen=True, config=STRICT)
class Cost:
    """Time of a piece of work, per item."""

    wall: PositiveFloat
    """[μs]."""
    cpu: NonNegativeFloat
    """Of all threads of the process [μs]."""


@dataclass(frozen=True, config=STRICT)
class Row:
    """A piece of work that was done over and over."""

    backend: str
    worlds: PositiveInt
    threads: int | None
    """None: as the config says."""
    work: str
    item: str
    """What `ours` and `other` are the cost of."""
    ours: Cost
    beside: str
    """What `other` is."""
    other: Cost | None
    """None when there is nothing to compare with."""
    ratio: PositiveFloat | None
    """Wall time of the other over ours, measured in turn: 1 is as quick, more is
    quicker."""
    noise: NonNegativeFloat
    """How far the ratio may be off by chance, as a share of it."""

    @property
    def key(self) -> tuple[str, int, int | None, str]:
        """What is the same work in two outcomes."""
        return self.backend, self.worlds, self.threads, self.work


@dataclass(frozen=True, config=STRICT)
class Once:
    """Something that is paid for once."""

    backend: str
    worlds: PositiveInt
    work: str
    seconds: PositiveFloat


@dataclass(frozen=True, config=STRICT)
class Memory:
    """Memory of the host per thousand worlds [MB]."""

    backend: str
    worlds: PositiveInt
    """Worlds that it was measured with."""
    ours: float
    raw: float | None


@dataclass(frozen=True, config=STRICT)
class Outcome:
    """A finished benchmark."""

    name: str
    machine: dict[str, str]
    """What the times belong to: processor, cores, system."""
    versions: dict[str, str]
    rows: tuple[Row, ...]
    once: tuple[Once, ...]
    memory: tuple[Memory, ...]


def load(path: Path) -> Outcome:
    """Read an outcome that was saved.

    Raises:
        MissingFile: If the file is not there or cannot be read.
        BadConfig: If it holds something else.
    """
    try:
        table = plain.parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        reason = f"it cannot be read: {error.strerror or error}."
        raise MissingFile(path, reason) from None
    except ValueError as error:
        raise BadConfig(path, [f"not JSON: {error}"]) from None
    return validate(Outcome, table, path)
