"""Write type stubs of the installed MuJoCo to .typings/, unless they are there.

MuJoCo ships no stubs, and its compiled modules show a type checker nothing.
`pybind11-stubgen` reads their signatures; the rules below mend what those leave open
(element lists, named views, optional arguments). The result is a partial stub
package: pyright merges it with MuJoCo's own annotated Python, such as `mujoco.batch`.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / ".typings"
STUBS = ROOT / "mujoco-stubs"
STAMP = ROOT / "made-from"

VIEWS = {
    "cam": "Camera",
    "eq": "Equality",
    "jnt": "Joint",
    "key": "Keyframe",
    "mat": "Material",
    "ten": "Tendon",
    "tex": "Texture",
}
"""Short names of the named views whose class is not their capitalised name."""

ELEMENTS = {
    "bodies": "Body",
    "equalities": "Equality",
    "flexes": "Flex",
    "hfields": "HField",
    "meshes": "Mesh",
}
"""Plurals in `MjSpec` whose class is not their capitalised singular."""

LOOK_UP = (
    r"(def (?!wrap_)(?:\w+\(self, arg0: str|(?:next_\w+)\(self, arg0: Mjs\w+"
    r"|(?:first_\w+|parent|frame)\(self)\) -> Mjs\w+):"
)
"""What a spec finds by name or by position is None where there is no such thing."""

ANY_FILE = (
    (r"^from __future__.*", r"\g<0>\nimport numpy.typing"),
    (r"(?<=: )(\w+) = None", r"\1 | None = None"),
    (r"(?<=[ \[])numpy\.ndarray(?=[\]:, ]|$)", "numpy.typing.NDArray[typing.Any]"),
    (r"def __enter__\(self\):", "def __enter__(self) -> typing.Self:"),
    (r"def (__exit__|\w+)\((self[^)]*)\):$", r"def \1(\2) -> None:"),
    (r"arg1: typing.Any\) -> None", "arg1: numpy.typing.ArrayLike) -> None"),
)
FILES = {
    "_structs.pyi": (
        (r"stat: \.\.\.", "stat: MjStatistic"),
        (r"vfs: \.\.\. = None", "vfs: mujoco._specs.MjVfs | None = None"),
    ),
    "_specs.pyi": (
        (r"def compile\((.*)\) -> typing.Any", r"def compile(\1) -> MjModel"),
        (r"model: typing.Any", "model: MjModel"),
        (r"(assets: )dict\b(?! of|,)", r"\1dict[str, bytes]"),
        (LOOK_UP, r"\1 | None:"),
        (r"config: dict$", "config: dict[str, str]"),
        (r"^from __future__.*", r"\g<0>\nfrom mujoco._structs import MjModel"),
    ),
    "_functions.pyi": ((r"(def mj_id2name.*) -> str:", r"\1 -> str | None:"),),
}


def generate() -> None:
    """Run the generator on the installed MuJoCo and mend what it wrote."""
    shutil.rmtree(ROOT, ignore_errors=True)
    options = ["--ignore-all-errors", "--root-suffix=-stubs", f"--output-dir={ROOT}"]
    for module in ("mujoco", "mujoco._batch"):
        command = [sys.executable, "-m", "pybind11_stubgen", module, *options]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    for path in STUBS.rglob("*.pyi"):
        path.write_text(mend(path.name, path.read_text()))
    (STUBS / "py.typed").write_text("partial\n")


def mend(name: str, text: str) -> str:
    """Give a generated stub the types that its signatures leave open."""
    for pattern, replacement in (*FILES.get(name, ()), *ANY_FILE):
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    owner = ""
    lines: list[str] = []
    for line in text.splitlines():
        if start := re.match(r"class (\w+)", line):
            owner = start[1]
        lines.append(_element_list(_named_view(line, owner, text), text))
    return "\n".join(lines) + "\n"


def _named_view(line: str, owner: str, text: str) -> str:
    """`def body(...) -> ...:` of MjModel returns `_MjModelBodyViews`."""
    found = re.match(r"    def (\w+)\(.*\) -> \.\.\.:", line)
    if not found:
        return line
    view = f"_{owner}{VIEWS.get(found[1], found[1].capitalize())}Views"
    known = re.search(rf"^class {view}\b", text, flags=re.MULTILINE)
    return line.replace("-> ...", f"-> {view if known else 'typing.Any'}")


def _element_list(line: str, text: str) -> str:
    """`def joints(self) -> list:` of a spec returns `list[MjsJoint]`."""
    found = re.match(r"    def (\w+)\(.*\) -> list:", line)
    if not found:
        return line
    element = f"Mjs{ELEMENTS.get(found[1], found[1][:-1].capitalize())}"
    known = re.search(rf"^class {element}\b", text, flags=re.MULTILINE)
    return line.replace("-> list", f"-> list[{element if known else 'typing.Any'}]")


if __name__ == "__main__":
    digest = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]
    made_from = f"mujoco {version('mujoco')} {digest}\n"
    if not STAMP.exists() or STAMP.read_text() != made_from:
        generate()
        STAMP.write_text(made_from)
        print(f"stubs of MuJoCo {version('mujoco')} written to {ROOT.name}/")
