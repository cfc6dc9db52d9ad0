"""What two scenes have in common: the compiled physics, and how they move."""

import re
from pathlib import Path

import mujoco
import numpy as np

STEPS = 20
_SEEN = re.compile(
    r"names|names_map|name_\w+|paths|text_\w+|tuple_\w+|numeric_\w+|\w+_user"
    r"|(?:geom|site|tendon|flex)_(?:rgba|matid|group)|jnt_group|tendon_width"
    r"|light_\w+|mat_\w+|tex_\w+|skin_\w+|cam_(?:ipd|output)|sensor_noise"
    r"|(?:mesh|flex)_\w*texcoord\w*|flex_flatskin|geom_castshadow|\w+_pathadr"
)
"""Arrays that hold names, what the user noted, and what is only drawn. That nothing
else reads them is what the motion shows."""

Result = dict[str, np.ndarray]


def compiled(file: Path, text: str) -> mujoco.MjModel:
    """Compile a text that stands beside the assets it names."""
    file.write_text(text, encoding="utf-8")
    return mujoco.MjModel.from_xml_path(str(file))


def physics(model: mujoco.MjModel) -> Result:
    """Every array of a model that is not only seen, and its options."""
    found = {
        name: np.array(value)
        for name in dir(model)
        if name[0] != "_"
        and isinstance(value := getattr(model, name), np.ndarray)
        and not _SEEN.fullmatch(name)
    }
    # a camera without a sensor has a field of view alone: that is what is read
    found["cam_intrinsic"] = found["cam_intrinsic"][model.cam_sensorsize[:, 0] > 0]
    options = ((name, getattr(model.opt, name)) for name in dir(model.opt))
    found |= {
        f"opt.{name}": np.array(value)
        for name, value in options
        if isinstance(value, (int, float, np.ndarray))
    }
    return found


def motion(model: mujoco.MjModel) -> Result:
    """State and sensor data over some steps from a state of its own."""
    data = mujoco.MjData(model)
    data.qvel[:] = np.linspace(-1, 1, model.nv)
    data.ctrl[:] = np.linspace(0.2, 0.8, model.nu)
    rows = []
    for _ in range(STEPS):
        mujoco.mj_step(model, data)
        rows.append(np.concatenate([data.qpos, data.qvel, data.act, data.sensordata]))
    return {"motion": np.array(rows)}


def differences(first: Result, second: Result, rtol: float = 0.0) -> list[str]:
    """Names of the arrays that two results do not share."""
    different = set(first) ^ set(second)
    for name in first.keys() & second.keys():
        a, b = first[name], second[name]
        same = a.shape == b.shape and (
            np.allclose(a, b, rtol=rtol, atol=rtol) if rtol else np.array_equal(a, b)
        )
        if not same:
            different.add(name)
    return sorted(different)
