"""Kernels compile at their first launch: where they are kept, and what one sees of it.

Warp keeps compiled kernels in `warp` under `UNISIM_CACHE`, unless `WARP_CACHE_PATH`
names another folder. One process compiles at a time, so that others find its kernels.
"""

import fcntl
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache as once
from os import environ
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic

import warp as wp

from unisim.scene.cache import folder

_LOCK = "unisim.lock"
_QUIET = 2.0  # s before anything is shown
_NO_GPU = b"Could not find or load the NVIDIA CUDA driver"
"""What Warp writes on every machine without a GPU; whoever asks for one is told."""


def start() -> None:
    """Set Warp up quietly, its cache where this project keeps its own."""
    wp.config.log_level = wp.LOG_ERROR
    base = folder()
    if "WARP_CACHE_PATH" not in environ and base is not None:
        wp.config.kernel_cache_dir = str(base / "warp" / wp.__version__)
    _init()


@once
def _init() -> None:
    """Start Warp, whose native part writes to stderr whatever its log level is."""
    with _without(_NO_GPU):
        wp.init()


@contextmanager
def _without(said: bytes) -> Iterator[None]:
    """Leave out the lines with these words that the block writes to stderr."""
    sys.stderr.flush()
    stderr = os.dup(2)
    with TemporaryFile() as written:
        os.dup2(written.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
            written.seek(0)
            for line in written:
                if said not in line:
                    os.write(2, line)


@contextmanager
def compiling(what: str) -> Iterator[None]:
    """Hold the lock of the cache, and show on a terminal that time passes.

    Args:
        what: What is being made ready, for the line that is shown.
    """
    cache = Path(str(wp.config.kernel_cache_dir))
    with _locked(cache, what):
        before = _modules(cache)

        def line(seconds: float) -> str:
            made = _modules(cache) - before
            return f"{what}: {seconds:.0f} s, {made} kernels compiled"

        with _shown(line):
            yield


@contextmanager
def _locked(cache: Path, what: str) -> Iterator[None]:
    """Wait for whoever compiles here; a folder one cannot write needs no lock."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        stream = (cache / _LOCK).open("a")
    except OSError:
        yield
        return
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            reason = f"waits for another process that compiles in {cache}"
            with _shown(lambda seconds: f"{what}: {reason}, {seconds:.0f} s"):
                fcntl.flock(stream, fcntl.LOCK_EX)
        yield


@contextmanager
def _shown(line: Callable[[float], str]) -> Iterator[None]:
    """Show on a terminal's last line what is true after so many seconds."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()

    def show() -> None:
        start, shown = monotonic(), False
        while not done.wait(_QUIET if not shown else 1.0):
            shown = True
            sys.stderr.write(f"\r{line(monotonic() - start)}\x1b[K")
            sys.stderr.flush()
        if shown:
            sys.stderr.write("\r\x1b[K")

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _modules(cache: Path) -> int:
    return sum(1 for _ in cache.glob("wp_*"))
