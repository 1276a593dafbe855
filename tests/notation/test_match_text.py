from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bgcore import Kind, Match, NotationError, Position, Rules, Seat, load
from bgcore.notation.match_text import CellKind
from bgcore.notation.match_text_reader import read_matches
from bgcore.notation.text_file import decode, wide_encoding
from bgcore.outcome import Outcome
from bgcore.registry import Plugin
from bgcore.replay import ReplayedMatch, matches_in

from .dialects import (
    CALM,
    DIALECTS,
    GALAXY,
    HASTY,
    STUDIO,
    Dialect,
    Temper,
    played,
    write,
)
from .samples import SAMPLE, told


def one(text: str) -> ReplayedMatch:
    [match] = matches_in(text)
    return match


def read_or_refused(text: str) -> list[ReplayedMatch]:
    """The matches of a text; none where it cannot be read, which must name a line."""
    try:
        return matches_in(text)
    except NotationError as error:
        refused = error
    assert refused.faults[0].field.startswith("line ")
    return []


def faults(text: str) -> list[str]:
    return [str(fault) for match in matches_in(text) for fault in match.report.faults]


def test_a_match_is_read_into_names_scores_and_cells() -> None:
    [match] = read_matches(SAMPLE)
    assert match.length == 3
    assert match.header("PLAYER 1") == "ann"
    first, second = match.games
    assert (first.line, first.names_line, first.last_line) == (7, 8, 13)
    assert first.names == ("ann", "bob")
    assert second.score == (0, 2)
    assert [cell.kind for cell in first.cells] == [
        CellKind.ROLL,
        CellKind.ROLL,
        CellKind.DOUBLE,
        CellKind.TAKE,
        CellKind.ROLL,
        CellKind.ROLL,
        CellKind.ROLL,
        CellKind.DOUBLE,
        CellKind.DROP,
        CellKind.WINS,
    ]
    assert [cell.seat for cell in second.cells] == [Seat.BLACK, Seat.WHITE, Seat.BLACK, Seat.BLACK]
    assert (first.cells[0].line, first.cells[0].column, first.cells[1].column) == (9, 6, 35)


def test_a_match_is_replayed_into_actions_and_a_report() -> None:
    match = one(SAMPLE)
    report = match.report
    assert report.faults == ()
    assert (report.length, report.score, report.winner) == (3, (0, 3), Seat.BLACK)
    assert [game.to_json() for game in report.games] == [
        {
            "winner": 2,
            "points": 2,
            "points_by_rule": 2,
            "ended_by": "drop",
            "cube": 2,
            "rolls": 5,
            "flags": [],
        },
        {
            "winner": 2,
            "points": 1,
            "points_by_rule": None,
            "ended_by": "resign",
            "cube": 1,
            "rolls": 3,
            "flags": [],
        },
    ]
    assert match.record.options == {"match_length": 3, "crawford": True, "cube_cap": 64}
    assert record_of(match) == match.match
    assert [action.kind for action in match.record.actions[-4:]] == [
        Kind.PLAY,
        Kind.ROLL,
        Kind.RESIGN,
        Kind.ANSWER_RESIGNATION,
    ]


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    length=st.sampled_from([1, 2, 3, 5, None]),
    temper=st.sampled_from([CALM, HASTY]),
)
def test_a_match_written_in_a_dialect_is_read_as_the_same_match(
    dialect: Dialect, seed: int, length: int | None, temper: Temper
) -> None:
    animals = {"animals": None} if length is None else {}
    rules = load().rules("western", options={"match_length": length, "cube_cap": 1024, **animals})
    match = played(rules, seed, temper)
    read = one(write(match, dialect))
    assert read.report.faults == ()
    assert read.match is not None
    as_rolled = not dialect.high_first
    assert told(read.match, as_rolled=as_rolled) == told(match, as_rolled=as_rolled)
    assert read.report.names == ("ann", "bob")
    assert [read.record.headers.get(f"player {n}") in (None, who) for n, who in NAMES] == [True] * 2
    assert (read.report.score, read.report.winner) == (match.score, match.winner)


NAMES = ((1, "ann"), (2, "bob"))


# -- deviations --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\ufeff" + text,
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("\n", "  \n"),
        lambda text: "".join(f"{line:<80}\n" for line in text.splitlines()),
        lambda text: text.replace("\n\n", "\n\n\n"),
        lambda text: text.replace(" Game", "\n Game"),
        lambda text: text.replace("point match", "points match"),
        lambda text: text.replace("                              ", "\t\t\t"),
        lambda text: text.replace("  5)", "105)"),
        lambda text: text.replace(" Game", "; free text\n Game"),
        lambda text: text.replace(" : ", ": "),
        lambda text: text.replace("bob", ""),
        lambda text: text.replace("ann : 0 ", " : 0     ", 1).replace("ann : 0 ", " : 0     ", 1),
        lambda text: text.replace(" Takes", " takes").replace(" Drops", " DROPS"),
        lambda text: text + "  3)    \n",
        lambda text: text.replace("54:\n", "54: ????\n"),
        lambda text: text.replace("54:\n", "54: ???\n"),
    ],
)
def test_what_differs_only_in_writing_is_the_same_match(change: object) -> None:
    match = one(change(SAMPLE))  # type: ignore[operator]  # a function, to pytest an object
    assert match.report.faults == ()
    assert match.report.score == (0, 3)
    assert len(match.record.actions) == len(one(SAMPLE).record.actions)


def test_cells_may_stand_behind_tabs() -> None:
    text = (
        "1 point match\n\n Game 1\n ann : 0\tbob : 0\n"
        "  1)\t31: 8/5 6/5\t64: 24/14\n  2)\t52: 13/8 24/22\t43: 13/9 13/10\n"
        "  3)\t\tWins 1 point\n"
    )
    assert one(text).report.faults == ()
    assert one(text).report.winner is Seat.BLACK
    starts = text.replace("31: 8/5 6/5\t64: 24/14", "\t31: 8/5 6/5")
    starts = starts.replace("52: 13/8 24/22\t43: 13/9 13/10", "64: 24/14")
    assert one(starts).report.faults == ()


def test_names_of_other_alphabets_are_read_in_utf_8_and_windows_1252() -> None:
    text = SAMPLE.replace("ann", "René").replace("bob", "Zoë")
    for data in (text.encode(), text.encode("cp1252"), text.encode("utf-8-sig")):
        assert one(decode(data)).report.names == ("René", "Zoë")


@pytest.mark.parametrize(
    ("rows", "winner", "flag"),
    [
        (
            ["  2) 21: 13/11 6/5              Losses 1 point", "", "      Wins 1 point"],
            1,
            "losses-row",
        ),
        (
            ["  2)  Losses 1 point                                     Wins 1 point"],
            2,
            "losses-row",
        ),
        (["  2)  Losses 1 point              Wins 1 point"], 2, "losses-row"),
        ([" Losses 1 point", "", "      Wins 1 point and the match"], 1, "losses-line"),
        (["Losses 1 point", " " * 33 + "Wins 1 point and the match"], 2, "losses-line"),
        (["  2)                             Losses 1 point        Wins 1 point"], 1, "losses-row"),
        (
            ["  2) 21: 13/11 6/5              3)  Losses 1 point                    Wins 1 point"],
            2,
            "row-number-inside-row",
        ),
    ],
)
def test_a_loser_may_say_so(rows: list[str], winner: int, flag: str) -> None:
    head = SAMPLE.split("  1)")[0].replace("3 point", "1 point")
    text = "\n".join([head + "  1) 31: 8/5 6/5                  64: 24/14", *rows])
    [game] = one(text).report.games
    assert one(text).report.faults == ()
    assert game.to_json()["winner"] == winner
    assert flag in game.flags


def test_the_points_of_a_resignation_tell_its_level() -> None:
    for points, level in ((1, "single"), (2, "gammon"), (3, "backgammon")):
        match = one(SAMPLE.replace("Wins 1 point and", f"Wins {points} points and"))
        assert match.report.games[1].level == level
        assert match.match is not None
        assert match.match.results[1].points == points
    absurd = one(SAMPLE.replace("Wins 1 point and", "Wins 4016 point and"))
    assert absurd.report.games[1].flags == ("absurd-points",)
    assert (absurd.report.score, absurd.report.games[1].level) == ((0, 4018), "?")


def money(text: str) -> str:
    return text.replace("3 point match", "money session").replace(" and the match", "")


def given_up(wins: int, length: int = 9, after: int | None = None) -> str:
    """Two games; the first given up with the cube on 2, the second with the cube in the middle."""
    first, second = SAMPLE.replace("3 point", f"{length} point").split(" Game 2")
    taken = first.split("  3) 52")[0] + " " * 33 + f"Wins {wins} points\n\n"
    second = second.replace("bob : 2", f"bob : {wins if after is None else after}")
    return taken + " Game 2" + second.replace(" and the match", "")


def record_of(match: ReplayedMatch) -> Match:
    """The match that the actions of a file alone lead to."""
    return match.record.match(load())


@pytest.mark.parametrize("wins", [2, 4, 6])
def test_a_game_may_be_given_up_at_every_level(wins: int) -> None:
    for text in (given_up(wins), money(given_up(wins))):
        match = one(text)
        assert match.report.faults == ()
        assert record_of(match) == match.match
        assert match.match is not None
        assert match.match.score == match.report.score == (0, wins + 1)


@pytest.mark.parametrize("wins", [0, 1, 3, 5, 8])
@pytest.mark.parametrize("kind", [str, money])
def test_points_that_no_level_explains_end_the_record(
    wins: int, kind: Callable[[str], str]
) -> None:
    match = one(kind(given_up(wins)))
    assert str(match.report.faults[0]) == f"line 11: Wins {wins}: expected Wins 2, 4 or 6"
    assert [game.ended_by for game in match.report.games] == ["resign", "resign"]
    assert match.report.score == (0, wins + 1)
    assert [action.kind for action in match.record.actions[-2:]] == [Kind.DOUBLE, Kind.TAKE]
    assert record_of(match) == match.match


def test_the_next_score_alone_must_be_explained_as_well() -> None:
    for points, message in ((2, []), (3, ["line 10: Wins 3: expected Wins 2, 4 or 6"])):
        lines = given_up(points).splitlines()
        match = one("\n".join(line for line in lines if "Wins" not in line or "1 point" in line))
        assert [str(fault) for fault in match.report.faults] == message
        assert record_of(match) == match.match


def test_jacoby_leaves_a_gammon_without_a_double_one_point() -> None:
    text = money(SAMPLE).replace("Wins 1 point", "Wins 2 points")
    assert faults(text) == ["line 19: Wins 2: expected Wins 1"]
    assert faults('; [Jacoby "Off"]\n' + text) == []


def test_a_game_borne_off_or_dropped_is_never_worth_nothing() -> None:
    text = money(SAMPLE).replace("Wins 2 points", "Wins 0 points").replace("bob : 2", "bob : 0")
    assert faults(text) == ["line 13: Wins 0: expected Wins 2"]


def test_a_line_that_ends_the_match_must_do_so() -> None:
    text = SAMPLE.split("  3) 52")[0] + " " * 33 + "Wins 2 points and the match\n"
    found = "line 11: and the match: expected no more than Wins 2, as that makes 2 of 3"
    assert faults(text) == [found]
    assert faults(text.replace("Wins 2 points", "Losses 2 points")) != []
    for length in ("2 point match", "money session"):
        assert faults(text.replace("3 point match", length)) == []
    assert faults(text.replace(" and the match", "")) == []


def test_more_points_than_the_match_is_long_may_be_left_out() -> None:
    # A cube of 2 at 0-0 in a match to 2, given up: the server wrote one point, and that it was enough.
    rows = "  2)  Doubles => 2                 Takes\n  3) 52: 13/8 24/22"
    text = SAMPLE.replace("3 point match", "2 point match").split("  4)")[0]
    assert rows in text
    capped = one(
        text + "  4) 66: 24/18 22/16 13/7(2)\n" + " " * 33 + "Wins 1 point and the match\n"
    )
    assert capped.report.games[0].level == "?"
    assert capped.report.faults == ()
    assert (capped.report.score, capped.report.winner) == ((0, 1), Seat.BLACK)
    assert record_of(capped).score == (0, 2)


def test_a_result_that_is_missing_is_told_by_the_next_score() -> None:
    text = SAMPLE.replace("  5)  Drops                        Wins 2 points\n", "  5)  Drops\n")
    assert one(text).report.games[0].to_json()["winner"] == 2
    assert one(text).report.games[0].points == 2
    assert one(text).report.games[0].flags == ("no-result",)
    assert faults(text) == []


def test_a_match_may_go_on_in_a_second_file() -> None:
    second = SAMPLE.split(" Game 1")[0] + SAMPLE.split(" Game 2\n")[1]
    match = one(second)
    assert match.report.faults == ()
    assert match.record.start.score == (0, 2)
    assert match.report.winner is Seat.BLACK


def test_a_file_may_hold_several_matches() -> None:
    first, second = matches_in(SAMPLE + "\n\n" + SAMPLE.replace("ann", "eve"))
    assert (first.report.names, second.report.names) == (("ann", "bob"), ("eve", "bob"))


def test_a_money_session_is_played_with_jacoby() -> None:
    text = SAMPLE.replace("3 point match", "0 point match").replace("bob : 2", "bob : 2")
    match = one(text)
    assert match.record.options == {
        "match_length": None,
        "crawford": True,
        "cube_cap": 64,
        "jacoby": True,
    }
    assert match.report.winner is None
    off = one('; [Jacoby "Off"]\n' + text)
    assert off.record.options["jacoby"] is False


def test_a_single_game_of_galaxy_with_a_stake_cap_is_a_money_game() -> None:
    galaxy = SAMPLE.replace("Example", "BackgammonGalaxy").split(" Game 2")[0]
    match = one(galaxy.replace("3 point match", "16 point match"))
    assert match.report.games[0].flags == ("money-single-game",)
    assert match.record.options["match_length"] is None
    assert one(galaxy).report.games[0].flags == ()


# -- what does not hold ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "31: 8/5 6/5",
            "31: 8/5 6/4",
            "line 9: 31: 6/4: 2 is not left to play, expected one of 1; ",
        ),
        (
            "31: 8/5 6/5",
            "33: 8/5 6/3(3)",
            "line 9: opening roll 33: expected two different numbers",
        ),
        ("31: 8/5 6/5", "31: 8/5 6/x", "line 9: 31: column 7 x: expected a point from 1 to 24"),
        (
            "31: 8/5 6/5",
            "31:",
            "line 9: 31: no play: more of the numbers can be used, expected a play that uses 2",
        ),
        ("64: 24/14", "64: 24/20 24/18", "line 9: 64: 24/20: 20 is closed by the opponent"),
        ("Doubles => 2", "Doubles => 4", "line 10: Doubles => 4: expected Doubles => 2"),
        (" Takes", " Doubles => 4", "line 10: a double of a double: expected Takes or Drops"),
        (" Takes", " Beavers => 4", "line 10: a double of a double: expected Takes or Drops"),
        (" Takes", "31: 8/7 8/5", "line 10: 31: roll: not now"),
        ("Doubles => 4", "Takes", "line 12: take: not now"),
        ("Wins 2 points", "Wins 4 points", "line 13: Wins 4: expected Wins 2"),
        ("bob : 2", "bob : 1", "line 16: score 0-1: expected 0-2, from the game before"),
        ("bob : 0\n  1) 31", "bob : 3\n  1) 31", "line 8: "),
    ],
)
def test_what_breaks_a_rule_is_named_with_its_line(old: str, new: str, says: str) -> None:
    found = faults(SAMPLE.replace(old, new, 1))
    assert any(fault.startswith(says.split(": roll")[0].split(": take")[0]) for fault in found), (
        found
    )


def test_a_game_after_a_broken_one_is_still_checked() -> None:
    match = one(SAMPLE.replace("8/5 6/5", "8/4 6/5"))
    assert [game.ended_by for game in match.report.games] == ["broken", "resign"]
    assert match.report.games[0].flags == ("illegal-row",)
    assert match.report.score == (0, 3)
    assert len(match.report.faults) == 1
    assert len(match.record.actions) == 1  # the record ends where the fault is


def test_nobody_may_double_in_the_crawford_game() -> None:
    doubled = "  2)  Doubles => 2                 Takes\n"
    text = SAMPLE.replace("  2) 21: 13/11 6/5                54:\n", doubled)
    assert any("Crawford" in fault for fault in faults(text))
    off = text.replace('"64"]', '"64"]\n; [Crawford "Off"]')
    assert not any("Crawford" in fault for fault in faults(off))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1 the end of the file: expected a line such as 7 point match"),
        ("hello\n", "line 1 hello: expected a header"),
        ("; [Site]\n\x00\x01\n", "line 2 \x00\x01: expected a header"),
        ("7 point match\nhello\n", "line 2 hello: expected both names"),
        ("7 point match\n Game 1\nhello\n", "line 3 hello: expected both names"),
        ("7 point match\n Game 1\n", "line 3 the end of the game: expected both names"),
        (SAMPLE + "hello\n", "line 20 hello: expected a row such as 1)"),
        (
            SAMPLE.replace("31: 8/5", "3: 8/5"),
            "line 9 column 5 3: 8/5 6/5: expected a roll such as 31:",
        ),
        (SAMPLE.replace("31: 8/5", "71: 8/5"), "line 9 column 6 71:: expected a roll of numbers"),
        (SAMPLE.replace("Wins 2 points", "Wins"), "line 13 column 36 Wins: expected points"),
        (
            SAMPLE.replace("Wins 2 points", "Wins 2 p"),
            "line 13 column 36 Wins 2 p: expected points",
        ),
        (SAMPLE.replace("Takes", "Takes it"), "line 10 column 41 it: expected nothing but a value"),
        (SAMPLE.replace("64: 24/14", "64: 24/14  51: 6/off"), "line 9 column 46 51:: expected two"),
        (SAMPLE.replace("3 point", "x" * 5000), "line 5 xxx"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_with_what_was_expected(text: str, says: str) -> None:
    with pytest.raises(NotationError) as refused:
        matches_in(text)
    assert str(refused.value).startswith(says)


def test_a_match_without_an_end_is_reported() -> None:
    cut = SAMPLE.split("  2) 21")[0]
    assert faults(cut) == ["line 17: game 2 has no result: expected a line such as Wins 1 point"]
    assert one(cut).report.games[1].to_json()["winner"] is None
    assert one(cut).report.games[1].flags == ("unfinished",)
    assert faults("3 point match\n") == [
        "line 1: the match has no game: expected Game 1 after this line"
    ]


@given(st.integers(0, len(SAMPLE)))
@settings(max_examples=200, deadline=None)
def test_a_file_that_is_cut_off_anywhere_is_refused_or_reported(cut: int) -> None:
    for match in read_or_refused(SAMPLE[:cut]):
        last = match.report.games[-1:]
        assert match.report.faults or last[0].ended_by in ("drop", "resign")


DAMAGE = st.lists(
    st.tuples(
        st.integers(0, len(SAMPLE) - 1),
        st.integers(0, 12),
        st.sampled_from(
            [
                "",
                " ",
                "\n",
                "\t",
                ":",
                "1",
                "66:",
                "/",
                "*",
                "Takes",
                "Wins 1 point",
                "Wins 3 points",
                "point",
                ")",
                "9)",
                "é",
            ]
        ),
    ),
    max_size=5,
)


@given(DAMAGE)
@settings(max_examples=300, deadline=None)
def test_a_damaged_file_is_read_refused_or_reported(damage: list[tuple[int, int, str]]) -> None:
    text = SAMPLE
    for at, length, instead in damage:
        text = text[:at] + instead + text[at + length :]
    for match in read_or_refused(text):
        assert all(fault.line >= 1 and fault.reason for fault in match.report.faults)
        if match.match is not None:
            assert record_of(match) == match.match
            assert match.report.faults or len(match.match.results) == len(match.report.games)


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_are_read_refused_or_reported(data: bytes) -> None:
    assume(not wide_encoding(data))
    read_or_refused("1 point match\n Game 1\n a : 0   b : 0\n" + decode(data))
    read_or_refused(decode(data))


class Faulty(Rules):
    """Fails once a play has been made."""

    def outcome(self, position: Position) -> Outcome | None:
        raise LookupError("no such thing")


def test_a_variant_that_fails_is_a_fault_of_the_line() -> None:
    registry = load().using(Plugin("faulty"))
    registry.add(replace(registry.variant("western"), id="faulty", aliases=()), Faulty)
    text = '; [Variation "faulty"]\n' + SAMPLE
    found = [match.report for match in matches_in(text + "\n" + SAMPLE, registry)]
    says = f"PLUGIN_FAILED: {__name__}.Faulty.outcome raised LookupError: no such thing"
    assert [str(fault) for fault in found[0].faults] == [f"line 10: {says}", f"line 18: {says}"]
    assert {fault.reason for fault in found[0].faults} == {"PLUGIN_FAILED"}
    assert [game.ended_by for game in found[0].games] == ["broken", "broken"]
    assert found[1].faults == ()


def test_the_dialects_differ() -> None:
    match = played(load().rules("western", options={"match_length": 3}), 5)
    assert write(match, GALAXY) != write(match, STUDIO)
