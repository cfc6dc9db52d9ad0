"""Engines that a test makes up, to see what the probes say of them."""

import os
import time

from unisim.probe.child import Failed
from unisim.probe.trial import on_mujoco

KEEP = ("option.timestep",)


class Altered:
    """MuJoCo, whose answer to a feature is altered."""

    def __init__(self, alter):
        self._alter, self.asked = alter, []

    def ask(self, target, probes, *, used):
        names = [probe.feature for probe in probes]
        self.asked.append((tuple(names), used))
        unused = on_mujoco(target, probes, used=False)
        if not used:
            return unused
        seen = on_mujoco(target, probes, used=True)
        answers = [self._alter(*item) for item in zip(names, seen, unused, strict=True)]
        failed = [item for item in answers if isinstance(item, Failed)]
        return failed[0] if failed else answers


def scaled(share):
    """An engine on which a feature has that share of its effect."""

    def alter(_name, used, unused):
        return {
            key: unused.get(key, 0.0 * values)
            + share * (values - unused.get(key, 0.0 * values))
            for key, values in used.items()
        }

    return alter


def dies(pipe, _said):
    """A process that ends at the first job, with a last word on stderr."""
    file = os.open(_said, os.O_WRONLY | os.O_CREAT)
    os.write(file, b"Traceback\nSegmentation of everything\n")
    pipe.recv_bytes()
    os._exit(7)


def raises(pipe, _said):
    """A process whose engine raises what its adapter does not know."""
    file = os.open(_said, os.O_WRONLY | os.O_CREAT)
    os.dup2(file, 2)
    pipe.recv_bytes()
    raise ValueError("no such thing here")


def hangs(pipe, _said):
    """A process that takes a job and never answers."""
    pipe.recv_bytes()
    time.sleep(600)
