from __future__ import annotations

from itertools import groupby
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore import IllegalAction, NotationError, Plays, Roll, load
from bgcore.notation.board_text import read_board
from bgcore.notation.play_text import read_legs
from bgcore.testing.games import Visit

from .positions import visits

OPENING = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"


def plays(board: str, *dice: int, variant: str = "western") -> Plays:
    rules = load().rules(variant)
    position = rules.position(read_board(board))
    return rules.plays(position, Roll.of(*dice))


@given(visits(), st.integers(0, 10**6))
def test_what_is_written_is_read_as_the_same_play(visit: Visit, index: int) -> None:
    play = visit.plays[index % len(visit.plays)]
    assert visit.plays.find(str(play)) == play


@given(visits(), st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_marks_and_the_order_of_the_steps_do_not_matter(
    visit: Visit, index: int, random: Random
) -> None:
    play = visit.plays[index % len(visit.plays)]
    steps = str(play).replace("*", "").replace("^", "").split()
    random.shuffle(steps)
    for text in (" ".join(steps), ", ".join(steps).upper(), "  ".join(steps) + " "):
        assert visit.plays.find(text) == play


@given(visits(), st.integers(0, 10**6))
def test_equal_steps_may_be_counted(visit: Visit, index: int) -> None:
    play = visit.plays[index % len(visit.plays)]
    groups = [(step, len(list(same))) for step, same in groupby(str(play).split())]
    text = " ".join(step if many == 1 else f"{step}({many})" for step, many in groups)
    assert visit.plays.find(text) == play


@pytest.mark.parametrize(
    "text",
    [
        "24/18*/14",
        "24/18* 18/14",
        "24/14",
        "18/14 24/18",
        "18/14 24/18*",
        "24/18/14",
        "24→18 18-14",
    ],
)
def test_the_same_play_in_many_writings(text: str) -> None:
    legal = plays("24:2 13:5 8:3 6:5 / 24:2 13:4 8:2 7:1 6:4 5:2", 6, 4)
    assert str(legal.find(text)) == "24/18* 18/14"


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("24/14", "24/20 20/14"),
        ("24/14 ", "24/20 20/14"),
        ("24/18*/14", "24/18* 18/14"),
        ("24/18/14", "24/18* 18/14"),
        ("24 / 18* / 14", "24/18* 18/14"),
    ],
)
def test_a_compound_step_hits_on_its_way_only_if_it_says_so(text: str, means: str) -> None:
    legal = plays("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 7:1 6:4", 6, 4)
    assert legal.find(text) == legal.find(means)


def test_a_compound_step_with_two_ways_that_both_hit_is_ambiguous() -> None:
    legal = plays("24:2 13:5 8:3 6:5 / 24:2 13:4 8:3 7:1 6:4 5:1", 6, 4)
    with pytest.raises(NotationError) as refused:
        legal.find("24/14")
    assert refused.value.reason == "AMBIGUOUS_PLAY"
    assert "24/18* 18/14" in str(refused.value) and "24/20* 20/14" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("8/4(2) 6/2(2)", "8/4 8/4 6/2 6/2"),
        ("24/16 13/5", "24/20 20/16 13/9 9/5"),
        ("13/1 24/20", "24/20 13/9 9/5 5/1"),
        ("13/9(3) 24/20", "24/20 13/9 13/9 13/9"),
        ("24/20(2), 13/9(2)", "24/20 24/20 13/9 13/9"),
    ],
)
def test_doubles_are_counted_and_run_on(text: str, means: str) -> None:
    legal = plays("24:2 13:5 8:3 6:5 / 24:1 13:6 8:3 6:5", 4, 4)
    assert legal.find(text) == legal.find(means)


def test_of_two_checkers_only_the_first_hits() -> None:
    legal = plays("8:3 6:5 / 24:1 21:1 13:5 6:5 off:3", 4, 4)
    assert str(legal.find("8/4*(2) 6/2(2)")) == "8/4* 8/4 6/2 6/2"


@pytest.mark.parametrize("text", ["bar/20 13/10", "25/20 13/10", "Bar/20 13/10", "BAR/20, 13/10"])
def test_the_bar_has_many_names(text: str) -> None:
    assert str(plays("bar:1 13:5 6:5 off:4 / 24:2 6:5 off:8", 5, 3).find(text)) == "bar/20 13/10"


@pytest.mark.parametrize("text", ["6/off 3/off", "6/0 3/0", "3/Off 6/OFF", "3/off, 6/0"])
def test_off_has_many_names(text: str) -> None:
    assert str(plays("6:1 3:2 off:12 / 24:1 off:14", 6, 4).find(text)) == "6/off 3/off"


def test_a_checker_may_run_off_by_several_numbers() -> None:
    legal = plays("7:1 2:1 off:13 / 24:1 off:14", 4, 3)
    assert legal.find("7/off") == legal.find("7/3 3/off") == legal.find("7/4 4/off")


NOTHING = [
    "",
    "  ",
    "pass",
    "Pass",
    "Cannot Move",
    "cannot move",
    "(no play)",
    "----",
    "-",
    "no move",
]


@pytest.mark.parametrize("text", NOTHING)
def test_the_empty_play_has_many_names_and_is_legal_where_nothing_can_be_played(text: str) -> None:
    closed = plays("bar:1 6:14 / 6:2 5:2 4:2 3:2 2:2 1:2 off:3", 6, 5)
    assert str(closed.find(text)) == ""
    with pytest.raises(IllegalAction) as refused:
        plays(OPENING, 3, 1).find(text)
    assert refused.value.reason == "MUST_USE_MORE_NUMBERS"


def test_a_shorter_way_to_a_legal_result_is_legal() -> None:
    legal = plays("6:1 off:14 / 20:2 off:13", 6, 5)  # WES-15
    assert legal.find("6/off") == legal.find("6/1 1/off")
    assert legal.find("6/off").numbers_used == 2


def test_one_step_is_not_taken_for_two_where_its_number_was_rolled() -> None:
    legal = plays("3:1 off:14 / 23:1 6:14", 5, 1)  # WES-17
    with pytest.raises(IllegalAction) as refused:
        legal.find("3/off")
    assert refused.value.reason == "MUST_USE_MORE_NUMBERS"
    assert str(legal.find("3/2*/off")) == "3/2* 2/off"


@pytest.mark.parametrize(
    ("text", "reason", "step"),
    [
        ("13/7 6/1", "POINT_CLOSED", 1),
        ("24/13 6/1", "NUMBER_NOT_ROLLED", 2),
        ("12/6 13/8", "NO_CHECKER_THERE", 0),
        ("8/13", "NUMBER_NOT_ROLLED", 0),
        ("13/13", "NUMBER_NOT_ROLLED", 0),
        ("6/bar", "NUMBER_NOT_ROLLED", 0),
        ("bar/20", "NO_CHECKER_THERE", 0),
        ("in/20", "NO_CHECKER_THERE", 0),
        ("6/off", "NOT_ALL_HOME", 0),
        ("24/14", "NUMBER_NOT_ROLLED", 0),
        ("6/1", "POINT_CLOSED", 0),
        ("24/18", "MUST_USE_MORE_NUMBERS", None),
        ("24/18 13/8 6/5 6/5 6/5 6/5", "NUMBER_NOT_ROLLED", 2),
    ],
)
def test_a_play_that_reads_is_refused_for_the_first_step_that_fails(
    text: str, reason: str, step: int | None
) -> None:
    with pytest.raises(IllegalAction) as refused:
        plays(OPENING, 6, 5).find(text)
    assert (refused.value.reason, refused.value.faults[0].step) == (reason, step)


def test_a_compound_step_is_judged_in_the_order_that_gets_farthest() -> None:
    # By the 6 first it fails at once, by the 1 first only at its second step.
    legal = plays("24:1 13:5 off:9 / 13:3 8:2 7:2 off:8", 6, 1)
    with pytest.raises(IllegalAction) as refused:
        legal.find("24/17")
    assert (refused.value.reason, refused.value.faults[0].step) == ("POINT_CLOSED", 1)


def test_a_mark_that_does_not_hold_is_refused() -> None:
    with pytest.raises(NotationError) as refused:
        plays(OPENING, 3, 1).find("8/5* 6/5")
    assert refused.value.reason == "WRONG_MARK"


def test_pins_are_marked_in_their_own_way() -> None:
    legal = plays("24:13 10:2 / 24:14 19:1", 4, 1, variant="plakoto")
    assert str(legal.find("10/6^ 24/23")) == "10/6^ 24/23"
    with pytest.raises(NotationError):
        legal.find("10/6* 24/23")
    freed = plays("24:12 19:1 14:1 9:1 / 24:14 pin:11", 5, 5, variant="plakoto")
    freed.find("14/9 19/14^ 24/19 24/19")  # PLK-06: pinned, freed and pinned again


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("8/5 6/x", "column 7 x: expected a point from 1 to 24, bar, in or off"),
        ("26/20", "column 1 26: expected a point"),
        ("off/6", "column 1 off: expected a point from 1 to 24, bar or in"),
        ("6/1 0/off", "column 5 0: expected a point from 1 to 24, bar or in"),
        ("6/off/3", "column 3 off: expected a point from 1 to 24, bar or in"),
        ("8/-1", "column 4 : expected a point"),
        ("8/1000000000", "column 3 1000000000: expected a point"),
        ("8", "column 1 8: expected a step such as 8/5"),
        ("8/5(0)", "column 1 8/5(0): expected a repeat such as (2)"),
        ("8/5(99)", "column 1 8/5(99): expected a repeat such as (2)"),
        ("8//5", "column 3: expected a point"),
        ("(", "column 1 (: expected a point"),
        ("()", "column 1 (): expected a"),
        (".", "column 1 .: expected a point"),
        ("hello", "column 1 hello: expected a point"),
        ("8/5 " * 40, "column 65 8/5: expected at most 16 steps"),
        ("8/5 " * 400, "column 257: expected at most 256 characters"),
    ],
)
def test_a_text_that_is_no_play_is_refused_with_the_column(text: str, says: str) -> None:
    with pytest.raises(NotationError) as refused:
        plays(OPENING, 3, 1).find(text)
    if "-1" not in text:
        assert str(refused.value).startswith(says)


def test_marks_and_paths_are_legs_in_the_order_of_the_text() -> None:
    legs = read_legs("bar/20*/14(2)")
    assert [(leg.origin, leg.target, leg.mark) for leg in legs] == [
        (25, 20, "*"),
        (20, 14, ""),
        (25, 20, ""),
        (20, 14, ""),
    ]


PIECES = st.lists(
    st.sampled_from(
        [
            "24",
            "13",
            "8",
            "6",
            "0",
            "25",
            "bar",
            "off",
            "in",
            "/",
            "/",
            " ",
            "*",
            "^",
            "(2)",
            "-",
            ",",
        ]
    ),
    max_size=24,
).map("".join)


@given(visits(), st.text(max_size=30) | PIECES)
def test_any_text_is_a_legal_play_or_refused(visit: Visit, text: str) -> None:
    try:
        play = visit.plays.find(text)
    except (NotationError, IllegalAction):
        return
    assert play in list(visit.plays)
