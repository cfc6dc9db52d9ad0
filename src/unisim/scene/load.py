"""Reads an MJCF file into one self-contained tree.

Includes are expanded in place, and every file the tree names is read into memory under
a digest name, so that two models may both own a `base.stl` and no path matters later.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from unisim.errors import BadAsset, BrokenXml, Clash, IncludeCycle, MissingFile
from unisim.scene.source import Element, read

Vfs = dict[str, bytes]

_FOLDERS: Mapping[str, str] = {
    "mesh": "meshdir",
    "hfield": "meshdir",
    "skin": "meshdir",
    "flexcomp": "meshdir",
    "texture": "texturedir",
}
_UNNAMED = "MuJoCo Model"
"""What MuJoCo calls a model without a name."""
_FACES = ("right", "left", "up", "down", "front", "back")
_FILES = ("file", *(f"file{face}" for face in _FACES))
_PATHS = ("meshdir", "texturedir", "assetdir", "strippath")
_NOT_A_NUMBER = re.compile(r"(?<![\w.])[+-]?(?:nan|inf|infinity)(?![\w.])", re.I)
_MAY_BE_INFINITE = ("range", "cutoff")
_TEXT = frozenset({
    "name", "class", "childclass", "model", "prefix", "file", "user", "data", "key",
    "value", "content_type", "info", "sep", "objname", "refname",
})  # fmt: skip


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
        BadAsset: If a file that the model names is empty.
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
    tree = Tree(root)
    folders = _folders(root)
    for element in root.walk():
        element.origin = origin
        _check_numbers(element)
        if element.tag == "model" and "file" in element.attributes:
            _load_model(tree, element, vfs, path)
        elif element.tag in _FOLDERS:
            _embed(element, file, folders, vfs)
    for compiler in root.sections("compiler"):
        for name in _PATHS:
            compiler.attributes.pop(name, None)
    return tree


def _load_model(tree: Tree, element: Element, vfs: Vfs, path: tuple[Path, ...]) -> None:
    """Load a `<model>` asset as a tree of its own; its text is put in later."""
    child = _find(element, "file", [element.at.file.parent])
    if child.resolve() in path:
        raise IncludeCycle(
            element.location("file"),
            f"{child} attaches itself.",
            "Attach a model that does not lead back here.",
        )
    part = _load(child, vfs, element.origin, (*path, child.resolve()))
    own = part.root.attributes.get("model", _UNNAMED)
    name = element.attributes.setdefault("name", own)
    for inner in part.root.walk():
        inner.origin = name
    if name in tree.models:
        raise Clash(
            f"model {name!r}",
            element.at,
            f"another model of this name, {tree.models[name].root.at.file}",
            "Give them different names.",
        )
    tree.models[name] = part


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
        folders.update({k: v for k, v in compiler.attributes.items() if k in folders})
    return folders


def _embed(element: Element, main: Path, folders: Mapping[str, str], vfs: Vfs) -> None:
    """Read the files an asset names and point it to their digest names."""
    own = element.at.file
    places = [main.parent / folders[_FOLDERS[element.tag]]]
    if own != main:
        places.append(own.parent)
    for attribute in _FILES:
        value = element.attributes.get(attribute, "").replace("\\", "/")
        if not value:
            continue
        name = Path(value).name if folders["strippath"] == "true" else value
        file = _find(element, attribute, places, name)
        if attribute == "file" and element.tag != "flexcomp":
            element.attributes.setdefault("name", file.stem)
        element.files[attribute] = file
        element.attributes[attribute] = _store(file, element, attribute, vfs)


def _store(file: Path, element: Element, attribute: str, vfs: Vfs) -> str:
    try:
        content = file.read_bytes()
    except OSError as error:
        where = element.location(attribute)
        raise MissingFile(where, f"{file} cannot be read: {error.strerror}.") from None
    if not content:
        raise BadAsset(
            element.location(attribute), f"{file} is empty.", "Export it again."
        )
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
    where = element.location(attribute)
    candidates = list(dict.fromkeys(folder / name for folder in folders))
    for candidate in candidates:
        try:
            if candidate.is_file():
                return candidate
        except OSError as error:
            reason = f"{candidate} cannot be read: {error.strerror}."
            raise MissingFile(where, reason) from None
    tried = ", ".join(str(item) for item in candidates)
    problem = f"<{element.tag}> names {name!r}, which is not there."
    if any(item.is_dir() for item in candidates):
        problem = f"<{element.tag}> names {name!r}, which is a folder."
    raise MissingFile(where, problem, f"Looked for {tried}.")


def _check_numbers(element: Element) -> None:
    """Refuse NaN and infinities, which MuJoCo would compute with."""
    for attribute, value in element.attributes.items():
        found = _NOT_A_NUMBER.search(value)
        if found is None or attribute in _TEXT:
            continue
        numbers = value.split()
        if not all(_NOT_A_NUMBER.fullmatch(i) or _is_number(i) for i in numbers):
            continue
        if attribute.endswith(_MAY_BE_INFINITE) and "nan" not in value.lower():
            continue
        raise BrokenXml(
            element.location(attribute),
            f"<{element.tag}> states {attribute}={value!r}, which is not finite.",
            "Write finite numbers.",
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
