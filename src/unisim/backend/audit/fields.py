"""Every audited field: one table for all engines.

A field that is added here is compared for every engine, and a test asks for a sabotage
of it.
"""

from collections.abc import Mapping

from unisim.backend.audit.bodies import BODY, JOINT
from unisim.backend.audit.drives import ACTUATOR, EQUALITY, SENSOR, TENDON
from unisim.backend.audit.field import AuditedField
from unisim.backend.audit.geoms import FLEX, GEOM, PAIR
from unisim.backend.audit.world import KEY, OPTION, SIZE

AUDITED: Mapping[str, AuditedField] = {
    field.name: field
    for table in (
        SIZE, OPTION, BODY, JOINT, GEOM, PAIR, FLEX, ACTUATOR, TENDON, EQUALITY,
        SENSOR, KEY,
    )
    for field in table
}
"""Every audited field by name."""
