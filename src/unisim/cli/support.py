"""`unisim support`: the matrix of backends and features."""

import json as json_format

from unisim.cli.arguments import Name, Target


def support(
    *,
    backend: Name = None,
    details: bool = False,
    markdown: bool = False,
    json: bool = False,
    write: Target = None,
) -> int:
    """Show which MJCF features each backend represents, as its manifest claims.

    A row is a family of features, a column a backend in its default solver profile; a
    cell says how many features are exact, and after ≈ how many are approximate. With
    --write, the table takes the place of what a file has between the lines
    `<!-- unisim support -->` and `<!-- /unisim support -->`.

    Example: unisim support --write README.md

    Args:
        backend: Show this backend alone, one row per feature, one column per profile.
        details: Show, as Markdown, every entry of every manifest and what it rests on.
        markdown: Print Markdown.
        json: Print JSON, with every feature and what its claim rests on.
        write: File whose block is rewritten; nothing is printed.
    """
    from unisim.cli import details as pages
    from unisim.cli import matrix

    columns = matrix.columns(backend)
    if write is not None:
        matrix.rewrite(write, pages.details() if details else matrix.markdown(columns))
    elif details:
        print(pages.details())
    elif json:
        print(json_format.dumps(matrix.plain(columns), indent=1))
    elif backend is not None:
        print(matrix.features(columns, markdown=markdown))
    elif markdown:
        print(matrix.markdown(columns))
    else:
        print(matrix.text(columns))
    return 0
