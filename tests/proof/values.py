"""Two values of every attribute that the proof of two values is about."""

from collections.abc import Mapping

Values = tuple[str | None, str | None]
"""Two values; None leaves the attribute out."""

_NUMBERS: Values = ("0.3", "0.7")
_BOOLS: Values = ("true", "false")
_INTS: Values = ("8", "16")
_COLOURS: Values = (".2 .3 .4", ".6 .5 .1")
_CLEAR: Values = (".2 .3 .4 1", ".6 .5 .1 0")
"""An opaque and a fully transparent colour, which rays pass through."""
_SECTIONS: Mapping[str, Values] = {
    "visual/rgba": _CLEAR,
    "visual/scale": _NUMBERS,
    "visual/map": _NUMBERS,
    "visual/quality": _INTS,
    "visual/global": _NUMBERS,
    "visual/headlight": _COLOURS,
    "statistic": ("0.3", "2.7"),
    "compiler": _BOOLS,
    "body/light": _NUMBERS,
    "asset/material": _NUMBERS,
}
"""By element, for attributes that are in no other table."""
_ANYWHERE: Mapping[str, Values] = {
    "class": ("n_class", "n_twin"),
    "childclass": ("n_class", "n_twin"),
    "user": ("1 2", "3 4"),
    "group": ("1", "4"),
    "rgba": _CLEAR,
    "material": ("n_material", "n_clear"),
    "noise": ("0.1", "5"),
    "castshadow": _BOOLS,
    "flatskin": _BOOLS,
    "width": _NUMBERS,
    "ipd": _NUMBERS,
    "inflate": _NUMBERS,
    "prefix": ("p_", "q_"),
    "sep": ("_", "-"),
    "model": ("m", "n"),
}
_HERE: Mapping[str, Values] = {
    "actuator/dcmotor class": ("n_driven", "n_two"),
    "compiler conflict": ("warning", "merge"),
    "compiler coordinate": ("local", None),
    "compiler meshdir": ("x", "y"),
    "compiler texturedir": ("x", "y"),
    "compiler assetdir": ("x", "y"),
    "compiler passthrough": ("none", "textures"),
    "size memory": ("4M", "8M"),
    "size nconmax": ("200", "400"),
    "size njmax": ("900", "1800"),
    "size nstack": ("400000", "800000"),
    **{
        f"size nuser_{kind}": ("2", "5")
        for kind in [
            "actuator",
            "body",
            "cam",
            "geom",
            "jnt",
            "sensor",
            "site",
            "tendon",
        ]
    },
    "statistic center": ("0 0 1", "1 2 3"),
    "visual/global bvactive": _BOOLS,
    "visual/global ellipsoidinertia": _BOOLS,
    "visual/global orthographic": _BOOLS,
    "visual/global cameraid": ("-1", "1"),
    "visual/global offheight": ("300", "600"),
    "visual/global offwidth": ("300", "600"),
    "visual/headlight active": ("0", "1"),
    "custom/numeric data": ("1 2", "3 4"),
    "custom/numeric size": ("3", "5"),
    "custom/text data": ("a", "b"),
    "custom/tuple/element objname": ("n_arm", "n_leg"),
    "custom/tuple/element objtype": ("body", "xbody"),
    "custom/tuple/element prm": _NUMBERS,
    "asset/mesh content_type": ("model/obj", None),
    "asset/mesh texcoord": ("0 0 1 0 0 1 1 1 0 0", "1 0 1 0 0 1 1 1 0 1"),
    "asset/hfield content_type": ("image/vnd.mujoco.hfield", None),
    "asset/texture content_type": ("image/png", None),
    "asset/model content_type": ("text/xml", None),
    "asset/model file": ("part.xml", "copy.xml"),
    "asset/texture builtin": ("flat", "checker"),
    "asset/texture colorspace": ("linear", "sRGB"),
    "asset/texture embed": _BOOLS,
    **{
        f"asset/texture file{face}": ("a.png", "b.png")
        for face in ("", "right", "left", "up", "down", "front", "back")
    },
    "asset/texture gridlayout": ("RLUDFB", "LRUDFB"),
    "asset/texture gridsize": ("6 1", "3 2"),
    "asset/texture height": _INTS,
    "asset/texture width": _INTS,
    "asset/texture hflip": _BOOLS,
    "asset/texture vflip": _BOOLS,
    "asset/texture mark": ("edge", "cross"),
    "asset/texture markrgb": _COLOURS,
    "asset/texture nchannel": ("3", "4"),
    "asset/texture random": _NUMBERS,
    "asset/texture rgb1": _COLOURS,
    "asset/texture rgb2": _COLOURS,
    "asset/texture type": ("2d", "cube"),
    "asset/material texrepeat": ("1 2", "3 4"),
    "asset/material texuniform": _BOOLS,
    "asset/material texture": ("n_texture", "n_file"),
    "asset/material/layer role": ("rgb", "emissive"),
    "asset/material/layer texture": ("n_texture", "n_file"),
    "body/light active": _BOOLS,
    "body/light ambient": _COLOURS,
    "body/light diffuse": _COLOURS,
    "body/light specular": _COLOURS,
    "body/light attenuation": ("1 0 0", "0 1 1"),
    "body/light dir": ("0 0 -1", "1 0 -1"),
    "body/light directional": _BOOLS,
    "body/light mode": ("fixed", "track"),
    "body/light pos": ("0 0 1", "1 2 3"),
    "body/light target": ("n_arm", "n_leg"),
    "body/light texture": ("n_texture", "n_file"),
    "body/light type": ("spot", "point"),
    "body/camera output": ("rgb", "depth"),
    "body/flexcomp texcoord": (" ".join("0" * 18), " ".join("1" * 18)),
    "deformable/flex elemtexcoord": ("0 1 2", "0 2 1"),
    "deformable/flex texcoord": ("0 0 1 0 0 1", "1 0 1 0 0 1"),
    **{
        f"{where} {name}": values
        for where in ("asset/skin", "deformable/skin")
        for name, values in {
            "file": ("a.skn", "b.skn"),
            "face": ("0 1 2", "0 2 1"),
            "vertex": ("0 0 0 1 0 0 0 1 0", "0 0 0 2 0 0 0 1 0"),
            "texcoord": ("0 0 1 0 0 1", "1 0 1 0 0 1"),
        }.items()
    },
    **{
        f"{where}/bone {name}": values
        for where in ("asset/skin", "deformable/skin")
        for name, values in {
            "bindpos": ("0 0 1", "1 2 3"),
            "bindquat": ("1 0 0 0", "0 1 0 0"),
            "body": ("n_arm", "world"),
            "vertid": ("0 1 2", "2 1 0"),
            "vertweight": ("1 1 1", "1 2 3"),
        }.items()
    },
    "body/composite/skin subgrid": ("0", "2"),
    "body/composite/skin texcoord": _BOOLS,
    "body/composite/site mesh": ("n_mesh", None),
    "body/composite/site size": (".01", ".03"),
}
"""By element and attribute."""
IN: Mapping[str, str] = {
    f"default/texture {name}": f"texture {world}"
    for world, names in {
        **{
            name: name
            for name in ["builtin", "width", "height", "mark", "random", "markrgb"]
        },
        **{name: name for name in ["rgb1", "rgb2", "type", "gridsize", "gridlayout"]},
        "file": "embed nchannel colorspace hflip vflip",
    }.items()
    for name in names.split()
}
"""By element and attribute: the world that it is stated in; else it is the first that
holds the element."""
PICTURES: Mapping[str | None, str] = {"3 2": "wide.png"}
"""By size of a grid: the picture that it is read from, where it is another one."""
ON: Mapping[str, str] = {
    "body name": "n_loose",
    **{
        f"asset/texture {name}": "n_file"
        for name in [
            "file",
            "content_type",
            "embed",
            "hflip",
            "vflip",
            "nchannel",
            "colorspace",
        ]
    },
    **{
        f"asset/texture file{face}": "n_cube"
        for face in ("right", "left", "up", "down", "front", "back")
    },
    "asset/texture gridlayout": "n_grid",
    "asset/texture gridsize": "n_grid",
    "asset/mesh content_type": "n_obj",
    "asset/skin file": "n_skn",
    "deformable/skin file": "n_skn",
    "asset/material texture": "n_material",
    "body/site rgba": "n_volume",
}
"""By element and attribute: the name of the element that states it; else it is the
first."""


def two_values(path: str, attribute: str, source: str) -> Values:
    """Two values of an attribute.

    Args:
        path: The element.
        attribute: Its attribute.
        source: The element that it speaks for, if it is a default, else itself.
    """
    for place in (path, source):
        key = f"{place} {attribute}"
        if key in _HERE:
            return _HERE[key]
    if attribute in _ANYWHERE and not source.startswith(("visual", "compiler")):
        return _ANYWHERE[attribute]
    return _SECTIONS[source]
