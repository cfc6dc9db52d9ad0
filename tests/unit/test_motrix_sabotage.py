"""What was put into MotrixSim is changed there, in one element, and refused."""

import pytest

from motrixes import REQUIRED  # noqa: F401  (where it is not installed, it skips)
from sabotage import Scenes, meddled
from sabotaged_motrix import (
    AFTER,
    BUILT,
    TEXTS,
    UNSEEN_AFTER,
    UNSEEN_BUILT,
    compiled,
)


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    return Scenes(tmp_path_factory.mktemp("motrix"), TEXTS)


def rows(table, unseen):
    for place, row in enumerate(table):
        marks = []
        if place in unseen:
            marks.append(pytest.mark.xfail(strict=True, reason=unseen[place]))
        name = f"{place}-{row[0]}-{row[1]}"
        yield pytest.param(*row, marks=marks, id=name)


@pytest.mark.parametrize("name", [*TEXTS, "quadruped"])
def test_what_nobody_changed_is_built(scenes, name):
    scenes.build(name, "motrix").close()


@pytest.mark.parametrize(("scene", "name", "change"), list(rows(AFTER, UNSEEN_AFTER)))
def test_a_change_in_what_is_built_is_named(scenes, monkeypatch, scene, name, change):
    meddled(monkeypatch, lambda engine: change(engine.handle))
    found = scenes.named(scene, "motrix")
    assert name in found if name != "model" else found


@pytest.mark.parametrize(("scene", "name", "change"), list(rows(BUILT, UNSEEN_BUILT)))
def test_a_change_in_what_is_compiled_is_named(
    scenes, monkeypatch, scene, name, change
):
    compiled(monkeypatch, change)
    found = scenes.named(scene, "motrix")
    assert name in found if name != "model" else found
