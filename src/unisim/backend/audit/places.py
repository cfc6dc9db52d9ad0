"""Where a scene states what an audit complains about."""

from unisim.backend.audit.names import owner
from unisim.scene.scene import Sources


def place(sources: Sources, kind: str, name: str, attribute: str | None = None) -> str:
    """file:line of an attribute of an object, or of the object, or of the options."""
    if kind not in ("option", "model"):
        return str(sources.where(*owner(kind, name), attribute))
    options = sources.root.sections("option")
    stating = [item for item in options if attribute in item.attributes]
    found = (stating or options or [sources.root])[-1]
    return str(found.location(attribute))
