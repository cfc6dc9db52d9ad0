"""`unisim check`: what each backend makes of a scene."""

import json as json_format
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import tyro

from unisim.cli.arguments import NOTHING, Features, File, Name

if TYPE_CHECKING:
    from unisim.config import TaskCfg
    from unisim.scene.scene import Scene

ALL = "all"
"""Stands for every backend that has a manifest."""


def check(
    scene: File,
    /,
    *,
    backend: Name = None,
    profile: Name = None,
    accept: Features = NOTHING,
    every: Annotated[bool, tyro.conf.arg(name="all")] = False,
    json: bool = False,
) -> int:
    """Say what a backend makes of a scene, before anything is built.

    Lists what it cannot do or would do otherwise, worst first: the feature, every
    element that asks for it with its file and line, what the claim rests on, and what
    to do about it. Needs no engine but MuJoCo. The exit status is 0 when every backend
    asked about represents the scene as its file states it, or as you accept, and 1 when
    one refuses. A bare scene asks for no device and precision: each backend takes its
    own.

    Example: unisim check robot.xml --backend all

    Args:
        scene: Scene (.xml) or task config (.toml).
        backend: Backend to ask about, or `all`; the config's when left out.
        profile: Solver profile; the config's or the backend's default when left out.
        accept: Features or families whose approximation you agree to; one or several.
        every: List what is exact or only visual as well.
        json: Print JSON, with every use.
    """
    from unisim.backend.choice import instead, on_backend
    from unisim.cli.overview import overview, worst_first
    from unisim.cli.source import is_scene, read_task, scene_of
    from unisim.cli.stated import stated_in
    from unisim.cli.verdicts import plain, text
    from unisim.scene.compose import compose
    from unisim.task import check_run, judge_task

    task = read_task(scene)
    with stated_in(scene):
        composed = compose(scene_of(task), visuals=False)
        _check_names(task, composed)
        check_run(task, composed)
        task = replace(task, accept=(*task.accept, *accept))
        names = _asked(task.backend if backend is None else backend)
        move = on_backend if is_scene(scene) else instead
        moved = [move(task, name) for name in names]
        if profile is not None:
            moved = [replace(item, profile=profile) for item in moved]
        reports = [judge_task(item, composed) for item in moved]
    if json:
        print(json_format.dumps(plain(scene, reports), indent=1))
    else:
        reports = worst_first(reports)
        parts = [text(scene, item, task.accept, every=every) for item in reports]
        parts += [overview(reports)] if len(reports) > 1 else []
        print("\n\n".join(parts))
    return 1 if any(item.refusals for item in reports) else 0


def _check_names(task: "TaskCfg", scene: "Scene") -> None:
    from unisim.backend.layout import layout_of
    from unisim.errors import UnknownName
    from unisim.scene.compose import compose
    from unisim.task import check_names, scene_cfg

    try:
        check_names(task, scene, layout_of(scene.model))
    except UnknownName as error:
        if error.kind != "geom":
            raise
        # it may be one without physical effect, which this scene is left without
        whole = compose(scene_cfg(task))
        check_names(task, whole, layout_of(whole.model))


def _asked(backend: str) -> tuple[str, ...]:
    from unisim.backend import registry

    return registry.known() if backend == ALL else (backend,)
