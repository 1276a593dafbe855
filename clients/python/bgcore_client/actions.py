"""Actions from plain values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from bgcore_client import messages
from bgcore_client.given import PLAY, made, refused
from bgcore_client.plays import Play
from bgcore_client.values import named

PlayLike: TypeAlias = str | Play | messages.Play | Iterable[tuple[int, int]]
"""A play as text, out of a list, as a message, or as pairs of origin and number."""


def play_message(play: PlayLike) -> messages.Play:
    """The message of a play; `TypeError` for what is none.

    >>> play_message([(8, 3), (6, 1)]).steps.numbers
    [3, 1]
    """
    match play:
        case messages.Play():
            return play
        case Play():
            return play.message
        case str():
            return messages.Play(text=play)
    try:
        steps = list(play)
        origins, numbers = [origin for origin, _ in steps], [number for _, number in steps]
        return messages.Play(steps=messages.PlaySteps(origins=origins, numbers=numbers))
    except (TypeError, ValueError):
        raise refused("play", play, PLAY) from None


def of_kind(kind: int) -> messages.Action:
    """The action of a kind that a server listed, with nothing filled in.

    >>> of_kind(messages.ACTION_KIND_ROLL).WhichOneof("kind")
    'roll'
    """
    # The numbers of the kinds are those of the fields.
    field = messages.Action.DESCRIPTOR.fields_by_number.get(kind)
    if field is None:
        raise ValueError(f"kind {kind}: expected one that this client knows")
    action = messages.Action()
    getattr(action, field.name).SetInParent()
    return action


def throw(*dice: int) -> messages.Action:
    """The opening throw; at a table with manual dice, White's die and Black's."""
    return messages.Action(throw=made(messages.ThrowAction, dice=dice))


def roll(*dice: int) -> messages.Action:
    """A roll; the dice only at a table with manual dice."""
    return messages.Action(roll=made(messages.RollAction, dice=dice))


def play(play: PlayLike) -> messages.Action:
    """A play of what was rolled."""
    return messages.Action(play=messages.PlayAction(play=play_message(play)))


def name_double(number: int) -> messages.Action:
    """The double that the player chooses to play, 1 to 6, where the rules let one be chosen."""
    return messages.Action(name_double=made(messages.NameDoubleAction, number=number))


def resign(
    level: messages.Level | str = messages.LEVEL_UNSPECIFIED, points: int = 0
) -> messages.Action:
    """An offer to lose the game, at a level, or where checkers are counted for points."""
    return messages.Action(
        resign=made(messages.ResignAction, level=named(messages.Level, level), points=points)
    )


def answer(accept: bool) -> messages.Action:
    """The answer to such an offer."""
    return messages.Action(answer_resignation=made(messages.AnswerResignationAction, accept=accept))


def answer_undo(accept: bool) -> messages.Action:
    """The answer to the wish to take something back."""
    return messages.Action(answer_undo=made(messages.AnswerUndoAction, accept=accept))


def rematch(
    variant: messages.VariantRef | None = None,
    dice_seed: str = "",
    rotation: messages.RotationRef | None = None,
) -> messages.Action:
    """The wish for another match, by default under the same rules; the seed only with committed dice."""
    return messages.Action(
        rematch=made(
            messages.RematchAction, variant=variant, rotation=rotation, dice_seed=dice_seed
        )
    )


def flag(whose: messages.Seat | str = messages.SEAT_UNSPECIFIED) -> messages.Action:
    """A claim that somebody's time has run out; by default that of the seat that does not act."""
    return messages.Action(flag=made(messages.FlagAction, seat=named(messages.Seat, whose)))


def correct(play: PlayLike) -> messages.Action:
    """A legal play in the place of an illegal one."""
    return messages.Action(correct=messages.CorrectAction(play=play_message(play)))
