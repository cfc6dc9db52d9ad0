"""How sphinx builds the manual: pages in Markdown, the API from the docstrings."""

from importlib.metadata import version as installed
from pathlib import Path

from sphinx.application import Sphinx

from unisim.cli.page import pages

project = "unisim"
author = "The unisim authors"
copyright = f"2026, {author}"
release = version = installed("unisim-mjcf")

extensions = [
    "myst_parser",
    "sphinx.ext.apidoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
html_theme = "furo"
html_title = f"unisim {release}"
exclude_patterns = ["_build"]
myst_heading_anchors = 3
suppress_warnings = ["ref.python"]

apidoc_modules = [
    {
        "path": "../src/unisim",
        "destination": "api",
        "separate_modules": True,
        "module_first": True,
        "automodule_options": {"members", "show-inheritance"},
    }
]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # members that a page lists are described once


def write_features(app: Sphinx) -> None:
    """Write a page for each feature and family; what has not changed stays."""
    folder = Path(app.srcdir) / "features"
    folder.mkdir(exist_ok=True)
    texts = {f"{name}.md": text for name, text in pages().items()}
    for stale in {path.name for path in folder.iterdir()} - texts.keys():
        (folder / stale).unlink()
    for name, text in texts.items():
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Let sphinx write the pages of features before it reads any page."""
    app.connect("builder-inited", write_features)
