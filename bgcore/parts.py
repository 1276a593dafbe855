"""What a roll is worth, part by part, and what follows each part (R5; docs/turns.md has every game).

These are the rules that a variant chooses as data. One that has its own overrides the methods of `Rules`
that come here.
"""

from __future__ import annotations

from bgcore.axes import Doubles, Entry, Unplayed, UnplayedScope
from bgcore.play import STEPS
from bgcore.position import Position
from bgcore.roll import HIGHEST, Roll
from bgcore.turn import (
    ANOTHER_ROLL,
    HAND_OVER,
    NEXT_PART,
    Next,
    Numbers,
    Part,
    PartKind,
    Played,
    Then,
    Turn,
)
from bgcore.variant import Variant

BONUS = (PartKind.CHOSEN_DOUBLE, PartKind.COMPLEMENT)
"""Parts that are followed by another roll of the same player when the last of them is complete."""


def parts_of(
    variant: Variant, roll: Roll, turn: Turn, position: Position | None = None
) -> tuple[Part, ...]:
    """The parts of a roll; without the `position` it was made in, as with every checker entered."""
    if not roll.is_double or variant.doubles is Doubles.NONE:
        return (Part(roll.dice),)
    number = roll.dice[0]
    past = turn.own_roll is None or turn.own_roll >= variant.ladder_from_roll
    if variant.doubles is Doubles.LADDER and past:
        return tuple(Part((rung,) * STEPS, PartKind.RUNG) for rung in range(number, HIGHEST + 1))
    plain = Part((number,) * STEPS)
    if variant.doubles is Doubles.COMPLEMENT and not _entering(variant, position):
        return (plain, complement(number))
    return (plain,)


def _entering(variant: Variant, position: Position | None) -> bool:
    """Whether checkers must be entered first, and a double brings nothing more until they are."""
    first = variant.entry is Entry.FIRST and not variant.complement_while_entering
    return first and position is not None and position.mover.unentered > 0


def complement(number: int) -> Part:
    """The part that follows a double of this number."""
    return Part((HIGHEST + 1 - number,) * STEPS, PartKind.COMPLEMENT)


def named_parts(variant: Variant, number: int) -> tuple[Part, ...]:
    """The parts of a double that a player has named."""
    chosen = Part((number,) * STEPS, PartKind.CHOSEN_DOUBLE)
    more = (complement(number),) if variant.doubles is Doubles.COMPLEMENT else ()
    return (chosen, *more)


def after_part(variant: Variant, played: Played) -> Next:
    """What follows a part that has been played."""
    part, later = played.part, played.later
    if part.kind is PartKind.LEFTOVER:
        # A rung opens with the one below it; numbers of an ordinary roll stand each for itself.
        opens = later and (played.complete or len(later[0].numbers) < STEPS)
        return NEXT_PART if opens else ANOTHER_ROLL
    if not played.complete:
        return Next(Then.HAND_OVER, leftovers(variant, part, played.unused, later))
    if later:
        return NEXT_PART
    return ANOTHER_ROLL if part.kind in BONUS else HAND_OVER


def leftovers(
    variant: Variant, part: Part, unused: Numbers, later: tuple[Part, ...]
) -> tuple[Part, ...]:
    """What the opponent must play of a part that is not complete, if it is not lost."""
    if variant.unplayed is Unplayed.LOST:
        return ()
    if part.kind is PartKind.RUNG:
        rest = (Part(unused), *later)
        return tuple(Part(one.numbers, PartKind.LEFTOVER) for one in rest)
    if variant.unplayed_scope is UnplayedScope.LADDER:
        return ()
    single = [(number,) for number in unused] if len(set(part.numbers)) > 1 else [unused]
    return tuple(Part(numbers, PartKind.LEFTOVER) for numbers in single)
