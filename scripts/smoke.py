"""Install each given wheel or sdist into an environment of its own and try it.

What is tried runs outside the repository, so that only the installed package counts.
"""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "unisim"
TRY = """
import sys
from importlib.metadata import entry_points, version
from importlib.resources import files
import unisim
assert version("unisim-mjcf") == unisim.__version__
package = files("unisim")
missing = [name for name in sys.argv[1:] if not package.joinpath(name).is_file()]
assert not missing, missing
for backend in entry_points(group="unisim.backends"):
    backend.load()
print("unisim", unisim.__version__, "works from", unisim.__file__)
"""


def smoke(artefact: Path) -> None:
    """Install one wheel or sdist in isolation; import it, load what it declares."""
    data = [
        str(path.relative_to(SOURCE))
        for path in sorted(SOURCE.rglob("*"))
        if path.suffix in {".toml", ".json", ".typed"}
    ]
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        scripts = Path(folder) / "bin"
        install = [scripts / "pip", "install", "--quiet", artefact]
        subprocess.run(install, check=True)
        attempt = [scripts / "python", "-c", TRY, *data]
        subprocess.run(attempt, check=True, cwd=folder)
        usage = [scripts / "unisim", "--help"]
        subprocess.run(usage, check=True, cwd=folder, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        smoke(Path(argument).resolve())
