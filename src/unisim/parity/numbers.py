"""A parity measurement's numbers as plain values, for programs."""

import dataclasses

from unisim.parity.apart import Apart
from unisim.parity.outcome import Outcome, Side, Tried
from unisim.report.plain import Plain, plain


def numbers(outcome: Outcome) -> Plain:
    """Everything that was measured; what is not finite is None."""
    cfg = outcome.task.parity
    return plain(
        {
            "name": outcome.name,
            "passed": outcome.passed,
            "versions": outcome.versions,
            "digest": outcome.digest,
            "reference": cfg.reference,
            "worlds": cfg.worlds,
            "divergence": cfg.divergence,
            "time": outcome.time,
            "noise_floor": {k: _apart(floor) for k, floor in outcome.floors.items()},
            "backends": {side.name: _side(side) for side in outcome.sides},
        }
    )


def _side(side: Side) -> dict[str, object]:
    replay = side.replay
    return {
        "state": side.state,
        "passed": side.passed,
        "reason": side.reason,
        "profile": side.task.profile,
        "device": side.task.device,
        "dtype": side.task.dtype,
        "accepted": side.task.accept,
        "audit": None if side.audit is None else dataclasses.asdict(side.audit),
        "replay": None if replay is None else _apart(replay.apart),
        "faults": None if replay is None else replay.faults,
        "experiments": [_tried(item) for item in side.experiments],
    }


def _tried(tried: Tried) -> dict[str, object]:
    checks = [
        {
            "what": item.what,
            "unit": item.unit,
            "passed": item.passed,
            "share": item.share.flat[item.worst],
            "measured": item.measured.flat[item.worst],
            "expected": item.expected.flat[item.worst],
            "tolerance": item.tolerance.flat[item.worst],
        }
        for item in tried.checks
    ]
    return {
        "name": tried.name,
        "law": tried.law,
        "state": tried.state,
        "reason": tried.reason,
        "checks": checks,
    }


def _apart(apart: Apart) -> dict[str, object]:
    curves = {
        curve.name: {
            "unit": curve.unit,
            "rmse": curve.rmse,
            "largest": curve.largest,
            "joint": curve.joint,
        }
        for curve in apart.curves
    }
    return {"horizon": apart.horizon, "curves": curves}
