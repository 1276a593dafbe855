from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore import Cube, IllegalPosition, Level, NotationError, Seat, Setup, SideSetup, load
from bgcore.axes import Layout
from bgcore.notation.match_id import write_gnubg_id
from bgcore.notation.situation import Situation, State
from bgcore.notation.xgid import read_xgid, write_xgid

from .situations import mutated, xg_situations

DATA = Path(__file__).parent.parent / "data"
WESTERN = load().rules("western")
WHITE, BLACK = Seat.WHITE, Seat.BLACK
START = "-b----E-C---eE---c-e----B-"
ROLLED = f"XGID={START}:0:0:1:52:1:3:0:7:6"


def read(text: str) -> Situation:
    return read_xgid(text, WESTERN.variant)


def write(here: Situation) -> str:
    return write_xgid(here, WESTERN)


# -- what eXtreme Gammon, GNU Backgammon and others say ---------------------------------------------


def places(side: SideSetup) -> list[int]:
    return [*(side.points.get(point, 0) for point in range(1, 25)), side.bar]


def sign(seat: Seat | None) -> int:
    return {BLACK: 1, WHITE: -1, None: 0}[seat]


def test_every_field_of_the_vectors_is_read_and_written_again() -> None:
    records = [json.loads(line) for line in (DATA / "vectors/xgid.jsonl").read_text().splitlines()]
    assert len(records) == 200
    for record in records:
        here = read(record["xgid"])
        assert found(here) == {name: record[name] for name in found(here)}
        assert write(here) == record["xgid"]
        assert write_gnubg_id(here, WESTERN) == f"{record['position_id']}:{record['match_id']}"


def found(here: Situation) -> dict[str, Any]:
    """A situation in the words of the vectors."""
    assert here.cube_cap is not None
    return {
        "board_bottom": places(here.side(BLACK)),
        "board_top": places(here.side(WHITE)),
        "cube": here.cube.value,
        "owner": sign(here.cube.owner),
        "turn": sign(here.seat),
        "dice": list(here.dice or (0, 0)),
        "score": [here.score[BLACK], here.score[WHITE]],
        "length": here.length or 0,
        "crawford": here.crawford,
        "jacoby": here.jacoby,
        "beavers": here.beavers,
        "max_cube_log2": here.cube_cap.bit_length() - 1,
    }


# -- the text of eXtreme Gammon, whose words are translated ---------------------------------------------


@pytest.mark.needs_real
def test_the_board_is_the_drawing_and_the_pip_count_of_the_text_in_every_language(
    real: Path,
) -> None:
    files = sorted((real / "positions/xg").glob("*.txt"))
    assert len(files) == 28
    for file in files:
        text = file.read_text(encoding="utf-8")
        here = read(text.splitlines()[0])
        assert {seat: dict(here.side(seat).points) for seat in Seat} == drawing(text), file.name
        pips = re.search(r"X: (\d+) +O: (\d+) X-O: ", text)
        score = re.search(r"X-O: (\d+)-(\d+)/(\d+)", text)
        cube = re.search(r"\| \| +(\d+) \|", text)  # a box beside the board, once it was turned
        assert pips and score
        position = WESTERN.position(here.setup or Setup(SideSetup(), SideSetup()))
        by_seat = {here.seat: position.mover, here.seat.other: position.opponent}
        assert (by_seat[BLACK].pips, by_seat[WHITE].pips) == tuple(map(int, pips.groups()))
        assert [here.score[BLACK], here.score[WHITE], here.length] == [*map(int, score.groups())]
        assert here.cube.value == (int(cube[1]) if cube else 1)
        assert write(here) == text.splitlines()[0].strip()


def drawing(text: str) -> dict[Seat, dict[int, int]]:
    """Both sides of the drawn board, each by its own numbers."""
    lines = text.splitlines()
    edges = [number for number, line in enumerate(lines) if re.match(r" \+\d+-", line)]
    rows = lines[edges[0] + 1 : edges[1]]
    held: dict[Seat, dict[int, int]] = {WHITE: {}, BLACK: {}}
    for edge, stack in ((edges[0], rows[:5]), (edges[1], rows[:5:-1])):
        for mark in re.finditer(r"\d+", lines[edge]):
            letters = [row[mark.end() - 1] for row in stack]
            seen = [letter for letter in letters if letter != " "]
            if seen:
                count = int(seen[-1]) if seen[-1].isdigit() else len(seen)
                seat = BLACK if seen[0] == "X" else WHITE
                point = int(mark.group())
                held[seat][point if seat is BLACK else 25 - point] = count
    return held


# -- reported faults ----------------------------------------------------------------------------------------


def faults(number: str, key: str) -> list[dict[str, Any]]:
    lines = (DATA / "cases/faults.jsonl").read_text().splitlines()
    return [one for one in map(json.loads, lines) if one["fault"] == number and key in one]


F16_SAYS = {
    "F16d": "XGID board -b----E-C---eE---c-e----B (25 characters): expected 26 characters",
    "F16e": "(27 characters): expected 26 characters",
    "F16f": "XGID board character 25 'a': expected a capital or -: it is X's bar",
    "F16g": "XGID board character 0 'A': expected a small letter or -: it is O's bar",
}


@pytest.mark.parametrize("case", faults("F16", "xgid"), ids=lambda case: case["id"])
def test_F16_an_xgid_that_describes_no_position_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(NotationError) as refused:
        read(case["xgid"])
    assert F16_SAYS[case["id"]] in str(refused.value)


# -- reading ---------------------------------------------------------------------------------------------------


def test_the_bottom_player_is_black_and_the_top_player_white() -> None:
    here = read("XGID=a-a-----------------------:1:-1:1:00:2:3:1:5:10")
    assert (here.side(WHITE).bar, here.side(WHITE).points, here.side(BLACK).points) == (
        1,
        {23: 1},
        {},
    )
    assert (here.seat, here.cube.owner, here.score) == (BLACK, WHITE, (3, 2))


@pytest.mark.parametrize(
    "text", [ROLLED[5:], f"  {ROLLED} \r\n", "XGID = " + ROLLED[5:], ROLLED.replace("XGID", "xgid")]
)
def test_the_prefix_may_be_missing_and_blanks_may_be_around(text: str) -> None:
    assert read(text) == read(ROLLED)


def test_without_the_last_field_there_is_no_cap() -> None:
    here = read(ROLLED.rpartition(":")[0])
    assert here == replace(read(ROLLED), cube_cap=None)
    assert write(here) == ROLLED.replace(":6", ":10")


def test_a_cube_above_the_usual_cap_raises_it_where_there_is_none() -> None:
    here = replace(read(ROLLED), cube=Cube(4096, BLACK, turned=True), cube_cap=None)
    assert write(here).endswith(":12")


def test_a_cap_between_two_cubes_is_written_as_the_lower() -> None:
    assert write(replace(read(ROLLED), cube_cap=100)) == ROLLED


@pytest.mark.parametrize("length", [0, 99_999, 100_000])
def test_a_length_without_end_is_money(length: int) -> None:
    here = read(f"{START}:0:0:1:00:0:0:3:{length}:10")
    assert (here.length, here.jacoby, here.beavers, here.crawford) == (None, True, True, False)


@pytest.mark.parametrize(
    ("word", "raised", "decider"),
    [("00", 0, BLACK), ("D", 1, WHITE), ("B", 2, BLACK), ("R", 3, WHITE)],
)
def test_the_turn_is_the_side_that_doubled(word: str, raised: int, decider: Seat) -> None:
    text = f"XGID={START}:1:1:1:{word}:0:0:2:0:10"
    here = read(text)
    assert (here.seat, here.raised, here.decider, here.dice) == (BLACK, raised, decider, ())
    assert here.cube == Cube(2, BLACK, turned=True)
    assert write(here) == text


def test_where_the_other_side_has_the_cube_it_is_the_one_that_doubled() -> None:
    """Some converters write who has to answer."""
    here = read(f"{START}:1:-1:1:D:0:0:0:7:10")
    assert here == read(f"{START}:1:-1:-1:D:0:0:0:7:10")
    assert (here.seat, here.decider) == (WHITE, BLACK)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("E-C", "E@C"), "XGID board character 7 '@': expected -, A to O or a to o"),
        (("E-C", "EÄC"), "XGID board character 7 'Ä'"),
        (("E-C", "EPC"), "XGID board character 7 'P': expected -, A to O or a to o"),
        (("E-C", "EAC"), "XGID X checkers 16: expected at most 15"),
        (("E-C", "EaC"), "XGID O checkers 16: expected at most 15"),
        (("E-C", "E:C"), "(11 fields): expected 10 with a colon between, or all but the last"),
        ((":0:0:1", ":-1:0:1"), "XGID cube -1: expected 0 to 20"),
        ((":0:0:1", ":99:0:1"), "XGID cube 99: expected 0 to 20"),
        ((":0:0:1", ":x:0:1"), "XGID cube 'x': expected a whole number"),
        ((":0:0:1", ":0:2:1"), "XGID owner 2: expected -1, 0 or 1"),
        ((":0:0:1", ":0:0:0"), "XGID turn 0: expected -1 or 1"),
        ((":52:", ":57:"), "XGID dice 57: expected two dice from 1 to 6, 00, D, B or R"),
        ((":52:", ":5:"), "XGID dice 5: expected"),
        ((":52:", ":00:0:"), "(11 fields)"),
        ((":1:3:", ":8:3:"), "XGID score of X 8: expected 0 to the length, 7"),
        ((":1:3:", ":1:-3:"), "XGID score of O -3: expected 0 to the length, 7"),
        ((":1:3:", ":1::"), "XGID score of O '': expected a whole number"),
        ((":0:7:6", ":2:7:6"), "XGID rules 2: expected 0 or 1"),
        ((":0:7:6", ":4:0:6"), "XGID rules 4: expected 0, 1, 2 or 3"),
        ((":0:7:6", ":0:-7:6"), "XGID length -7: expected 1 to 32767, or 0 for money"),
        ((":0:7:6", ":0:40000:6"), "XGID length 40000: expected 1 to 32767, or 0 for money"),
        ((":0:7:6", ":0:7:21"), "XGID highest cube 21: expected 0 to 20"),
        ((":0:7:6", ":0:٧:6"), "XGID length '٧': expected a whole number"),
        ((":0:7:6", ""), "(7 fields): expected 10"),
        ((ROLLED, ""), "XGID  (1 fields)"),
        ((ROLLED, "x" * 1000), "XGID 1000 characters: expected at most 200"),
    ],
)
def test_what_is_wrong_is_named_by_field_or_character(change: tuple[str, str], says: str) -> None:
    with pytest.raises(NotationError) as refused:
        read(ROLLED.replace(*change))
    assert says in str(refused.value)


def test_a_variant_with_fewer_checkers_takes_fewer() -> None:
    small = replace(WESTERN.variant, id="small", checkers=3, start={24: 3})
    assert read_xgid("-c----------------------C-:0:0:1:00:0:0:0:0:10", small).side(BLACK).off == 0
    with pytest.raises(NotationError, match="expected -, A to C or a to c"):
        read_xgid(ROLLED, small)


@pytest.mark.parametrize(
    "variant",
    [load().variant("plakoto"), replace(WESTERN.variant, id="same-way", layout=Layout.SAME)],
    ids=lambda variant: variant.id,
)
def test_where_a_board_does_not_fit_an_xgid_says_so(variant: Any) -> None:
    with pytest.raises(NotationError, match="for an XGID"):
        read_xgid(ROLLED, variant)


# -- writing -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"cube": Cube(3, None)}, "cube 3: expected 1, 2, 4 and so on to 1048576, as IDs write no"),
        ({"setup": None}, "board missing: expected one, such as a Position ID beside a Match ID"),
        ({"state": State.DROPPED}, "state dropped: expected a game that is on, for an XGID"),
        ({"state": State.NONE, "dice": ()}, "state none: expected a game that is on"),
        ({"resigned": Level.GAMMON}, "resigned gammon: expected no resignation that waits"),
        ({"raised": 4, "dice": ()}, "raised 4: expected 0 to 3"),
        ({"raised": 1}, "dice [5, 2]: expected none while a double waits"),
        ({"dice": (5,)}, "dice [5]: expected two dice from 1 to 6, or none"),
        ({"score": (8, 0)}, "score [8, 0]: expected two numbers from 0 up to the length"),
        ({"length": 40_000}, "length 40000: expected 1 to 32767"),
        ({"length": None, "crawford": True}, "crawford true: expected false"),
    ],
)
def test_what_it_cannot_say_is_refused_by_name(change: dict[str, Any], says: str) -> None:
    with pytest.raises(NotationError) as refused:
        write(replace(read(ROLLED), **change))
    assert says in str(refused.value)


def test_a_board_that_the_rules_do_not_have_is_not_written() -> None:
    crowded = Setup(SideSetup({6: 16}), SideSetup({6: 5}))
    with pytest.raises(IllegalPosition, match="mover checkers 16"):
        write(replace(read(ROLLED), setup=crowded))


# -- for any ---------------------------------------------------------------------------------------------


@given(xg_situations())
def test_an_xgid_read_is_what_was_written(here: Situation) -> None:
    assert read(write(here)) == here


@given(st.text(max_size=80) | mutated(xg_situations().map(write)))
def test_any_text_is_an_xgid_or_a_notation_error(text: str) -> None:
    try:
        here = read(text)
    except NotationError:
        return
    try:
        again = read(write(here))
    except IllegalPosition:  # nobody has a checker left
        return
    assert again == (here if here.cube_cap else replace(here, cube_cap=again.cube_cap))
