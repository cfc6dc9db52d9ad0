"""How sphinx builds the manual: pages in Markdown, the API from the docstrings."""

from importlib.metadata import version as installed

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
