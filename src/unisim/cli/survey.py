"""What was found in everything that a check was given."""

from dataclasses import dataclass
from pathlib import Path

from unisim.backend.gate import GateReport
from unisim.cli.examine import Examined


@dataclass(frozen=True)
class Aside:
    """A file that no backend was asked about.

    Attributes:
        file: The file.
        reason: Why not.
        refused: Whether it holds what no backend could be asked about.
    """

    file: Path
    reason: str
    refused: bool = False


@dataclass(frozen=True)
class Survey:
    """What the backends make of one file, or of all files of a folder.

    Attributes:
        place: The file or folder.
        examined: What was asked about.
        skipped: What is no scene or task config of its own.
        unread: What cannot be read or composed, or holds what is in no vocabulary.
        folder: Whether the place is a folder.
    """

    place: Path
    examined: tuple[Examined, ...]
    skipped: tuple[Aside, ...] = ()
    unread: tuple[Aside, ...] = ()
    folder: bool = False

    @property
    def status(self) -> int:
        """The exit status: 3 something cannot be read, 1 refused, 0 neither."""
        if not all(item.refused for item in self.unread):
            return 3
        passes = not self.unread and all(item.passes for item in self.examined)
        return 0 if passes else 1

    def by_backend(self) -> dict[tuple[str, str], list[tuple[Examined, GateReport]]]:
        """Every report with its file, by backend and profile, in order of asking."""
        found: dict[tuple[str, str], list[tuple[Examined, GateReport]]] = {}
        for item in self.examined:
            for report in item.reports:
                key = report.backend, report.profile
                found.setdefault(key, []).append((item, report))
        return found
