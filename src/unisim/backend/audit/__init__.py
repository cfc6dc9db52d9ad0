"""The audit: what an engine built, and how it moves, against the reference."""

from unisim.backend.audit.field import AuditedField as AuditedField
from unisim.backend.audit.field import Tolerance as Tolerance
from unisim.backend.audit.fields import AUDITED as AUDITED
from unisim.backend.audit.model import from_model as from_model
from unisim.backend.audit.model import from_worlds as from_worlds
from unisim.backend.audit.pairs import collision_pairs as collision_pairs
from unisim.backend.audit.report import AuditReport as AuditReport
from unisim.backend.audit.report import Difference as Difference
from unisim.backend.audit.report import Unaudited as Unaudited
from unisim.backend.audit.run import audit as audit
from unisim.backend.audit.run import expected as expected
