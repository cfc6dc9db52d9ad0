"""Sleep, keys, sensors, flexes and plugins that have an effect."""

from unisim.probe.templates import (
    CAMERA,
    Pair,
    arm,
    box,
    flex,
    flexes,
    key,
    sensor,
)

_SLEEP = '<option><flag sleep="enable"/></option>'
_SLEEPS = {
    "body.sleep.never": Pair(
        *(
            box(head=_SLEEP).replace('name="a"', f'name="a" sleep="{policy}"')
            for policy in ("never", "allowed")
        )
    ),
}

_KEYS = {
    "key": Pair(
        key('qpos=".5"').used,
        key("").used.replace('<keyframe><key name="home" /></keyframe>', ""),
    )
}
_APART = '<contact selfcollide="none"/>'
_SOLID = '<elasticity young="1e3" poisson=".2" damping=".01"/>'
_GAP = '<sensor><contact name="x" geom1="floor" geom2="g" data="found dist"/></sensor>'
_GRID = """<extension><plugin plugin="mujoco.sensor.touch_grid"/></extension>"""
_CELLS = """<sensor><plugin name="x" plugin="mujoco.sensor.touch_grid" objtype="site"
  objname="s"><config key="size" value="3 3"/><config key="fov" value="90 90"/>
  <config key="gamma" value="0"/><config key="nchannel" value="1"/></plugin></sensor>"""
_CABLE = """<extension><plugin plugin="mujoco.elasticity.cable"><instance name="i">
  <config key="twist" value="1e6"/><config key="bend" value="1e6"/></instance></plugin>
  </extension>"""
_ROD = """<mujoco>{head}
  <worldbody>
    <body name="a" pos="0 0 1">{plugin}<joint name="j" type="ball"/>
      <geom type="capsule" size=".01" fromto="0 0 0 .2 0 0"/>
      <body name="b" pos=".2 0 0">{plugin}<joint name="k" type="ball"/>
        <geom type="capsule" size=".01" fromto="0 0 0 .2 0 0"/></body>
    </body>
  </worldbody>
</mujoco>"""
_PLUGIN = Pair(box(head=_GRID, tail=_CELLS), box(head=_GRID))


def _sees(sensor: str) -> Pair:
    """A sensor named `x` on a bare arm, and none."""
    return Pair(arm(tail=f"<sensor>{sensor}</sensor>"), arm())


_FRAME = '<framepos name="x" objtype="{}" objname="{}"/>'
_SEEN = {
    **{
        f"sensor.{word}": _sees(f'<{word} name="x" joint="k"/>')
        for word in ("jointpos", "jointvel")
    },
    **{
        f"sensor.{word}": _sees(f'<{word} name="x" site="s"/>')
        for word in (
            *("accelerometer", "velocimeter", "gyro", "force", "torque"),
            "magnetometer",
        )
    },
    **{
        f"sensor.{word}": _sees(f'<{word} name="x" objtype="site" objname="s"/>')
        for word in (
            *("framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis"),
            *("framelinvel", "frameangvel", "framelinacc", "frameangacc"),
        )
    },
    **{
        f"sensor.{word}": _sees(f'<{word} name="x" body="a"/>')
        for word in ("subtreecom", "subtreelinvel", "subtreeangmom")
    },
    **{
        f"sensor.objtype.{kind}": _sees(_FRAME.format(kind, name))
        for kind, name in (("xbody", "b"), ("body", "b"), ("geom", "h"), ("site", "t"))
    },
}
_SEEN["sensor.objtype.camera"] = Pair(
    arm(geoms=CAMERA, tail=f"<sensor>{_FRAME.format('camera', 'c')}</sensor>"),
    arm(geoms=CAMERA),
)
_SENSED = {
    **_SEEN,
    "plugin.body": Pair(
        _ROD.format(head=_CABLE, plugin='<plugin instance="i"/>'),
        _ROD.format(head=_CABLE, plugin=""),
    ),
    **{
        f"sensor.{word}": Pair(
            box(tail=f'<sensor><{word} name="x" {target}/></sensor>'), box()
        )
        for word, target in (
            ("touch", 'site="s"'),
            ("insidesite", 'site="s" objtype="body" objname="a"'),
            ("contact", 'geom1="floor" geom2="g" data="found force"'),
        )
    },
    **{
        f"sensor.contact.{field}": Pair(
            *(
                box(
                    tail='<sensor><contact name="x" geom1="floor" geom2="g" '
                    f'data="found {data}"/></sensor>'
                )
                for data in (field, "force")
            )
        )
        for field in ("linvel", "angvel")
    },
    "flex.dof.quadratic": Pair(
        *(
            flex(
                f'dof="{dof}"',
                _APART + _SOLID,
                dim=3,
                count="3 3 3",
            )
            for dof in ("quadratic", "trilinear")
        )
    ),
    "sensor.tendonlimitfrc": Pair(
        *(
            sensor('<tendonlimitfrc name="x" tendon="f"/>', limited=True)[half].replace(
                'range="-1 1"', 'range="-.1 .1"'
            )
            for half in (0, 1)
        )
    ),
    # Stiffer, it tangles when its nodes fly apart.
    "flex.elasticity.damping": flexes(
        f'{_APART}<elasticity young="1e2" poisson=".2" thickness=".01" '
        'elastic2d="stretch" damping=".1"/>',
        f'{_APART}<elasticity young="1e2" poisson=".2" thickness=".01" '
        'elastic2d="stretch"/>',
    ),
    # What tells solids and cloth apart is how their material resists.
    "flex.dim.3": Pair(
        flex("", _APART + _SOLID, dim=3, count="3 3 3"),
        flex("", _APART, dim=2, count="3 3 1"),
    ),
    "flex.dof": Pair(
        *(
            flex(dof, _APART + _SOLID, dim=3, count="3 3 3")
            for dof in ('dof="trilinear"', "")
        )
    ),
    "equality.flexstrain": Pair(
        *(
            flex('dof="trilinear"', _APART + strain, dim=3, count="3 3 3")
            for strain in ('<edge equality="strain"/>', "")
        )
    ),
    "flex.selfcollide.none": flexes(
        '<contact selfcollide="none"/>', '<contact selfcollide="auto"/>'
    ),
    "sensor.plugin": _PLUGIN,
    "plugin.sensor": _PLUGIN,
    "sensor.interp": sensor(
        '<gyro name="x" site="s" delay=".0093" nsample="9" interp="linear"/>',
        '<gyro name="x" site="s" delay=".0093" nsample="9"/>',
    ),
    "sensor.nsample": sensor(
        '<gyro name="x" site="s" delay=".01" nsample="9"/>', '<gyro name="x" site="s"/>'
    ),
    "geom.gap": Pair(
        *(
            box(f'margin=".02" {gap}', tail=_GAP).replace('0 0 .099"', '0 0 .125"')
            for gap in ('gap=".01"', "")
        )
    ),
    "contact.pair.gap": Pair(
        *(
            box(
                tail=f'{_GAP}<contact><pair geom1="floor" geom2="g" margin=".02" {gap}'
                "/></contact>"
            ).replace('0 0 .099"', '0 0 .125"')
            for gap in ('gap=".01"', "")
        )
    ),
    "option.magnetic": Pair(
        *(
            arm(
                head=head,
                tail='<sensor><magnetometer name="x" site="s"/></sensor>',
            )
            for head in ('<option magnetic="1 0 0"/>', "")
        )
    ),
}


SENSED: dict[str, Pair] = {**_SLEEPS, **_KEYS, **_SENSED}
"""By feature id."""
