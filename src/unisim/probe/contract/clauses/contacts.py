"""Contact queries against the list of all contacts of a world."""

import numpy as np
import pytest

from unisim.config import ContactQueryCfg
from unisim.errors import NotDeclared, OutOfRange, UnknownName
from unisim.probe.contract.worlds import everything, future, rounding, same, scatter

ALL = ("force", "torque", "dist", "pos", "normal", "tangent")
SLOTS = 8
PAIRS = {
    "geoms": ("geom", "crate", "floor"),
    "geoms turned round": ("geom", "floor", "crate"),
    "geom and anything": ("geom", "lid", None),
    "bodies": ("body", "ball", "crate"),
    "bodies turned round": ("body", "crate", "ball"),
    "body and world": ("body", "slab", "world"),
    "body and anything": ("body", "crate", None),
    "subtrees": ("subtree", "crate", "ball"),
    "subtree and anything": ("subtree", "crate", None),
}


def touching(build_sim, *queries, **task):
    """Bodies at rest on each other, in every world somewhere else."""
    sim = build_sim("pile", contacts=queries, **task)
    random = np.random.default_rng(0)
    qpos = sim.read("qpos").copy()
    qpos[:, [0, 1, 7, 8]] += random.normal(0, 0.02, (5, 1))
    qpos[4, 9] += 3.0  # no ball on the crate of the last world
    sim.reset(qpos=qpos)
    sim.step(count=120)
    sim.write("qvel", sim.read("qvel") + random.normal(0, 0.05, (5, 24)))
    return sim


def matching(sim, world, kind, first, second):
    """Rows of the raw list that a query matches, and which are turned round."""
    raw, model = sim.raw_contacts(world), sim.built.scene.model
    names = np.array([model.geom(i).name for i in range(model.ngeom)])
    if kind != "geom":
        names = np.array(
            [model.body(model.geom_bodyid[i]).name for i in range(model.ngeom)]
        )
    of = names[raw.geoms]
    forward = (of[:, 0] == first) & ((second is None) | (of[:, 1] == second))
    turned = (of[:, 1] == first) & ((second is None) | (of[:, 0] == second))
    rows = np.flatnonzero(forward | turned)
    return raw, rows, np.where(forward[rows], 1.0, -1.0)


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_a_query_finds_what_touches_and_how(build_sim, pair):
    kind, first, second = pair
    query = ContactQueryCfg(
        name="q", kind=kind, first=first, second=second, fields=ALL, slots=SLOTS
    )
    sim = touching(build_sim, query)
    reading, seen = sim.contact("q"), set()
    for world in range(5):
        raw, rows, sign = matching(sim, world, *pair)
        found = len(rows)
        seen.add(found)
        assert reading.found[world] == found
        fields = {k: v[world, :found] for k, v in reading.fields.items()}
        np.testing.assert_array_equal(fields["dist"][:, 0], raw.dist[rows])
        np.testing.assert_array_equal(fields["pos"], raw.pos[rows])
        np.testing.assert_array_equal(
            fields["normal"], raw.normal[rows] * sign[:, None]
        )
        third = np.cross(fields["normal"], fields["tangent"])
        frame = np.stack([fields["normal"], fields["tangent"], third], axis=1)
        force = np.einsum("ki,kij->kj", fields["force"], frame)
        np.testing.assert_allclose(
            force,
            raw.force[rows] * sign[:, None],
            rtol=rounding(sim, 1e-12),
            atol=rounding(sim, 1e-10),
        )
        assert all(np.all(v[world, found:] == 0) for v in reading.fields.values())
        assert np.all(fields["force"][:, 0] >= 0)
    assert max(seen) > 0
    assert not reading.overflow.any()
    assert set(reading.fields) == set(ALL)


def test_normals_point_from_the_first_to_the_second(build_sim):
    down, up = (
        ContactQueryCfg(name=a, kind="body", first=a, second=b, fields=("normal",))
        for a, b in (("crate", "world"), ("world", "crate"))
    )
    sim = touching(build_sim, down, up)
    assert np.all(sim.contact("crate").fields["normal"][:, 0, 2] < -0.99)
    assert np.all(sim.contact("world").fields["normal"][:, 0, 2] > 0.99)


@pytest.mark.parametrize("slots", [1, 3])
def test_netforce_is_what_the_first_does_to_the_second_in_world(build_sim, slots):
    query = ContactQueryCfg(
        name="q", kind="body", first="crate", reduce="netforce", slots=slots
    )
    sim = touching(build_sim, query)
    reading = sim.contact("q")
    for world in range(5):
        raw, rows, sign = matching(sim, world, "body", "crate", None)
        net = (raw.force[rows] * sign[:, None]).sum(axis=0)
        np.testing.assert_allclose(
            reading.fields["force"][world, 0],
            net,
            rtol=rounding(sim, 1e-12),
            atol=rounding(sim, 1e-9),
        )
        assert reading.found[world] == len(rows)
        assert np.all(reading.fields["force"][world, 1:] == 0)
    assert not reading.overflow.any()
    weight = 33.6 * 9.81
    calm = touching(build_sim, query)
    calm.step(count=400)
    resting = calm.contact("q").fields["force"][:, 0]
    np.testing.assert_allclose(resting, [[0, 0, -weight]] * 5, atol=0.05)


def test_more_contacts_than_slots_set_the_overflow_flag(build_sim):
    few, enough = (
        ContactQueryCfg(name=f"{n}", kind="body", first="slab", slots=n, fields=ALL)
        for n in (2, 4)
    )
    sim = touching(build_sim, few, enough)
    qpos = sim.read("qpos").copy()
    qpos[1, 23], qpos[1, 21:24] = 0, (0.5, 3.0, 5.0)
    sim.write("qpos", qpos)
    found = sim.contact("4").found
    assert found.tolist() == sim.contact("2").found.tolist()
    assert set(found) == {0, 4}
    assert sim.contact("2").overflow.tolist() == (found > 2).tolist()
    assert not sim.contact("4").overflow.any()


def test_reductions_keep_the_deepest_or_the_strongest(build_sim):
    queries = [
        ContactQueryCfg(
            name=reduce,
            kind="body",
            first="crate",
            reduce=reduce,
            slots=2,
            fields=("force", "dist"),
        )
        for reduce in ("mindist", "maxforce")
    ]
    sim = touching(build_sim, *queries)
    for world in range(5):
        raw, rows, _ = matching(sim, world, "body", "crate", None)
        deepest = np.sort(raw.dist[rows])[:2]
        strongest = np.sort(np.linalg.norm(raw.force[rows], axis=1))[::-1][:2]
        np.testing.assert_allclose(
            sim.contact("mindist").fields["dist"][world, :, 0],
            deepest,
            rtol=rounding(sim, 1e-12),
        )
        got = np.linalg.norm(sim.contact("maxforce").fields["force"][world], axis=1)
        np.testing.assert_allclose(got, strongest, rtol=rounding(sim, 1e-10))


def test_queries_change_neither_the_physics_nor_the_users_sensors(
    build_sim, scene_name
):
    sim = build_sim(scene_name)
    first = int(np.flatnonzero(sim.built.scene.model.body_dofnum)[0])
    name = sim.layout.names["body"][first]
    query = ContactQueryCfg(name="q", kind="subtree", first=name, fields=ALL, slots=5)
    asking = build_sim(scene_name, contacts=(query,))
    for each in (sim, asking):
        scatter(each)
    asking.contact("q")
    same(everything(sim), everything(asking))
    same(future(sim), future(asking))
    assert sim.layout.sizes["nsensordata"] == asking.read("sensordata").shape[1]


def test_a_reading_belongs_to_the_last_substep_or_to_what_was_written(build_sim):
    query = ContactQueryCfg(name="q", first="ball", second="lid", fields=ALL)
    sim, twin = touching(build_sim, query), touching(build_sim, query)
    for each in (sim, twin):
        each.step(None, 3)
    late = {k: v.copy() for k, v in sim.contact("q").fields.items()}
    everything(twin)
    same(late, twin.contact("q").fields)
    assert sim.contact("q").found.tolist() == [1, 1, 1, 1, 0]
    qpos = sim.read("qpos")[[1]].copy()
    qpos[0, 9] += 1.0
    sim.write("qpos", qpos, [1])
    assert sim.contact("q").found.tolist() == [1, 0, 1, 1, 0]
    same(late, sim.contact("q").fields, [0, 2, 3, 4])
    sim.step()
    assert sim.contact("q").found.tolist() == [1, 0, 1, 1, 0]


def test_readings_are_read_only(build_sim):
    query = ContactQueryCfg(name="q", first="ball", fields=ALL)
    reading = touching(build_sim, query).contact("q")
    for name, values in reading.fields.items():
        assert values.shape == (5, 1, 1 if name == "dist" else 3)
        with pytest.raises(ValueError, match="read-only"):
            values[...] = 0


def test_wrong_names_are_refused_with_what_was_meant(build_sim):
    sim = touching(build_sim, ContactQueryCfg(name="q", first="ball"))
    with pytest.raises(NotDeclared, match=r"'p'.*has: q\."):
        sim.contact("p")
    with pytest.raises(OutOfRange, match="world 5"):
        sim.raw_contacts(5)
    with pytest.raises(OutOfRange, match="world -1"):
        sim.raw_contacts(-1)
    for kind, name, meant in (("geom", "bal", "ball"), ("body", "crat", "crate")):
        query = ContactQueryCfg(name="q", kind=kind, first="crate", second=name)
        with pytest.raises(UnknownName, match=f"'{name}'.*'{meant}'"):
            build_sim("pile", contacts=(query,))
