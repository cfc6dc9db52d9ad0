"""Every audited field: one table for all engines.

A field that is added here is compared for every engine, and a test asks for a sabotage
of it.
"""

from collections.abc import Mapping

import mujoco

from unisim.backend.audit.bodies import BODY, JOINT
from unisim.backend.audit.constants import CONSTANT
from unisim.backend.audit.drives import ACTUATOR, EQUALITY, SENSOR, TENDON
from unisim.backend.audit.field import AuditedField
from unisim.backend.audit.geoms import FLEX, GEOM, PAIR
from unisim.backend.audit.world import KEY, OPTION, SIZE

_HELD = frozenset(dir(mujoco.MjModel))

AUDITED: Mapping[str, AuditedField] = {
    field.name: field
    for table in (
        SIZE,
        OPTION,
        BODY,
        JOINT,
        GEOM,
        PAIR,
        FLEX,
        ACTUATOR,
        TENDON,
        EQUALITY,
        SENSOR,
        KEY,
        CONSTANT,
    )
    for field in table
    if all(name.startswith("opt.") or name in _HELD for name in field.raw)
}
"""Every audited field by name; those that this MuJoCo does not have are left out."""
