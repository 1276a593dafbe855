"""Positions of every notation as a `Situation`, under one signature for reading and one for writing.

What tells of a board alone is taken as one in a match under the rules, at nil-nil and with a new cube.
"""

from __future__ import annotations

import json

from bgcore.cube import NEW_CUBE
from bgcore.notation import (
    ascii_board,
    board_json,
    board_text,
    json_line,
    match_id,
    position_id,
    xgid,
)
from bgcore.notation.situation import Situation
from bgcore.notation.svg_board import svg_board
from bgcore.rules import Rules
from bgcore.seat import Seat
from bgcore.setup import Setup

BOTTOM = Seat.BLACK
"""The seat of who is on roll where a notation does not say: X of an XGID, player 1 of GNU Backgammon."""
EXAMPLE = '{"me": {"6": 2}, "opp": {"6": 2}}'


def bare(setup: Setup, rules: Rules, dice: tuple[int, ...] = ()) -> Situation:
    """A board about which nothing else is known."""
    options = rules.options
    length, cap = options.get("match_length"), options.get("cube_cap")
    return Situation(
        setup=setup,
        seat=BOTTOM,
        decider=BOTTOM,
        dice=dice,
        length=length if isinstance(length, int) else None,
        cube_cap=cap if isinstance(cap, int) else None,
        jacoby=bool(options.get("jacoby")),
        beavers=options.get("animals", 0) != 0,
    )


def read_text(text: str, rules: Rules) -> Situation:
    """The board of `board_text`."""
    return bare(board_text.read_board(text), rules)


def write_text(situation: Situation, rules: Rules) -> str:
    """The board as `board_text`."""
    return board_text.write_board(situation.position(rules))


def read_id(text: str, rules: Rules) -> Situation:
    """The board of a Position ID."""
    return bare(position_id.read_position_id(text.strip(), rules.variant), rules)


def write_id(situation: Situation, rules: Rules) -> str:
    """The board as a Position ID."""
    return position_id.write_position_id(situation.position(rules), rules.variant)


def read_ids(text: str, rules: Rules) -> Situation:
    """What a Position ID and a Match ID say together."""
    return match_id.read_gnubg_id(text.strip(), rules.variant)


def write_ids(situation: Situation, rules: Rules) -> str:
    """Both IDs; where no Position ID can stand, that is said first."""
    position_id.check_variant(rules.variant)
    return match_id.write_gnubg_id(situation, rules)


def read_xgid(text: str, rules: Rules) -> Situation:
    """What an XGID says."""
    return xgid.read_xgid(text.strip(), rules.variant)


def write_xgid(situation: Situation, rules: Rules) -> str:
    """The XGID."""
    situation.position(rules)
    return xgid.write_xgid(situation, rules)


def read_json(text: str, rules: Rules) -> Situation:
    """The board of a JSON object (rules C7), `dice` if it has them.

    `me` and `opp` must be there, as in every example, unless `me_off` or `opp_off` counts what is not.

    >>> from bgcore import load
    >>> read_json('{"me": {"6": 2}, "opp": {"6": 2}, "dice": [3, 1]}', load().rules("western")).dice
    (3, 1)
    """
    form = json_line.read_object(text, EXAMPLE)
    told = (side for side in board_json.SIDES if f"{side}_off" not in form)
    json_line.check_keys(form, (*board_json.BOARD_KEYS, "dice"), told)
    thrown = rules.variant.dice
    dice = board_json.read_dice_json(form["dice"], thrown, thrown) if "dice" in form else ()
    return bare(board_json.read_board_json(form), rules, dice)


def write_json(situation: Situation, rules: Rules) -> str:
    """The board as a JSON object in a line; `NotationError` for other dice than a roll has."""
    form = board_json.write_board_json(situation.position(rules))
    if situation.dice:
        thrown = rules.variant.dice
        form["dice"] = list(board_json.read_dice_json(list(situation.dice), thrown, thrown))
    return json.dumps(form, separators=(",", ":"))


def ascii_of(situation: Situation, rules: Rules) -> str:
    """The drawing with letters, seen by who is on roll, the cube where it was turned."""
    owner = situation.cube.owner
    return ascii_board.draw(
        rules,
        situation.position(rules),
        dice=situation.dice,
        cube=None if situation.cube == NEW_CUBE else situation.cube,
        cube_owner=""
        if owner is None
        else ascii_board.MOVER
        if owner is situation.seat
        else ascii_board.OPPONENT,
    )


def svg_of(situation: Situation, rules: Rules) -> str:
    """The picture, seen by who is on roll, with the score where there is one already."""
    here = situation
    scored = any(here.score)
    return svg_board(
        rules,
        here.position(rules),
        here.seat,
        cube=here.cube if rules.options.get("cube") else None,
        dice=here.dice,
        offered=here.cube.value << here.raised if here.raised else None,
        answering=here.decider if here.raised else None,
        to_play=here.running,
        bottom=here.seat,
        score=here.score if scored else None,
        length=here.length if scored else None,
    )
