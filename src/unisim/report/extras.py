"""Packages that only some work needs."""

from importlib.util import find_spec

from unisim.errors import UnisimError

REPORT = ("matplotlib", "PIL")
"""Modules of the extra `report`."""


class MissingExtra(UnisimError):
    """An optional package that a command needs is not installed."""

    def __init__(self, what: str, missing: tuple[str, ...], extra: str) -> None:
        self.missing, self.extra = missing, extra
        super().__init__(
            f"{what} needs {' and '.join(missing)}. "
            f"Install it with: pip install 'unisim-mjcf[{extra}]'"
        )


def require_report() -> None:
    """Make sure that plots and pictures can be made.

    Raises:
        MissingExtra: If a package of the extra `report` is not installed.
    """
    missing = tuple(name for name in REPORT if find_spec(name) is None)
    if missing:
        raise MissingExtra("A report", missing, "report")
