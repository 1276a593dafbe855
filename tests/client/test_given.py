"""What a caller gives is taken, or refused in words that say what was expected: no error of the language below."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bgcore_client import (
    WHITE,
    Client,
    SeatKey,
    actions,
    bot,
    dice,
    house,
    messages,
    pack,
    player,
    position,
    rotation,
    side,
    variant,
)
from bgcore_client.batch import pack_all, pack_dice

BOARD = position({24: 2}, {24: 2})
CHECKERS = "expected points and their checkers, such as {24: 2, 13: 5}"
POSITION = "expected a position, such as position("
PLAY = 'expected a text such as "8/5 6/5", a play of a list, or pairs of origin and number'
VARIANT = "expected an id, or what house() or variant() makes"
OPTION = "expected True or False, a whole number, a text, None, or a list of these"
NUMBERS = "expected whole numbers, such as 3, 1"
NUMBER = "expected a whole number, not below 0"

WRONG: tuple[tuple[Callable[[Any], object], tuple[Any, ...], str], ...] = (
    (
        lambda it: house("western", start=it),
        ("24:5 18:5", [(24, 5)], {"24": 5}, {24: "5"}),
        CHECKERS,
    ),
    (lambda it: house("western", start=it), ({24: -1}, {-1: 2}), CHECKERS),
    (lambda it: house("western", options=it), ("cube", {"cube": True}, 3, [3]), "names of options"),
    (lambda it: house("western", bundles=it), ("quick", ["quick"]), "expected options by a name"),
    (lambda it: house("western", bundles={"quick": it}), (3,), "bundle quick 3: expected values"),
    (lambda it: house("western", bear_off=it), (1.5, b"exact"), f"axis bear_off {{}}: {OPTION}"),
    (lambda it: house("western", axes=it), ({"bear_off": "exact"},), "such as bear_off='exact'"),
    (lambda it: house("western", cube=it), (2**70,), "-2^63 to 2^63 - 1"),
    (lambda it: house(it), (3, None), "parent {}: expected the id of a variant"),
    (lambda it: house("western", title=it), (3,), "title 3: expected a text"),
    (
        lambda it: position(it, {}),
        ("24:5 18:5", None, [(24, 5)], {"24": 5}),
        f"white {{}}: {CHECKERS}",
    ),
    (lambda it: position({}, it), ({24: -5}, {24: 2.5}), f"black {{}}: {CHECKERS}"),
    (lambda it: position({}, {}, it), ("purple",), "expected one of 'white', 'black'"),
    (side, ("24:2",), CHECKERS),
    (lambda it: side({}, it), (3, "3"), f"pinned {{}}: {NUMBERS}"),
    (variant, (3, None, {"id": "western"}), f"variant {{}}: {VARIANT}"),
    (lambda it: variant("western", options=it), ({"match_length": 3},), "such as match_length=3"),
    (lambda it: variant("western", match_length=it), (2.5,), f"option match_length {{}}: {OPTION}"),
    (rotation, (["portes", "plakoto"], 3), VARIANT),
    (lambda it: rotation("tavli", start_index=it), ("1", -1), f"start_index {{}}: {NUMBER}"),
    (bot, (3,), "id 3: expected a text"),
    (player, (3,), "name 3: expected a text"),
    (actions.roll, ("31", [3, 1], -3), NUMBERS),
    (actions.throw, ("6",), NUMBERS),
    (actions.play, (3, None, [8, 6], [(8,)], [("8", "3")], ["8/5", "6/5"]), f"play {{}}: {PLAY}"),
    (actions.name_double, ("6",), f"number {{}}: {NUMBER}"),
    (actions.answer, ("yes",), "accept 'yes': expected True or False"),
    (actions.resign, ("gamon",), "expected one of 'single', 'gammon', 'backgammon'"),
    (actions.flag, ("purple",), "expected one of 'white', 'black'"),
    (lambda it: actions.rematch(it), ("western",), "expected a variant, such as variant() makes"),
    (pack, (3, None), POSITION),
    (pack_all, (BOARD, "24:2 / 24:2", 3), "expected a list of positions"),
    (pack_dice, ([3, 1], ["31"], [(3, 300)], 3), "expected a roll for each position"),
    (lambda it: dice.check(it, []), (3,), "proof 3: expected the proof of a match"),
)


def each(cases: tuple[Any, ...]) -> list[tuple[Any, Any, str]]:
    return [(call, it, told) for call, values, told in cases for it in values]


@pytest.mark.parametrize(("call", "it", "told"), each(WRONG))
def test_what_a_helper_cannot_take_is_named(call: Any, it: Any, told: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        call(it)
    assert told.replace("{}", repr(it), 1) in str(caught.value)


ASKED: tuple[tuple[Callable[[Client, Any], object], tuple[Any, ...], str], ...] = (
    (lambda c, it: c.list_plays("western", it, (3, 1)), ("24:2 / 24:2", {24: 2}), POSITION),
    (lambda c, it: c.list_plays("western", BOARD, it), ("31", 31, ("3", "1"), (3, -1)), NUMBERS),
    (lambda c, it: c.list_plays(it, BOARD, (3, 1)), (3, None), VARIANT),
    (
        lambda c, it: c.list_plays("western", BOARD, (3, 1), view=it),
        ("txt",),
        "expected one of 'none', 'columns', 'text', 'full'",
    ),
    (lambda c, it: c.check_position("western", it), ("24:2",), POSITION),
    (lambda c, it: c.get_outcome("western", it), ("24:2",), POSITION),
    (lambda c, it: c.list_steps("western", BOARD, (3, 1), it), ([(8, 3)], 3), "messages.Step"),
    (lambda c, it: c.check_play("western", BOARD, (3, 1), it), (3, [8]), PLAY),
    (lambda c, it: c.get_variant(it), (3, None), "expected an id, or house rules"),
    (lambda c, it: c.convert_position("western", it), (3,), POSITION),
    (lambda c, it: c.convert_position("western", BOARD, notations=it), ("mine",), "expected texts"),
    (
        lambda c, it: c.create_table("western", options=it),
        ("match_length", [("match_length", 3)]),
        "options {}: expected values by name, such as {'match_length': 3}",
    ),
    (lambda c, it: c.create_table("western", white=it), (3, {"bot": "greedy"}), "expected a name"),
    (lambda c, it: c.create_table("western", start=it), ("24:2", {24: 2}, BOARD), "messages.Start"),
    (lambda c, it: c.create_table("western", seed=it), ("a", -1), f"seed {{}}: {NUMBER}"),
    (lambda c, it: c.create_table(it), (3,), VARIANT),
    (
        lambda c, it: c.create_table(rotation=it),
        (3, ["portes", "plakoto"]),
        "what rotation() makes",
    ),
    (lambda c, it: c.table(it), (3,), "expected an id, or a TableKey"),
    (lambda c, it: c.seat(it), ("x",), "expected a SeatKey"),
    (lambda c, it: c.seat(SeatKey("t", WHITE)).act(it), ("roll", 3), "expected an action"),
    (lambda c, it: c.seat(SeatKey("t", WHITE)).roll(it), ((3, 1), "31"), NUMBERS),
    (lambda c, it: c.table("t").get(view=it), ("ful",), "'full'"),
)


@pytest.mark.parametrize(("call", "it", "told"), each(ASKED))
def test_what_a_call_cannot_take_is_named_before_anything_is_sent(
    call: Any, it: Any, told: str
) -> None:
    with Client("127.0.0.1:1") as client, pytest.raises((TypeError, ValueError)) as caught:
        call(client, it)
    assert told.replace("{}", repr(it), 1) in str(caught.value)


def test_words_are_taken_wherever_an_enumeration_is() -> None:
    assert position({}, {}, "black").on_roll == messages.SEAT_BLACK
    assert actions.resign("gammon").resign.level == messages.LEVEL_GAMMON
    assert actions.flag("white").flag.seat == messages.SEAT_WHITE


def test_a_variant_with_options_takes_more_of_them() -> None:
    chosen = variant(variant("western", "money", match_length=3, cube=True), cube=False)
    assert (chosen.preset, chosen.options["match_length"].integer) == ("money", 3)
    assert not chosen.options["cube"].flag
