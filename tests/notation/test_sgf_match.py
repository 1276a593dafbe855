"""Backgammon in SGF, as it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from bgcore import Crawford, Cube, Kind, NotationError, Seat, SideSetup, load
from bgcore.notation.match_text import CellKind
from bgcore.notation.sgf_match import letter_of, point_of, read_sgf
from bgcore.replay import replayed

from .random_matches import games_of, in_sgf

SAMPLES = Path(__file__).parents[1] / "data/matches"


def sample(name: str) -> str:
    return (SAMPLES / f"{name}.sgf").read_text(encoding="utf-8")


def game(nodes: str, root: str = "MI[length:5]PW[ann]PB[bob]") -> str:
    return f"(;GM[6]{root}{nodes})"


def faults(text: str) -> list[str]:
    return [str(fault) for match in replayed(text, read=read_sgf) for fault in match.report.faults]


def cells(text: str) -> list[str]:
    [match] = read_sgf(text)
    return [f"{cell.seat} {cell.kind} {cell.play}".strip() for cell in match.games[0].cells]


# -- matches -----------------------------------------------------------------------------------------


def test_a_match_is_read_game_by_game() -> None:
    match = in_sgf(sample("plain"))
    assert match.report.faults == ()
    assert (match.report.length, match.report.score) == (3, (3, 2))
    assert match.report.winner is Seat.WHITE
    games = match.report.games
    assert [one.ended_by for one in games] == ["resign", "drop", "bearoff"]
    assert [one.level for one in games] == ["single", "single", "backgammon"]
    assert [one.score for one in games] == [(0, 0), (0, 1), (0, 2)]
    assert match.record.match(load()) == match.match


def test_variations_analysis_and_comments_change_nothing() -> None:
    plain, annotated = in_sgf(sample("plain")), in_sgf(sample("annotated"))
    assert annotated.report.faults == ()
    assert annotated.record.actions == plain.record.actions
    assert annotated.record.names == ("ann ] \\ ö", "bob: the other")
    told = {"event", "round", "site", "eventdate", "transcriber"}
    assert {key: annotated.record.headers[key] for key in told} == {
        "event": "A club evening [final]",
        "round": "1",
        "site": "somewhere",
        "eventdate": "2026.11.29",
        "transcriber": "nobody",
    }


def test_a_double_by_who_was_doubled_is_a_beaver() -> None:
    match = in_sgf(sample("beavers"))
    assert match.report.faults == ()
    assert match.report.score == (16, 13)
    kinds = [event.kind for event in games_of(match.match)[1].events]
    assert kinds[-5:] == [Kind.DOUBLE, Kind.ANIMAL, Kind.ANIMAL, Kind.ANIMAL, Kind.DROP]
    cubes = [(told.cube.value, told.end and told.end.cube) for told in games_of(match.match)]
    assert cubes == [(2, 4), (2, 16), (1, 8), (1, 1)]  # two games begin with an automatic double


def test_games_of_one_length_with_rising_numbers_are_a_match() -> None:
    first, second, third = sample("plain").split("\n(")
    one_by_one = [second, first, third, first, third]
    text = "(" + "\n(".join(part.removeprefix("(") for part in one_by_one)
    assert [len(match.games) for match in read_sgf(text)] == [1, 2, 2]
    other = third.replace("length:3", "length:5")
    assert [len(match.games) for match in read_sgf(f"{first}({other}")] == [1, 1]
    assert [match.length for match in read_sgf("(;GM[6])(;GM[6])")] == [0, 0]


def test_a_match_may_begin_with_a_later_game() -> None:
    _, *later = sample("plain").split("\n(")
    match = in_sgf("(" + "\n(".join(later))
    assert match.report.faults == ()
    assert match.record.start.score == (0, 1)
    assert match.report.winner is Seat.WHITE
    last = in_sgf("(" + later[1])
    assert match.match is not None and last.match is not None
    assert last.match.crawford is Crawford.NOW
    text = ("(" + later[1]).replace(":CrawfordGame", "")
    assert in_sgf(text).record.start.crawford is Crawford.AFTER


def test_letters_are_whites_points_for_both_colours() -> None:
    assert [point_of(letter, Seat.WHITE) for letter in "axyz"] == [1, 24, 25, 0]
    assert [point_of(letter, Seat.BLACK) for letter in "axyz"] == [24, 1, 25, 0]
    for seat in Seat:
        for point in range(26):
            assert point_of(letter_of(point, seat), seat) == point


def test_a_pair_may_cover_several_dice() -> None:
    assert cells(game(";W[61mf]")) == ["white roll 13/6"]
    assert faults(game("RE[W+1R];W[61mf]")) == []
    [fault] = faults(game("RE[W+1R];W[61mg]"))
    assert fault.startswith("line 1: 61: 13/7: more of the numbers can be used")


def test_only_dice_mean_that_nothing_could_be_played() -> None:
    [fault] = faults(game(";W[31];B[31]"))
    assert fault.startswith("line 1: 31: no play: more of the numbers can be used")


def test_dice_that_were_set_and_not_played_are_a_roll() -> None:
    for text in (game("RE[B+1R];PL[W]DI[31]"), game("RE[B+1R];PL[W];DI[31]")):
        assert cells(text) == ["white roll ????", "black wins"]
        assert faults(text) == []
    again = game(";PL[W]DI[31];W[42hdfd];PL[B]DI[66]")
    assert cells(again) == ["white roll 8/4 6/4", "black roll ????"]
    assert faults(again) == []
    assert in_sgf(again).record.actions[-1].kind is Kind.ROLL


def test_a_game_without_a_result_goes_on() -> None:
    for nodes, kind in (
        ("", None),
        (";W[31hefe]", Kind.PLAY),
        (";W[31hefe];B[double]", Kind.DOUBLE),
        (";W[31hefe];B[double];W[take]", Kind.TAKE),
    ):
        match = in_sgf(game(nodes))
        assert match.report.faults == ()
        assert match.report.games[0].ended_by == "unfinished"
        assert [action.kind for action in match.record.actions][-1:] == ([kind] if kind else [])
        assert match.match is not None
        assert match.match.game.result is None
    for word in ("", "?", "Void"):
        assert in_sgf(game("RE[" + word + "];W[31hefe]")).report.faults == ()


def test_a_game_that_stops_before_another_one_is_a_fault() -> None:
    first, second, _ = sample("plain").split("\n(")
    cut = first.replace("RE[B+1R]", "")
    assert faults(f"{cut}\n({second}") == []  # the score that follows tells
    even = second.replace("bs:1", "bs:0")
    assert faults(f"{cut}\n({even}")[0].startswith("line 4: game 1 has no result")


def test_a_last_double_of_who_resigns_was_a_question_to_a_program() -> None:
    text = game("RE[W+1R];W[31hefe];B[double]")
    assert cells(text) == ["white roll 8/5 6/5", "white wins"]
    assert faults(text) == []
    dropped = in_sgf(game("RE[B+1];W[31hefe];B[double]"))
    assert dropped.report.faults == ()
    assert dropped.report.games[0].ended_by == "drop"


def test_the_points_of_a_resignation_tell_its_level() -> None:
    for points, level in ((1, "single"), (2, "gammon"), (3, "backgammon")):
        match = in_sgf(game(f"RE[W+{points}R];W[31hefe]"))
        assert match.report.games[0].level == level


def test_a_servers_name_makes_no_money_game_of_a_match() -> None:
    match = in_sgf(game("PC[BackgammonGalaxy]RE[W+1R];W[31hefe]", "MI[length:16]"))
    assert match.record.options["match_length"] == 16
    assert match.record.headers["place"] == "BackgammonGalaxy"


def test_rules_are_read_as_options() -> None:
    told: dict[str, dict[str, object]] = {
        "": {"crawford": False},
        "Crawford": {"crawford": True},
        "Crawford:NoCube": {"crawford": True, "cube": False},
        "Jacoby": {"jacoby": True, "money_rules_in_match": "allow"},
    }
    for words, expected in told.items():
        options = in_sgf(game("", f"MI[length:5]RU[{words}]")).record.options
        assert expected.items() <= options.items()
        assert options["match_length"] == 5
    money = in_sgf(game("", "MI[length:0]RU[Jacoby]")).record.options
    assert (money["match_length"], money["jacoby"]) == (None, True)
    assert in_sgf(game("", "MI[length:0]")).record.options["jacoby"] is False
    unknown = faults(game("", "RU[Hypergammon1]"))
    assert unknown[0].startswith("line 1: variant Hypergammon1: expected")


def test_the_crawford_game_must_be_the_one_that_is_marked() -> None:
    text = sample("plain").replace("RU[Crawford]RE[B+1]", "RU[Crawford:CrawfordGame]RE[B+1]")
    assert faults(text) == [
        "line 5: game 2 as the Crawford game: expected that game only after somebody came to 2 first"
    ]
    assert faults(sample("plain").replace(";W[31hefe]", ";W[31hefe];B[double];W[take]", 1)) != []


# -- positions ---------------------------------------------------------------------------------------


def test_a_game_may_go_on_from_a_position() -> None:
    first, second, third = replayed(sample("set-up"), read=read_sgf)
    assert first.report.faults == second.report.faults == third.report.faults == ()
    start = first.record.start
    assert (start.score, start.seat, start.cube) == ((3, 5), Seat.BLACK, Cube(2, Seat.BLACK, True))
    assert start.position is not None
    assert dict(start.position.opponent.points) == {13: 1, 6: 3, 5: 1, 4: 1, 3: 1, 2: 1, 1: 1}
    assert (start.position.opponent.bar, start.position.opponent.off) == (1, 5)
    assert dict(start.position.mover.points) == {7: 1, 6: 2, 5: 2, 4: 2, 3: 2, 2: 1, 1: 2}
    assert start.position.mover.off == 3
    assert second.record.start.cube == Cube(4)
    assert second.report.games[0].points == 4
    assert third.record.options["cube"] is False
    assert third.match is not None
    assert third.match.game.seat is Seat.BLACK


def test_only_a_cube_may_be_set_up() -> None:
    match = in_sgf(game(";CV[2];CP[w];W[66xrxrmgmg]"))
    assert match.report.faults == ()
    assert match.record.start.cube == Cube(2, Seat.WHITE, turned=True)
    assert match.record.start.position == load().rules("western").start
    assert in_sgf(game(";CV[1];CP[c];W[31hefe]")).record.start.position is None


def test_ties_that_doubled_the_stake_stand_in_the_root() -> None:
    match = in_sgf(game("CV[4]RE[W+4R];W[31hefe]", "MI[length:0]"))
    assert match.report.faults == ()
    assert match.record.options["auto_doubles"] is None
    assert [action.dice for action in match.record.actions[:3]] == [(1, 1), (1, 1), (3, 1)]
    crawford = game("CV[2];W[31hefe]", "MI[length:5][ws:4]RU[Crawford:CrawfordGame]")
    assert faults(crawford) == ["line 1: a cube of 2 before the first roll: expected 1"]


@pytest.mark.parametrize(
    ("nodes", "says"),
    [
        (";PL[W]AE[a:y]AW[a]AB[a]", "line 1: "),
        (";PL[W]AE[a:y]AW" + "[b]" * 16 + "AB[a]", "line 1: "),
        (";PL[W]AE[a:y]AB[b]", "line 1: "),
        (";CV[3];W[31hefe]", "line 1: 3: not a value of the cube, expected 1, 2, 4 and so on"),
        (";PL[W]DI[31];B[64alql]", "line 1: 31: ????: expected a play"),
        (";W[31hefe];W[31hefe]", "line 1: 31: white: it is not white's turn"),
        (";W[11hefe]", "line 1: opening roll 11: expected two different numbers"),
        (";W[31hefe];B[take]", "line 1: take: not now"),
        (";W[31hefe];B[double];B[double]", "line 1: a double of a double: expected Takes or Drops"),
        ("RE[B+1];W[31hefe];B[double];W[take];B[double]", "line 1: "),
    ],
)
def test_what_breaks_a_rule_is_a_fault_with_its_line(nodes: str, says: str) -> None:
    found = faults(game(nodes))
    assert found
    assert found[0].startswith(says)


def test_only_the_first_game_of_a_match_may_be_set_up() -> None:
    text = sample("plain").replace(";W[31hefe]", ";CV[2];CP[b];W[31hefe]")
    assert faults(text)[0] == (
        "line 10: game 3 is set up: expected only the first game of a match to begin from a position"
    )


# -- what cannot be read -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(;FF[4])", "line 1 column 2 ;: expected GM[6]"),
        ("(;GM[1];B[aa])", "line 1 column 3 GM[1]: expected GM[6]"),
        (game(";W[]"), "W[]: expected two dice and a play such as 31hefe, double, take or drop"),
        (game(";W[pass]"), "W[pass]: expected two dice and a play"),
        (game(";W[71hefe]"), "W[71hefe]: expected two dice"),
        (game(";W[³1hefe]"), "W[³1hefe]: expected two dice"),
        (game(";W[31hef]"), "W[31hef]: expected at most four pairs of letters"),
        (game(";W[31hefehefehe]"), "W[31hefehefehe]: expected at most four pairs"),
        (game(";W[31Hefe]"), "W[31Hefe]: expected at most four pairs"),
        (game(";W[31zafe]"), "W[31zafe]: expected at most four pairs"),
        (game(";W[31hyfe]"), "W[31hyfe]: expected at most four pairs"),
        (game(";DI[31]"), "DI[31]: expected PL[W] or PL[B] before it"),
        (game(";PL[W]DI[3]"), "DI[3]: expected two dice"),
        (game(";PL[x]"), "PL[x]: expected W or B"),
        (game("RE[W+R]"), "RE[W+R]: expected a winner and points such as W+2 or B+1R"),
        (game("", "MI[length:x]"), "MI[length:x]: expected a number such as length:7"),
        (game("", f"MI[length:{10**30}]"), "000000]: expected a number such as length:7"),
        (game("CV[x]"), "CV[x]: expected a value of the cube such as 2"),
        (game("CV[3]"), "CV[3]: expected 1, 2, 4 and so on"),
        (game(f"CV[{10**30}]"), "000000]: expected a value of the cube"),
        (game("CV[4194304]"), "CV[4194304]: expected 1, 2, 4 and so on"),
        (game(";CP[x]"), "CP[x]: expected c, w or b"),
        (game(";AW[a]"), "AW[a]: expected AE[a:y] before it"),
        (game(";AE[a]"), "AE[a]: expected AE[a:y]"),
        (game(";AE[a:z]"), "AE[a:z]: expected a letter from a to y"),
        (game(";AE[a:y]AW[ab]"), "AW[ab]: expected a letter from a to y"),
        (game(";AE[a:y]AW[a:]"), "AW[a:]: expected a letter from a to y"),
        (game(";W[31hefe];AE[a:y]"), "AE[a:y]: expected nothing set up once the game has begun"),
        (game(";W[31hefe];CV[2]"), "CV[2]: expected nothing set up once the game has begun"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(text: str, says: str) -> None:
    with pytest.raises(NotationError) as refused:
        list(read_sgf(text))
    assert refused.value.faults[0].field.startswith("line 1 column ")
    assert says in str(refused.value)


def test_a_board_is_what_its_letters_say() -> None:
    text = game(";AE[a:y]AW[y][y][a:c][c]AB[y][x][a];PL[B]")
    [match] = read_sgf(text)
    given = match.games[0].given
    assert given.seat is Seat.BLACK
    assert given.board is not None
    assert given.board.opponent == SideSetup({1: 1, 2: 1, 3: 2}, bar=2)
    assert given.board.mover == SideSetup({1: 1, 24: 1}, bar=1)


def test_a_cell_knows_its_place() -> None:
    [match] = read_sgf("(;GM[6]\nRE[W+1R]\n ;W[31hefe]\n\n;B[double])")
    roll, win = match.games[0].cells
    assert (roll.line, roll.column, win.line, win.column) == (3, 3, 2, 1)
    assert win.kind is CellKind.WINS


@pytest.mark.parametrize(
    "nodes",
    ["CV[2]", ";CV[2]", "MI[length:3]", "RE[?]", ";AE[a:y]AW[a:y]", "AW[a]", ";PL[W]DI[31]"],
)
def test_a_hundred_thousand_of_anything_are_no_trouble(nodes: str) -> None:
    refusal = None
    try:
        [match] = read_sgf(game(nodes * 100_000))
    except NotationError as error:
        refusal = error
    assert match.games if refusal is None else "line 1 column " in str(refusal)
