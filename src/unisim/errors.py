"""Every error unisim raises: one class per decision the caller can make.

Each class takes the facts and writes the sentence. `status` is the exit status the
command line ends with: 1 the answer is no, 2 wrong usage, 3 could not run.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

_SHOWN, _LISTED = 8, 12


class UnisimError(Exception):
    """Base of every error raised by unisim on purpose."""

    status = 3


def suggest(name: str, known: Iterable[str]) -> str:
    """What may have been meant by a name that is not known, or what is known."""
    known = sorted(set(known))
    close = get_close_matches(name, known, n=3)
    if close:
        return f"Did you mean {' or '.join(map(repr, close))}?"
    shown, left = ", ".join(known[:_LISTED]), len(known) - _LISTED
    shown += f" and {left} more" if left > 0 else ""
    return f"Known: {shown}." if known else "There are none."


def _bullets(lines: Iterable[object]) -> str:
    return "".join(f"\n  - {line}" for line in lines)


class BadScene(UnisimError):
    """A scene file cannot be used as it stands."""

    def __init__(self, where: object, problem: str, remedy: str = "") -> None:
        self.where, self.problem, self.remedy = where, problem, remedy
        super().__init__(f"{where}: {problem}" + (f" {remedy}" if remedy else ""))


class BrokenXml(BadScene):
    """A file is not XML, or not MJCF."""


class MissingFile(BadScene):
    """A file that a scene or a command names is not there or cannot be read."""


class BadAsset(BadScene):
    """A mesh, texture or height field cannot be read as what it is used for."""


class IncludeCycle(BadScene):
    """A file includes itself, directly or through others."""


class Clash(BadScene):
    """Two sources define the same name, option or key differently."""

    def __init__(self, what: str, first: object, second: object, remedy: str) -> None:
        self.first, self.second = first, second
        super().__init__(first, f"{what} clashes with {second}.", remedy)


class BadAttachment(BadScene):
    """A model cannot be attached where and how the config asks."""


class BadKeyframe(BadScene):
    """A keyframe does not fit the model it belongs to."""


class BadTerrain(BadScene):
    """The terrain cannot be added to the scene as configured."""


class CompileFailed(BadScene):
    """MuJoCo refuses to compile the scene."""


class BadConfig(UnisimError):
    """A config file or object has unknown keys, wrong types or bad values."""

    status = 2

    def __init__(self, source: object, problems: Sequence[str]) -> None:
        self.source, self.problems = source, tuple(problems)
        super().__init__(f"{source}: the config is not valid:{_bullets(problems)}")


class UnknownName(UnisimError):
    """A name that the scene, the backend or the command does not have."""

    status = 2

    def __init__(
        self, kind: str, name: str, known: Iterable[str], owner: object = None
    ) -> None:
        self.kind, self.name, self.known = kind, name, tuple(known)
        who = f"No {kind}" if owner is None else f"{owner} has no {kind}"
        super().__init__(f"{who} {name!r}. {suggest(name, self.known)}")


class UnknownBackend(UnknownName):
    """No installed package registers a backend of this name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__("backend", name, known)


class NoAdapter(UnisimError):
    """A backend has a manifest to check against, and nothing that builds on it."""

    def __init__(self, name: str, built: Iterable[str]) -> None:
        self.name, self.built = name, tuple(built)
        super().__init__(
            f"Backend {name!r} can be checked against, not built or configured: this "
            f"version has no adapter for it. Build on {', '.join(self.built)} instead."
        )


class BadRecord(UnisimError):
    """A file of measurements cannot be read."""

    def __init__(self, file: object, problem: str) -> None:
        self.file = file
        super().__init__(
            f"{file}: these are no measurements of unisim ({problem}). Write them anew "
            "with unisim probe BACKEND --out FILE."
        )


class CannotProbe(UnisimError):
    """An engine cannot be probed at all."""

    def __init__(self, backend: str, reason: str) -> None:
        self.backend = backend
        super().__init__(f"{backend} cannot be probed: {reason}")


class MissingEngine(UnisimError):
    """A backend is known, but the engine it drives is not installed."""

    def __init__(self, backend: str, package: str, install: str) -> None:
        self.backend, self.package = backend, package
        super().__init__(
            f"Backend {backend!r} needs {package}. Install it with: {install}"
        )


class MissingDevice(UnisimError):
    """A device that this machine does not have, or that its driver does not offer."""

    def __init__(self, device: str, present: Sequence[str]) -> None:
        self.device = device
        super().__init__(
            f"There is no device {device!r} here; there is: {', '.join(present)}."
        )


class BadManifest(UnisimError):
    """A backend's manifest is not total, or claims what has no basis."""

    def __init__(self, source: object, problems: Sequence[str]) -> None:
        self.source, self.problems = source, tuple(problems)
        super().__init__(f"{source}: the manifest is not valid:{_bullets(problems)}")


class UnsupportedFeature(UnisimError):
    """The backend cannot represent the scene as its file states it."""

    status = 1

    def __init__(
        self, backend: str, refusals: Sequence[object], features: Sequence[str]
    ) -> None:
        self.backend, self.refusals = backend, tuple(refusals)
        self.features = tuple(features)
        super().__init__(
            f"{backend} cannot run this as it is stated:{_bullets(refusals)}"
        )


class LacksAbility(UnisimError):
    """A backend was asked for what its manifest does not declare that it can do."""

    status = 1

    def __init__(self, backend: str, ability: str, remedy: str) -> None:
        self.backend, self.ability = backend, ability
        super().__init__(f"{backend} lacks the ability {ability}. {remedy}")


class AuditFailed(UnisimError):
    """What the engine built differs from the reference model."""

    status = 1

    def __init__(self, backend: str, differences: Sequence[object], table: str) -> None:
        self.backend, self.differences = backend, tuple(differences)
        super().__init__(
            f"{backend} built something else than the scene states "
            f"({len(self.differences)} differences):\n{table}"
        )


class BadArray(UnisimError):
    """An array has the wrong shape, dtype or content."""

    status = 2

    def __init__(self, name: str, expected: str, got: str) -> None:
        self.name = name
        super().__init__(f"{name}: expected {expected}, got {got}.")


class WrongUsage(UnisimError):
    """A command was asked for things that do not go together."""

    status = 2

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem} {remedy}")


class OutOfRange(UnisimError):
    """A world index, a count or a size is outside its range."""

    status = 2

    def __init__(self, name: str, value: object, allowed: str) -> None:
        self.name, self.value = name, value
        super().__init__(f"{name} {value} is out of range: allowed is {allowed}.")


class NotDeclared(UnisimError):
    """A field, query or law was used that the config did not declare."""

    status = 2

    def __init__(self, what: str, name: str, declare: str) -> None:
        self.name = name
        super().__init__(
            f"{what} {name!r} was not declared before the build. {declare}"
        )


class BadControl(UnisimError):
    """A control law cannot drive the actuators it was given."""

    status = 2

    def __init__(self, law: str, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(f"The {law} control law does not fit:{_bullets(problems)}")


class Faulted(UnisimError):
    """Worlds hold a non-finite or huge state, or lost a control or a contact."""

    def __init__(self, by_kind: Mapping[str, Sequence[int]], worlds: int) -> None:
        self.by_kind = dict(by_kind)
        lines = [
            f"{kind} in {len(hit)} of {worlds} worlds: "
            + ", ".join(map(str, hit[:_SHOWN]))
            + (", ..." if len(hit) > _SHOWN else "")
            for kind, hit in by_kind.items()
        ]
        super().__init__(
            f"Some worlds are faulted until they are reset:{_bullets(lines)}\n"
            'Reset them, or set faults = "flag" and look at sim.faults.'
        )


class Closed(UnisimError):
    """A sim was used after it was closed."""

    status = 2

    def __init__(self) -> None:
        super().__init__("This sim is closed. Build a new one.")


class Forked(UnisimError):
    """A sim was used in a process that was forked from the one that built it."""

    status = 2

    def __init__(self, builder: int, user: int) -> None:
        self.builder, self.user = builder, user
        super().__init__(
            f"This sim was built in process {builder}, and process {user} was forked "
            "from it: a fork has no threads to step it. Build a sim in each process, "
            'or start processes by "spawn".'
        )


class CannotWrite(UnisimError):
    """An output file or folder cannot be written."""

    def __init__(self, path: object, reason: str) -> None:
        self.path = path
        super().__init__(
            f"{path}: cannot write here: {reason}. Name a place that can be written."
        )


class OutOfMemory(UnisimError):
    """The worlds of a task do not fit into memory."""

    def __init__(self, worlds: int, each: int) -> None:
        self.worlds, self.each = worlds, each
        super().__init__(
            f"{worlds:,} worlds do not fit into memory: each takes about {each:,} "
            f"bytes, together {worlds * each / 1e9:,.1f} GB. Ask for fewer worlds, "
            "or for fewer contact slots and steps of delay."
        )


class MissingOpenGL(UnisimError):
    """MuJoCo cannot be imported with the OpenGL that MUJOCO_GL names."""

    def __init__(self, stated: str, reason: str) -> None:
        self.stated = stated
        super().__init__(
            f"MUJOCO_GL={stated} does not work here ({reason}). Unset it, or set "
            "MUJOCO_GL=egl and install EGL (on Debian: apt-get install libegl1 "
            "libgl1-mesa-dri)."
        )
