"""What each program writes in its own way, on samples in tests/data/matches and by small changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from bgcore import Action, Kind, Match, Seat, load
from bgcore.notation.match_text_reader import read_matches
from bgcore.notation.text_file import decode
from bgcore.outcome import Ending, Level
from bgcore.replay import ReplayedMatch, matches_in

from .samples import SAMPLE, told

DATA = Path(__file__).parent.parent / "data" / "matches"
MATCHES = sorted(DATA.glob("match-*.txt"))
SESSIONS = sorted(DATA.glob("money-*.txt"))


def one(text: str) -> ReplayedMatch:
    [match] = matches_in(text)
    return match


def faults(text: str) -> list[str]:
    return [str(fault) for fault in one(text).report.faults]


def read(file: Path) -> ReplayedMatch:
    return one(decode(file.read_bytes()))


def replayed(text: str) -> Match:
    """The match of a text without faults, which its record alone leads to as well."""
    match = one(text)
    assert match.report.faults == ()
    assert match.match is not None
    assert match.record.match(load()) == match.match
    return match.match


# -- samples -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", MATCHES, ids=lambda file: file.stem)
def test_one_match_in_every_dialect_is_the_same_match(file: Path) -> None:
    match = read(file)
    assert match.report.faults == ()
    assert match.match is not None
    assert match.report.names == ("ann", "bob")
    assert (match.report.length, match.report.score) == (5, (7, 1))
    assert [game.ended_by for game in match.report.games] == ["resign", "drop", "bearoff"]
    expected = read(DATA / "match-bgcore.txt").match
    assert expected is not None
    assert told(match.match, as_rolled=False) == told(expected, as_rolled=False)


@pytest.mark.parametrize("file", SESSIONS, ids=lambda file: file.stem)
def test_one_money_session_with_beavers_in_every_dialect_is_the_same(file: Path) -> None:
    match = read(file)
    assert match.report.faults == ()
    assert match.match is not None
    assert (match.report.length, match.report.score, match.report.winner) == (0, (99, 1), None)
    assert match.record.options["animals"] is None
    animals = [action for action in match.record.actions if action.kind is Kind.ANIMAL]
    assert len(animals) == 3  # a beaver and a raccoon on it, and a beaver
    expected = read(DATA / "money-bgcore.txt").match
    assert expected is not None
    assert told(match.match) == told(expected)


SAID = {
    "match-galaxy": ("25/", "/0", "13/7 13/7"),
    "match-studio": ("bar/24", "3/off(2)", "  10) ", "Cannot Move", "Wins 6 point\n"),
    "match-gamesgrid": ("ann,1623 : 0", "25/24", "/0", "Wins 6 points and the match"),
    "match-gnu": ("21/16*/12", "24/20*/18*", "7/2(2)", "Cannot Move", "13:\r\n"),
    "match-gnubg": ("25/24", "4/0 3/0", "13:                         Wins 1 point"),
    "match-xg": ("Bar/24", "4/Off", '[Player 1 "bob"]', "Cannot Move"),
    "match-gammonview": (" ann: 0 ", '[EventTime "14:23"]', "Wins 1 points\n"),
    "match-bgcore": ("25/24", "4/0 3/0", "Wins 6 points and the match"),
    "money-gammonview": ('[Beaver "On"]', "Beavers => 4", "Raccoons => 8", "Takes"),
    "money-gnu": ("Beavers => 4", "Raccoons => 8", "Takes"),
    "money-xg": ("Beavers => 4", "Raccoons => 8"),
    "money-bgcore": ("Beavers => 4", "Raccoons => 8"),
}
"""What makes a sample one of its dialect."""


def test_every_sample_is_of_its_dialect() -> None:
    assert {file.stem for file in MATCHES + SESSIONS} == SAID.keys()
    for name, words in SAID.items():
        text = (DATA / f"{name}.txt").read_bytes().decode()
        assert [word for word in words if word not in text] == []
    assert "*" not in (DATA / "match-galaxy.txt").read_text()


# -- players -----------------------------------------------------------------------------------------


def test_headers_number_players_by_column_wherever_a_program_counts_from_the_right() -> None:
    text = (DATA / "match-xg.txt").read_text()
    ratings = {"player 1": "ann", "player 2": "bob", "player 1 elo": "1600.00/0"}
    found = one(text).record.headers
    assert {key: found[key] for key in ratings} == ratings
    # Names that are not those of the columns: it is still that program's file.
    renamed = text.replace(" ann : ", " eve : ").replace('"ann"', '"dan"')
    assert one(renamed).record.headers["player 2"] == "bob"
    assert one(renamed).record.headers["player 1"] == "dan"
    # Whoever numbers them as they stand is believed.
    left = text.replace('Player 1 "bob"', 'Player 1 "ann"').replace('2 "ann"', '2 "bob"')
    assert one(left).record.headers["player 1 elo"] == "1800.00/0"


def test_a_rating_behind_a_name_is_no_part_of_it() -> None:
    text = SAMPLE.replace("ann :", "ann,1623 :").replace("bob :", "b, o,1598.25 :")
    assert one(text).report.names == ("ann", "b, o")
    assert one(SAMPLE.replace("bob :", "bob,7 :")).report.names == ("ann", "bob,7")


@pytest.mark.parametrize("name", ["money game", "7 point match", "Game 1", "1) 31: 8/5", "Takes"])
def test_a_player_may_be_called_anything(name: str) -> None:
    match = one(SAMPLE.replace(" ann :", f" {name} :"))
    assert match.report.faults == ()
    assert match.report.names == (name, "bob")


def test_a_long_name_moves_no_cell() -> None:
    name = "a name of a hundred letters " * 4
    match = one(SAMPLE.replace(" ann : 0     ", f" {name} : 0 "))
    assert (match.report.faults, match.report.names) == ((), (name.strip(), "bob"))


# -- beavers -----------------------------------------------------------------------------------------

BEAVER = """\
0 point match

 Game 1
 ann : 0                         bob : 0
  1) 31: 8/5 6/5                  64: 24/14
  2)  Doubles => 2                 Beavers => 4
  3) 52: 13/8 24/22               43: 13/9 13/10
                                  Wins 4 points
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("  3) 52", "  3)  Takes\n  4) 52"),
        ("Beavers => 4", "Beavers"),
        ("Beavers => 4", "Beaver => 4"),
        ("Beavers => 4", "Doubles => 4"),
        ("Beavers => 4", "Redoubles => 4"),
    ],
)
def test_a_beaver_is_written_in_several_ways(old: str, new: str) -> None:
    match = replayed(BEAVER.replace(old, new))
    kinds = [action.kind for action in match.actions]
    assert kinds[5:7] == [Kind.ANIMAL, Kind.TAKE]
    assert match.actions[5].seat is Seat.BLACK
    assert (match.game.cube.value, match.game.cube.owner) == (4, Seat.BLACK)
    assert match.score == (0, 4)


def test_a_raccoon_and_an_otter_may_follow() -> None:
    rows = "  3)  Raccoons => 8                Otters => 16\n  4)  Doubles => 32                Takes\n"
    text = BEAVER.replace("  3) 52", rows + "  5) 52").replace("Wins 4", "Wins 32")
    match = replayed(text)
    assert [action.kind for action in match.actions].count(Kind.ANIMAL) == 4
    # The last of them, by White, is Black's to answer.
    assert match.game.cube.value == 32
    assert match.game.cube.owner is Seat.BLACK


@pytest.mark.parametrize(
    ("last", "points", "ending", "level"),
    [
        ("", 2, Ending.DROPPED, Level.SINGLE),  # what stood before the beaver
        ("  3)  Drops\n", 2, Ending.DROPPED, Level.SINGLE),
        ("", 4, Ending.RESIGNED, Level.SINGLE),  # taken, then given up
        ("", 8, Ending.RESIGNED, Level.GAMMON),
    ],
)
def test_a_beaver_is_refused_or_taken_as_the_points_tell(
    last: str, points: int, ending: Ending, level: Level
) -> None:
    text = BEAVER.split("  3)")[0] + last + " " * 34 + f"Wins {points} points\n"
    [result] = replayed(text).results
    assert (result.winner, result.points) == (Seat.BLACK, points)
    assert (result.ending, result.level) == (ending, level)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (BEAVER.replace("=> 4", "=> 8"), "line 6: Doubles => 8: expected Doubles => 4"),
        (
            BEAVER.replace(" Doubles => 2 ", " Beavers => 2 "),
            "line 6: a beaver: expected a double before it",
        ),
        (
            '; [Beaver "Off"]\n' + BEAVER,
            "line 7: a double of a double: expected Takes or Drops",
        ),
        (
            BEAVER.replace("0 point", "9 point"),
            "line 6: a double of a double: expected Takes or Drops",
        ),
    ],
)
def test_a_beaver_out_of_place_is_a_fault(text: str, says: str) -> None:
    assert faults(text)[0] == says


def test_the_header_alone_allows_beavers_and_caps_the_cube() -> None:
    text = SAMPLE.replace("3 point", "0 point").replace(" and the match", "")
    headers = '; [Jacoby "Off"]\n; [Beaver "On"]\n; [Cubelimit "4"]\n'
    match = one(headers + text.replace('; [CubeLimit "64"]\n', ""))
    assert match.report.faults == ()
    assert match.record.options == {
        "match_length": None,
        "crawford": True,
        "cube_cap": 4,
        "jacoby": False,
        "animals": None,
    }
    assert "animals" not in one(headers.replace("On", "Off") + text).record.options


def test_a_cube_that_starts_higher_is_a_fault_and_no_automatic_double() -> None:
    text = SAMPLE.replace("3 point", "0 point").replace("=> 2", "=> 4")
    assert faults(text)[0] == "line 10: Doubles => 4: expected Doubles => 2"


# -- who starts --------------------------------------------------------------------------------------

HEAD = "7 point match\n\n Game 1\n ann : 0                         bob : 0\n"
FIRST = "  1) 31: 8/5 6/5                  Wins 1 point\n\n"
SECOND = " Game 2\n ann : 0                         bob : 1\n"
DROPPED = "                                  Wins 1 point\n\n"


def later(*games: str) -> str:
    """A match whose first game Black wins, with further games."""
    return HEAD + FIRST + "".join(games)


WINNER_DOUBLES = later(SECOND + "  1)                             33: 13/10(2) 8/5(2)\n" + DROPPED)


def test_a_later_game_that_begins_with_a_double_was_started_by_the_winner() -> None:
    assert one(WINNER_DOUBLES).record.options["later_starter"] == "previous_winner"
    match = replayed(WINNER_DOUBLES)
    assert match.score == (0, 2)
    assert [action.kind for action in match.actions].count(Kind.THROW) == 1


def test_or_by_the_other_player_where_that_fits_every_game() -> None:
    third = (
        " Game 3\n ann : 0                         bob : 2\n  1) 66: 24/18(2) 13/7(2)\n" + DROPPED
    )
    text = WINNER_DOUBLES + third
    assert one(text).record.options["later_starter"] == "alternate"
    assert replayed(text).score == (0, 3)


def test_a_later_game_may_begin_with_the_cube() -> None:
    text = later(SECOND + "  1)                              Doubles => 2\n  2)  Drops\n" + DROPPED)
    assert one(text).record.options["double_before_first_roll"] is True
    assert replayed(text).results[-1].ending is Ending.DROPPED


def test_who_fits_neither_rule_is_a_fault() -> None:
    third = " Game 3\n ann : 0                         bob : 2\n  1)                             66: 24/18(2) 13/7(2)\n"
    fourth = " Game 4\n ann : 0                         bob : 3\n  1) 41: 24/23 13/9\n"
    text = WINNER_DOUBLES + third + DROPPED + fourth + DROPPED
    assert one(text).record.options.get("later_starter") is None
    assert faults(text)[0] == "line 9: opening roll 33: expected two different numbers"
    first = HEAD + "  1) 33: 13/10(2) 8/5(2)          Wins 1 point\n"
    assert faults(first) == ["line 5: opening roll 33: expected two different numbers"]


def test_who_starts_behind_a_broken_game_is_believed() -> None:
    text = WINNER_DOUBLES.replace("8/5 6/5", "8/5 6/4")
    assert [fault.line for fault in one(text).report.faults] == [5]
    assert [game.ended_by for game in one(text).report.games] == ["broken", "resign"]


def test_a_header_may_tell_any_option() -> None:
    options = "opening_roll=reroll later_starter=previous_winner home_hit_and_run=false"
    text = f'; [Variation "tavla"]\n; [Options "{options} match_length=99"]\n' + later(
        SECOND + "  1)                             33: 13/10(2) 8/5(2)\n" + DROPPED
    ).replace("31: 8/5 6/5 ", "33: 8/5(2) 6/3(2)")
    match = one(text)
    assert match.report.faults == ()
    assert match.record.options["home_hit_and_run"] is False
    assert match.record.options["match_length"] == 7
    # That White began is seen; the throw that said so is not, so 2-1 stands for it.
    assert match.record.actions[:2] == (Action.throw(2, 1), Action.roll(Seat.WHITE, 3, 3))
    for wrong in ("nonsense", "no_such_option=1", "later_starter=nobody", "=", "cube_cap=-1"):
        assert one(f'; [Options "{wrong}"]\n' + SAMPLE).report.faults[0].line == 6


# -- giving up ---------------------------------------------------------------------------------------


def test_a_roll_without_a_play_before_a_result_is_given_up_and_no_pass() -> None:
    """F25."""
    match = replayed(SAMPLE)
    assert [action.kind for action in match.actions[-3:]] == [
        Kind.ROLL,
        Kind.RESIGN,
        Kind.ANSWER_RESIGNATION,
    ]
    assert match.game.dice == (5, 4)
    assert match.results[-1].ending is Ending.RESIGNED


def test_whoever_resigns_may_say_so_in_a_cell() -> None:
    said = SAMPLE.replace("54:\n", "54:\n  3)  Resigns\n")
    assert replayed(said).actions == replayed(SAMPLE).actions


def test_a_result_beside_a_roll_may_be_of_the_player_who_rolled() -> None:
    """GNU BG writes it so where White has rolled and Black gives up."""
    text = SAMPLE.split("  3) 52")[0] + "  3) 52:       Wins 2 points\n"
    match = one(text)
    assert match.report.faults == ()
    assert match.report.games[0].winner is Seat.WHITE
    right = one(text.replace("52:       Wins", "52:                         Wins"))
    assert right.report.games[0].winner is Seat.BLACK


@pytest.mark.parametrize(("points", "blacks"), [(1, "62:"), (2, "62:   ")])
def test_a_result_in_the_cell_of_a_roll_that_was_not_played_is_its_players(
    points: int, blacks: str
) -> None:
    """GNU BG writes it so where Black has rolled and White gives up."""
    plural = "s" * (points > 1)
    text = (
        " 5 point match\n\n Game 1\n ann : 0                         bob : 0\n"
        f"  1) 31: 8/5 6/5                  {blacks}  Wins {points} point{plural}\n"
    )
    [result] = replayed(text).results
    assert (result.winner, result.points, result.ending) == (Seat.BLACK, points, Ending.RESIGNED)


def test_an_illegal_play_that_a_program_let_pass_is_a_fault() -> None:
    text = SAMPLE.replace("52: 13/8 24/22", "52: Illegal play (0;0;1)")
    assert faults(text)[0].startswith("line 11: 52: column 1 Illegal: expected a point from 1")


def test_an_unlimited_session_is_one_for_money() -> None:
    text = BEAVER.replace("0 point match", "Unlimited match")
    assert [match.length for match in read_matches(text)] == [0]
