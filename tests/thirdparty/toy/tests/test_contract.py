"""The toy is held to the contract of every backend."""

import os

from unisim.probe.contract import Contract, suite

globals().update(suite(Contract(backend=os.environ.get("TOY", "toy"))))
