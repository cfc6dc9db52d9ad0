"""Builds a batch of worlds on MuJoCo from the reference model."""

import mujoco
from mujoco.batch import Batch

from unisim.backend.base import BuildCfg
from unisim.backend.layout import Layout
from unisim.backend.mujoco.cfg import MujocoCfg, settings
from unisim.backend.mujoco.sim import MujocoEngine
from unisim.backend.queries import model_of, queries_of


def build(request: BuildCfg, layout: Layout) -> MujocoEngine:
    """Compile queries and varied frames in, switch autoreset off, make the batch.

    Raises:
        BadConfig: If a setting is unknown or has the wrong type.
        UnknownName: If a contact query names what the scene does not have.
        MemoryError: If the worlds do not fit.
    """
    cfg = settings(request)
    model = model_of(request, layout)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    batch = _batch(model, request.worlds, cfg)
    queries = queries_of(model, request.contacts)
    return MujocoEngine(batch, layout, queries, request.vary)


def _batch(model: mujoco.MjModel, worlds: int, cfg: MujocoCfg) -> Batch:
    try:
        return Batch(model, worlds, cfg.threads, cfg.persistent)
    except ValueError as error:
        # what MuJoCo makes of a std::bad_alloc
        if "bad_alloc" not in str(error):
            raise
        raise MemoryError(str(error)) from None
