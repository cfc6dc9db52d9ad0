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

from unisim.backend.adapter import Adapter
from unisim.backend.base import Backend

BACKEND: Backend = Adapter(__name__)
