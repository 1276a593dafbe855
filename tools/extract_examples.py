"""Copy the worked examples of the rule files into `tests/data/examples`, one JSON line each.

    python tools/extract_examples.py RULES_FOLDER [TARGET_FOLDER]

Every JSON object in a fenced block of a rule file is one example. Its `variant` is filled in: the
file's own id where the example names none. Ids of variants get hyphens, and what stands above it as its
`**ID** sentence` becomes its `note`; nothing else is changed.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parent.parent / "tests" / "data" / "examples"
BLOCK = re.compile(
    r"(?:^\*\*[A-Z0-9-]+\*\* ((?:(?!\n\n).)+)\s+)?^```json\n(.*?)^```", re.MULTILINE | re.DOTALL
)


def examples(rule_file: Path) -> Iterator[dict[str, Any]]:
    """Every example of one rule file, in its order.

    A block that is not an object is not an example: the table of parameters is a list.
    """
    for note, block in BLOCK.findall(rule_file.read_text(encoding="utf-8")):
        example = json.loads(block)
        if isinstance(example, dict):
            variant = example.pop("variant", rule_file.stem).replace("_", "-")
            said = {"note": " ".join(note.split())} if note else {}
            yield {"id": example.pop("id"), **said, "variant": variant, **example}


def main(arguments: list[str]) -> int:
    """Write one file a rule file, and say how many examples each has."""
    if not 1 <= len(arguments) <= 2:
        print(__doc__, file=sys.stderr)
        return 2
    target = Path(arguments[1]) if len(arguments) == 2 else TARGET
    target.mkdir(parents=True, exist_ok=True)
    for rule_file in sorted(Path(arguments[0]).glob("*.md")):
        if lines := [json.dumps(example) + "\n" for example in examples(rule_file)]:
            (target / f"{rule_file.stem}.jsonl").write_text("".join(lines), encoding="utf-8")
            print(f"{rule_file.stem}.jsonl: {len(lines)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
