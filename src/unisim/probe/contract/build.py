"""Builds the sims of a clause, or asserts that what is not declared is refused."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar, cast

import pytest

from unisim.backend import registry
from unisim.backend.arrays import HOST
from unisim.backend.choice import settled
from unisim.backend.manifest import Level, Manifest
from unisim.config import SceneCfg, TaskCfg
from unisim.errors import UnsupportedFeature
from unisim.mjcf.detect import detect
from unisim.mjcf.features import FEATURES
from unisim.probe.contract.contract import Contract
from unisim.probe.contract.host import HostSim
from unisim.probe.contract.scenes import composed
from unisim.scene.scene import Scene
from unisim.sim import Sim
from unisim.task import build

TWINS = ("second_sim", "deterministic")
"""Abilities without which two sims side by side say nothing."""
F = TypeVar("F", bound=Callable[..., None])


_TASK = cast("Callable[..., TaskCfg]", TaskCfg)


class Refused(Exception):
    """A clause asked for what the manifest does not declare, and was refused it."""


def needs(*abilities: str) -> Callable[[F], F]:
    """Say that a clause needs abilities of `unisim.backend.manifest.ABILITIES`."""

    def said(clause: F) -> F:
        vars(clause)["needs"] = abilities
        return clause

    return said


class BuildSim:
    """Builds sims of one backend, and closes them.

    Attributes:
        contract: The backend and its scenes.
        manifest: What the backend declares.
    """

    def __init__(
        self,
        contract: Contract,
        needs: Sequence[str],
        properties: list[tuple[str, object]],
    ) -> None:
        """Build for one test.

        Args:
            contract: The backend.
            needs: Abilities without which the test makes no sense.
            properties: Where to note that something was refused.
        """
        self.contract = contract
        self.manifest: Manifest = registry.load(contract.backend).manifest
        self._needs, self._properties = tuple(needs), properties
        self._open: list[Sim] = []

    def __call__(
        self, name: str, worlds: int = 5, keyframe: str | None = None, **task: object
    ) -> Sim:
        """Build a scene by its name, or from a text; keywords are those of `TaskCfg`.

        What is read from the sim are numpy arrays, wherever the engine has its own.

        Raises:
            Refused: If the manifest does not declare what is asked for, and the build
                says so.
        """
        scene = self._scene(name, keyframe)
        cfg = self._task(scene, keyframe, worlds=worlds, **task)
        wanted = (*self._needs, *(TWINS if self._open else ()))
        self._assert_refused(cfg, scene, wanted)
        sim = build(cfg, scene)
        self._open.append(sim)
        numpy = sim.built.law.batch.arrays is HOST
        return sim if numpy else cast("Sim", HostSim(sim))

    def refusals(self, name: str, **task: object) -> tuple[str, ...]:
        """What the manifest says against a scene, by its name; nothing is built."""
        scene = self._scene(name, None)
        cfg = settled(self._task(scene, None, **task))
        return tuple(undeclared(self.manifest, cfg, scene, ()))

    def close(self) -> None:
        """Close every sim."""
        for sim in self._open:
            sim.close()

    def _scene(self, name: str, keyframe: str | None) -> Scene:
        return composed(self.contract.every.get(name, name), keyframe)

    def _task(self, scene: Scene, keyframe: str | None, **task: object) -> TaskCfg:
        given = {
            "backend": self.contract.backend,
            "accept": self.contract.accept,
            "deterministic": self.manifest.abilities.deterministic,
            **self.contract.task,
            **task,
            "scene": SceneCfg(model_file=scene.file, keyframe=keyframe),
        }
        return _TASK(**given)

    def _assert_refused(
        self, cfg: TaskCfg, scene: Scene, wanted: tuple[str, ...]
    ) -> None:
        """Where the manifest does not declare it all, see the build refuse it."""
        lacking = tuple(undeclared(self.manifest, settled(cfg), scene, wanted))
        if not lacking:
            return
        with pytest.raises(UnsupportedFeature) as refused:
            build(replace(cfg, require=(*cfg.require, *wanted)), scene)
        said = str(refused.value)
        silent = [what for what in lacking if what not in said]
        assert not silent, f"refused without a word of {silent}: {said}"
        self._properties.append(("refused", ", ".join(lacking)))
        raise Refused(said)


def undeclared(
    manifest: Manifest, task: TaskCfg, scene: Scene, wanted: Sequence[str]
) -> Iterator[str]:
    """What a refusal of a task must name, from the manifest alone."""
    have = manifest.abilities
    profile = manifest.default_profile if task.profile is None else task.profile
    for feature in dict.fromkeys(use.feature for use in detect(scene)):
        level = manifest.support(profile, feature).level
        agreed = {"*", feature, *FEATURES[feature].families} & {*task.accept}
        unmet = level is Level.APPROXIMATE and not agreed
        if level is Level.UNSUPPORTED or unmet:
            yield feature
    yield from (f"vary {name!r}" for name in task.vary if name not in have.vary)
    for query in task.contacts:
        if query.kind not in have.contact_kinds:
            yield f"by {query.kind}"
        if query.reduce not in have.contact_reduce:
            yield f"reduce by {query.reduce}"
        yield from (n for n in query.fields if n not in have.contact_fields)
    if task.dtype not in have.dtypes:
        yield f"dtype {task.dtype!r}"
    if task.deterministic and not have.deterministic:
        yield "deterministic = true"
    yield from (f"ability {name}" for name in wanted if name not in have.names)
