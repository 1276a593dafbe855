"""Installed packages for the tests of plugins: a module and the folder that says that it is installed."""

from __future__ import annotations

import textwrap
from pathlib import Path

GOOD = """
from dataclasses import replace
from bgcore import hookimpl, load

WESTERN = load().variant("western")

@hookimpl
def bgcore_register(registry):
    registry.add(replace(WESTERN, id="{id}", title="T", aliases=()))
"""


def install(site: Path, name: str, code: str, version: str = "1.0", *points: str) -> None:
    """A distribution of one module; its entry points are called like it, unless named."""
    module = name.replace("-", "_")
    (site / f"{module}.py").write_text(textwrap.dedent(code))
    info = site / f"{module}-{version}.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = [f"{point} = {module}" for point in points or (name,)]
    (info / "entry_points.txt").write_text("[bgcore]\n" + "\n".join(lines) + "\n")


def good(id: str) -> str:
    """A plugin that brings one variant."""
    return GOOD.format(id=id)


BROKEN = {
    "raises-at-import": "raise ValueError('at import')",
    "raises-in-hook": """
        from bgcore import hookimpl

        @hookimpl
        def bgcore_register(registry):
            raise LookupError("in the hook")
    """,
    "never-returns": """
        import time
        while True:
            time.sleep(1)
    """,
    "nonsense": """
        from dataclasses import replace
        from bgcore import hookimpl, load
        from bgcore.option import Option

        WESTERN = load().variant("western")

        class Never(type("Rules", (), {})):
            pass

        @hookimpl
        def bgcore_register(registry):
            registry.add("tavla")
            registry.add(replace(WESTERN, id="One Two", aliases=("x", "x"), start=3, checkers="many"))
            registry.add(replace(WESTERN, id="three", aliases=()), Never)
            registry.add(replace(WESTERN, id="four", aliases=(), bundles={"b": {"wings": 2}}))
            registry.add_bot(5)
            registry.add_preset("p")
            registry.add_notation("n")
    """,
    "claims-western": good("western"),
    "for-level-99": "bgcore_api_level = 99\n",
    "kills": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
    "leaves": "import os\nos._exit(0)",
    "exits": "import sys\nsys.exit('bye')",
    "prints": good("printed") + "\nprint('hello')\n",
    "no-hook": "x = 1",
}
"""Plugins that cannot be used, each in its own way."""

STATES = {
    "raises-at-import": ("broken", "ValueError: at import"),
    "raises-in-hook": ("broken", "LookupError: in the hook"),
    "never-returns": ("broken", "still not imported after"),
    "nonsense": ("broken", "variant str: expected a bgcore.Variant"),
    "claims-western": ("refused", "western: expected a name that western does not use"),
    "for-level-99": ("refused", "bgcore_api_level 99: expected 1"),
    "kills": ("broken", "kills the process, by SIGKILL"),
    "leaves": ("broken", "ends the process, with status 0"),
    "exits": ("broken", "SystemExit: bye"),
    "prints": ("broken", "writes on standard output, where results go: 'hello'"),
    "no-hook": ("broken", "expected a bgcore_register hook"),
}
"""What is said of each."""
