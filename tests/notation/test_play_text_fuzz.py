"""Anything at all as a play: it is one of the legal plays, refused by a rule, or unreadable at its place.

BGCORE_FUZZ says how many inputs are tried; one million were, once.
"""

from __future__ import annotations

import os
from random import Random

from bgcore import IllegalAction, NotationError, Plays, Position, Roll, load
from bgcore.notation.play_text import read_play

INPUTS = int(os.environ.get("BGCORE_FUZZ", "4000"))
VARIANTS = tuple(entry.variant.id for entry in load())
WORDS = (
    *"0123456789/*^()- ,;\0é→\n\t",
    *(
        "bar",
        "off",
        "in",
        "Bar/",
        "/Off",
        "24/",
        "/20",
        "(2)",
        "(99)",
        "->",
        "=>",
        "25/",
        "/0",
        "pass",
    ),
    *(
        "cannot move",
        "????",
        "8/5",
        "13/8*",
        "6/off",
        "bar/20*/14",
        "24/18/13",
        "4/1^",
        "999999999999/1",
    ),
)


def positions(random: Random) -> list[Plays]:
    """The plays of some rolls in random games of each variant."""
    found = []
    for variant in VARIANTS:
        rules = load().rules(variant)
        position: Position = rules.start
        for _ in range(60):
            roll = Roll.of(*(random.randint(1, 6) for _ in range(rules.variant.dice)))
            plays = rules.plays(position, roll)
            found.append(plays)
            after = random.choice(plays).after
            if rules.outcome(after):
                break
            position = after.flipped()
    return found


def written(plays: Plays, random: Random) -> str:
    """A play that is legal, changed in some places, or anything."""
    if random.random() < 0.3:
        return "".join(random.choices(WORDS, k=random.randint(0, 12)))
    text = str(random.choice(plays))
    for _ in range(random.randint(0, 3)):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(WORDS) + text[at + random.choice((0, 0, 1, 3)) :]
    return text


def test_any_text_is_a_legal_play_or_refused_with_a_reason() -> None:
    random = Random(1)
    asked = positions(random)
    read = refused = 0
    for _ in range(INPUTS):
        plays = random.choice(asked)
        text = written(plays, random)
        try:
            play = read_play(plays, text)
        except (IllegalAction, NotationError) as error:
            refused += all(fault.reason and fault.expected for fault in error.faults)
        else:
            read += play in plays
    assert read + refused == INPUTS
    assert min(read, refused) > INPUTS / 20
