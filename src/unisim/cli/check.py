"""`unisim check`: what each backend makes of a scene."""

import gc
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from unisim.cli.arguments import NOTHING, Backends, Features, File, Name, Pair, Target

if TYPE_CHECKING:
    from unisim.cli.asked import Asked
    from unisim.cli.survey import Survey


def check(  # noqa: PLR0913
    scene: File,
    /,
    *,
    backends: Backends = (),
    profile: Name = None,
    accept: Features = NOTHING,
    diff: Pair = None,
    every: Annotated[bool, tyro.conf.arg(name="all")] = False,
    json: bool = False,
    sarif: Target = None,
    junit: Target = None,
) -> int:
    """Say what a backend makes of a scene, before anything is built.

    Lists what it cannot do or would do otherwise, worst first: the feature, every
    element that asks for it with its file and line, what the claim rests on, and what
    to do about it. Needs no engine but MuJoCo. A bare scene asks for no device and
    precision: each backend takes its own. Of a folder, every scene and task config
    below it is checked.

    The exit status is 0 when every backend asked about represents the scene as its
    file states it, or as you accept, and 1 when one refuses. With `all`, backends that
    simulate nothing and those of which nothing is known are listed and do not decide.
    With --diff it is 0 when both do the same with everything the scene uses, else 1.
    It is 3 when a scene cannot be read; the others of a folder are reported all the
    same.

    Example: unisim check robot.xml --backend all

    Args:
        scene: Scene (.xml), task config (.toml), or a folder of them.
        backends: Backend to ask about, or `all`; several with commas between them or
            one after another, each also as `backend:profile`. Left out, the config's.
        profile: Solver profile of what names none; left out, the config's or the
            backend's default.
        accept: Features or families whose approximation you agree to; one or several.
        diff: Two backends, each alone or as `backend:profile`: list only what one does
            otherwise than the other.
        every: List what is exact or only visual as well, and every element.
        json: Print JSON, with every use.
        sarif: File that gets SARIF 2.1.0, as code scanning takes it; - is stdout.
        junit: File that gets JUnit XML, a suite per backend; - is stdout.
    """
    if diff is not None:
        _alone(backends, profile, sarif, junit)
        from unisim.cli.differences import compare

        return compare(scene, diff, accept, every=every, json=json)
    with _uncollected(scene):
        from unisim.cli.asked import asked
        from unisim.cli.outputs import opened

        with opened(json=json, sarif=sarif, junit=junit) as put:
            found = _survey(scene, asked(backends, profile), accept)
            put(found, every=every)
    return found.status


@contextmanager
def _uncollected(place: Path) -> Generator[None]:
    """Collect no garbage meanwhile, which takes a fifth of the time one file does."""
    if place.is_dir() or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _alone(*others: object) -> None:
    from unisim.errors import WrongUsage

    if any(others):
        raise WrongUsage(
            "--diff names both backends and prints text or JSON.",
            "Leave out --backend, --profile, --sarif and --junit.",
        )


def _survey(place: Path, asked: "Sequence[Asked]", accept: Features) -> "Survey":
    if not place.is_dir():
        from unisim.cli.examine import examine
        from unisim.cli.survey import Survey

        return Survey(place, (examine(place, asked, accept),))
    from unisim.cli.folder import survey
    from unisim.cli.terminal import Lines, wants_progress
    from unisim.progress import Silent

    progress = Lines() if wants_progress(asked=False) else Silent()
    return survey(place, asked, accept, progress)
