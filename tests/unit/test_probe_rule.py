"""The rule of the probes, against numbers that are known."""

from dataclasses import replace

import numpy as np
import pytest

from unisim.backend import registry
from unisim.backend.manifest import Basis, Level, Support, Why
from unisim.probe.claims import Fault, fault, faults
from unisim.probe.rule import Finding, Verdict, clear, judge

WANT = np.array([[[0.3, 0.4]], [[3.0, 4.0]]])  # effects of 0.5 and 5
QUIET = np.zeros_like(WANT)


@pytest.mark.parametrize(
    ("share", "verdict", "error"),
    [
        (1.0, Verdict.EXACT, 0.0),
        (1.009, Verdict.EXACT, 0.009),
        (1.011, Verdict.APPROXIMATE, 0.011),
        (0.6, Verdict.APPROXIMATE, 0.4),
        (0.4, Verdict.WRONG, 0.6),
        (-1.0, Verdict.WRONG, 2.0),
        (0.021, Verdict.WRONG, 0.98),
        (0.019, Verdict.IGNORED, 0.98),
        (0.0, Verdict.IGNORED, 1.0),
    ],
)
def test_a_share_of_the_effect_gives_its_verdict(share, verdict, error):
    found = judge(share * WANT, WANT, QUIET)
    assert found.verdict is verdict
    assert found.error == pytest.approx(error, rel=0.05, abs=1e-9)


def test_the_worst_horizon_and_start_counts():
    got = WANT.copy()
    got[0] *= 1.2
    assert judge(got, WANT, QUIET).verdict is Verdict.APPROXIMATE
    assert judge(got, WANT, QUIET).error == pytest.approx(0.2)


def test_an_effect_below_a_hundred_times_the_noise_does_not_count():
    noise = np.array([[[0.0, 0.0051]], [[0.0, 0.0051]]])
    np.testing.assert_array_equal(clear(WANT, noise), [[False], [True]])
    got = WANT.copy()
    got[0] *= 1.2
    assert judge(got, WANT, noise).verdict is Verdict.EXACT


def test_no_clear_effect_says_nothing():
    found = judge(WANT, WANT, WANT)
    assert (found.verdict, found.error) == (Verdict.INCONCLUSIVE, None)
    assert judge(QUIET, QUIET, QUIET).verdict is Verdict.INCONCLUSIVE


def test_what_is_not_finite_is_wrong():
    got = WANT.copy()
    got[1, 0, 0] = np.nan
    assert judge(got, WANT, QUIET).verdict is Verdict.WRONG


FALSE, STALE = Fault.FALSE, Fault.STALE
TABLE = {
    Verdict.EXACT: (None, STALE, STALE),
    Verdict.APPROXIMATE: (FALSE, None, STALE),
    Verdict.WRONG: (FALSE, None, None),
    Verdict.IGNORED: (FALSE, FALSE, None),
    Verdict.REFUSED: (FALSE, FALSE, None),
    Verdict.INCONCLUSIVE: (FALSE, FALSE, None),
    Verdict.CRASHED: (FALSE, FALSE, None),
    Verdict.HUNG: (FALSE, FALSE, None),
}


def support(level, **more):
    why = {"why": Why.ENGINE, "note": "n"} if level is Level.UNSUPPORTED else {}
    return Support(level=level, basis=Basis.MEASURED, source="s", **why, **more)


@pytest.mark.parametrize("verdict", Verdict)
def test_a_claim_and_a_refusal_can_both_be_wrong(verdict):
    levels = (Level.EXACT, Level.APPROXIMATE, Level.UNSUPPORTED)
    found = tuple(fault(support(level), Finding(verdict)) for level in levels)
    assert found == TABLE[verdict]


def test_a_claim_of_less_may_rest_on_what_no_probe_sees():
    for level in (Level.UNSUPPORTED, Level.APPROXIMATE):
        more = {"how": "h"} if level is Level.APPROXIMATE else {}
        less = support(level, beyond="no snapshot continues it", **more)
        assert fault(less, Finding(Verdict.EXACT)) is None
    assert fault(less, Finding(Verdict.IGNORED)) is Fault.FALSE


def test_an_option_that_the_profile_replaces_is_honoured_as_it_replaces_it():
    toy = registry.manifest("mujoco")
    profile = replace(toy.profile(None), consumes=(), replaces={"integrator": "Euler"})
    manifest = replace(toy, profiles={"default": profile})
    unseen = Finding(Verdict.INCONCLUSIVE)
    names = ("option.integrator.euler", "option.integrator.rk4", "option.cone.elliptic")
    found = dict(faults(manifest, "default", dict.fromkeys(names, unseen)))
    assert found == {
        "option.integrator.rk4": Fault.FALSE,
        "option.cone.elliptic": Fault.FALSE,
    }


def test_a_choice_that_the_profile_passes_over_has_no_effect():
    toy = registry.manifest("mujoco")
    follows = {"integrator": ("Euler", "implicitfast")}
    profile = replace(toy.profile(None), consumes=(), follows=follows)
    manifest = replace(toy, profiles={"default": profile})
    names = [f"option.integrator.{x}" for x in ("euler", "implicitfast", "rk4")]
    seen = dict(
        zip(names, [Verdict.EXACT, Verdict.WRONG, Verdict.INCONCLUSIVE], strict=True)
    )
    found = faults(manifest, "default", {x: Finding(y) for x, y in seen.items()})
    assert dict(found) == dict.fromkeys(names[1:], Fault.FALSE)
