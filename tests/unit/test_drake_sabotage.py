"""Everything that was put into Drake is changed there, in one element, and named."""

import numpy as np
import pytest

from drakes import USUAL  # noqa: F401  (where Drake is not installed, it skips)
from sabotage import Scenes, labels, meddled
from sabotaged_drake import (
    AFTER,
    BEFORE,
    REWRITTEN,
    TEXTS,
    UNSEEN,
    WHILE,
    Objects,
)
from unisim.backend.drake import build as builds


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    return Scenes(tmp_path_factory.mktemp("drake"), TEXTS)


def before_it_is_finalized(monkeypatch, change):
    register = builds.register

    def registered(plant, *rest):
        made = register(plant, *rest)
        change(plant)
        return made

    monkeypatch.setattr(builds, "register", registered)


@pytest.mark.parametrize("name", [*TEXTS, "quadruped"])
def test_what_nobody_changed_is_built(scenes, name):
    scenes.build(name, "drake").close()


@pytest.mark.parametrize(("scene", "name", "change"), AFTER, ids=labels(AFTER))
def test_a_change_in_one_world_is_named(scenes, monkeypatch, scene, name, change):
    meddled(monkeypatch, lambda engine: change(Objects(engine)))
    assert name in scenes.named(scene, "drake")


@pytest.mark.parametrize(("scene", "name", "change"), BEFORE, ids=labels(BEFORE))
def test_a_change_before_the_plant_is_final_is_named(
    scenes, monkeypatch, scene, name, change
):
    before_it_is_finalized(monkeypatch, change)
    assert name in scenes.named(scene, "drake")


@pytest.mark.parametrize(("scene", "name", "change"), WHILE, ids=labels(WHILE))
def test_a_change_on_the_way_into_drake_is_named(
    scenes, monkeypatch, scene, name, change
):
    change(monkeypatch)
    assert name in scenes.named(scene, "drake")


@pytest.mark.parametrize("what", UNSEEN)
def test_what_cannot_be_seen_still_cannot(scenes, monkeypatch, what):
    change, _reason = UNSEEN[what]
    before_it_is_finalized(monkeypatch, change)
    assert scenes.named("touch", "drake") == set()


@pytest.mark.parametrize(("scene", "change"), REWRITTEN)
def test_a_state_that_is_changed_in_drake_has_no_effect(
    scenes, monkeypatch, scene, change
):
    def end():
        sim = scenes.build(scene, "drake")
        sim.step(None, 20)
        found = np.array(sim.read("qpos"))
        sim.close()
        return found

    want = end()
    meddled(monkeypatch, lambda engine: change(Objects(engine)))
    assert np.array_equal(end(), want)
