"""Scenes with and without each feature of flexes."""

from unisim.probe.templates import Pair, arm, flex, flexes

_ELASTIC = '<elasticity young="1e3" poisson=".2" thickness=".01" {}/>'
SOFT: dict[str, Pair] = {
    "flex": Pair(flex(), arm()),
    "flex.dim.1": Pair(flex(dim=1, count="5 1 1"), flex()),
    "flex.dim.2": Pair(flex(), flex(dim=1, count="5 1 1")),
    "flex.dim.3": Pair(flex(dim=3, count="3 3 3"), flex()),
    **{
        f"flex.selfcollide.{word}": flexes(
            f'<contact selfcollide="{word}"/>',
            f'<contact selfcollide="{word}" contype="0" conaffinity="0"/>',
        )
        for word in ("none", "narrow", "bvh", "sap", "auto")
    },
    "flex.selfcollide.solid": flexes(
        "", '<contact selfcollide="none"/>', dim=3, count="3 3 3"
    ),
    "flex.selfcollide.interpolated": Pair(
        *(
            flex('dof="trilinear"', inner, dim=3, count="3 3 3")
            for inner in ("", '<contact selfcollide="none"/>')
        )
    ),
    "flex.contact": flexes("", '<contact contype="0" conaffinity="0"/>'),
    "flex.passive": Pair(
        flex(inner='<contact passive="true"/>', head='<option integrator="discrete"/>'),
        flex(head='<option integrator="discrete"/>'),
    ),
    "flex.rigid": Pair(flex('rigid="true"'), flex()),
    "flex.dof": Pair(
        flex('dof="trilinear"', dim=3, count="3 3 3"), flex(dim=3, count="3 3 3")
    ),
    "flex.dof.quadratic": Pair(
        flex('dof="quadratic"', dim=3, count="3 3 3"),
        flex('dof="trilinear"', dim=3, count="3 3 3"),
    ),
    "flex.edge.stiffness": flexes('<edge stiffness="9"/>', dim=1, count="5 1 1"),
    "flex.edge.damping": flexes('<edge damping="1"/>'),
    "flex.elasticity": flexes(_ELASTIC.format('elastic2d="stretch"')),
    "flex.elasticity.bending": flexes(
        _ELASTIC.format('elastic2d="bend"'), _ELASTIC.format('elastic2d="stretch"')
    ),
    "flex.elasticity.damping": flexes(
        _ELASTIC.format('elastic2d="stretch" damping=".1"'),
        _ELASTIC.format('elastic2d="stretch"'),
    ),
    "flex.elasticity.yield": flexes(
        _ELASTIC.format('elastic2d="both" yield=".1 .1"'),
        _ELASTIC.format('elastic2d="both"'),
    ),
}
"""By feature id."""
