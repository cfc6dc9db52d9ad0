"""A run's numbers as plain values, for programs."""

import dataclasses

from unisim.report.plain import Plain, plain
from unisim.runtime.measured import QUANTILES, Measured, Series
from unisim.runtime.outcome import Outcome


def numbers(outcome: Outcome) -> dict[str, Plain]:
    """Everything a run measured, and what it ran on; not a number is None."""
    built, measured = outcome.built, outcome.measured
    task, audit = built.task, built.audit
    pictures = outcome.pictures
    table: dict[str, Plain] = {
        "name": outcome.name,
        "versions": dict(outcome.versions),
        "digest": built.scene.digest,
        "backend": task.backend,
        "profile": built.gate.profile,
        "decides": dataclasses.asdict(built.gate.decides),
        "accepted": [str(item.use.feature) for item in built.gate.accepted],
        "worlds": task.worlds,
        "timestep": float(built.scene.model.opt.timestep),
        "decimation": task.decimation,
        "seconds": outcome.seconds,
        "steps": measured.steps,
        "env_steps_per_second": outcome.env_steps,
        "env_steps_per_second_with_reads": outcome.env_steps_with_reads,
        "cost": dataclasses.asdict(outcome.cost),
        "audit": {
            "fields": audit.fields,
            "compared": audit.compared,
            "residuals": dict(audit.residuals),
            "tolerances": dict(audit.tolerances),
            "unaudited": [dataclasses.asdict(item) for item in audit.unaudited],
        },
        "faults": dict(measured.faults),
        "no_pictures": pictures if isinstance(pictures, str) else None,
    }
    return {name: plain(value) for name, value in (table | _seen(measured)).items()}


def _seen(measured: Measured) -> dict[str, Plain]:
    ground = measured.ground
    followers = [
        {"name": item.name, "unit": item.unit, "rms_error": float(error)}
        for item, error in zip(measured.followers, measured.error, strict=True)
    ]
    force: Plain = None
    if measured.force is not None:
        force = _series(measured.force) | {
            "queries": list(ground.queries),
            "carried": list(ground.carried),
            "weight": ground.weight,
        }
    return {
        "time": measured.time.tolist(),
        "height": _series(measured.height) | {"body": measured.body},
        "tracking": followers,
        "ground_force": force,
        "contacts": [dataclasses.asdict(item) for item in measured.touches],
        "sensors": [dataclasses.asdict(item) for item in measured.sensors],
    }


def _series(series: Series) -> dict[str, Plain]:
    columns = {
        f"quantile_{quantile:g}": series.spread[:, i].tolist()
        for i, quantile in enumerate(QUANTILES)
    }
    return {
        **columns,
        "mean": series.mean.tolist(),
        "pictured_world": series.one.tolist(),
    }
