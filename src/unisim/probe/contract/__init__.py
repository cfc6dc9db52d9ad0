"""The contract suite: what every adapter is held to, as tests for any package.

A test module of an adapter's own package takes all of it:

    from unisim.probe.contract import Contract, suite

    globals().update(suite(Contract(backend="toy")))

and `pytest` then runs every clause on that backend. It needs `unisim-mjcf[contract]`.
"""

import pytest

from unisim.probe.contract.clauses import CLAUSES

pytest.register_assert_rewrite(
    *CLAUSES, "unisim.probe.contract.worlds", "unisim.probe.contract.varied"
)

from unisim.probe.contract.collect import suite as suite  # noqa: E402
from unisim.probe.contract.contract import Contract as Contract  # noqa: E402
