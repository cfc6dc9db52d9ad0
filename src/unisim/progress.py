"""What long work says while it runs."""

from typing import Protocol


class Progress(Protocol):
    """Gets told how far the work is."""

    def line(self, text: str) -> None:
        """Say that something is done."""
        ...

    def share(self, what: str, done: float) -> None:
        """Say how much of something is done, from 0 to 1."""
        ...


class Silent:
    """Says nothing."""

    def line(self, text: str) -> None:
        """See `Progress`."""

    def share(self, what: str, done: float) -> None:
        """See `Progress`."""
