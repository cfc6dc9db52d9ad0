"""What is built through the whole of unisim, audit and all."""

import pytest

from drake_scenes import CHAIN, free
from drakes import Beside  # noqa: F401  (where Drake is not installed, it skips)
from unisim.config import SceneCfg, TaskCfg
from unisim.task import build


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
def test_what_drake_integrates_otherwise_is_compared_with_what_it_does(
    tmp_path, integrator
):
    xml = free(CHAIN.format(ball="")).replace(
        "<option", f'<option integrator="{integrator}"', 1
    )
    file = tmp_path / "scene.xml"
    file.write_text(xml)
    task = TaskCfg(
        scene=SceneCfg(model_file=file), worlds=3, backend="drake", accept=("*",)
    )
    build(task).close()
