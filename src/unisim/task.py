"""Builds a task: compose, gate, build, read back, audit."""

from dataclasses import replace

from unisim.backend import registry
from unisim.backend.audit import audit
from unisim.backend.base import BuildCfg
from unisim.backend.gate import gate
from unisim.backend.layout import layout_of
from unisim.config import SceneCfg, TaskCfg
from unisim.control import Batch, bind
from unisim.errors import BadConfig
from unisim.scene.compose import compose
from unisim.scene.scene import Scene
from unisim.sim import Built, Sim


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
        scene: Its composed scene, when the caller already has it.

    Returns:
        The sim, every world at the scene's keyframe.

    Raises:
        UnknownBackend: If no package registers the backend.
        MissingEngine: If its engine is not installed.
        BadScene: If the scene cannot be composed.
        UnsupportedFeature: If the backend cannot represent the scene as it is stated.
        AuditFailed: If the engine built something else.
        BadControl: If a control law does not fit.
    """
    backend = registry.load(task.backend)
    scene = compose(scene_cfg(task)) if scene is None else scene
    layout = layout_of(scene.model)
    profile = task.profile or backend.manifest.default_profile
    passed = gate(
        scene,
        backend.manifest,
        profile,
        accept=task.accept,
        require=task.require,
        vary=task.vary,
        contacts=task.contacts,
        device=task.device,
        dtype=task.dtype,
        deterministic=task.deterministic,
    )
    chosen = backend.manifest.profile(profile)
    request = BuildCfg(
        scene=scene,
        worlds=task.worlds,
        profile=profile,
        settings=task.engine,
        device=task.device,
        dtype=task.dtype,
        seed=task.seed,
        deterministic=task.deterministic,
        contacts=task.contacts,
        vary=task.vary,
    )
    arrays = backend.arrays(request)
    sizes = Batch(task.worlds, layout.sizes["nu"], task.dtype, arrays)
    law = bind(task.control, scene, layout, sizes)
    engine = backend.build(request, layout)
    try:
        found = audit(scene, layout, backend, engine, chosen, accept=task.accept)
    except Exception:
        engine.close()
        raise
    return Sim(Built(task, scene, layout, engine, arrays, law, passed, found))
