"""No reported fault is forgotten: each is tested where the list says, or left to later with a reason."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
NUMBERS = [f"F{number:02}" for number in range(1, 41)]

Rows = dict[str, str]


def rows(part: str) -> Rows:
    """What a table of the list says of each number, its first column aside."""
    found: Rows = {}
    for line in part.splitlines():
        if not line.startswith("|"):
            continue
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        for number in re.findall(r"F\d\d", cells[0]):
            found[number] = " ".join(cells[1:])
    return found


TESTED, LATER = map(rows, (HERE / "README.md").read_text(encoding="utf-8").split("## Later"))


def is_tested_in(number: str, path: Path) -> bool:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return number in {json.loads(line)["fault"] for line in text.splitlines()}
    return f"def test_{number}_" in text


@pytest.mark.parametrize("number", NUMBERS)
def test_every_number_is_tested_or_left_to_later_with_a_reason(number: str) -> None:
    assert number in TESTED or LATER.get(number, "").strip(), f"{number} is in no table"


@pytest.mark.parametrize("number", sorted(TESTED))
def test_a_number_is_tested_where_the_list_says(number: str) -> None:
    named = re.findall(r"`([\w./]+\.(?:py|jsonl))`", TESTED[number])
    assert named
    with_cases = any(name.endswith(".jsonl") for name in named)
    for name in named:
        path = (HERE / name).resolve()
        if (path.name == "test_plays.py" and with_cases) or path.name == "test_oracle.py":
            continue  # those go through the file of cases
        assert is_tested_in(number, path), f"{number} is not in {name}"


def test_no_number_is_there_that_nobody_reported() -> None:
    assert {*TESTED, *LATER} == set(NUMBERS)


def test_a_test_with_a_number_is_in_the_list() -> None:
    for path in HERE.glob("test_*.py"):
        for number in re.findall(r"def test_(F\d\d)_", path.read_text(encoding="utf-8")):
            assert path.name in TESTED.get(number, ""), f"{number} of {path.name}"
