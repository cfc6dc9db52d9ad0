"""Rows of settings, keyframes, custom data and extensions."""

from collections.abc import Mapping

from unisim.mjcf.schema.common import CONFIG, NAME, Row

ROWS: Mapping[str, Row] = {
    "mujoco": {"model": "composition"},
    "compiler": {
        "alignfree angle autolimits balanceinertia boundinertia boundmass": "notation",
        "discardvisual eulerseq fitaabb fusestatic inertiafromgeom": "notation",
        "inertiagrouprange settotalmass": "notation",
        "assetdir conflict coordinate meshdir passthrough": "composition",
        "savecanonical savecompiled saveinertial strippath": "composition",
        "texturedir usethread": "composition",
    },
    "compiler/lengthrange": {
        "accel interval inttotal maxforce mode timeconst": "actuator.lengthrange",
        "timestep tolrange useexisting uselimit": "actuator.lengthrange",
    },
    "option": {
        "actuatorgroupdisable ccd_iterations ccd_tolerance": "option.{attribute}",
        "cone integrator jacobian solver": "option.{attribute}*",
        "density gravity impratio iterations ls_iterations": "option.{attribute}",
        "ls_tolerance magnetic noslip_iterations": "option.{attribute}",
        "noslip_tolerance o_friction o_margin o_solimp": "option.{attribute}",
        "o_solref": "option.{attribute}*",
        "sdf_initpoints sdf_iterations sleep_tolerance": "option.{attribute}",
        "timestep tolerance viscosity wind": "option.{attribute}",
    },
    "option/flag": {
        "actuation autoreset clampctrl constraint contact": "option.flag.{attribute}",
        "damper diagexact energy equality eulerdamp": "option.flag.{attribute}",
        "filterparent frictionloss fwdinv gravity": "option.flag.{attribute}",
        "invdiscrete ipc island limit midphase multiccd": "option.flag.{attribute}",
        "nativeccd override refsafe sensor sleep": "option.flag.{attribute}",
        "speculative spring warmstart": "option.flag.{attribute}",
    },
    "size": {
        # With too little memory contacts are lost, which a running sim reports.
        "memory nconmax njmax nstack": "composition",
        "nuser_actuator nuser_body nuser_cam nuser_geom": "composition",
        "nuser_jnt nuser_sensor nuser_site nuser_tendon": "composition",
        "nkey": "key",
        "nuserdata": "size.nuserdata",
    },
    "statistic": {"center extent meaninertia meanmass meansize": "visual"},
    "visual": {},
    "visual/global": {
        "azimuth bvactive cameraid elevation ellipsoidinertia fovy glow": "visual",
        "ipd linewidth offheight offwidth orthographic realtime": "visual",
    },
    "visual/quality": {"numquads numslices numstacks offsamples shadowsize": "visual"},
    "visual/headlight": {"active ambient diffuse specular": "visual"},
    "visual/map": {
        "actuatortendon alpha fogend fogstart force haze shadowclip": "visual",
        "shadowscale stiffness stiffnessrot torque zfar znear": "visual",
    },
    "visual/scale": {
        "actuatorlength actuatorwidth camera com connect constraint": "visual",
        "contactheight contactwidth forcewidth framelength framewidth": "visual",
        "frustum jointlength jointwidth light selectpoint slidercrank": "visual",
    },
    "visual/rgba": {
        "actuator actuatornegative actuatorpositive bv bvactive camera": "visual",
        "com connect constraint contactforce contactfriction": "visual",
        "contactgap contactpoint contacttorque crankbroken fog force": "visual",
        "frustum haze inertia joint light rangefinder selectpoint": "visual",
        "slidercrank": "visual",
    },
    "default": {"class": "composition"},
    "extension": {},
    "extension/plugin": {"plugin": "plugin*"},
    "extension/plugin/instance": NAME,
    "extension/plugin/instance/config": CONFIG,
    "custom": {},
    "custom/numeric": NAME | {"data size": "visual.numeric"},
    "custom/text": NAME | {"data": "visual.text"},
    "custom/tuple": NAME,
    "custom/tuple/element": {"objname objtype prm": "visual.tuple"},
    "keyframe": {},
    "keyframe/key": NAME
    | {"act ctrl mpos mquat plastic qpos qvel time": "key.{attribute}"},
}
"""By element."""
