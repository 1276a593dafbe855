"""Make the table of docs/configuration.md anew from the settings of `bgcore serve`.

python tools/generate_settings.py [--check]
"""

from __future__ import annotations

import sys
from pathlib import Path

from bgcore_server.settings_shown import table
from tools.pages import made

PAGE = Path(__file__).parents[1] / "docs" / "configuration.md"
START, END = "<!-- made by `make settings` -->\n", "<!-- end -->\n"


def page() -> str:
    """The page as it should be."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    return f"{before}{START}\n{table()}\n{END}{rest.partition(END)[2]}"


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` compare; the exit status says whether it is up to date."""
    return made(__doc__, PAGE, page, "the server has; run: make settings", arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
