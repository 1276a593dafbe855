"""Worked examples as pictures: a position and its dice, what may be played, and why something else may not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bgcore.errors import BgcoreError, Fault
from bgcore.notation.svg_board import svg_board
from bgcore.option import spelt
from bgcore.play import Plays
from bgcore.registering import plain
from bgcore.seat import Seat
from bgcore.testing.examples import Example, RulesUnder, plays_of, wrong_examples
from bgcore.variant import Variant

LISTED = 12
"""Legal plays that are listed; of more only as many as there is room for."""
NAMES = ("You", "Opponent")


@dataclass(frozen=True, slots=True)
class Worked:
    """An example that holds, with the plays that it asks for."""

    example: Example
    plays: Plays
    number: int

    @property
    def title(self) -> str:
        """What it is called."""
        return str(self.example.get("id", f"Example {self.number}"))

    @property
    def note(self) -> str:
        """What it shows, if it says so."""
        return str(self.example.get("note", ""))

    @property
    def conditions(self) -> Iterator[str]:
        """What is not as usual in it."""
        if preset := self.example.get("preset"):
            yield f"preset {preset}"
        for name, value in self.example.get("options", {}).items():
            yield f"{name} {spelt(value)}"
        turn = self.example.get("turn", {})
        if "own_roll" in turn:
            yield f"your roll number {turn['own_roll']} of the game"
        if left := turn.get("left_head"):
            yield f"{left} of your checkers {'has' if left == 1 else 'have'} left the head in this turn"

    @property
    def picture(self) -> str:
        """The board with the dice, as the text of an SVG document; who is to play sits below."""
        rules, dice = self.plays.rules, self.example["dice"]
        start = self.plays.start
        return svg_board(rules, start, Seat.WHITE, cube=None, dice=tuple(dice), names=NAMES)

    @property
    def legal(self) -> list[str]:
        """The legal plays, those first that the example names; not all, where they are many."""
        if self.plays.nothing_playable:
            return []
        named = [*self.example.get("legal", ()), *self.example.get("legal_includes", ())]
        known = {self.plays.find(text).after for text in named}
        others = (str(play) for play in self.plays if play.after not in known)
        return [*named, *others][: max(LISTED, len(named))]

    @property
    def refused(self) -> Iterator[tuple[str, Fault]]:
        """What may not be played, and why."""
        for text in self.example.get("illegal", ()):
            try:
                self.plays.find(text)
            except BgcoreError as error:
                yield text, error.faults[0]


def worked(examples: Sequence[Example], variant: Variant, rules_under: RulesUnder) -> list[Worked]:
    """The examples that are about a variant; `ValueError` says which of them does not hold, and what of it."""
    mine = [example for example in examples if about(example, variant)]
    for name, wrong in wrong_examples(mine, rules_under):
        raise ValueError(f"example {name} does not hold: {wrong}")
    return [
        Worked(one, plays_of(one, rules_under(str(one.get("preset", "")), one.get("options", {}))), n)
        for n, one in enumerate(mine, 1)
    ]


def about(example: Example, variant: Variant) -> bool:
    """Whether an example is about a variant, as it is when it names none."""
    names = {variant.id, *map(plain, variant.aliases)}
    return plain(example.get("variant", variant.id)) in names


def telling(examples: Sequence[Example], most: int) -> list[Example]:
    """So many of the examples, in their order: those first that refuse a play for another reason than others do.

    >>> few = telling([{"id": 1}, {"id": 2, "why": ["A"]}, {"id": 3}, {"id": 4, "why": ["B"]}], 3)
    >>> [example["id"] for example in few]
    [1, 2, 4]
    """
    reasons: set[str] = set()
    first, rest = list[int](), list[int]()
    for at, example in enumerate(examples):
        new = set(example.get("why", ())) - reasons
        reasons |= new
        (first if new else rest).append(at)
    return [examples[at] for at in sorted([*first, *rest][:most])]
