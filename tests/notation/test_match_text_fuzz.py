"""Anything is read as matches, or refused with its line: never another error, and no long wait.

    python -m tests.notation.test_match_text_fuzz --count 1000000 --seed 1

runs as many inputs as one likes; the test runs a few.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from bgcore import NotationError, load
from bgcore.notation.text_file import decode
from bgcore.replay import ReplayedMatch, matches_in

from .samples import SAMPLE

DATA = Path(__file__).parent.parent / "data" / "matches"
FEW = 400

WORDS = (
    *("1)", "2)", "31:", "66:", "99:", "8/5", "6/5*", "bar/20", "25/24", "3/off", "2/0", "24/14"),
    *("6/5(2)", "????", "Cannot Move", "Doubles => 2", "Doubles => 4", "Beavers => 4", "Takes"),
    *("Raccoons => 8", "Drops", "Resigns", "Wins 1 point", "Wins 2 points and the match", "4)"),
    *("Losses 1 point", "ann : 0", "bob : 1", " : 0", "Game 1", "Game 2", "7 point match", "^"),
    *("0 point match", "money session", '; [Site "x"]', '; [Variation "tavla"]', "Illegal play ("),
    *('; [Options "later_starter=alternate"]', '; [Crawford "Off"]', '; [CubeLimit "2"]', "=>"),
    *('; [Options "opening_roll=reroll animals=none match_length=2"]', '; [Beaver "On"]', "é", "²"),
    *(" ", "    ", "\t", "\n", "\r\n", "\n\n", "\x00", "\x85", "\u2028", "9" * 30, ":", ")", "x"),
)


def samples() -> list[str]:
    files = [decode(file.read_bytes()) for file in sorted(DATA.glob("*.txt"))]
    games = [SAMPLE, *files]
    # A game at a time, as long texts take long.
    return [SAMPLE, *(text.split(" Game 2")[0] for text in games)]


def letters(random: Random) -> str:
    return "".join(
        chr(random.choice((random.randrange(32, 127), random.randrange(0x2FFF))))
        for _ in range(random.randrange(60))
    )


def words(random: Random) -> str:
    return " ".join(random.choices(WORDS, k=random.randrange(1, 25)))


CELLS = (
    *("31: 8/5 6/5", "31: 8/5 6/4", "64: 24/14", "66: 24/18(2) 13/7(2)", "52:", "43: Cannot Move"),
    *("21: 13/11 6/5", "55: 13/3(2)", "61: ????", " Doubles => 2", " Doubles", " Beavers => 4", ""),
    *(
        " Takes",
        " Drops",
        " Resigns",
        " Wins 1 point",
        " Wins 2 points and the match",
        "33: 8/5(4)",
    ),
    *(" Losses 1 point", "41: 24/23 13/9", "62: bar/23 8/2*", "13: 6/off 3/off", "nonsense"),
)


def headed(random: Random) -> str:
    """Two games of cells at random."""
    text = random.choice(HEADERS) + f"{random.choice((0, 0, 1, 3, 4, 16))} point match\n"
    for game in (1, 2):
        score = random.choice((0, 0, 1, 2))
        text += (
            f" Game {game}\n ann : 0                         bob : {score if game == 2 else 0}\n"
        )
        for number in range(1, random.randrange(2, 7)):
            left, right = random.choices(CELLS, k=2)
            text += f"{number:>3}) {left:<27} {right}\n"
        text += random.choice(("", " " * random.randrange(40) + "Wins 1 point\n"))
    return text


def mutated(random: Random) -> str:
    text = random.choice(SAMPLES)
    for _ in range(random.randrange(1, 5)):
        at = random.randrange(len(text) + 1)
        cut = at + random.choice((0, 0, 1, 2, 8, 40))
        there = random.choice((random.choice(WORDS), "", text[at : at + random.randrange(80)] * 2))
        text = text[:at] + there + text[cut:]
    return text


SAMPLES = samples()
HEADERS = ("", "", *(f"{word}\n" for word in WORDS if word.startswith("; [")))
KINDS: tuple[Callable[[Random], str], ...] = (letters, words, headed, headed, mutated, mutated)
REGISTRY = load()


def outcomes(count: int, seed: int) -> Iterator[str]:
    """What comes of so many inputs; whatever must not happen raises."""
    random = Random(seed)
    for _ in range(count):
        text = random.choice(KINDS)(random)
        refused: NotationError | None = None
        matches: list[ReplayedMatch] = []
        try:
            matches = matches_in(text, REGISTRY)
        except NotationError as error:
            refused = error
        if refused:
            assert refused.faults[0].field.startswith("line "), text
            yield "refused"
            continue
        for match in matches:
            assert all(fault.line >= 1 and fault.message for fault in match.report.faults), text
            assert all(fault.reason != "PLUGIN_FAILED" for fault in match.report.faults), text
            if match.match is not None:
                assert match.record.match(REGISTRY).actions == match.match.actions, text
        yield "faults" if any(match.report.faults for match in matches) else "read"


def test_any_text_is_read_refused_or_reported_with_its_line() -> None:
    found = Counter(outcomes(FEW, seed=1))
    assert found["refused"] and found["faults"] and found["read"]
    assert found.total() == FEW


def test_a_long_text_is_read_line_by_line() -> None:
    """A limit on a line, and nothing that looks at all lines for each."""
    many = 2000
    game = SAMPLE.partition(" Game 2")[0].partition(" Game 1")[2]
    text = "0 point match\n" + "".join(f" Game {n}" + game for n in range(1, many))
    assert len(matches_in(text, REGISTRY)) == 1
    assert len(matches_in(SAMPLE * many, REGISTRY)) == many


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=FEW)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = Counter(outcomes(given.count, given.seed))
    print(f"{given.count} inputs: " + ", ".join(f"{n} {what}" for what, n in sorted(found.items())))


if __name__ == "__main__":
    main()
