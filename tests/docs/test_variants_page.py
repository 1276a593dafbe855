"""The plugin of docs/variants.md is what the page says."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.docs.pages import blocks
from tests.docs.test_examples import ROOT
from tests.packages import install

FILES = {block.file: block.text for block in blocks(ROOT / "docs" / "variants.md")}


def test_the_plugin_of_the_page_is_a_variant(tmp_path: Path) -> None:
    described = tomllib.loads(FILES["pyproject.toml"])
    assert described["project"]["entry-points"]["bgcore"] == {"deep-game": "my_deep_game"}
    install(tmp_path, "my-deep-game", FILES["my_deep_game.py"], "1", "deep-game")
    variables = {**os.environ, "PYTHONPATH": str(tmp_path), "BGCORE_CACHE": str(tmp_path / "c")}
    code = (
        "from bgcore import load\n"
        "from bgcore.testing import check_variant\n"
        "check_variant('deep-game', games=1)\n"
        "print(load().entry('deep-game').plugin.name)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=variables, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "deep-game\n"), ran.stderr
