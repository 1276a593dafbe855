"""Where a table's dice come from: the action that a player wants, with its dice filled in."""

from __future__ import annotations

from collections.abc import Iterator

from bgcore import Action, Dice, Kind, Match
from bgcore.errors import Fault, shown
from bgcore_server.convert.board import check_dice_count
from bgcore_server.errors import NotNow, ServerFault

WITH_DICE = frozenset({Kind.THROW, Kind.ROLL})
MOST_TIES = 1000


def thrown(match: Match, action: Action, dice: Dice | None) -> Iterator[tuple[Action, Match]]:
    """What an action amounts to: itself, or as many throws as it takes until the dice differ.

    `dice` is `None` where the players type them in. Each comes with the match after it.
    """
    if action.kind not in WITH_DICE:
        yield action, match.after(action)
        return
    wanted = 2 if action.kind is Kind.THROW else match.rules.variant.dice
    if dice is None:
        if not action.dice:
            expected = f"{wanted} dice: the players throw at this table"
            raise NotNow(Fault("DICE_MISSING", "dice", "of 0 dice", expected))
        check_dice_count(action.dice, wanted)
        yield action, match.after(action)
        return
    if action.dice:
        expected = "no dice: the server throws at this table"
        raise NotNow(Fault("DICE_NOT_YOURS", "dice", shown(list(action.dice)), expected))
    for _ in range(MOST_TIES):
        made = Action(action.kind, action.seat, dice.throw(wanted))
        match = match.after(made)
        yield made, match
        if action.kind is Kind.ROLL or made.dice[0] != made.dice[1]:
            return
    found = f"{MOST_TIES} ties one after the other"
    raise ServerFault(Fault("DICE_BROKEN", "", found, "dice that differ"))
