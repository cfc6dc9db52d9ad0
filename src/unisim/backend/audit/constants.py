"""Audited constants that MuJoCo's compiler derives from the other fields.

An engine that holds MuJoCo's model holds these too, and they have effects of their own:
inverse weights scale the softness of constraints, bounds decide which geoms are looked
at, ids and addresses say what belongs to what. Other engines have no such numbers.
"""

from dataclasses import replace

from unisim.backend.audit.field import AuditedField, counts, values, whole

_IDS = {
    "body": (
        *("body_rootid", "body_weldid", "body_treeid", "body_jntadr", "body_jntnum"),
        *("body_dofadr", "body_dofnum", "body_geomadr", "body_geomnum"),
        *("body_sameframe", "body_contype", "body_conaffinity"),
    ),
    "joint": ("jnt_qposadr", "jnt_dofadr", "jnt_actuatorid"),
    "dof": ("dof_bodyid", "dof_jntid", "dof_parentid", "dof_treeid"),
    "geom": ("geom_sameframe", "geom_dataid"),
    "site": ("site_sameframe",),
    "tendon": (
        *("tendon_adr", "tendon_num", "tendon_treenum", "tendon_treeid"),
        "tendon_actuatorid",
    ),
    "actuator": (
        *("actuator_actadr", "actuator_ctrladr", "actuator_ctrlnum"),
        *("actuator_outadr", "actuator_outnum", "actuator_historyadr"),
    ),
    "sensor": (
        *("sensor_adr", "sensor_needstage", "sensor_datatype", "sensor_historyadr"),
    ),
    "equality": ("eq_objtype",),
}
_VALUES = {
    "body_subtreemass": ("body", "kg"),
    "body_invweight0": ("body", "1/kg and 1/(kg m^2)"),
    "body_margin": ("body", "m"),
    "dof_invweight0": ("dof", "1/kg or 1/(kg m^2)"),
    "dof_M0": ("dof", "kg or kg m^2"),
    "geom_aabb": ("geom", "m"),
    "geom_rbound": ("geom", "m"),
    "tendon_length0": ("tendon", "m or rad"),
    "tendon_invweight0": ("tendon", ""),
    "actuator_acc0": ("out", ""),
    "actuator_length0": ("out", "m or rad"),
}
_WHOLE = ("flexedge_invweight0", "flexedge_rigid", "flex_edge")

CONSTANT: tuple[AuditedField, ...] = tuple(
    replace(field, derived=True)
    for field in (
        *(counts(kind, name) for kind, names in _IDS.items() for name in names),
        *(values(kind, name, unit) for name, (kind, unit) in _VALUES.items()),
        *(AuditedField(name, "model", "", (name,), whole(name)) for name in _WHOLE),
    )
)
