"""The door of `bgcore`: says what is missing where only the library was installed."""

from __future__ import annotations

import sys

from bgcore_server.extras import how_to_install


def main() -> None:
    """Run the command line, if what it stands on is installed."""
    try:
        from bgcore_server.cli import main as command_line
    except ModuleNotFoundError as missing:
        if missing.name and missing.name.startswith("bgcore"):
            raise
        sys.exit(
            f"bgcore: no module {missing.name}: expected the extra [server] to be installed, "
            f"as by {how_to_install('server')}"
        )
    command_line()
