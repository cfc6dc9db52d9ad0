"""What backends make of one scene or task config."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from unisim.backend.choice import instead, on_backend
from unisim.backend.gate import GateReport
from unisim.backend.layout import layout_of
from unisim.cli.asked import Asked, counts
from unisim.cli.source import is_scene, read_task, scene_of
from unisim.cli.stated import stated_in
from unisim.config import TaskCfg
from unisim.errors import UnknownName
from unisim.scene.compose import compose
from unisim.scene.scene import Scene
from unisim.task import check_names, check_run, judge_task, scene_cfg


@dataclass(frozen=True)
class Examined:
    """What the backends asked about make of a file.

    Attributes:
        file: The scene or config.
        accept: What was agreed to, by the config and at the command line.
        asked: What was asked about.
        reports: What the gate says of each, in the same order.
    """

    file: Path
    accept: tuple[str, ...]
    asked: tuple[Asked, ...]
    reports: tuple[GateReport, ...]

    def counts(self, report: GateReport) -> bool:
        """Whether a report decides the answer."""
        return counts(self.asked[self.reports.index(report)], report)

    @property
    def passes(self) -> bool:
        """Whether every backend that counts represents the scene."""
        pairs = zip(self.asked, self.reports, strict=True)
        return all(report.runs for item, report in pairs if counts(item, report))


def examine(file: Path, asked: Sequence[Asked], accept: Sequence[str]) -> Examined:
    """Compose a file's scene and let the gates judge it; no engine is needed.

    Args:
        file: Scene or task config.
        asked: Backends to ask about.
        accept: Features or families that are accepted besides the config's.

    Raises:
        MissingFile: If the file is not there or is a folder.
        BadConfig: If it is neither scene nor config, or not valid.
        BadScene: If the scene cannot be composed.
        UnknownName: If the task names what does not exist.
        UnsupportedFeature: If the scene holds what the vocabulary does not know.
    """
    task = read_task(file)
    with stated_in(file):
        scene = compose(scene_of(task), visuals=False)
        _check_names(task, scene)
        check_run(task, scene)
        task = replace(task, accept=(*task.accept, *accept))
        move = on_backend if is_scene(file) else instead
        moved: list[TaskCfg] = []
        for item in asked:
            other = move(task, item.backend or task.backend)
            chosen = item.profile or other.profile
            moved.append(replace(other, profile=chosen))
        reports = tuple(judge_task(other, scene) for other in moved)
    return Examined(file, tuple(dict.fromkeys(task.accept)), tuple(asked), reports)


def _check_names(task: TaskCfg, scene: Scene) -> None:
    try:
        check_names(task, scene, layout_of(scene.model))
    except UnknownName as error:
        if error.kind != "geom":
            raise
        # it may be one without physical effect, which this scene is left without
        whole = compose(scene_cfg(task))
        check_names(task, whole, layout_of(whole.model))
