"""The report as one page of HTML that needs nothing else."""

from html import escape

from unisim.report.html import cards, document, embed, figure, fold, note, table
from unisim.runtime.measured import Measured
from unisim.runtime.outcome import Outcome
from unisim.runtime.plots import most_moved, plot_force, plot_height, plot_tracking
from unisim.runtime.table import rows


def page(outcome: Outcome) -> str:
    """The whole report."""
    parts = [_head(outcome), _cards(outcome), _pictures(outcome), _plots(outcome)]
    parts += [_numbers(outcome), _audit(outcome), _details(outcome)]
    return document(outcome.name, parts)


def _head(outcome: Outcome) -> str:
    task, scene = outcome.built.task, outcome.built.scene
    return (
        f"<header><h1>{escape(outcome.name)}</h1>\n"
        f"<p>{task.worlds:,} worlds of <code>{escape(scene.file.name)}</code> on "
        f"{escape(task.backend)} {escape(outcome.versions[task.backend])}, "
        f"{outcome.seconds:.2f} s each, commanded every "
        f"{1000 * task.decimation * scene.model.opt.timestep:.3g} ms.</p></header>"
    )


def _cards(outcome: Outcome) -> str:
    task, audit = outcome.built.task, outcome.built.audit
    faults = sum(outcome.measured.faults.values())
    return cards(
        [
            (f"{outcome.env_steps:,.0f}", "environment steps per second"),
            (f"{task.worlds:,}", "worlds in parallel"),
            (f"{audit.compared}", "audited fields of this scene, all as stated"),
            (f"{faults}", "worlds with a fault"),
        ]
    )


def _pictures(outcome: Outcome) -> str:
    world, worlds = outcome.built.task.run.picture_world, outcome.built.task.worlds
    images = outcome.pictures
    if isinstance(images, str):
        return note(images)
    moving = embed(images.moving, "webp", f"World {world}, moving")
    still = embed(images.strip, "png", f"World {world} at {len(images.times)} times")
    as_what = ", drawn as its stand-in" if outcome.built.scene.visual_file else ""
    about = f"World {world} of {worlds:,}{as_what}, in real time, over and over."
    at = ", ".join(f"{time:.2f}" for time in images.times)
    return (
        f'<figure class="film">{moving}<figcaption>{about}</figcaption></figure>\n'
        f'<figure class="strip">{still}'
        f"<figcaption>The same at {at} s.</figcaption></figure>"
    )


def _plots(outcome: Outcome) -> str:
    measured = outcome.measured
    ground = measured.ground
    queries, carried = ", ".join(ground.queries), ", ".join(ground.carried)
    figures = [
        figure(
            f"Height of {measured.body}",
            plot_height(measured),
            f"Height of its centre of mass above the world's origin, in all "
            f"{outcome.built.task.worlds:,} worlds: the line is the median, the dark "
            "band holds the middle 90 % of the worlds, the light one all of them. The "
            "thin line is the world that is pictured.",
        ),
        figure("Joint tracking", plot_tracking(measured), _tracking_caption(outcome)),
        figure(
            "Contact force against weight",
            plot_force(measured),
            f"Sum of the contact forces ({queries}) that hold up {carried}, against "
            "gravity. At rest it equals the weight (dashed); it departs from it by "
            "mass times acceleration.",
        ),
    ]
    return "\n".join(filter(None, figures)) + _absent(measured)


def _absent(measured: Measured) -> str:
    """What is not plotted, and why."""
    lines: list[str] = []
    if not measured.followers:
        lines.append("No actuator of this task follows a target.")
    if measured.force is None:
        lines.append(
            "No contact query of this task is about a free body on something that "
            "stands still (with force, normal and tangent)."
        )
    return "".join(map(note, lines))


def _tracking_caption(outcome: Outcome) -> str:
    measured = outcome.measured
    shown, count = len(most_moved(measured)), len(measured.followers)
    some = f"the {shown} of {count} that are moved most" if shown < count else "all"
    return (
        f"Target (orange) and position (blue) in world "
        f"{outcome.built.task.run.picture_world}, {some}. "
        "The gap is what gravity, friction and the servo's softness leave."
    )


def _numbers(outcome: Outcome) -> str:
    return (
        '<section class="numbers"><h2>Numbers</h2>'
        + table((), rows(outcome))
        + "</section>"
    )


def _audit(outcome: Outcome) -> str:
    audit = outcome.built.audit
    body = [
        (name, f"{float(value):.3g}", f"{float(audit.tolerances[name]):.3g}")
        for name, value in audit.residuals.items()
    ]
    return (
        f"<section><h2>Audit</h2><p>Before the first step, {audit.fields} fields, "
        f"{audit.compared} of them with an effect in this scene, were read back from "
        "the engine and compared by name with the reference model, and the engine's "
        "motion was compared in states that the reference chose. The largest "
        "residuals:</p>"
        + table(("behaviour", "residual", "tolerance"), body)
        + "</section>"
    )


def _details(outcome: Outcome) -> str:
    built = outcome.built
    sensors = [
        (item.name, str(item.size), f"{item.lowest:.4g}", f"{item.highest:.4g}")
        for item in outcome.measured.sensors
    ]
    ground = [(name, version) for name, version in outcome.versions.items()]
    ground += [("scene digest", built.scene.digest), ("profile", built.gate.profile)]
    ground += [
        (word, str(getattr(built.gate.decides, word)))
        for word in ("contact", "integrator", "friction", "precision")
    ]
    accepted = sorted({item.use.feature for item in built.gate.accepted})
    ground.append(("accepted approximations", ", ".join(accepted) or "none"))
    cost = [(part, f"{seconds:.2f} s") for part, seconds in vars(outcome.cost).items()]
    return (
        "<section><h2>Details</h2>"
        + fold("Sensors", ("sensor", "size", "lowest", "highest"), sensors)
        + fold("What it ran on", (), ground)
        + fold("What it cost", (), cost)
        + "</section>"
    )
