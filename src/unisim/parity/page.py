"""The parity report as one page of HTML that needs nothing else."""

from html import escape

from unisim.parity.outcome import Outcome, Side
from unisim.parity.plots import apart_sides, plot_experiments, plot_replay
from unisim.parity.table import (
    CHECK_HEAD,
    GLANCE_HEAD,
    audit_rows,
    check_rows,
    experiment_rows,
    glance_rows,
    replay_head,
    replay_rows,
    summary,
)
from unisim.report.html import cards, document, figure, fold, note, section, table


def page(outcome: Outcome) -> str:
    """The whole report."""
    parts = [_head(outcome), _cards(outcome)]
    parts += [
        note(f"{side.name} {side.state}: {side.reason}")
        for side in outcome.sides
        if side.state != "passed"
    ]
    parts += [_glance(outcome), _replay(outcome)]
    parts += [_experiments(outcome), _audits(outcome)]
    parts.append(_details(outcome))
    return document(f"{outcome.name}: parity", parts)


def _head(outcome: Outcome) -> str:
    names = " and ".join(side.name for side in outcome.sides)
    reference = outcome.task.parity.reference
    file = outcome.task.scene.model_file.name
    return (
        f"<header><h1>{escape(outcome.name)}: parity</h1>\n"
        f"<p>{escape(names)} compared with {escape(reference)} on "
        f"<code>{escape(file)}</code>, and with what is known without any "
        "engine.</p></header>"
    )


def _cards(outcome: Outcome) -> str:
    apart = {side.name for side in apart_sides(outcome)}
    items = [("yes" if outcome.passed else "no", "everything right")]
    for side in outcome.sides:
        ran = len(side.experiments) - side.count("refused")
        text = f"experiments pass on {side.name}"
        items.append((f"{side.count('passed')} of {ran}", text))
        if side.replay is not None and side.name in apart:
            end, first = float(outcome.time[-1]), side.replay.apart.first
            value = f"{first:.3f} s" if first <= end else f"over {end:g} s"
            items.append((value, f"until {side.name} diverges in any world"))
    return cards(items)


def _glance(outcome: Outcome) -> str:
    rows = glance_rows(outcome)
    if not rows:
        return ""
    reference = outcome.task.parity.reference
    about = (
        f"<p>Root mean square difference from {escape(reference)} at its largest, and "
        f"how many times that is what {escape(reference)} differs from itself: in "
        "single precision, at half the step, and with the other of its two friction "
        "cones, pyramidal for elliptic or the reverse.</p>"
    )
    return section("How far, and where from", about + table(GLANCE_HEAD, rows))


def _replay(outcome: Outcome) -> str:
    cfg = outcome.task.parity
    caption = (
        f"Root mean square difference from {cfg.reference} in {cfg.worlds} worlds that "
        "start in states of their own and get the same controls, over time. Dashed and "
        f"dotted are noise floors: {cfg.reference} against itself at half the step, "
        "with its state rounded to single precision after every step, and (dashes and "
        "dots) with the other of its two friction cones. The thin "
        f"line is the difference that ends the horizon, {cfg.divergence:g}. What is "
        f"not drawn is bit-equal to {cfg.reference}."
    )
    drawing = figure("Replay of the same controls", plot_replay(outcome), caption)
    about = "<p>Horizon of the joints, and root mean square difference at the end.</p>"
    rows = table(replay_head(outcome), replay_rows(outcome))
    return drawing + "\n" + section("Horizons", about + rows)


def _experiments(outcome: Outcome) -> str:
    drawing = figure(
        "Experiments with known answers",
        plot_experiments(outcome),
        "The largest difference between what was measured and what a closed form says, "
        "over its tolerance. Right of the line is wrong. Tolerances are the same for "
        "every engine of the same precision.",
    )
    head = ("experiment", "what must come out", *(s.name for s in outcome.sides))
    folds = "".join(
        fold(f"Every check on {side.name}", CHECK_HEAD, check_rows(side))
        for side in outcome.sides
    )
    refused = "".join(
        fold(
            f"What {side.name} refused",
            (),
            [(t.name, t.reason) for t in side.experiments if t.state == "refused"],
        )
        for side in outcome.sides
        if side.count("refused")
    )
    body = table(head, experiment_rows(outcome)) + folds + refused
    return drawing + "\n" + section("Verdicts", body)


def _audits(outcome: Outcome) -> str:
    return section("Audits of the scene", "".join(map(_audit, outcome.sides)))


def _audit(side: Side) -> str:
    about = f"<p>{escape(side.name)}: {escape(summary(side))}.</p>"
    if side.audit is None:
        return about
    head = ("behaviour", "residual", "tolerance, or why it was left out")
    return about + fold(f"Residuals on {side.name}", head, audit_rows(side))


def _details(outcome: Outcome) -> str:
    ground = [*outcome.versions.items(), ("scene digest", outcome.digest)]
    for side in outcome.sides:
        task = side.task
        where = f"profile {task.profile or 'default'}, {task.dtype} on {task.device}"
        accepted = ", ".join(task.accept) or "none"
        ground.append((side.name, f"{where}; accepted approximations: {accepted}"))
    return section("Details", fold("What it ran on", (), ground))
