"""The process that runs an engine for a probe: it may crash or hang.

Jobs and answers are JSON, one message each.
"""

import json
import multiprocessing
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from unisim.backend.log import leave_no_log
from unisim.errors import MissingEngine, UnisimError
from unisim.probe.probe import Probe
from unisim.probe.trial import FOLDER, Target, on_engine
from unisim.probe.watch import Seen

_GRACE = 15.0
"""Time that a process has to end by itself [s]."""


@dataclass(frozen=True)
class Failed:
    """Why there is nothing to compare.

    Attributes:
        how: `refused`, `crashed`, `hung`, or `missing` for an engine that is absent.
        note: The reason, one line.
    """

    how: str
    note: str


class Child:
    """A process of its own for an engine, started anew after it died."""

    def __init__(self, timeout: float, serve: "Serve | None" = None) -> None:
        """Start nothing yet.

        Args:
            timeout: How long an answer may take [s].
            serve: What the process does; None runs engines.
        """
        self._timeout, self._serve = timeout, serve or run_engines
        self._folder = TemporaryDirectory(prefix="unisim-")
        self._said = Path(self._folder.name) / "stderr"
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None

    def ask(
        self, target: Target, probes: Sequence[Probe], *, used: bool
    ) -> list[Seen] | Failed:
        """Run a scene or a sheet on the engine, and say what was seen per probe."""
        pipe = self._started()
        plain = [asdict(probe) for probe in probes]
        job = {"target": asdict(target), "used": used, "probes": plain}
        try:
            pipe.send_bytes(json.dumps(job).encode())
            if not pipe.poll(self._timeout):
                self._end(0.0)
                return Failed("hung", f"no answer within {self._timeout:g} s")
            answer = json.loads(pipe.recv_bytes())
        except (EOFError, ConnectionError):
            return self._end_of_it()
        if "how" in answer:
            return Failed(**answer)
        return [
            {name: np.array(values) for name, values in seen.items()}
            for seen in answer["seen"]
        ]

    def close(self) -> None:
        """End the process, whatever it does."""
        self._end()
        self._folder.cleanup()

    def _end(self, grace: float = _GRACE) -> int | None:
        """End the process; its exit status where it ended by itself."""
        process, self._process = self._process, None
        if process is None:
            return None
        if self._pipe is not None:
            self._pipe.close()
        process.join(grace)
        code = process.exitcode
        process.kill()
        process.join()
        process.close()
        return code

    def _started(self) -> Connection:
        if self._process is None or self._pipe is None:
            context = multiprocessing.get_context("spawn")
            self._pipe, there = context.Pipe()
            process = context.Process(
                target=self._serve, args=(there, str(self._said)), daemon=True
            )
            process.start()
            there.close()
            self._process = process
        return self._pipe

    def _end_of_it(self) -> Failed:
        """How the process ended, and what it said last.

        An exception that an engine raises past its adapter ends it with status 1.
        """
        code = self._end()
        lines = self._said.read_text(encoding="utf-8", errors="replace").splitlines()
        said = [_plain(line) for line in lines if line.strip()]
        if code == 1 and said:
            return Failed("refused", said[-1])
        return Failed("crashed", ": ".join([f"exit status {code}", *said[-1:]]))


Serve = Callable[[Connection, str], None]


def run_engines(pipe: Connection, said: str) -> None:
    """Answer jobs until there are no more.

    Args:
        pipe: Where they come from.
        said: File that takes what the engine prints.
    """
    file = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(file, stream.fileno())
    leave_no_log()
    while True:
        try:
            message = pipe.recv_bytes()
        except EOFError:
            return
        pipe.send_bytes(json.dumps(_answer(json.loads(message))).encode())


def _answer(job: dict[str, Any]) -> dict[str, object]:
    probes = [Probe.of(item) for item in job["probes"]]
    try:
        found = on_engine(Target(**job["target"]), probes, used=job["used"])
    except MissingEngine as error:
        return asdict(Failed("missing", str(error)))
    except UnisimError as error:
        return asdict(Failed("refused", _plain(str(error))))
    return {
        "seen": [
            {name: values.tolist() for name, values in seen.items()} for seen in found
        ]
    }


def _plain(text: str) -> str:
    """A message on one line, without the folder that its scene was written to."""
    return re.sub(rf"\S*{FOLDER}\w+/", "", " ".join(text.split()))
