"""Worked examples as pictures: a position and its dice, what may be played, and why something else may not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from bgcore.errors import BgcoreError, Fault, PluginFailed
from bgcore.examples import Example, RulesUnder, plays_of, wrong_examples
from bgcore.notation.svg_board import svg_board
from bgcore.option import spelt
from bgcore.play import Plays
from bgcore.registering import plain
from bgcore.seat import Seat
from bgcore.variant import Variant

LISTED, FEW = 12, 6
"""Legal plays that are listed, if there are no more; of more those that the example names, or these few."""
NAMES = ("You", "Opponent")


class ExampleError(ValueError):
    """An example that does not hold: which one, and what of it."""


@dataclass(frozen=True)
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
        turn = self.example.get("turn") or {}
        if "own_roll" in turn:
            yield f"your roll number {turn['own_roll']} of the game"
        if left := turn.get("left_head"):
            yield f"{left} of your checkers {'has' if left == 1 else 'have'} left the head in this turn"
        if locked := turn.get("locked"):
            yield f"in this turn you have hit on {', '.join(map(str, locked))}"

    @property
    def dice(self) -> tuple[int, ...]:
        """The numbers that it asks about: a roll, or those of one part."""
        return tuple(self.example.get("dice", self.example.get("numbers", ())))

    @cached_property
    def picture(self) -> str:
        """The board with the dice, as the text of an SVG document; who is to play sits below."""
        rules, start = self.plays.rules, self.plays.start
        return svg_board(rules, start, Seat.WHITE, cube=None, dice=self.dice, names=NAMES)

    @property
    def legal(self) -> list[str]:
        """The legal plays, those first that the example names; not all, where they are many."""
        if self.plays.nothing_playable:
            return []
        named = [*self.example.get("legal", ()), *self.example.get("legal_includes", ())]
        if len(self.plays) > LISTED and named:
            return named
        known = {self.plays.find(text).after for text in named}
        others = [str(play) for play in self.plays if play.after not in known]
        return [*named, *(others[:FEW] if len(self.plays) > LISTED else others)]

    @property
    def refused(self) -> Iterator[tuple[str, Fault]]:
        """What may not be played, and why."""
        for text in self.example.get("illegal", ()):
            try:
                self.plays.find(text)
            except PluginFailed:
                raise
            except BgcoreError as error:
                yield text, error.faults[0]


def worked(examples: Sequence[Example], variant: Variant, rules_under: RulesUnder) -> list[Worked]:
    """The examples that are about a variant; `ExampleError` for one that does not hold."""
    mine = [example for example in examples if about(example, variant)]
    for name, wrong in wrong_examples(mine, rules_under):
        raise ExampleError(f"example {name} does not hold: {wrong}")
    return [
        Worked(
            one, plays_of(one, rules_under(str(one.get("preset", "")), one.get("options", {}))), n
        )
        for n, one in enumerate(mine, 1)
    ]


def about(example: Example, variant: Variant) -> bool:
    """Whether an example is about a variant, as it is when it names none."""
    names = {variant.id, *map(plain, variant.aliases)}
    return plain(str(example.get("variant", variant.id))) in names
