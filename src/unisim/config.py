"""The typed configs: what a scene is made of and how a task runs it.

Everything is frozen and strict: an unknown key, a wrong type or a bad value is refused
with its path in the file. Paths are relative to the config file that states them.
"""

import dataclasses
import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
)

from unisim.errors import BadConfig, MissingFile
from unisim.nearby import nearby
from unisim.options import OptionsCfg, Timestep, Vec3
from unisim.strict import STRICT as STRICT  # noqa: PLC0414
from unisim.strict import File, distinct, strict, validate
from unisim.terrains import AnyTerrainCfg, FieldCfg, Quat, TerrainCfg

ContactKind = Literal["geom", "body", "subtree"]
ContactField = Literal["force", "torque", "dist", "pos", "normal", "tangent"]
ContactReduce = Literal["none", "mindist", "maxforce", "netforce"]
Setting = bool | int | float | str
Prefix = Annotated[str, Field(min_length=1)]
MOST_WORLDS = 2**31 - 1
"""Worlds that an index of 32 bits can name."""
MOST_STEPS = 1_000_000
"""Physics steps of one call, and of a delay line."""
MOST_SLOTS = 2**16
"""Contacts that a query keeps per world."""
MOST_PIXELS = 8192
"""Width and height that every OpenGL draws."""
Steps = Annotated[int, Field(ge=0, le=MOST_STEPS)]
Pixels = Annotated[PositiveInt, Field(le=MOST_PIXELS)]


@strict
class AttachCfg:
    """Attach a model, or a subtree of it, to the scene."""

    model_file: File
    """MJCF file of the attached model."""
    prefix: Prefix
    """Put before every name of the attached model; unique in the scene."""
    body: str | None = None
    """Root of the subtree to attach; None attaches all that its world body holds."""
    to: str | None = None
    """Name of the site, body or frame to attach to; None is the world."""
    to_kind: Literal["site", "body", "frame"] = "site"
    """What `to` names."""
    pos: Vec3 = (0.0, 0.0, 0.0)
    """Position in the frame attached to [m]."""
    quat: Quat = (1.0, 0.0, 0.0, 0.0)
    """Orientation in the frame attached to, wxyz."""
    free_joint: Literal["refuse", "drop"] = "refuse"
    """What to do with a free joint of the attached model below the world."""
    keyframe: str | None = None
    """Key of the attached model that takes part in the scene's composed keys; None
    uses its defaults."""


@strict
class SceneCfg:
    """What is simulated, engine-neutral."""

    model_file: File
    """MJCF file of the scene or robot."""
    fragments: tuple[File, ...] = ()
    """MJCF files merged into it, section by section; clashes are errors. Its default
    class `main` is the scene's: what a fragment states there holds everywhere."""
    attach: tuple[AttachCfg, ...] = ()
    """Models attached under a prefix, any number of times."""
    terrain: AnyTerrainCfg = TerrainCfg()
    """The ground: the file's own, a plane, a height field or a grid of tiles."""
    visual_model_file: File | None = None
    """Stand-in for rendering only: its bodies are matched by name."""
    options: OptionsCfg = OptionsCfg()
    """Overrides of the file's options; they win over everything."""
    keyframe: str | None = None
    """Key the worlds start in and reset to; None is the model's defaults."""


@strict
class ContactQueryCfg:
    """One contact query: a fixed-shape array of contacts for all worlds."""

    name: Annotated[str, Field(min_length=1)]
    """Name to read it by."""
    kind: ContactKind = "geom"
    """What `first` and `second` name."""
    first: str
    """Name of the first geom, body or subtree root."""
    second: str | None = None
    """Name of the second; None matches anything."""
    fields: Annotated[tuple[ContactField, ...], AfterValidator(distinct)] = ("force",)
    """What is returned per contact, besides the number found."""
    slots: Annotated[PositiveInt, Field(le=MOST_SLOTS)] = 1
    """Contacts kept per world; more set the overflow flag."""
    reduce: ContactReduce = "none"
    """Which contacts are kept, as in MJCF; `netforce` sums them in one slot."""


@strict
class CameraCfg:
    """Where pictures are taken from."""

    body: str | None = None
    """Body to track; None looks at the centre of the scene."""
    azimuth: float = 135.0
    """[deg]."""
    elevation: float = -20.0
    """[deg]."""
    distance: PositiveFloat | None = None
    """[m]; None is 1.5 times the extent of the model."""
    fovy: PositiveFloat = 45.0
    """Vertical field of view [deg]."""
    width: Pixels = 640
    """[pixel]."""
    height: Pixels = 480
    """[pixel]."""


@strict
class ParityCfg:
    """Settings of a parity measurement."""

    seconds: PositiveFloat = 1.0
    """Length of the replay [s]."""
    divergence: PositiveFloat = 0.01
    """Joint difference that ends the horizon [rad or m]."""
    worlds: Annotated[PositiveInt, Field(le=MOST_WORLDS)] = 4
    """Worlds that are replayed, each from a state of its own."""
    amplitude: NonNegativeFloat = 0.1
    """How far the commands wander from where they rest, as a share of half their range;
    of 1 where a command has no range."""
    reference: str = "mujoco"
    """Backend that the others are compared with."""


@strict
class PDCfg:
    """Joint PD: torque = kp (target - q) - kv qd, clamped, before every substep."""

    kind: Literal["pd"] = "pd"
    kp: dict[str, NonNegativeFloat]
    """Stiffness per actuator name or glob pattern [N m/rad or N/m]."""
    kv: dict[str, NonNegativeFloat]
    """Damping per actuator name or glob pattern [N m s/rad or N s/m]."""
    limit: dict[str, PositiveFloat] = dataclasses.field(
        default_factory=dict[str, float]
    )
    """Largest torque or force per actuator name or glob pattern [N m or N]."""


@strict
class DCMotorCfg:
    """PD whose torque is clamped by a DC motor's torque-speed line."""

    kind: Literal["dcmotor"] = "dcmotor"
    kp: dict[str, NonNegativeFloat]
    """Stiffness per actuator name or glob pattern [N m/rad or N/m]."""
    kv: dict[str, NonNegativeFloat]
    """Damping per actuator name or glob pattern [N m s/rad or N s/m]."""
    stall: dict[str, PositiveFloat]
    """Torque at standstill [N m or N]."""
    no_load: dict[str, PositiveFloat]
    """Speed at which no torque is left [rad/s or m/s]."""
    limit: dict[str, PositiveFloat] = dataclasses.field(
        default_factory=dict[str, float]
    )
    """Largest continuous torque [N m or N]."""


@strict
class DelayCfg:
    """The command arrives some physics steps later."""

    kind: Literal["delay"] = "delay"
    steps: Steps
    """Physics steps between a command and its effect."""


@strict
class KeyframesCfg:
    """Commands interpolated between keyframes of the scene, over and over."""

    kind: Literal["keyframes"] = "keyframes"
    keys: Annotated[tuple[str, ...], Field(min_length=1)]
    """Keys visited in turn."""
    seconds: PositiveFloat = 1.0
    """Time from one key to the next [s]."""


LawCfg = Annotated[
    PDCfg | DCMotorCfg | DelayCfg | KeyframesCfg, Field(discriminator="kind")
]


@strict
class RunCfg:
    """What `unisim run` does."""

    seconds: PositiveFloat = 2.0
    """Simulated time [s]."""
    amplitude: NonNegativeFloat = 0.0
    """Amplitude of the sine that every world adds to its command, in the command's
    unit; each world has its own phase."""
    frequency: PositiveFloat = 0.5
    """Frequency of that sine [Hz]."""
    picture_world: NonNegativeInt = 0
    """World the pictures are taken of."""


@strict
class TaskCfg:
    """A scene, the backend that runs it, and how."""

    scene: SceneCfg
    backend: str = "mujoco"
    """Name of the backend; `unisim engines` lists them."""
    profile: str | None = None
    """Solver profile of the backend; None is its default."""
    engine: dict[str, Setting] = dataclasses.field(default_factory=dict[str, Setting])
    """Settings of the backend's own config, e.g. {threads = 2}."""
    worlds: Annotated[PositiveInt, Field(le=MOST_WORLDS)] = 1
    """Number of parallel worlds."""
    device: str = "cpu"
    """Device the worlds live on."""
    dtype: Literal["float64", "float32"] | None = None
    """Precision of the state; None is the backend's own, the first of its manifest."""
    seed: NonNegativeInt = 0
    deterministic: bool = True
    """Ask for bit-equal results of equal runs."""
    timestep: Timestep | None = None
    """Physics step [s]; None is the scene's."""
    decimation: Annotated[PositiveInt, Field(le=MOST_STEPS)] = 1
    """Physics steps per control step."""
    control: tuple[LawCfg, ...] = ()
    """Control laws, applied in order before every physics step; none passes the
    command on to the actuators."""
    contacts: Annotated[tuple[ContactQueryCfg, ...], AfterValidator(distinct)] = ()
    """Contact queries."""
    vary: Annotated[tuple[str, ...], AfterValidator(distinct)] = ()
    """Model fields that differ between worlds, in MuJoCo's names."""
    faults: Literal["raise", "flag"] = "raise"
    """What a read does while a world is faulted."""
    accept: tuple[str, ...] = ()
    """Feature ids or families whose approximation by the backend is agreed to; `*` is
    all. `device.cuda` and `engine.release` agree to what nobody measured."""
    require: tuple[str, ...] = ()
    """What the backend must have, whether or not the scene uses it: feature ids or
    families, which must be exact, such as `sensor.touch`; contact queries as
    `contact.query`, or what they say, such as `contact.query.fields.force`; fields that
    vary, such as `vary.body_mass`; `batching`, `deterministic`, `rendering`,
    `second_sim`, `snapshot.exact`, `snapshot.state`."""
    camera: CameraCfg = CameraCfg()
    parity: ParityCfg = ParityCfg()
    run: RunCfg = RunCfg()


def load(path: Path | str) -> TaskCfg:
    """Read a task from TOML.

    Args:
        path: The config file; the paths it states are relative to its folder.

    Raises:
        MissingFile: If the file is not there or is a folder.
        BadConfig: If it is not TOML, or a key, type or value is wrong.
    """
    path = Path(path)
    text = _read(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(path, [f"not TOML: {error}"]) from None
    task = validate(TaskCfg, table, path, text)
    return dataclasses.replace(task, scene=_anchor(task.scene, path.parent))


def _read(path: Path) -> str:
    if path.is_dir():
        raise MissingFile(path, "this is a folder, not a config file.")
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        problem = "there is no such config file."
        raise MissingFile(path, problem, nearby(path)) from None
    except OSError as error:
        raise MissingFile(path, f"it cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        problem = f"not UTF-8: {error.reason} (line {line})"
        raise BadConfig(path, [problem]) from None


def _anchor(scene: SceneCfg, folder: Path) -> SceneCfg:
    """Make the paths of a scene relative to the folder of its config."""
    visual, terrain = scene.visual_model_file, scene.terrain
    if isinstance(terrain, FieldCfg):
        terrain = dataclasses.replace(terrain, file=folder / terrain.file)
    return dataclasses.replace(
        scene,
        model_file=folder / scene.model_file,
        fragments=tuple(folder / item for item in scene.fragments),
        attach=tuple(
            dataclasses.replace(item, model_file=folder / item.model_file)
            for item in scene.attach
        ),
        terrain=terrain,
        visual_model_file=None if visual is None else folder / visual,
    )
