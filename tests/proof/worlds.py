"""Worlds that together hold every element of the schema."""

import mujoco

from proof.soft import CABLE, DRAWN, OLD_TIED, SOFT, TIED
from proof.tree import TREE

NEW = int(mujoco.__version__.split(".")[0]) >= 4
WORLDS: dict[str, str] = {
    "tree": TREE,
    "soft": SOFT,
    **{f"tied {number}": text for number, text in enumerate(TIED)},
    **({} if NEW else {"cable": CABLE, "old tied": OLD_TIED[0]}),
    **DRAWN,
}
