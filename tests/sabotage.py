"""Changes an engine's own objects between its build and its audit."""

from pathlib import Path

import unisim
from unisim import task
from unisim.config import SceneCfg, TaskCfg
from unisim.errors import AuditFailed, UnisimError
from unisim.scene.compose import compose

WORLDS = 2
LIAR = 1
"""The world that is changed, where worlds have numbers of their own."""
QUADRUPED = Path(__file__).resolve().parent.parent / "models/quadruped/scene.xml"


class Scenes:
    """Scenes from texts, and the quadruped, each composed once."""

    def __init__(self, folder, texts):
        self._folder, self._texts, self._made = folder, texts, {}

    def build(self, name, backend, **settings):
        """A sim of a scene, with consent to whatever the backend asks for."""
        if name not in self._made:
            file = QUADRUPED
            if name in self._texts:
                file = self._folder / f"{name}.xml"
                file.write_text(self._texts[name])
            cfg = SceneCfg(model_file=file)
            self._made[name] = cfg, compose(cfg)
        cfg, scene = self._made[name]
        asked = TaskCfg(
            scene=cfg, worlds=WORLDS, backend=backend, accept=("*",), **settings
        )
        return unisim.build(asked, scene=scene)

    def named(self, name, backend, **settings):
        """Elements that a failed audit names, or the words of another refusal."""
        try:
            self.build(name, backend, **settings).close()
        except AuditFailed as failed:
            found = {item.name.split("[")[0] for item in failed.differences}
            notes = [item.note for item in failed.differences]
            beside = [note.split()[2] for note in notes if note.startswith("with geom")]
            return found | {word.rstrip(":") for word in beside}
        except UnisimError as refused:
            return set(str(refused).replace(":", " ").split())
        return set()


def meddled(monkeypatch, change):
    """Let the audit find an engine that `change` was at."""
    audit = task.audit

    def after(scene, layout, backend, engine, *rest, **more):
        change(engine)
        return audit(scene, layout, backend, engine, *rest, **more)

    monkeypatch.setattr(task, "audit", after)


def labels(rows):
    """Names of rows, for pytest."""
    seen = {}
    for scene, name, change in rows:
        text = f"{scene}-{name}-{change.__qualname__.split('.')[0].strip('<>')}"
        seen[text] = seen.get(text, 0) + 1
        yield f"{text}-{seen[text]}"
