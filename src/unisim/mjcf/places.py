"""Where MJCF says a feature: elements and attributes, and the model's array."""

from collections.abc import Iterable, Mapping

from unisim.mjcf.enums import ENUMS, FRAMES
from unisim.mjcf.feature import Feature

_SERVO = "position|intvelocity|orientation|pid"
_FRAMED = "framepos|framequat|framexaxis|frameyaxis|framezaxis|framelinvel|frameangvel"
_ELEMENTS: Mapping[str, str] = {
    "equality": "equality/*",
    "tendon": "tendon/*",
    "actuator": "actuator/*",
    "sensor": "sensor/*",
    "flex": "flexcomp|flex",
}
"""By kind: its elements, where they are not named after it."""

_SAID: Mapping[str, tuple[str, ...]] = {
    "size": ("size nuserdata",),
    "joint.type": ("joint type",),
    "joint.type.free": ("freejoint", "joint type"),
    "joint.several": ("joint",),
    "joint.damping": ("joint springdamper|damping",),
    "joint.damping.polynomial": ("joint damping",),
    "joint.stiffness": ("joint springdamper|stiffness",),
    "joint.stiffness.polynomial": ("joint stiffness",),
    "joint.limited": ("joint range|limited",),
    "joint.actuatorfrcrange": ("joint actuatorfrcrange|actuatorfrclimited",),
    "joint.actuatorgravcomp": ("joint actuatorgravcomp", "body gravcomp"),
    "geom.type.mesh": ("geom mesh|type",),
    "geom.type.hfield": ("geom hfield|type",),
    "geom.mask": ("geom contype|conaffinity",),
    "contact.convex": ("geom type",),
    "equality.connect": ("equality/connect",),
    "equality.weld": ("equality/weld",),
    "equality.joint": ("equality/joint",),
    "equality.tendon": ("equality/tendon",),
    "equality.flex": ("equality/flex",),
    "equality.flexvert": ("equality/flexvert",),
    "equality.flexstrain": ("equality/flexstrain",),
    "equality.connect.site": ("equality/connect site1|site2",),
    "equality.weld.site": ("equality/weld site1|site2",),
    "equality.weld.torquescale": ("equality/weld torquescale",),
    "equality.joint.polynomial": ("equality/joint polycoef",),
    "equality.tendon.polynomial": ("equality/tendon polycoef",),
    "tendon.fixed": ("tendon/fixed",),
    "tendon.spatial": ("tendon/spatial",),
    "tendon.wrap.joint": ("tendon/fixed",),
    "tendon.wrap.site": ("tendon/spatial",),
    "tendon.wrap.pulley": ("spatial/pulley",),
    "tendon.wrap.sphere": ("spatial/geom geom",),
    "tendon.wrap.cylinder": ("spatial/geom geom",),
    "tendon.wrap.sidesite": ("spatial/geom sidesite",),
    "tendon.limited": ("tendon/* range|limited",),
    "tendon.actuatorfrcrange": ("tendon/* actuatorfrcrange|actuatorfrclimited",),
    "actuator.trntype.joint": ("actuator/* joint",),
    "actuator.trntype.jointinparent": ("actuator/* jointinparent",),
    "actuator.trntype.slidercrank": ("actuator/* cranksite|slidersite",),
    "actuator.trntype.tendon": ("actuator/* tendon",),
    "actuator.trntype.site": ("actuator/* site",),
    "actuator.trntype.body": ("actuator/adhesion body",),
    "actuator.trntype.so3": ("orientation site",),
    "actuator.dyntype": ("general dyntype",),
    "actuator.dyntype.filterexact": ("position|cylinder timeconst", "general dyntype"),
    "actuator.dyntype.filter": ("cylinder timeconst", "general dyntype"),
    "actuator.dyntype.integrator": ("intvelocity", "general dyntype"),
    "actuator.dyntype.muscle": ("muscle", "general dyntype"),
    "actuator.dyntype.dcmotor": ("dcmotor inductance|cogging|thermal|lugre",),
    "actuator.dyntype.pid": ("pid ki|slewmax",),
    "actuator.gaintype": ("general gaintype",),
    "actuator.gaintype.fixed": (
        f"{_SERVO} kp",
        "velocity kv",
        "cylinder area|diameter",
        "general gainprm|gaintype",
    ),
    "actuator.gaintype.affine": ("damper kv", "general gaintype"),
    "actuator.gaintype.muscle": ("muscle", "general gaintype"),
    "actuator.gaintype.dcmotor": ("dcmotor motorconst|nominal",),
    "actuator.gaintype.so3": ("orientation kp",),
    "actuator.gaintype.pid": ("pid kp",),
    "actuator.biastype": ("general biastype",),
    "actuator.biastype.affine": (
        f"{_SERVO} dampratio|kp|kv",
        "velocity kv",
        "cylinder bias",
        "general biastype|biasprm",
    ),
    "actuator.biastype.muscle": ("muscle", "general biastype"),
    "actuator.biastype.dcmotor": ("dcmotor motorconst|nominal",),
    "actuator.biastype.so3": ("orientation dampratio|kv",),
    "actuator.ctrllimited": (
        "position|pid inheritrange",
        "actuator/* ctrlrange|ctrllimited",
    ),
    "actuator.forcelimited": ("actuator/* forcerange|forcelimited",),
    "actuator.actlimited": (
        "intvelocity inheritrange",
        "actuator/* actrange|actlimited",
    ),
    "actuator.inputs": ("general|orientation|pid|dcmotor input",),
    "sensor.objtype": (f"{_FRAMED}|framelinacc|frameangacc objtype",),
    "sensor.reftype": (f"{_FRAMED} reftype",),
    "flex": ("flexcomp", "flex"),
    "flex.selfcollide": ("flexcomp/contact selfcollide",),
    "flex.selfcollide.solid": ("flexcomp/contact selfcollide", "flexcomp dim"),
    "flex.selfcollide.interpolated": ("flexcomp/contact selfcollide", "flexcomp dof"),
    "flex.contact": ("flexcomp/contact contype|conaffinity",),
    "flex.passive": ("flexcomp/contact passive",),
    "flex.dim": ("flexcomp|flex dim",),
    "flex.dof": ("flexcomp dof",),
    "flex.rigid": ("flexcomp rigid",),
    "flex.edge.stiffness": ("flexcomp/edge stiffness",),
    "flex.edge.damping": ("flexcomp/edge damping",),
    "flex.elasticity": ("flexcomp/elasticity young|elastic2d",),
    "flex.elasticity.damping": ("flexcomp/elasticity damping",),
    "flex.elasticity.yield": ("flexcomp/elasticity yield",),
    "plugin": ("plugin plugin|instance",),
    "visual.noise": ("sensor/* noise",),
}
"""By feature or family: `elements attributes`, alternatives between bars, notation that
stands for another attribute first. `tendon/fixed` is one inside the other, and
`actuator/*` any element inside."""

_FIELDS: Mapping[str, str] = {
    "sensor.contact.linvel": "sensor_intprm",
    "sensor.contact.angvel": "sensor_intprm",
    "sensor.insidesite.enclosed": "sensor_intprm",
    "sensor.rangefinder.camera": "sensor_objtype",
    "joint.several": "body_jntnum",
    "joint.actuatorgravcomp": "jnt_actgravcomp",
    "body.mocap": "body_mocapid",
    "geom.condim": "geom_condim",
    "geom.mask": "geom_contype",
    "geom.fluidshape": "geom_fluid",
    "contact.pair": "pair_geom1",
    "contact.pair.condim": "pair_dim",
    "contact.convex": "geom_type",
    "contact.exclude": "exclude_signature",
    "equality.connect.site": "eq_objtype",
    "equality.weld.site": "eq_objtype",
    "equality.weld.torquescale": "eq_data",
    "equality.joint.constant": "eq_obj2id",
    "equality.joint.polynomial": "eq_data",
    "equality.tendon.constant": "eq_obj2id",
    "equality.tendon.polynomial": "eq_data",
    "equality.active": "eq_active0",
    "tendon": "wrap_type",
    "tendon.wrap.sidesite": "wrap_prm",
    "actuator.trntype": "actuator_trntype",
    "actuator.trntype.joint.several": "actuator_trnid",
    "actuator.ctrllimited": "actuator_ctrlrange",
    "actuator.forcelimited": "actuator_forcerange",
    "actuator.actlimited": "actuator_actrange",
    "actuator.actearly": "actuator_actearly",
    "actuator.refsite": "actuator_trnid",
    "actuator.nsample": "actuator_history",
    "actuator.interp": "actuator_history",
    "actuator.inputs": "actuator_ctrlnum",
    "sensor.reftype": "sensor_reftype",
    "sensor.nsample": "sensor_history",
    "sensor.interp": "sensor_history",
    "key": "key_qpos",
    "key.qpos": "key_qpos",
    "key.mpos": "key_mpos",
    "key.mquat": "key_mquat",
    "size.nuserdata": "nuserdata",
    "flex": "nflex",
    "flex.dim": "flex_dim",
    "flex.contact": "flex_contype",
    "flex.selfcollide": "flex_selfcollide",
    "flex.edge.stiffness": "flex_edgestiffness",
    "flex.elasticity": "flex_stiffness",
    "flex.elasticity.bending": "flex_bending",
    "plugin.body": "body_plugin",
    "plugin.geom": "geom_plugin",
    "plugin.actuator": "actuator_plugin",
    "plugin.sensor": "sensor_plugin",
    "visual.geom": "geom_rgba",
    "visual.camera": "ncam",
    "visual.light": "nlight",
    "visual.material": "nmat",
    "visual.texture": "ntex",
    "visual.skin": "nskin",
    "visual.numeric": "nnumeric",
    "visual.text": "ntext",
    "visual.tuple": "ntuple",
}
"""By feature or family: what shows it in the model, where its row does not say so."""


_SHOWN: Mapping[str, tuple[str, int]] = {
    "actuator.dyntype.filter": ("actuator_dynprm", 1),
    "actuator.dyntype.filterexact": ("actuator_dynprm", 1),
    "actuator.dyntype.muscle": ("actuator_dynprm", 3),
    "actuator.gaintype.fixed": ("actuator_gainprm", 1),
    "actuator.gaintype.affine": ("actuator_gainprm", 3),
    "actuator.biastype.affine": ("actuator_biasprm", 3),
    "actuator.ctrllimited": ("actuator_ctrlrange", 2),
    "actuator.forcelimited": ("actuator_forcerange", 2),
    "actuator.actlimited": ("actuator_actrange", 2),
}
"""By feature: the array whose numbers say how much, and how many of them."""


def shown(feature: Feature) -> tuple[str, int]:
    """Array of the model whose numbers a use shows, and how many; "" for none."""
    return _SHOWN.get(feature.id, ("", 0))


def places(feature: Feature) -> tuple[tuple[str, str], ...]:
    """Elements and attributes that ask for a feature, notation first.

    Returns:
        Pairs of an element and an attribute, "" for the element itself; `a/b` is a
        `<b>` inside an `<a>`, `a/*` anything inside it.
    """
    said = _nearest(_SAID, feature) or (_derived(feature),)
    return tuple(dict.fromkeys(pair for text in said for pair in _pairs(text)))


def attributes(feature: Feature) -> tuple[str, ...]:
    """Attributes that ask for a feature, notation first."""
    named = [attribute for _, attribute in places(feature) if attribute]
    return tuple(dict.fromkeys([*named, feature.attribute]))


def field(feature: Feature) -> str:
    """Array or size of the model that shows a feature, "" for none."""
    if feature.field:
        return feature.field
    for row in (*ENUMS.values(), FRAMES):
        if feature.id in row.ids.values():
            return row.field
    found = [name for name in (feature.id, *feature.families) if name in _FIELDS]
    return _FIELDS[found[0]] if found else ""


def _nearest(
    table: Mapping[str, tuple[str, ...]], feature: Feature
) -> tuple[str, ...] | None:
    named = [name for name in (feature.id, *feature.families) if name in table]
    return table[named[0]] if named else None


def _derived(feature: Feature) -> str:
    """What follows from a feature's own row."""
    words = feature.id.split(".")
    if feature.id.startswith("option.flag."):
        return f"flag {feature.attribute}"
    if feature.kind == "sensor" and feature.id in ENUMS["mjtSensor"].ids.values():
        return words[1]
    if feature.visual:
        return feature.kind
    element = _ELEMENTS.get(feature.kind, feature.kind)
    return f"{element} {feature.attribute}".strip()


def _pairs(text: str) -> Iterable[tuple[str, str]]:
    elements, _, named = text.partition(" ")
    for attribute in named.split("|"):
        for element in elements.split("|"):
            yield element, attribute
