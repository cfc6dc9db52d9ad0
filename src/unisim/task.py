"""Builds a task: compose, gate, build, read back, audit."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import fields, is_dataclass, replace

from unisim.backend import registry
from unisim.backend.audit import audit
from unisim.backend.base import BuildCfg
from unisim.backend.choice import settled
from unisim.backend.gate import GateReport, gate, judge
from unisim.backend.layout import Layout, layout_of
from unisim.backend.log import leave_no_log
from unisim.config import DelayCfg, SceneCfg, TaskCfg
from unisim.control import Batch, bind
from unisim.errors import BadConfig, OutOfRange, UnknownName
from unisim.footprint import fitting
from unisim.scene.compose import compose
from unisim.scene.scene import Scene
from unisim.sim import Built, Sim, check_alone

MOST_SAMPLES = 2_000_000
"""Control steps that a run may record."""


def scene_cfg(task: TaskCfg) -> SceneCfg:
    """The scene of a task, the task's timestep written into its options.

    Raises:
        BadConfig: If both state a timestep and they differ.
    """
    stated = task.scene.options.timestep
    if task.timestep is None or task.timestep == stated:
        return task.scene
    if stated is not None:
        problem = f"timestep is {task.timestep}, scene.options.timestep is {stated}"
        raise BadConfig("task", [problem])
    options = replace(task.scene.options, timestep=task.timestep)
    return replace(task.scene, options=options)


def build(task: TaskCfg, scene: Scene | None = None) -> Sim:
    """Make a running sim of a task.

    Args:
        task: The task.
        scene: Its composed scene, when the caller already has it. One made by hand is
            taken as it is.

    Returns:
        The sim, every world at the scene's keyframe.

    Raises:
        UnknownBackend: If no package registers the backend.
        NoAdapter: If it can only be checked against.
        MissingEngine: If its engine is not installed.
        BadScene: If the scene cannot be composed.
        BadConfig: If the scene passed was composed from another config than the task's.
        UnsupportedFeature: If the backend cannot represent the scene as it is stated.
        AuditFailed: If the engine built something else.
        BadControl: If a control law does not fit.
        UnknownName: If the camera or a contact query names what the scene lacks.
        LacksAbility: If another sim is open where there can be but one.
        OutOfMemory: If the worlds do not fit.
    """
    leave_no_log()
    backend, task = registry.load(task.backend), settled(task)
    scene = _scene(task, scene)
    layout = layout_of(scene.model)
    check_names(task, scene, layout)
    request = build_cfg(task, scene)
    passed = gate(request, backend.manifest, task.accept, task.require)
    backend.settings(request)
    check_alone(task.backend)
    arrays = backend.arrays(request)
    sizes = Batch(task.worlds, layout.sizes["nu"], request.dtype, arrays)
    delay = sum(law.steps for law in task.control if isinstance(law, DelayCfg))
    with fitting(request, layout, delay), ExitStack() as undo:
        law = bind(task.control, scene, layout, sizes)
        engine = backend.build(request, layout)
        undo.callback(engine.close)
        chosen = backend.manifest.profile(request.profile)
        agreed = tuple(dict.fromkeys(item.use.feature for item in passed.accepted))
        found = audit(scene, layout, backend, engine, chosen, accept=agreed)
        sim = Sim(Built(task, scene, layout, engine, law, passed, found))
        undo.pop_all()
        return sim


def judge_task(task: TaskCfg, scene: Scene) -> GateReport:
    """What a backend makes of a task, without its engine and before anything is built.

    Args:
        task: The task.
        scene: Its composed scene; geoms without physical effect may be missing.

    Raises:
        UnknownBackend: If nothing is known of the backend.
        NoAdapter: If settings are asked of a backend that has no adapter.
        BadConfig: If a setting of the backend is unknown or has the wrong type.
        OutOfRange: If a setting does not fit the task.
        BadControl: If a control law does not fit.
        UnknownName: If the task names what does not exist; geoms of contact queries are
            left to `check_names`.
    """
    manifest = registry.manifest(task.backend)
    request = build_cfg(task, scene)
    report = judge(request, manifest, task.accept, task.require)
    if task.engine or task.backend in registry.names():
        registry.load(task.backend).settings(request)
    if task.control:
        layout = layout_of(scene.model)
        one = Batch(1, layout.sizes["nu"], request.dtype)
        bind(task.control, scene, layout, one)
    return report


def check_run(task: TaskCfg, scene: Scene) -> None:
    """Refuse a run that is too long, or pictures a world that it does not have.

    Raises:
        OutOfRange: If it is or does.
    """
    if task.run.picture_world >= task.worlds:
        allowed = f"0 to {task.worlds - 1}"
        raise OutOfRange("run.picture_world", task.run.picture_world, allowed)
    check_length("run.seconds", task.run.seconds, task.decimation, scene)


def check_length(place: str, seconds: float, decimation: int, scene: Scene) -> None:
    """Refuse a time of more control steps than can be kept.

    Args:
        place: Where the time is stated.
        seconds: The time [s].
        decimation: Physics steps per control step.
        scene: The scene, whose timestep counts.

    Raises:
        OutOfRange: If it is too long.
    """
    step = float(scene.model.opt.timestep) * decimation
    if seconds > MOST_SAMPLES * step:
        allowed = f"up to {MOST_SAMPLES * step:g}, {MOST_SAMPLES:,} steps of {step:g} s"
        raise OutOfRange(place, seconds, allowed)


def build_cfg(task: TaskCfg, scene: Scene) -> BuildCfg:
    """What a backend is asked to build for a task.

    Raises:
        UnknownBackend: If nothing is known of the backend.
    """
    manifest = registry.manifest(task.backend)
    return BuildCfg(
        scene=scene,
        worlds=task.worlds,
        profile=manifest.default_profile if task.profile is None else task.profile,
        settings=task.engine,
        device=task.device,
        dtype=task.dtype or manifest.abilities.dtypes[0],
        seed=task.seed,
        deterministic=task.deterministic,
        contacts=task.contacts,
        vary=task.vary,
    )


def check_names(task: TaskCfg, scene: Scene, layout: Layout) -> None:
    """Refuse a task whose camera or contact queries name what the scene lacks.

    Raises:
        UnknownName: If one does; the message suggests close names.
    """
    asked = [("camera.body", "body", task.camera.body)]
    asked += [
        (f"contact query {query.name!r}", query.kind, name)
        for query in task.contacts
        for name in (query.first, query.second)
    ]
    for place, kind, name in asked:
        known = layout.names["body" if kind == "subtree" else kind]
        if name is not None and name not in known:
            owner = f"{place}: {scene.file}"
            raise UnknownName(kind, name, known, owner)


def _scene(task: TaskCfg, scene: Scene | None) -> Scene:
    """The scene of a task, composed unless it is given."""
    asked = scene_cfg(task)
    if scene is None:
        return compose(asked)
    if scene.cfg is not None and scene.cfg != asked:
        problems = [
            *_differences(asked, scene.cfg, "scene"),
            "pass no scene, or compose it by compose(scene_cfg(task))",
        ]
        raise BadConfig("task and scene", problems)
    return scene


def _differences(asked: object, given: object, path: str) -> Iterator[str]:
    """In which fields two configs differ."""
    if is_dataclass(asked) and type(asked) is type(given):
        for field in fields(asked):
            mine, other = getattr(asked, field.name), getattr(given, field.name)
            yield from _differences(mine, other, f"{path}.{field.name}")
    elif asked != given:
        yield f"{path}: the task says {asked!r}, the scene was composed with {given!r}"
