"""`unisim compose`: the whole scene as one file."""

from typing import Annotated

import tyro

from unisim.cli.arguments import File, Folder


def compose(
    config: File,
    /,
    *,
    out: Annotated[Folder, tyro.conf.arg(aliases=["-o"])],
) -> int:
    """Merge, attach, name and compile a scene, and write it out.

    The folder then holds one flat MJCF file that any MuJoCo opens, its assets, and
    where every element came from.

    Example: unisim compose configs/twoarm.toml -o out/twoarm

    Args:
        config: Task config (.toml), or a scene (.xml).
        out: Folder to write into.
    """
    from unisim.cli.source import read_task, scene_of
    from unisim.cli.stated import stated_in
    from unisim.scene.compose import compose as compose_scene
    from unisim.scene.export import export
    from unisim.scene.terrain.field import memory_of

    task = read_task(config)
    with stated_in(config):
        scene = compose_scene(scene_of(task))
    export(scene, out)
    model = scene.model
    ground = f"{memory}; " if (memory := memory_of(model)) else ""
    print(
        f"{out}: {model.nbody - 1} bodies, {model.njnt} joints, {model.ngeom} geoms, "
        f"{model.nactuator} actuators, {model.nsensor} sensors, {model.nkey} keys; "
        f"{len(scene.assets)} assets; {ground}digest {scene.digest[:12]}"
    )
    return 0
