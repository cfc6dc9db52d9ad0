"""`unisim explain`: what a feature is, and who represents it."""

import json as json_format
from typing import Annotated

import tyro


def explain(
    id: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="ID")],
    *,
    json: bool = False,
) -> int:
    """Say what a feature id means: in MuJoCo, in MJCF, and on each backend.

    A feature gets its attributes and elements, the array of the model that shows it, a
    small scene that uses it, and what each backend makes of it and why. A family that
    is no feature itself gets its members. Imports no engine but MuJoCo.

    Example: unisim explain joint.frictionloss

    Args:
        id: Feature, such as `joint.damping`, or family, such as `option.flag`.
        json: Print JSON.
    """
    from unisim.cli import page
    from unisim.cli.facts import facts, group
    from unisim.mjcf.features import FAMILIES, FEATURES

    if id in FEATURES or id not in FAMILIES:
        found = facts(id)
        answer = page.plain(found) if json else page.text(found)
    else:
        family = group(id)
        answer = page.group_plain(family) if json else page.group_text(family)
    print(json_format.dumps(answer, indent=1) if json else answer)
    return 0
