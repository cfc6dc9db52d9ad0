"""The clauses of the contract: test functions by topic, a module each."""

TOPICS = (
    "state",
    "step",
    "reset",
    "snapshot",
    "motion",
    "contacts",
    "vary",
    "faults",
    "abilities",
)
CLAUSES = tuple(f"{__name__}.{topic}" for topic in TOPICS)
"""The modules by name; pytest rewrites their assertions when they are imported."""
