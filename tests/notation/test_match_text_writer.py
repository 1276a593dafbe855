"""Records as match text: what is written reads back as the same match, or nothing is written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bgcore import Action, Crawford, Level, Match, NotationError, Play, Rules, Seat, Start, load
from bgcore.notation.match_text_writer import write_match_text
from bgcore.notation.text_file import decode
from bgcore.option import Scope, Value
from bgcore.outcome import Ending
from bgcore.record import Record
from bgcore.registry import Plugin
from bgcore.replay import ReplayedMatch, matches_in
from bgcore.resolve import options_of
from tests.engine.helpers import rules

from .dialects import CALM, HASTY, Temper, played
from .samples import SAMPLE, told

DATA = Path(__file__).parent.parent / "data" / "matches"
ANN, BOB = Seat.WHITE, Seat.BLACK


def text_of(match: Match, names: tuple[str, str] = ("ann", "bob"), **headers: str) -> str:
    return write_match_text([Record.of(match, names, headers)], load())


def one(text: str) -> ReplayedMatch:
    [match] = matches_in(text)
    return match


def read(text: str) -> Match:
    match = one(text).match
    assert match is not None
    return match


def after(match: Match, *actions: Action) -> Match:
    for action in actions:
        match = match.after(action)
    return match


def new(**options: object) -> Match:
    return Match.new(rules("western", "", **options))


def opened(match: Match) -> Match:
    """White has begun with 3-1."""
    return after(match, Action.throw(3, 1), Action.play(ANN, "8/5 6/5"))


def first_play(match: Match) -> Action:
    return Action.play(match.game.seat, match.game.plays[0])


# -- the form ----------------------------------------------------------------------------------------


def test_the_form_is_that_of_gnu_backgammon() -> None:
    assert (
        write_match_text([one(SAMPLE).record], load())
        == """\
; [Site "Example"]
; [Player 1 "ann"]
; [Variation "Backgammon"]
; [Crawford "On"]
; [CubeLimit "64"]

 3 point match

 Game 1
 ann : 0                        bob : 0
  1) 31: 8/5 6/5                 64: 24/18 18/14
  2)  Doubles => 2                Takes
  3) 52: 24/22 13/8              43: 13/10 13/9
  4) 66: 24/18 22/16* 13/7 13/7   Doubles => 4
  5)  Drops                       Wins 2 points

 Game 2
 ann : 0                        bob : 2
  1)                             62: 24/18 13/11
  2) 21: 13/11 6/5               54:
                                  Wins 1 point and the match
"""
    )


def test_a_file_in_that_form_is_written_as_it_stands() -> None:
    for name in ("match-bgcore", "money-bgcore"):
        text = (DATA / f"{name}.txt").read_text()
        assert write_match_text([one(text).record], load()) == text


def test_every_dialect_comes_out_in_one_form() -> None:
    expected = (DATA / "match-bgcore.txt").read_text().partition(" point match")[2]
    for file in DATA.glob("match-*.txt"):
        written = write_match_text([one(decode(file.read_bytes())).record], load())
        high_first = file.stem in ("match-galaxy", "match-studio")
        if not high_first:  # the order of a roll is kept
            assert written.partition(" point match")[2] == expected


def test_several_matches_make_one_file() -> None:
    first, second = opened(new(match_length=3)), opened(new(match_length=None))
    records = [Record.of(first, ("ann", "bob")), Record.of(second, ("eve", "dan"))]
    found = matches_in(write_match_text(records, load()))
    assert [match.report.names for match in found] == [("ann", "bob"), ("eve", "dan")]
    assert [match.report.length for match in found] == [3, 0]
    with pytest.raises(NotationError, match="records none: expected at least one match"):
        write_match_text([], load())


def test_other_variants_are_named_and_their_pins_marked() -> None:
    match = after(Match.new(rules("plakoto")), Action.throw(2, 1), Action.play(ANN, "24/22 24/23"))
    while not (pins := pinning(match)):
        match = match.after(Action.roll(match.game.seat, 6, 4))
        match = match.after(first_play(match))
    seat = match.game.seat
    match = after(match, Action.roll(seat, 6, 5), Action.play(seat, pins[0]))
    text = text_of(match)
    assert '; [Variation "plakoto"]' in text
    assert "^" in text
    assert told(read(text)) == told(match)


def pinning(match: Match) -> list[Play]:
    """The plays of a 6-5 that pin somebody."""
    rolled = match.after(Action.roll(match.game.seat, 6, 5))
    return [play for play in rolled.game.plays if "^" in str(play)]


# -- out and in again --------------------------------------------------------------------------------

UNDER: dict[str, tuple[str, str, dict[str, object]]] = {
    "one point": ("western", "", {"match_length": 1}),
    "Crawford": ("western", "", {"match_length": 3}),
    "no Crawford": ("western", "", {"match_length": 3, "crawford": False}),
    "no cube": ("western", "", {"match_length": 3, "cube": False}),
    "vog": ("western", "vog", {"match_length": 3}),
    "club-002": ("western", "club-002", {}),
    "jpgames": ("western", "jpgames", {}),
    "tournament-004": ("western", "tournament-004", {}),
    "money": ("western", "money", {}),
    "money-001": ("western", "money-001", {}),
    "money-004": ("western", "money-004", {}),
    "every animal": (
        "western",
        "",
        {"match_length": None, "animals": None, "cube_cap": None, "jacoby": False},
    ),
    "winner starts": (
        "western",
        "",
        {"match_length": 5, "later_starter": "previous_winner", "double_before_first_roll": True},
    ),
    "by turns, rolled anew": (
        "western",
        "",
        {"match_length": 5, "later_starter": "alternate", "opening_roll": "reroll"},
    ),
    "starter chooses": ("western", "", {"match_length": 4, "opening_roll": "starter_chooses"}),
    "animals in a match": (
        "western",
        "",
        {"match_length": 9, "animals": 2, "money_rules_in_match": "allow", "holland": True},
    ),
    "tavla": ("tavla", "", {"match_length": 3}),
    "tavla of old": ("tavla", "traditional", {}),
    "plakoto": ("plakoto", "", {"match_length": 3}),
    "plakoto of old": ("plakoto", "traditional", {}),
    "gul bara": ("gul-bara", "", {"match_length": 2}),
}


def under(name: str) -> Rules:
    variant, preset, options = UNDER[name]
    return load().rules(variant, preset, options)


@pytest.mark.parametrize("name", UNDER)
@example(seed=6124, temper=CALM)  # where the starter chooses, a later game may begin with a double
@settings(max_examples=3)
@given(seed=st.integers(0, 10**6), temper=st.sampled_from([CALM, HASTY]))
def test_a_match_out_and_in_again_is_the_same_match(name: str, seed: int, temper: Temper) -> None:
    match = played(under(name), seed, temper, games=2)
    found = one(text_of(match))
    assert [fault.reason for fault in found.report.faults] in ([], ["NO_RESULT"])
    assert found.match is not None
    assert told(found.match) == told(match)
    assert (found.report.names, found.report.score) == (("ann", "bob"), match.score)
    assert found.match.winner is match.winner
    same = {name: match.rules.options[name] for name in found.record.options}
    assert found.record.options == same
    assert of_play(found.match.rules) == of_play(match.rules)


def of_play(under: Rules) -> dict[str, Value]:
    """The options that a match depends on; a clock is the table's."""
    scopes = {name: option.scope for name, option in options_of(under.variant).items()}
    return {name: value for name, value in under.options.items() if scopes[name] is not Scope.TABLE}


@settings(max_examples=30)
@given(st.sampled_from(sorted(UNDER)), st.integers(0, 200), st.integers(0, 400))
def test_a_match_may_be_written_at_any_time(name: str, seed: int, stop: int) -> None:
    whole = Record.of(played(under(name), seed, HASTY, games=2), ("ann", "bob"))
    record = replace(whole, actions=whole.actions[:stop])
    found = read(write_match_text([record], load()))
    # A double may wait for its answer, a roll for its play, a resignation, untold, for anything.
    assert told(found) == told(record.match(load()))


@pytest.mark.needs_real
def test_every_real_match_out_and_in_again_is_the_same_match(real: Path) -> None:
    """The same dice, positions, cube actions, winners, points by the rules (where a file holds other ones, as
    those of a cap, an absurd number, or a Jacoby game, the rules' are written), scores and options."""
    count = 0
    for file in sorted((real / "western").glob("*.txt")):
        first = one(decode(file.read_bytes()))
        again = one(write_match_text([first.record], load()))
        assert (first.report.faults, again.report.faults) == ((), ())
        assert first.match is not None
        assert again.match is not None
        assert told(again.match) == told(first.match)
        assert again.match.rules.options == first.match.rules.options
        assert [result.ending for result in again.match.results] == [
            result.ending for result in first.match.results
        ]
        assert again.report.names == first.report.names
        count += 1
    assert count == 101


# -- left out ----------------------------------------------------------------------------------------


def test_ties_of_the_opening_throw_are_left_out() -> None:
    tied = after(new(), Action.throw(4, 4), Action.throw(3, 1))
    assert read(text_of(tied)).actions == (Action.throw(3, 1),)


def test_a_declined_resignation_is_left_out() -> None:
    match = opened(new(resign_auto_accept=False))
    offered = after(match, Action.resign(BOB, Level.SINGLE))
    declined = after(offered, Action.answer_resignation(ANN, accept=False))
    assert text_of(offered) == text_of(declined) == text_of(match)


def test_the_level_is_left_out_where_every_level_counts_one() -> None:
    match = opened(new(match_length=None, resign_auto_accept=False))
    given_up = after(
        match, Action.resign(BOB, Level.GAMMON), Action.answer_resignation(ANN, accept=True)
    )
    assert given_up.results[0].level is Level.GAMMON
    [result] = read(text_of(given_up)).results
    assert (result.points, result.level) == (1, Level.SINGLE)


def test_that_time_and_no_player_gave_up_is_left_out() -> None:
    clock = {"clock": "bronstein", "flag_loses": "game", "match_length": 3}
    match = after(opened(new(**clock)), Action.roll(BOB, 2, 1), Action.flag(BOB))
    assert match.results[0].ending is Ending.FLAGGED
    found = read(text_of(match))
    assert told(found) == told(match)
    assert found.results[0].ending is Ending.RESIGNED


def test_that_a_session_was_ended_is_left_out() -> None:
    match = after(
        opened(new(match_length=None, resign_auto_accept=True)), Action.resign(BOB, Level.SINGLE)
    )
    if match.game.offer:
        match = after(match, Action.answer_resignation(ANN, accept=True))
    assert text_of(after(match, Action.end_session())) == text_of(match)


def test_the_throw_is_left_out_where_its_numbers_are_not_played() -> None:
    match = after(
        Match.new(rules("tavla", "traditional")), Action.throw(5, 2), Action.roll(ANN, 6, 6)
    )
    found = read(text_of(after(match, first_play(match))))
    assert found.actions[:2] == (Action.throw(2, 1), Action.roll(ANN, 6, 6))


def test_a_beaver_that_is_taken_has_no_word_unless_nobody_rolls() -> None:
    match = opened(new(match_length=None, animals=3, resign_auto_accept=False))
    doubled = after(match, Action.double(BOB), Action.animal(ANN))
    rolls = after(doubled, Action.take(BOB), Action.roll(BOB, 2, 1))
    assert " Takes" not in text_of(rolls)
    resigns = after(doubled, Action.take(BOB), Action.resign(BOB, Level.SINGLE))
    resigns = after(resigns, Action.answer_resignation(ANN, accept=True))
    assert " Takes" in text_of(resigns)
    otter = after(doubled, Action.animal(BOB), Action.animal(ANN))
    for told_of in (rolls, resigns, otter, after(otter, Action.take(BOB), Action.roll(BOB, 2, 1))):
        assert told(read(text_of(told_of))) == told(told_of)


# -- not said ----------------------------------------------------------------------------------------


def refused(match: Match) -> str:
    with pytest.raises(NotationError) as error:
        write_match_text([Record.of(match)], load())
    assert error.value.reason == "NOT_IN_MATCH_TEXT"
    return str(error.value)


def test_what_match_text_cannot_say_is_named() -> None:
    here = new().rules.start
    start = Start(here, ANN, dice=(3, 1))
    says, other = "match text cannot say it", "`record` can say it"
    beginning = "a start from a position, expected a match from its beginning"
    assert refused(Match.new(rules(), start)) == f"start: {says}: {beginning}; {other}"

    doubled = after(new(match_length=None, auto_doubles=1), Action.throw(4, 4))
    stake = "an automatic double to 2, expected a stake that only doubles raise"
    assert refused(doubled) == f"action 0: {says}: {stake}; {other}"

    conceded = after(opened(new()), Action.resign_match(ANN))
    won = "resign_match, expected a match won by points"
    assert refused(conceded) == f"action 2: {says}: {won}; {other}"

    ladder = after(
        Match.new(rules("gul-bara", "bulgarian", ladder_from_roll=1)), Action.throw(5, 2)
    )
    assert (
        refused(after(ladder, Action.roll(ANN, 4, 4)))
        == f"action 1: {says}: a turn of several parts, expected one play a roll; {other}"
    )

    stands = after(new(illegal_moves="until_next_roll"), Action.throw(3, 1))
    stands = after(stands, Action.play(ANN, "8/5 6/4"))
    assert refused(stands).startswith(f"action 1: {says}: an illegal play, ")


def test_a_game_lost_by_time_with_the_match_is_named() -> None:
    clock = {"clock": "bronstein", "flag_loses": "match", "match_length": 3}
    match = after(opened(new(**clock)), Action.flag(BOB))
    assert ": flag, expected a match won by points; " in refused(match)


def test_a_roll_of_three_dice_is_named() -> None:
    registry = load().using(Plugin("threes"))
    western = registry.variant("western")
    registry.add(replace(western, id="three-dice", aliases=(), dice=3))
    with pytest.raises(NotationError, match="variant: match text cannot say it: a roll of 3 dice"):
        write_match_text([Record("three-dice")], registry)


def test_what_would_read_as_another_match_is_not_written() -> None:
    # The Crawford game was before the file begins, at a score that does not show it.
    start = Start(score=(5, 3), crawford=Crawford.AFTER)
    match = opened(Match.new(rules(match_length=7, resign_auto_accept=False), start))
    assert told(read(text_of(match))) == told(match)
    match = after(match, Action.resign(BOB, Level.SINGLE))
    match = after(match, Action.answer_resignation(ANN, accept=True), Action.next_game())
    doubled = after(opened(match), Action.double(BOB))
    assert "this is the Crawford game" in refused(doubled)


# -- names and headers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "stands"),
    [
        ("ann: 3", "ann. 3"),
        ("ann\n Game 2\n", "ann Game 2"),
        ("; ann", "ann"),
        ("ann,1700", "ann, 1700"),
        ("  a\tb\u2028c\u0085d ", "a b c d"),
        ("7 point match", "7 point match"),
        ("money session", "money session"),
        ("", ""),
        ("Zoë", "Zoë"),
        ("a" * 5000, "a" * 100),
        ("\ud800", ""),
    ],
)
def test_a_name_breaks_no_line(name: str, stands: str) -> None:
    match = opened(new())
    for names in ((name, "bob"), ("ann", name), (name, name)):
        found = one(text_of(match, names))
        assert found.report.names == tuple(stands if one == name else one for one in names)
        assert told(read(text_of(match, names))) == told(match)


@given(st.text(max_size=30), st.text(max_size=30), st.dictionaries(st.text(max_size=9), st.text()))
def test_no_name_and_no_header_changes_a_match(
    white: str, black: str, headers: dict[str, str]
) -> None:
    match = opened(new(match_length=3))
    text = write_match_text([Record.of(match, (white, black), headers)], load())
    assert told(read(text)) == told(match)
    text.encode()


@pytest.mark.parametrize("key", ["crawford", "Crawford", " CRAWFORD ", "cube\nlimit", '"jacoby'])
def test_no_header_of_a_record_changes_its_rules(key: str) -> None:
    for length in (3, None):
        match = opened(new(match_length=length))
        text = write_match_text(
            [Record.of(match, headers={key: "off", "options": "cube=false"})], load()
        )
        assert read(text).rules.options == match.rules.options


def test_headers_are_kept() -> None:
    headers = {
        "site": "Example",
        "event": 'A "great"\ntourney',
        "eventdate": "2024.07.28",
        "stake": "3",
    }
    text = text_of(opened(new()), ("ann", "bob"), **headers)
    assert text.startswith(
        '; [Site "Example"]\n; [Event "A "great" tourney"]\n; [EventDate "2024.07.28"]\n; [Stake "3"]\n'
    )
    found = one(text).record.headers
    assert found["event"] == 'A "great" tourney'
    assert (found["site"], found["stake"]) == ("Example", "3")


def test_a_real_match_of_one_game_is_not_taken_for_a_stake() -> None:
    match = opened(new(match_length=4))
    assert read(text_of(match, site="BackgammonGalaxy")).length == 4
    assert '[Site "BackgammonGalaxy"]' in text_of(
        opened(new(match_length=5)), site="BackgammonGalaxy"
    )
