"""What a command is given: a bare scene or a task config."""

from pathlib import Path

from unisim.config import SceneCfg, TaskCfg, load
from unisim.errors import BadConfig, MissingFile
from unisim.nearby import nearby

_SCENES, _CONFIGS = (".xml", ".mjcf"), (".toml",)


def is_scene(path: Path) -> bool:
    """Whether a file is a bare scene, which states no backend, device and precision."""
    return path.suffix.lower() in _SCENES


def is_config(path: Path) -> bool:
    """Whether a file is written as task configs are."""
    return path.suffix.lower() in _CONFIGS


def read_task(path: Path) -> TaskCfg:
    """Read a task from a config, or make one of a bare scene.

    Raises:
        MissingFile: If the file is not there or is a folder.
        BadConfig: If it is neither, or the config is not valid.
    """
    if path.is_dir():
        raise MissingFile(path, "this is a folder, not a scene or a config.")
    if is_config(path):
        return load(path)
    if not is_scene(path):
        raise BadConfig(
            path, ["what is wanted is a scene (.xml) or a task config (.toml)"]
        )
    if not path.exists():
        raise MissingFile(path, "there is no such scene file.", nearby(path))
    return TaskCfg(scene=SceneCfg(model_file=path))


def scene_of(task: TaskCfg) -> SceneCfg:
    """The scene of a task, with the task's timestep.

    Raises:
        BadConfig: If both state a timestep and they differ.
    """
    if task.timestep is None:
        return task.scene
    from unisim.task import scene_cfg

    return scene_cfg(task)


def read_config(path: Path) -> TaskCfg:
    """Read a task from a config; a bare scene says too little.

    Raises:
        MissingFile: If the file is not there or is a folder.
        BadConfig: If it is not a valid config.
    """
    if is_scene(path):
        problem = (
            "this is a scene; wanted is a task config (.toml) whose "
            f'[scene] says model_file = "{path.name}"'
        )
        raise BadConfig(path, [problem])
    return load(path)
