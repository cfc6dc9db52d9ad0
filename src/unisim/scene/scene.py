"""The composed scene: everything later steps may look at, and nothing else."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import mujoco

from unisim.config import SceneCfg
from unisim.scene.source import Element, Location
from unisim.terrains import AnyTerrainCfg, TerrainCfg

KINDS: Mapping[str, str] = {
    "body": "body",
    "joint": "joint",
    "freejoint": "joint",
    "geom": "geom",
    "site": "site",
    "camera": "camera",
    "light": "light",
    "key": "key",
    "mesh": "mesh",
    "hfield": "hfield",
    "texture": "texture",
    "material": "material",
    "skin": "skin",
    "flex": "flex",
    "flexcomp": "flex",
    "pair": "pair",
    "exclude": "exclude",
}
"""Which kind of named object an element of the body tree or the assets defines."""

SECTIONS: Mapping[str, str] = {
    "actuator": "actuator",
    "sensor": "sensor",
    "equality": "equality",
    "tendon": "tendon",
}
"""Which kind every direct child of a section defines, whatever its tag."""


_NO_TERRAIN = TerrainCfg()


class Sources:
    """Where each named object of a scene, and each of its attributes, was written."""

    def __init__(
        self,
        elements: Mapping[tuple[str, str], Element],
        defaults: Mapping[int, tuple[Element, ...]],
        root: Element,
        endings: Collection[str] = (),
        attached: Collection[Element] = (),
    ) -> None:
        """Take the join tables; `unisim.scene.names` makes them.

        Args:
            elements: Element by (kind, name).
            defaults: By `id(element)`, the elements inside `<default>` classes that
                apply to it, nearest class first.
            root: The merged tree.
            endings: Patterns of what replicate appends to names.
            attached: Roots of the models that the scene attaches.
        """
        self.root = root
        self.roots = (root, *attached)
        self._endings = [re.compile(f"(?:{item})$") for item in sorted(endings)]
        self._elements, self._defaults = elements, defaults

    def element(self, kind: str, name: str) -> Element | None:
        """The element that defines an object, or that replicate made it from."""
        found = self._elements.get((kind, name))
        for ending in self._endings:
            if found is not None:
                break
            found = self._elements.get((kind, ending.sub("", name)))
        return found

    def elements(self, name: str) -> list[tuple[str, Element]]:
        """Every object of a name, of whatever kind: its kind and its element."""
        kinds = dict.fromkeys(kind for kind, _ in self._elements)
        found = [(kind, self.element(kind, name)) for kind in kinds]
        return [(kind, element) for kind, element in found if element is not None]

    def where(self, kind: str, name: str, attribute: str | None = None) -> Location:
        """Line of an object's attribute, of the class that sets it, or of the object.

        An object that no element defines (a flexcomp's own bodies) is placed at the
        root of the scene's file.
        """
        element = self.element(kind, name)
        if element is None:
            return self.root.at
        if attribute is None or attribute in element.attributes:
            return element.location(attribute)
        source = self.default(element, attribute)
        return element.at if source is None else source.location(attribute)

    def default(self, element: Element, attribute: str) -> Element | None:
        """The element inside a `<default>` that gives this attribute its value."""
        for source in self._defaults.get(id(element), ()):
            if attribute in source.attributes:
                return source
        return None

    def line(self, kind: str, name: str) -> str:
        """`kind 'name' (file:line)`, as messages name an object."""
        return f"{kind} {name!r} ({self.where(kind, name)})"


@dataclass(frozen=True, eq=False)
class Scene:
    """A composed scene. Nothing may change it: change a copy of `model`, never it.

    Attributes:
        file: The scene's own MJCF file.
        xml: The whole scene as one MJCF text; files it names are keys of `assets`.
        assets: File contents by digest name.
        model: The reference model, compiled from `xml` by MuJoCo: the authority on
            every value.
        sources: Where everything was written.
        digest: Hex digest over text, assets and MuJoCo's version.
        keyframe: Key the worlds start in, None for the model's defaults.
        visual_file: Stand-in for rendering, None to draw the scene itself.
        terrain: The ground that was added.
        cfg: The config it was composed from, None for a scene made by hand.
    """

    file: Path
    xml: str
    assets: Mapping[str, bytes]
    model: mujoco.MjModel
    sources: Sources
    digest: str
    keyframe: str | None = None
    visual_file: Path | None = None
    terrain: AnyTerrainCfg = _NO_TERRAIN
    cfg: SceneCfg | None = None
