"""Make docs/authorisation.md: who may do what at a table, from what the tests check against a live server.

python tools/generate_authorisation.py [--check]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.server.authorisation.cells import (  # noqa: E402
    CALLERS,
    KINDS,
    MEANINGS,
    ROWS,
    rows,
)
from tools.pages import made  # noqa: E402

PAGE = ROOT / "docs" / "authorisation.md"

HEAD = """\
# Who may do what

A caller shows one thing: the token of a seat, one of the secrets that `CreateTable` gave, or the token of
an account where the server knows accounts. It goes into the call's metadata as `authorization: Bearer TOKEN`,
over HTTP into the header of that name. Whoever has lost a seat's token has lost the seat; there is nobody to
ask, unless an account sits there.

`make authorisation` writes this page from `tests/server/authorisation/cells.txt`. The tests try every cell on
a live server, over gRPC and a part of them over HTTP, and fail when the page is not up to date or an rpc has
no row.

VariantService and RulesService answer everybody alike.

A watch goes on for as long as a new one would be let in. Who is sent away from a private table, whose account's
token expires (30 seconds of grace) or whose issuer's key is withdrawn (noticed within a heartbeat), or whose
table is forgotten, is told the same as if he asked anew, and hears of nothing that happens after that. What
cannot be read, as its rules are gone or fail, is told of to nobody who may not see it.
"""


def page() -> str:
    """The page as it should be."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield HEAD
    yield from _list("The callers", CALLERS)
    yield from _list("The cells", {f"`{word}`": meaning for word, meaning in MEANINGS.items()})
    for kind, group in groupby(rows(), key=lambda row: row.kind):
        yield f"## {KINDS[kind]}\n"
        yield f"| rpc | {' | '.join(CALLERS)} |"
        yield f"| --- |{' --- |' * len(CALLERS)}"
        for row in group:
            cells = (
                cell if cell.islower() or cell == "-" else f"`{cell}`"
                for cell in row.cells.values()
            )
            yield f"| {ROWS.get(row.name, row.name)} | {' | '.join(cells)} |"
        yield ""


def _list(title: str, meanings: Mapping[str, str]) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| | |\n| --- | --- |"
    yield from (f"| {word} | {meaning} |" for word, meaning in meanings.items())
    yield ""


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` compare; the exit status says whether it is up to date."""
    return made(__doc__, PAGE, page, "the tests check; run: make authorisation", arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
