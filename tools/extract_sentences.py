"""Copy the rule sentences of the rulebooks into `tests/data/rulebook/sentences.jsonl`, one a line.

    python tools/extract_sentences.py RULES_FOLDER [TARGET_FILE]

They are the rows of the tables under "### Rulebook ..." in `cube-and-match.md`: an id, what the
rulebook says, and how that is read here.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "tests" / "data" / "rulebook" / "sentences.jsonl"
HEADING = re.compile(r"### (Rulebook .+)")
ROW = re.compile(r"\| (S\d-\d\d) \| (.+) \| (.+) \|\Z")


def sentences(rule_file: Path) -> Iterator[dict[str, str]]:
    """Every sentence, in the order of the file."""
    rulebook = ""
    for line in rule_file.read_text(encoding="utf-8").splitlines():
        if heading := HEADING.match(line):
            rulebook = heading[1]
        elif row := ROW.match(line):
            name, text, reading = row.groups()
            yield {"id": name, "rulebook": rulebook, "text": text, "reading": reading}


def main(arguments: list[str]) -> int:
    """Write the file, and say how many sentences each rulebook has."""
    if not 1 <= len(arguments) <= 2:
        print(__doc__, file=sys.stderr)
        return 2
    target = Path(arguments[1]) if len(arguments) == 2 else TARGET
    found = list(sentences(Path(arguments[0]) / "cube-and-match.md"))
    lines = [json.dumps(one, ensure_ascii=False) + "\n" for one in found]
    target.write_text("".join(lines), encoding="utf-8")
    for rulebook in dict.fromkeys(one["rulebook"] for one in found):
        print(f"{rulebook}: {sum(one['rulebook'] == rulebook for one in found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
