"""`unisim engines`: what is installed."""

import json as json_format
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Found:
    """A registered backend and its engine.

    Attributes:
        backend: Name of the backend.
        package: Package of the engine.
        installed: Version that is installed, None for none.
        measured: Versions that the manifest's claims hold for.
        install: Command that installs the engine.
        devices: Kinds of device it runs on.
        profiles: Solver profiles, the default first.
        broken: Why the adapter does not load, "" when it does.
        adapter: Whether this version can build on it.
    """

    backend: str
    package: str = ""
    installed: str | None = None
    measured: tuple[str, ...] = ()
    install: str = ""
    devices: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()
    broken: str = ""
    adapter: bool = True

    @property
    def note(self) -> str:
        """That a version is installed which nobody measured, or ""."""
        if self.installed is None or self.installed in self.measured:
            return ""
        return (
            f"the claims hold for {self.package} {', '.join(self.measured)}, installed "
            f"is {self.installed}: unisim probe {self.backend} measures it"
        )


def engines(*, json: bool = False) -> int:
    """List the engines: which are installed, and how to install the others.

    An engine without adapter can be checked against, and not be built on yet. Other
    packages add backends under the entry point `unisim.backends`.

    Example: unisim engines

    Args:
        json: Print JSON.
    """
    from unisim.backend import registry

    found = [find(name) for name in registry.known()]
    if json:
        print(json_format.dumps([asdict(item) for item in found], indent=1))
        return 0
    for item in found:
        print("\n".join(_lines(item)))
    return 0


def find(name: str) -> Found:
    """Look a backend and its engine up."""
    from importlib.metadata import PackageNotFoundError, version

    from unisim.backend import registry

    try:
        manifest = registry.manifest(name)
    except (ImportError, AttributeError) as error:
        return Found(name, broken=str(error))
    try:
        installed = version(manifest.package)
    except PackageNotFoundError:
        installed = None
    profiles = sorted(manifest.profiles, key=lambda x: x != manifest.default_profile)
    return Found(
        backend=name,
        package=manifest.package,
        installed=installed,
        measured=manifest.measured,
        install=manifest.install,
        devices=manifest.abilities.devices,
        profiles=tuple(profiles),
        adapter=name in registry.names(),
    )


def _lines(item: Found) -> list[str]:
    from unisim.cli.terminal import paint

    if item.broken:
        state = paint("does not load", "red")
        return [f"{paint(item.backend, 'bold')}: {state}: {item.broken}"]
    if not item.adapter:
        state = paint("no adapter yet", "yellow")
        lines = [f"{paint(item.backend, 'bold')}: {state}: scenes can only be checked"]
    elif item.installed is None:
        state = paint("not installed", "yellow")
        lines = [f"{paint(item.backend, 'bold')}: {state}: {item.install}"]
    else:
        state = paint(f"{item.package} {item.installed}", "green")
        lines = [f"{paint(item.backend, 'bold')}: {state} is installed"]
        lines += [f"  {paint('note', 'yellow')}: {item.note}"] if item.note else []
    profiles = ", ".join(item.profiles)
    return [*lines, f"  on {', '.join(item.devices)}; profiles: {profiles}"]
