"""Worlds of deformables, of a composite, and of textures."""

_GRID = 'type="grid" spacing=".1 .1 .1" radius=".02"'
_CLASSES = """<default class="main"><default class="n_class"><geom/></default>
    <default class="n_twin"><geom/></default></default>"""
SOFT = f"""<mujoco>
  {_CLASSES}
  <option timestep=".002" solver="CG"/>
  <asset>
    <texture name="n_texture" builtin="flat" type="2d" width="8" height="8"/>
    <material name="n_clear" rgba="1 1 1 0"/>
    <material name="n_material" texture="n_texture"/>
    <skin name="n_skin" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"
      texcoord="0 0 1 0 0 1">
      <bone body="n_arm" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2"
        vertweight="1 1 1"/>
      <bone body="n_b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2"
        vertweight="1 1 1"/></skin>
    <skin name="n_skn" file="a.skn"/>
  </asset>
  <worldbody>
    <geom type="plane" size="3 3 .1"/><site name="n_ray" pos="0 0 2" zaxis="0 0 -1"/>
    <site name="n_side" pos=".55 .05 2" zaxis="0 0 -1"/>
    <body name="n_arm" pos="0 0 1"><joint/><geom size=".1" pos="0 .1 0"/></body>
    <flexcomp name="n_flexcomp" {_GRID} count="3 3 1" dim="2" mass=".5" pos="0 0 .1">
      <edge damping=".1"/><elasticity young="1e3" poisson=".2" thickness=".01"
        elastic2d="both"/><contact selfcollide="none"/><pin id="0"/>
    </flexcomp>
    <body name="n_a" pos=".5 0 .5"><freejoint/><geom size=".02"/></body>
    <body name="n_b" pos=".6 0 .5"><freejoint/><geom size=".02"/></body>
    <body name="n_c" pos=".5 .1 .5"><freejoint/><geom size=".02"/></body>
  </worldbody>
  <deformable>
    <flex name="n_flex" dim="2" body="n_a n_b n_c" vertex="0 0 0 0 0 0 0 0 0"
      element="0 1 2" texcoord="0 0 1 0 0 1" radius=".02">
      <contact selfcollide="none"/><edge/><elasticity/></flex>
  </deformable>
  <equality><flex name="n_flexed" flex="n_flex" active="true"/></equality>
  <sensor><rangefinder site="n_ray"/><rangefinder site="n_side"/></sensor>
</mujoco>"""
"""Deformable bodies."""

CABLE = """<mujoco>
  <extension><plugin plugin="mujoco.elasticity.cable"/></extension>
  <asset>
    <texture name="n_texture" builtin="flat" type="2d" width="8" height="8"/>
    <material name="n_clear" rgba="1 1 1 0"/>
    <material name="n_material" texture="n_texture"/>
    <mesh name="n_mesh" vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2"/>
  </asset>
  <worldbody>
    <geom type="plane" size="3 3 .1"/><site name="n_ray" pos="0 0 2" zaxis="0 0 -1"/>
    <composite prefix="p_" type="cable" curve="s" count="5 1 1" size="1"
      initial="none" offset="-.4 0 .5">
      <plugin plugin="mujoco.elasticity.cable"><config key="twist" value="1e5"/>
        <config key="bend" value="1e5"/></plugin>
      <joint kind="main" damping=".01"/><geom type="capsule" size=".02"/><site/>
      <skin/>
    </composite>
  </worldbody>
  <sensor><rangefinder site="n_ray"/></sensor>
</mujoco>"""
"""A composite, which only the older MuJoCo has."""

_TIED = """<mujoco>
  {classes}
  <worldbody><flexcomp name="n_flexcomp" type="grid" count="{count}" mass=".5"
    radius=".02" spacing=".1 .1 .1" pos="0 0 .1" {rest}>
    <edge equality="{word}"/></flexcomp>
  </worldbody>
  <equality><{tag} name="n_{tag}" flex="n_flexcomp" {more}/></equality>
</mujoco>"""
_SHEET = {"classes": _CLASSES, "count": "3 3 1", "rest": 'dim="2"', "more": ""}
_BLOCK = {
    "classes": _CLASSES,
    "count": "3 3 3",
    "rest": 'dim="3" dof="trilinear"',
    "more": 'cell="0 0 0"',
}
TIED = (
    _TIED.format(word="true", tag="flex", **_SHEET),
    _TIED.format(word="strain", tag="flexstrain", **_BLOCK),
)
"""Constraints of a flex."""
OLD_TIED = (_TIED.format(word="vert", tag="flexvert", **_SHEET),)


_TEXTURE = """<mujoco>
  <default><texture/></default>
  <asset><texture name="n_texture" {}/></asset>
  <worldbody><body><joint/><geom size=".1" pos=".1 0 0"/></body></worldbody>
</mujoco>"""
_PAINT = {
    "type": "2d",
    "builtin": "checker",
    "width": "8",
    "height": "8",
    "mark": "random",
    "random": ".5",
}
_PAINTS = ("builtin", "width", "height", "mark", "random", "markrgb", "rgb1", "rgb2")
DRAWN: dict[str, str] = {
    **{
        f"texture {left_out}": _TEXTURE.format(
            " ".join(f'{k}="{v}"' for k, v in _PAINT.items() if k != left_out)
        )
        for left_out in _PAINTS
    },
    "texture file": _TEXTURE.format('type="2d" file="a.png"'),
    "texture type": _TEXTURE.format('file="a.png"'),
    "texture gridsize": _TEXTURE.format(
        'type="cube" file="grid.png" gridlayout="RLUDFB"'
    ),
    "texture gridlayout": _TEXTURE.format('type="cube" file="grid.png"').replace(
        "<texture/>", '<texture gridsize="6 1"/>'
    ),
}
"""A texture that leaves an attribute to the default."""
