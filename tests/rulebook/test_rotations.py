"""The examples of tavli: matches whose games change variant."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bgcore import (
    Action,
    Cube,
    Game,
    Level,
    Match,
    NotationError,
    NotRegistered,
    OptionError,
    PluginError,
    Seat,
    Spec,
    SpecError,
    Start,
    load,
)
from bgcore.axes import DrawPolicy
from bgcore.cycle import Cycle
from bgcore.notation.formats import MATCH_FORMATS
from bgcore.notation.record_text import write_record
from bgcore.record import Record
from bgcore.replay_record import replayed_records
from bgcore.rotation import Choice, Rotation
from bgcore_variants.rotations import TAVLI
from tests.engine.helpers import BLACK, WHITE, kinds, position, won
from tests.engine.random_acts import chosen
from tests.rulebook.data import lines
from tests.rulebook.helpers import rule

KNOWN = load()


def tavli(**fields: Any) -> Cycle:
    return KNOWN.cycle(replace(TAVLI, **fields))


def id_of(match: Match) -> str:
    return match.rules.variant.id


def on_board(match: Match, seat: Seat, mine: str, his: str) -> Match:
    """The match with its running game on a board, `seat` on turn."""
    rules, terms = match.rules, match.game.terms
    board = position(rules, mine, his)
    return replace(match, game=Game.from_position(rules, terms, board, seat, Cube()))


def opened(match: Match) -> Match:
    """The match after the throw that decides who starts, if one is to be made."""
    return match.after(Action.throw(6, 5)) if "throw" in kinds(match) else match


def after(match: Match, line: str) -> Match:
    match line.split():
        case [seat, "wins", level]:
            return won(opened(match), Seat.read(seat), Level(level))
        case [seat, "pins", "the", "mother"]:
            mine = Seat.read(seat)
            there = on_board(match, mine, "2:1 13:13 off:1", "24:1 5:14")
            return there.after(Action.roll(mine, 3, 1)).after(Action.play(mine, "2/1^"))
        case ["both", "mothers", *_]:
            there = on_board(match, WHITE, "2:1 13:13 pin:24", "24:1 1:1 6:13")
            return there.after(Action.roll(WHITE, 3, 1)).after(Action.play(WHITE, "2/1^"))
        case ["score", score]:
            assert "-".join(map(str, match.score)) == score
        case ["next", variant]:
            match = match.after(Action.next_game())
            assert id_of(match) == variant
        case [seat, "starts"] if seat != "a":
            assert (kinds(match) - {"resign"}, match.game.seat) == ({"roll"}, Seat.read(seat))
        case ["a", "throw", "starts"]:
            assert "throw" in kinds(match)
        case [seat, "has", "won", "the", "match"]:
            assert (match.over, match.winner) == (True, Seat.read(seat))
        case _:
            raise AssertionError(f"no such line: {line}")
    return match


@pytest.mark.parametrize(
    "example",
    [pytest.param(one, marks=rule(one["id"]), id=one["id"]) for one in lines("rotations")],
)
def test_games_follow_one_another_as_the_rules_of_tavli_say(example: dict[str, Any]) -> None:
    cycle = tavli(
        start_index=example.get("start_index", 0),
        draw_policy=DrawPolicy(example.get("draw_policy", "replay")),
    )
    match = Match.new(cycle, Start(score=tuple(example.get("score", (0, 0)))))
    for line in example["script"]:
        match = after(match, line)


# -- what a table chooses ------------------------------------------------------------------------------


def test_options_of_the_match_hold_for_every_game_and_those_of_a_game_for_that_game() -> None:
    games = (Choice("tavla"), Choice("plakoto", options={"mother_rule": True}), Choice("western"))
    cycle = KNOWN.cycle(
        Rotation(games), {"match_length": 9, "clock": "fischer", "cube": True, "cube_cap": 8}
    )
    assert [rules.options["match_length"] for rules in cycle.games] == [9, 9, 9]
    assert [rules.options["clock"] for rules in cycle.games] == ["fischer"] * 3
    assert [rules.options.get("cube") for rules in cycle.games] == [True, None, True]
    assert [rules.options.get("mother_rule") for rules in cycle.games] == [None, True, None]
    assert cycle.options["cube_cap"] == 8
    assert "mother_rule" not in cycle.options


def test_without_a_word_a_match_goes_to_5_and_has_no_cube() -> None:
    cycle = KNOWN.cycle(Rotation((Choice("western"), Choice("plakoto"))))
    assert (cycle.options["match_length"], cycle.options["cube"]) == (5, False)


@pytest.mark.parametrize(
    ("games", "options", "says"),
    [
        (("tavla",), {}, "games 1: expected 2 to 20 games"),
        (("tavla",) * 21, {}, "games 21: expected 2 to 20 games"),
        (("tavla", "plakoto"), {"speed": 1}, "option speed: expected one of"),
        (
            ("tavla", "plakoto"),
            {"mother_rule": True},
            "option mother_rule: expected an option of a",
        ),
        (("tavla", "plakoto"), {"match_length": 0}, "game 1: option match_length 0: expected"),
        (("tavla", Choice("plakoto", "", {"match_length": 3})), {}, "game 2 option match_length:"),
        (("tavla", Choice("plakoto", "", {"mother": 3})), {}, "game 2: option mother: expected"),
    ],
)
def test_options_that_do_not_fit_are_refused(games: Any, options: Any, says: str) -> None:
    choices = tuple(one if isinstance(one, Choice) else Choice(one) for one in games)
    with pytest.raises(OptionError) as caught:
        KNOWN.cycle(Rotation(choices), options)
    assert str(caught.value).startswith(says)


def test_a_start_index_lies_in_the_cycle() -> None:
    with pytest.raises(OptionError, match="start_index 3: expected a number from 0 to 2"):
        tavli(start_index=3)


@pytest.mark.parametrize("policy", ["reply", "", None, 1, []])
def test_a_draw_policy_is_one_of_its_words(policy: Any) -> None:
    with pytest.raises(OptionError, match=r"draw_policy.*: expected one of replay, advance"):
        KNOWN.cycle(Rotation(TAVLI.games, draw_policy=policy))


def test_the_word_of_a_draw_policy_will_do() -> None:
    games = KNOWN.cycle(Rotation(TAVLI.games, draw_policy="advance"))  # type: ignore[arg-type]
    assert games.draw_policy is DrawPolicy.ADVANCE


def test_unknown_variants_and_rotations_are_named() -> None:
    with pytest.raises(NotRegistered, match="game 2: variant chess: expected one of"):
        KNOWN.cycle(Rotation((Choice("tavla"), Choice("chess"))))
    with pytest.raises(NotRegistered, match="rotation chess: expected"):
        KNOWN.cycle("chess")


def test_a_registered_rotation_is_found_by_its_id() -> None:
    assert KNOWN.cycle("Bulgarian_Rotation", {"match_length": 3}).options["match_length"] == 3
    known = KNOWN.using(KNOWN.plugins[0])
    known.add_rotation(replace(TAVLI, id="house-tavli"))
    assert id_of(Match.new(known.cycle("house-tavli"))) == "portes"
    assert "house-tavli" not in KNOWN.rotations
    for taken in (TAVLI, replace(TAVLI, id="tavla"), replace(TAVLI, id="Two Words")):
        with pytest.raises(PluginError):
            known.add_rotation(taken)
    with pytest.raises(PluginError, match="rotation odd game 2: variant chess"):
        known.add_rotation(Rotation((Choice("tavla"), Choice("chess")), id="odd"))


def test_the_crawford_game_comes_whatever_its_variant() -> None:
    cycle = KNOWN.cycle(
        Rotation((Choice("western"), Choice("plakoto"))), {"match_length": 3, "cube": True}
    )
    match = won(opened(Match.new(cycle)), WHITE, Level.GAMMON).after(Action.next_game())
    assert (id_of(match), match.crawford) == ("plakoto", "now")
    match = won(opened(match), BLACK).after(Action.next_game())
    assert (id_of(match), match.crawford) == ("western", "after")


# -- records -------------------------------------------------------------------------------------------


def played(cycle: Cycle, seed: int) -> Match:
    random, match = Random(seed), Match.new(cycle)
    while not match.over:
        match = match.after(chosen(match, random))
    return match


@pytest.mark.parametrize("seed", range(4))
def test_a_match_ends_and_its_record_plays_it_again(seed: int) -> None:
    match = played(tavli(), seed)
    text = write_record(Record.of(match, ("ann", "bob")), KNOWN)
    assert text.startswith('{"bgcore":2,"rotation":{"id":"tavli","draw_policy":"replay"')
    [read] = replayed_records(text, KNOWN)
    assert not read.report.faults
    assert read.match == match
    assert read.record == Record.of(match, ("ann", "bob"))
    assert write_record(read.record, KNOWN) == text
    assert Match.replay(match.cycle, match.actions) == match


def test_games_of_other_kinds_follow_too() -> None:
    games = tuple(Choice(name) for name in ("acey-deucey", "russian-backgammon", "gioul"))
    match = played(KNOWN.cycle(Rotation(games), {"match_length": 20}), 1)
    assert len(match.results) > 1
    [read] = replayed_records(write_record(Record.of(match), KNOWN), KNOWN)
    assert read.match == match


@pytest.mark.parametrize("form", [one for one in MATCH_FORMATS if one.id != "record"])
def test_other_notations_refuse_by_name_a_match_whose_games_change(form: Any) -> None:
    with pytest.raises(NotationError, match="one variant"):
        form.write(Record.of(Match.new(tavli())), KNOWN)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('"bgcore":2', '"bgcore":1'), "line 1 field rotation: expected one of "),
        (('"replay"', '"again"'), 'line 1 rotation.draw_policy "again": expected replay, advance'),
        (
            ('"start_index":0', '"start_index":"0"'),
            'line 1 rotation.start_index "0": expected a number',
        ),
        (('"start_index":0', '"start_index":9'), "start_index 9: expected a number from 0 to 2"),
        (('"plakoto"', "5"), "line 1 rotation.games[1].variant 5: expected a text"),
        (('"plakoto"', '"chess"'), "game 2: variant chess: expected one of"),
        (('"games"', '"game"'), "line 1 rotation field game: expected games, most likely"),
    ],
)
def test_what_is_wrong_with_a_rotation_of_a_record_is_told(
    change: tuple[str, str], says: str
) -> None:
    text = write_record(Record.of(Match.new(tavli())), KNOWN).replace(*change, 1)
    try:
        [read] = replayed_records(text, KNOWN)
    except NotationError as error:
        told = str(error)
    else:
        told = read.report.faults[0].message
    assert told.startswith(says)


def test_house_rules_among_the_games_stand_in_the_record() -> None:
    kitchen = Spec.of({"parent": "tavla", "id": "kitchen", "bear_off": "exact"})
    cycle = KNOWN.cycle(Rotation((Choice("plakoto"), Choice(kitchen))), {"match_length": 2})
    match = played(cycle, 3)
    text = write_record(Record.of(match), KNOWN)
    assert text.startswith('{"bgcore":4,"rotation":{"draw_policy"')
    [read] = replayed_records(text, KNOWN)
    assert not read.report.faults
    assert (read.match, read.record) == (match, Record.of(match))
    assert write_record(read.record, KNOWN) == text
    [told] = list(replayed_records(text.replace('"bear_off":"exact"', '"bear_of":"exact"'), KNOWN))
    assert "game 2: spec bear_of exact: expected bear_off" in str(told.report.faults[0])
    with pytest.raises(NotationError, match="spec"):
        list(replayed_records(text.replace('"bgcore":4', '"bgcore":2'), KNOWN))


def test_faults_of_house_rules_are_told_of_every_game() -> None:
    wrong = Choice(Spec.of({"parent": "tavla", "contcat": "pin", "gammon_value": 9}))
    with pytest.raises(SpecError) as caught:
        KNOWN.cycle(Rotation((wrong, Choice("tavla"), wrong)))
    assert [fault.field for fault in caught.value.faults] == [
        f"game {number} spec {key}" for number in (1, 3) for key in ("contcat", "gammon_value")
    ]
