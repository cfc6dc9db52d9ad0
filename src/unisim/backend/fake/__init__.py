"""A toy engine for users' own tests: quick, deterministic, and faulty on request.

Velocities are held and positions follow them; no force moves anything. Poses,
velocities, sensors, passive and actuator forces are MuJoCo's for the state. A test asks
for a fault in the task or from the engine:

    task = TaskCfg(scene=scene, backend="fake", accept=("*",), worlds=4,
                   engine={"fault_world": 2, "fault_after": 10})

    engine = sim.built.engine
    assert isinstance(engine, FakeEngine)  # of unisim.backend.fake.sim
    engine.inject(2)
"""

from functools import cache
from pathlib import Path

from unisim.backend.arrays import HOST, Arrays
from unisim.backend.base import Backend, BuildCfg, Engine, Readback
from unisim.backend.layout import Layout
from unisim.backend.manifest import Manifest, load_manifest


class FakeBackend:
    """The adapter; importing it imports nothing heavy."""

    name = "fake"

    @property
    def manifest(self) -> Manifest:
        """See `unisim.backend.base.Backend`."""
        return _manifest()

    def arrays(self, request: BuildCfg) -> Arrays:  # noqa: ARG002
        """See `unisim.backend.base.Backend`."""
        return HOST

    def build(self, request: BuildCfg, layout: Layout) -> Engine:
        """See `unisim.backend.base.Backend`."""
        from unisim.backend.fake.build import build  # noqa: PLC0415

        return build(request, layout)

    def readback(self, handle: object) -> Readback:
        """See `unisim.backend.base.Backend`."""
        from unisim.backend.fake.readback import readback  # noqa: PLC0415

        return readback(handle)


@cache
def _manifest() -> Manifest:
    return load_manifest(Path(__file__).with_name("manifest.toml"))


BACKEND: Backend = FakeBackend()
