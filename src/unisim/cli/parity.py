"""`unisim parity`: how far engines differ."""

from pathlib import Path

from unisim.cli.arguments import Backends, File, MaybeFolder, Target


def parity(
    config: File,
    /,
    *,
    backends: Backends = (),
    out: MaybeFolder = None,
    junit: Target = None,
    json: bool = False,
    progress: bool = False,
) -> int:
    """Measure how far engines are from MuJoCo, and from what is known without any.

    Every backend builds and audits the scene, and replays the same controls from the
    same states; joints and base are compared over time, beside the noise floor:
    MuJoCo against itself at half the step, and in single precision. Then come
    experiments with known answers: free fall, pendulum, spin, friction, rest.
    Written are report.html, result.json, table.txt and junit.xml: all, or none. The
    exit status is 0 when everything is right, and 1 when something failed.

    Example: unisim parity configs/quadruped.toml --backend mujoco

    Args:
        config: Task config (.toml).
        backends: Backend to measure, again for each of several; when left out, all
            that are installed and simulate.
        out: Folder of the report; out/NAME-parity when left out.
        junit: File that gets a copy of junit.xml.
        json: Print result.json instead of the table.
        progress: Say on stderr how far it is, even where that is no terminal.
    """
    from unisim.cli.source import read_config
    from unisim.cli.stated import stated_in
    from unisim.cli.terminal import Lines, wants_progress
    from unisim.report.extras import require_report

    task = read_config(config)
    require_report()

    from unisim.parity.report import report
    from unisim.progress import Silent
    from unisim.report.folder import write

    lines = Lines() if wants_progress(asked=progress) else Silent()
    folder = out or Path("out") / f"{config.stem}-parity"
    with stated_in(config):
        found = report(task, config.stem, folder, backends, lines)
    if junit is not None:
        write(junit, (folder / "junit.xml").read_text(encoding="utf-8"))
    file = "result.json" if json else "table.txt"
    print((folder / file).read_text(encoding="utf-8"), end="")
    if not json:
        print(f"report: {folder / 'report.html'}")
    return 0 if found.outcome.passed else 1
