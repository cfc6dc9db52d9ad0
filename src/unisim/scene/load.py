"""Reads an MJCF file into one self-contained tree.

Includes are expanded in place, and every file the tree names is read into memory under
a digest name, so that two models may both own a `base.stl` and no path matters later.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from unisim.errors import BadAsset, BrokenXml, IncludeCycle, MissingFile
from unisim.scene.source import Element, read

Vfs = dict[str, bytes]

_FOLDERS: Mapping[str, str] = {
    "mesh": "meshdir",
    "hfield": "meshdir",
    "skin": "meshdir",
    "flexcomp": "meshdir",
    "texture": "texturedir",
}
_FACES = ("right", "left", "up", "down", "front", "back")
_FILES = ("file", *(f"file{face}" for face in _FACES))
_FORMATS: Mapping[str, frozenset[str]] = {
    "mesh": frozenset({".stl", ".obj", ".msh", ".ply", ".gmsh"}),
}


@dataclass(frozen=True)
class Attached:
    """A model that the tree attaches by MJCF's own `<attach>`."""

    prefix: str
    body: str | None
    tree: "Tree"


@dataclass(frozen=True)
class Tree:
    """A loaded model.

    Attributes:
        root: The `<mujoco>` element.
        models: Trees of `<model>` assets, by model name.
    """

    root: Element
    models: dict[str, "Tree"] = field(default_factory=dict[str, "Tree"])

    def attached(self) -> list[Attached]:
        """The models its `<attach>` elements bring, prefixes joined."""
        found: list[Attached] = []
        for element in self.root.walk():
            if element.tag == "attach":
                prefix = element.attributes.get("prefix", "")
                model = self.models.get(element.attributes.get("model", ""))
                if model is not None:
                    body = element.attributes.get("body")
                    found.append(Attached(prefix, body, model))
        return found


def load_tree(file: Path, vfs: Vfs, origin: str = "") -> Tree:
    """Read a model with everything it includes and names.

    Args:
        file: The model's MJCF file.
        vfs: Receives file contents by digest name.
        origin: Written into every element.

    Raises:
        MissingFile: If the file, an include or an asset is not there.
        BrokenXml: If a file is not XML, or the root is not `<mujoco>`.
        IncludeCycle: If a file is included twice.
        BadAsset: If a mesh has a format that MuJoCo does not read.
    """
    return _load(file, vfs, origin, (file.resolve(),))


def _load(file: Path, vfs: Vfs, origin: str, path: tuple[Path, ...]) -> Tree:
    root = read(file)
    if root.tag != "mujoco":
        remedy = (
            "Convert it to MJCF first: compile it with MuJoCo and save the XML."
            if root.tag == "robot"
            else "An MJCF file starts with <mujoco>."
        )
        raise BrokenXml(root.at, f"the root is <{root.tag}>, not <mujoco>.", remedy)
    _expand(root, file.parent, {file.resolve()})
    for element in root.walk():
        element.origin = origin
    tree = Tree(root)
    folders = _folders(root)
    for element in root.walk():
        if element.tag == "model" and "file" in element.attributes:
            _load_model(tree, element, file, vfs, path)
        elif element.tag in _FOLDERS:
            _embed(element, file.parent, folders, vfs)
    for compiler in root.sections("compiler"):
        for name in ("meshdir", "texturedir", "assetdir", "strippath"):
            compiler.attributes.pop(name, None)
    return tree


def _load_model(
    tree: Tree, element: Element, file: Path, vfs: Vfs, path: tuple[Path, ...]
) -> None:
    """Load a `<model>` asset as a tree of its own; its text is put in later."""
    child = _find(element, "file", [file.parent, element.at.file.parent])
    if child.resolve() in path:
        raise IncludeCycle(element.location("file"), f"{child} attaches itself.")
    name = element.attributes.setdefault("name", child.stem)
    tree.models[name] = _load(child, vfs, name, (*path, child.resolve()))


def _expand(element: Element, main: Path, seen: set[Path]) -> None:
    """Replace `<include>` by the children of the file it names, at any depth."""
    children: list[Element] = []
    for child in element.children:
        if child.tag == "include":
            children += _included(child, main, seen)
        else:
            _expand(child, main, seen)
            children.append(child)
    element.children = children


def _included(include: Element, main: Path, seen: set[Path]) -> list[Element]:
    if include.children:
        raise BrokenXml(include.at, "an <include> cannot have children.")
    file = _find(include, "file", [main, include.at.file.parent])
    if file.resolve() in seen:
        raise IncludeCycle(
            include.location("file"),
            f"{file} is already included.",
            "MJCF includes a file once: move what repeats into a model that is "
            "attached, or into a <replicate>.",
        )
    seen.add(file.resolve())
    root = read(file)
    if not root.children:
        raise BrokenXml(root.at, "this included file is empty.")
    _expand(root, main, seen)
    return root.children


def _folders(root: Element) -> dict[str, str]:
    """meshdir, texturedir and strippath in force: the last one stated wins."""
    folders = {"meshdir": "", "texturedir": "", "strippath": "false"}
    for compiler in root.sections("compiler"):
        both = compiler.attributes.get("assetdir")
        if both is not None:
            folders["meshdir"] = folders["texturedir"] = both
        folders.update(
            {k: v for k, v in compiler.attributes.items() if k in folders}
        )
    return folders


def _embed(element: Element, main: Path, folders: dict[str, str], vfs: Vfs) -> None:
    """Read the files an asset names and point it to their digest names."""
    folder = folders[_FOLDERS[element.tag]]
    for attribute in _FILES:
        value = element.attributes.get(attribute)
        if not value:
            continue
        name = Path(value).name if folders["strippath"] == "true" else value
        base = main / folder
        file = _find(element, attribute, [base, main, element.at.file.parent], name)
        _check_format(element, attribute, file)
        if attribute == "file" and element.tag != "flexcomp":
            element.attributes.setdefault("name", file.stem)
        element.attributes[attribute] = _store(file, element, attribute, vfs)


def _check_format(element: Element, attribute: str, file: Path) -> None:
    formats = _FORMATS.get(element.tag)
    stated = element.attributes.get("content_type")
    if formats is None or stated is not None or file.suffix.lower() in formats:
        return
    raise BadAsset(
        element.location(attribute),
        f"{element.tag} file {file.name!r} has a format that MuJoCo does not read.",
        f"Convert it to one of {', '.join(sorted(formats))}.",
    )


def _store(file: Path, element: Element, attribute: str, vfs: Vfs) -> str:
    try:
        content = file.read_bytes()
    except OSError as error:
        where = element.location(attribute)
        raise MissingFile(where, f"{file} cannot be read: {error.strerror}.") from None
    if not content:
        raise BadAsset(element.location(attribute), f"{file} is empty.")
    name = sha256(content).hexdigest()[:32] + file.suffix.lower()
    vfs[name] = content
    return name


def _find(
    element: Element, attribute: str, folders: list[Path], value: str | None = None
) -> Path:
    """The first of some folders that holds the file an attribute names."""
    name = value if value is not None else element.attributes.get(attribute, "")
    if not name:
        raise BrokenXml(element.at, f"<{element.tag}> needs a {attribute}.")
    candidates = list(dict.fromkeys(folder / name for folder in folders))
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    tried = ", ".join(str(item) for item in candidates)
    raise MissingFile(
        element.location(attribute),
        f"<{element.tag}> names {name!r}, which is not there.",
        f"Looked for {tried}.",
    )
