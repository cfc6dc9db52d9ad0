"""The command line: `unisim COMMAND`.

Exit statuses: 0 yes, 1 no, 2 wrong usage, 3 could not run, and 128 and the number of a
signal that ended it, as a shell has it: 130 for Ctrl-C. What a command finds goes to
stdout; progress, and errors in one sentence, go to stderr.
"""

import os
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from threading import current_thread, main_thread
from traceback import walk_tb
from types import FrameType

from unisim.errors import CannotWrite, MissingOpenGL, UnisimError

COMMANDS = {
    "check": "what each backend makes of a scene, with file and line",
    "explain": "what a feature id means, and what each backend makes of it",
    "compose": "write a config's whole scene out as one MJCF file",
    "run": "build, audit and step a task; write a report with plots and pictures",
    "parity": "how far engines are from MuJoCo, and from known answers; write a report",
    "bench": "what a backend adds to its raw engine, in time and memory",
    "support": "which MJCF features each backend represents",
    "probe": "measure which features of MJCF an engine honours",
    "engines": "which engines are installed, and how to install the others",
}
"""Commands by name; each is the function of that name in its own module."""

_BY_SIGNAL = 128
_HELP = """usage: unisim COMMAND ...

One robot scene, written once as MJCF, run and compared on many physics engines.

commands:
{commands}

examples:
  unisim check robot.xml --backend all
  unisim run configs/quadruped.toml --worlds 64

`unisim COMMAND --help` explains a command; `unisim --version` names the version.
Exit statuses: 0 yes, 1 no, 2 wrong usage, 3 could not run.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        argv: The arguments after `unisim`; None takes the process's.

    Returns:
        The exit status.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with _ended_by(signal.SIGTERM):
            return _dispatch(arguments)
    except UnisimError as error:
        print("\n  ".join([f"unisim: {error}", *_notes(error)]), file=sys.stderr)
        return error.status
    except MemoryError:
        print("unisim: out of memory. Ask for fewer worlds.", file=sys.stderr)
        return 3
    except KeyboardInterrupt as error:
        print("unisim: interrupted: nothing is left half-written", file=sys.stderr)
        return _BY_SIGNAL + (error.args[0] if error.args else signal.SIGINT)
    except BrokenPipeError:
        # whoever read stdout has seen enough
        _drop_stdout()
        return _BY_SIGNAL + signal.SIGPIPE
    except OSError as error:
        if not _prints(error):
            raise
        _drop_stdout()
        failed = CannotWrite("standard output", error.strerror or str(error))
        print(f"unisim: {failed}", file=sys.stderr)
        return failed.status


@contextmanager
def _ended_by(number: signal.Signals) -> Generator[None]:
    """Let a signal end the block as Ctrl-C does, so that nothing stays half-written.

    Where the signal is ignored or somebody else's, it stays as it is.
    """

    def end(got: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt(got)

    free = signal.getsignal(number) is signal.SIG_DFL
    if not free or current_thread() is not main_thread():
        yield
        return
    signal.signal(number, end)
    try:
        yield
    finally:
        signal.signal(number, signal.SIG_DFL)


def _prints(error: OSError) -> bool:
    """Whether an error comes from printing what a command has found."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    name = str(frames[-1].f_globals.get("__name__"))
    return error.filename is None and name.startswith(("unisim.cli", "tyro"))


def _drop_stdout() -> None:
    """Keep the interpreter from flushing what cannot be printed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _dispatch(arguments: list[str]) -> int:
    first = arguments[0] if arguments else ""
    if first in COMMANDS:
        status = _run(first, arguments[1:])
        sys.stdout.flush()
        return status
    if first in {"-h", "--help", "help"}:
        print(_usage(), end="")
        return 0
    if first == "--version":
        print(f"unisim {import_module('unisim').__version__}")
        return 0
    print(_unknown(first), file=sys.stderr)
    return 2


def _run(name: str, arguments: list[str]) -> int:
    import tyro

    from unisim.cli.arguments import CONFIG

    command: Callable[..., int] = getattr(import_module(f"unisim.cli.{name}"), name)
    try:
        return tyro.cli(command, prog=f"unisim {name}", args=arguments, config=CONFIG)
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else 2
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        if _loads_opengl(error):
            stated, reason = os.environ.get("MUJOCO_GL", ""), f"MuJoCo says: {error}"
            raise MissingOpenGL(stated, reason) from None
        raise


def _loads_opengl(error: Exception) -> bool:
    """Whether an error comes from the import of MuJoCo, which loads an OpenGL."""
    names = (
        frame.f_globals.get("__name__") for frame, _ in walk_tb(error.__traceback__)
    )
    return any(str(name).endswith(".gl_context") for name in names)


def _notes(error: UnisimError) -> list[str]:
    """What was added to an error on its way, such as the config it comes from."""
    return vars(error).get("__notes__", [])


def _usage() -> str:
    width = max(map(len, COMMANDS))
    lines = (f"  {name.ljust(width)}  {text}" for name, text in COMMANDS.items())
    return _HELP.format(commands="\n".join(lines))


def _unknown(name: str) -> str:
    if not name:
        return _usage().rstrip()
    close = get_close_matches(name, COMMANDS, n=1)
    hint = f"Did you mean {close[0]!r}?" if close else f"Known: {', '.join(COMMANDS)}."
    return f"unisim: No command {name!r}. {hint}"
