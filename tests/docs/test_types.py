"""What the documentation shows in Python is as strictly typed as the code here."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

from tests.docs.pages import blocks
from tests.docs.test_examples import PAGES, ROOT

BY_ID = {"README.md", "docs/notations.md"}
"""Sessions that take formats by their ids: each is one of matches or of positions, and only its reader knows which."""
PACKAGES = {"docs/tutorial.md"}
"""Pages whose files are a package, which the tests of authors check."""


def shown() -> dict[str, str]:
    """The Python of each page, by the name of a file: its session, and the files that it names."""
    found: dict[str, str] = {}
    for page in PAGES:
        name = Path(page).stem.lower().replace("-", "_")
        examples = doctest.DocTestParser().get_examples((ROOT / page).read_text(encoding="utf-8"))
        if examples and page not in BY_ID:
            found[f"session_of_{name}.py"] = "".join(example.source for example in examples)
        if page not in PACKAGES:
            files = (block for block in blocks(ROOT / page) if block.file.endswith(".py"))
            found |= {f"{name}_{block.file}": block.text for block in files}
    return found


def test_what_the_pages_show_is_typed(tmp_path: Path) -> None:
    files = shown()
    assert {"session_of_variants.py", "variants_last_man.py", "session_of_turns.py"} <= {*files}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        str(ROOT / "pyproject.toml"),
        str(tmp_path),
    ]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
