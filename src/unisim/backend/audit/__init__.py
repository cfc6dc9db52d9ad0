"""The audit: what an engine built, and how it moves, against the reference."""

from unisim.backend.audit.field import AuditedField as AuditedField
from unisim.backend.audit.field import Tolerance as Tolerance
from unisim.backend.audit.fields import AUDITED as AUDITED
from unisim.backend.audit.model import from_model as from_model
from unisim.backend.audit.model import from_worlds as from_worlds
from unisim.backend.audit.pairs import collision_pairs as collision_pairs
