"""The list of formats: each reads what it writes, is known by how it begins, and says what it is not for."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgcore import BgcoreError, Cube, Level, NotationError, Position, Rules, Seat, load
from bgcore.notation.formats import (
    FORMATS,
    MATCH_FORMATS,
    POSITION_FORMATS,
    Format,
    MatchFormat,
    PositionFormat,
    format_of,
    guess,
    guess_match,
)
from bgcore.notation.position_lines import bare
from bgcore.notation.situation import Situation, State
from bgcore.record import Record
from bgcore.setup import Setup, SideSetup
from bgcore.testing import self_play

from .samples import SAMPLE
from .test_record_text import SMALL, random_match

VARIANTS = tuple(entry.variant.id for entry in load())
HITTING = ("western", "tavla")
READ = [one for one in POSITION_FORMATS if one.read]
DRAWN = [one for one in POSITION_FORMATS if not one.read]
IDS = [one for one in POSITION_FORMATS if one.id in ("xgid", "match-id", "position-id")]
BOTH_WAYS = list(MATCH_FORMATS)


def ids(formats: list[PositionFormat] | list[MatchFormat] | list[Format]) -> list[str]:
    return [one.id for one in formats]


def position(rules: Rules, seed: int) -> Position:
    """Some position of a random game."""
    visits = list(self_play(rules, Random(seed)))
    return Random(seed).choice(visits).position


def suits_variant(form: Format, variant: str) -> bool:
    return form not in IDS or variant in HITTING


# -- the list ----------------------------------------------------------------------------------------


def test_every_format_has_its_own_id_a_title_and_suffixes() -> None:
    assert len(FORMATS) == len(MATCH_FORMATS) + len(POSITION_FORMATS)
    for name, form in FORMATS.items():
        assert format_of(name) is form
        assert form.title
        assert form.suffixes and all(suffix.startswith(".") for suffix in form.suffixes)


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(NotationError, match=r"format pgn: expected one of record, .*svg"):
        format_of("pgn")


def test_the_page_says_of_every_format_whether_it_is_read_and_written() -> None:
    page = (Path(__file__).parents[2] / "docs/notations.md").read_text()
    told = re.findall(r"^\| `([a-z-]+)` \|.*? \| (yes|no) \| (yes|no) \|", page, re.MULTILINE)
    word = {True: "yes", False: "no"}
    assert sorted(told) == sorted(
        (one.id, word[one.read is not None], word[one.write is not None])
        for one in FORMATS.values()
    )


# -- positions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", READ, ids=ids(READ))
@settings(max_examples=25)
@given(
    variant=st.sampled_from(VARIANTS),
    seed=st.integers(0, 10**6),
    dice=st.sampled_from([(), (3, 1), (6, 6)]),
)
def test_a_position_is_read_as_it_was_written(
    form: PositionFormat, variant: str, seed: int, dice: tuple[int, ...]
) -> None:
    rules = load().rules(variant)
    if not suits_variant(form, variant):
        return
    dice += dice[-1:] * (rules.variant.dice - 2)
    here = bare(position(rules, seed).setup, rules, dice)
    text = form.write(here, rules)
    assert "\n" not in text
    assert form.read is not None
    read = form.read(text, rules)
    assert read.position(rules) == here.position(rules)
    assert form.write(read, rules) == text
    if form.of_match:
        assert read.options(rules.variant).keys() <= rules.options.keys()
        told = replace(here, setup=None, cube_cap=read.cube_cap)  # a Match ID tells of no cap
        assert replace(read, setup=None) == told


@pytest.mark.parametrize("form", DRAWN, ids=ids(DRAWN))
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_drawing_is_written_of_any_position(form: PositionFormat, variant: str) -> None:
    rules = load().rules(variant)
    texts = {form.write(bare(position(rules, seed).setup, rules), rules) for seed in range(5)}
    assert len(texts) == 5


@pytest.mark.parametrize("form", IDS, ids=ids(IDS))
@pytest.mark.parametrize("variant", ["plakoto", "gul-bara"])
def test_ids_of_boards_with_hits_are_refused_for_other_games(
    form: PositionFormat, variant: str
) -> None:
    western, rules = load().rules("western"), load().rules(variant)
    text = form.write(bare(western.start.setup, western), western)
    assert form.read is not None
    with pytest.raises(NotationError) as read:
        form.read(text, rules)
    with pytest.raises(NotationError) as written:
        form.write(bare(rules.start.setup, rules), rules)
    assert read.value.reason == written.value.reason == "NOTATION_NOT_FOR_VARIANT"
    assert variant in str(read.value)


@pytest.mark.parametrize("form", POSITION_FORMATS, ids=ids(list(POSITION_FORMATS)))
def test_a_board_that_the_rules_do_not_allow_is_not_written(form: PositionFormat) -> None:
    rules = load().rules("western")
    start = rules.start.setup
    crowded = replace(start, mover=replace(start.mover, points={6: 16}))
    with pytest.raises(BgcoreError, match="mover checkers 16: expected 15"):
        form.write(bare(crowded, rules), rules)


def test_the_picture_shows_a_double_and_a_score() -> None:
    western = load().rules("western")
    here = bare(western.start.setup, western)
    doubled = replace(here, raised=1, decider=here.seat.other, score=(2, 3))
    form = FORMATS["svg"]
    assert isinstance(form, PositionFormat)
    plain, picture = form.write(here, western), form.write(doubled, western)
    assert "Black on roll" in plain and "cube offered to White" in picture
    assert "3 of 7" in picture and "of 7" not in plain


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_drawing_has_a_cube_only_where_one_is_in_play(variant: str) -> None:
    rules, form = load().rules(variant), FORMATS["svg"]
    assert isinstance(form, PositionFormat)
    picture = form.write(bare(rules.start.setup, rules), rules)
    assert ('class="cube"' in picture) is bool(rules.options.get("cube"))


# -- matches -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", BOTH_WAYS, ids=ids(BOTH_WAYS))
def test_matches_are_read_as_they_were_written_one_behind_another(form: MatchFormat) -> None:
    assert form.write is not None
    registry = load()
    [sample] = guess_match(SAMPLE).read(SAMPLE, registry)
    assert sample.match is not None
    record = Record.of(sample.match, sample.record.names)
    text = form.between.join([form.write(record, registry)] * 2)
    matches = list(form.read(text, registry))
    assert [match.report.faults for match in matches] == [(), ()]
    for match in matches:
        assert match.report.score == (0, 3)
        assert match.record.names == ("ann", "bob")
        assert match.match is not None
        assert match.match.results == sample.match.results
        assert match.match.game.position == sample.match.game.position
    assert matches[0].line < matches[1].line


@settings(max_examples=20)
@given(variant=st.sampled_from(VARIANTS), seed=st.integers(0, 10**6))
def test_a_position_goes_into_a_match_and_out_again(variant: str, seed: int) -> None:
    rules = load().rules(variant)
    match = random_match(rules, seed, most=Random(seed).randrange(60))
    here = Situation.of(match)
    if not here.running or match.game.offer or match.game.raised:
        return
    again = here.match(load().rules(variant, options=here.options(rules.variant)))
    assert Situation.of(again) == here
    assert again.game.position == match.game.position


# -- what is written can be read ---------------------------------------------------------------------

WESTERN = load().rules("western")
numbers = st.sampled_from([0, 1, 2, 3, 5, 24, 32767, 32768, 10**9, 2**30])
cubes = st.builds(
    lambda power, owner: Cube(1 << power, owner, turned=owner is not None),
    st.integers(0, 30),
    st.sampled_from([None, *Seat]),
)
situations = st.builds(
    Situation,
    setup=st.just(WESTERN.start.setup),
    seat=st.sampled_from(Seat),
    decider=st.sampled_from(Seat),
    cube=st.one_of(st.just(Cube()), cubes),
    cube_cap=st.sampled_from([None, 1, 64, 1024, 2**20, 2**21, 2**30]),
    dice=st.lists(st.integers(1, 6), max_size=3).map(tuple),
    length=st.sampled_from([None, 1, 7, 24, 32767, 2**31 - 1]),
    score=st.tuples(numbers, numbers),
    crawford=st.booleans(),
    jacoby=st.booleans(),
    beavers=st.booleans(),
    raised=st.sampled_from([0, 0, 1, 2, 3, 4, 30]),
    resigned=st.sampled_from([None, None, *Level]),
    state=st.sampled_from([State.PLAYING, *State]),
)


@pytest.mark.parametrize("form", READ, ids=ids(READ))
@settings(max_examples=200)
@given(here=situations)
def test_a_writer_refuses_what_its_reader_would_not_find_again(
    form: PositionFormat, here: Situation
) -> None:
    try:
        text = form.write(here, WESTERN)
    except NotationError:
        return
    assert form.read is not None
    again = form.read(text, WESTERN)
    assert form.write(again, WESTERN) == text
    assert again.position(WESTERN) == here.position(WESTERN)
    if form.of_match:
        assert (again.seat, again.decider, again.length) == (here.seat, here.decider, here.length)
        assert again.crawford == here.crawford
        if here.running:
            assert again.score == here.score
        assert again.cube.value << again.raised == here.cube.value << here.raised
        assert sorted(again.dice) == sorted(here.dice)


START = bare(WESTERN.start.setup, WESTERN)


@pytest.mark.parametrize("form", READ, ids=ids(READ))
def test_a_side_that_has_borne_off_everything_is_read_again(form: PositionFormat) -> None:
    here = bare(Setup(SideSetup({6: 2}, off=13), SideSetup(off=15)), WESTERN)
    assert form.read is not None
    again = form.read(form.write(here, WESTERN), WESTERN)
    assert again.position(WESTERN) == here.position(WESTERN)


@pytest.mark.parametrize(
    ("form", "here", "field", "expected"),
    [
        ("json", replace(START, dice=(3,)), "dice", "a list of 2 numbers"),
        ("xgid", replace(START, length=None, score=(2**30, 0)), "score", "at most 999999999"),
        ("xgid", replace(START, cube_cap=2**30), "cube_cap", "at most 1048576, or none"),
        ("xgid", replace(START, decider=START.seat.other), "decider", "black"),
        (
            "match-id",
            replace(
                START,
                decider=START.seat.other,
                raised=1,
                cube=Cube(2, START.seat.other, turned=True),
            ),
            "",
            "read again",
        ),
        ("match-id", replace(START, raised=2, cube=Cube(2)), "cube owner", "read again"),
    ],
)
def test_what_a_notation_has_no_room_for_is_refused_by_name(
    form: str, here: Situation, field: str, expected: str
) -> None:
    to = FORMATS[form]
    assert isinstance(to, PositionFormat)
    with pytest.raises(NotationError, match=re.escape(expected)) as found:
        to.write(here, WESTERN)
    assert not field or found.value.faults[0].field == field


# -- guessing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", READ, ids=ids(READ))
@pytest.mark.parametrize(
    "change", [str, "  \n{}\r\n".format, "\ufeff{}".format, "{0}\n{0}\n".format]
)
def test_a_position_is_known_by_how_it_is_written(form: PositionFormat, change: object) -> None:
    rules = load().rules("western")
    for seed in range(10):
        text = form.write(bare(position(rules, seed).setup, rules), rules)
        assert guess(change(text)) is form  # type: ignore[operator]  # a function, to pytest an object


@pytest.mark.parametrize("form", BOTH_WAYS, ids=ids(BOTH_WAYS))
def test_a_match_is_known_by_how_it_is_written(form: MatchFormat) -> None:
    assert form.write is not None
    [sample] = guess_match(SAMPLE).read(SAMPLE, load())
    text = form.write(sample.record, load())
    assert guess(text) is guess_match(text) is guess("\ufeff" + text) is form


@pytest.mark.parametrize(
    ("text", "id"),
    [
        (SMALL, "record"),
        ('\n { "bgcore" : 1 }', "record"),
        (SAMPLE, "mat"),
        ("\n 7 point match\n\n Game 1", "mat"),
        ('; [Site "Example"]', "mat"),
        (" Game 3\r a : 0    b : 0", "mat"),
        ("xgid=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "xgid"),
        ("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "xgid"),
        ("4HPwATDgc/ABMA cAkAAAAAAAAA", "match-id"),
        ('{"me": {}}', "json"),
        ("6:1 | 6:1", "text"),
        ("off:15 / 6:1", "text"),
    ],
)
def test_a_text_is_known_by_its_beginning(text: str, id: str) -> None:
    found = guess(text)
    assert found is not None
    assert found.id == id


@given(st.text(max_size=60))
def test_any_text_is_known_or_not_and_read_or_refused(text: str) -> None:
    form, rules = guess(text), load().rules("western")
    if form is None:
        assert guess_match(text).id == "mat"
    elif isinstance(form, MatchFormat):
        with pytest.raises(NotationError):
            list(form.read(text, load()))
    else:
        assert form.read is not None
        for line in text.splitlines():
            refused_or_read(form, line, rules)


def refused_or_read(form: PositionFormat, line: str, rules: Rules) -> None:
    assert form.read is not None
    try:
        read = form.read(line, rules)
        form.write(read, rules)
    except BgcoreError as error:
        said = str(error)
        assert "expected" in said


LINES = [
    "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5",
    "XGID=-b----E-C---eE---c-e----B-:1:-1:1:52:3:0:1:7:10",
    "4HPwATDgc/ABMA:cAkAAAAAAAAA",
    "4HPwATDgc/ABMA",
    '{"me":{"24":2,"6":5},"me_bar":1,"opp":{"6":5},"dice":[3,1]}',
]


def damaged(line: str, random: Random) -> str:
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(line) + 1)
        until = min(len(line), at + random.choice((0, 1, 3)))
        scrap = random.choice(
            ("", "0", "9" * 25, ":", "/", "-", "{", '"', "\ud800", "é", "null", "[", "16")
        )
        line = line[:at] + scrap + line[until:]
    return line


def fuzz(count: int, seed: int) -> None:
    """Reads so many damaged lines by every format."""
    random, registry = Random(seed), load()
    for _ in range(count):
        line = damaged(random.choice(LINES), random)
        rules = registry.rules(random.choice(VARIANTS))
        try:
            refused_or_read(random.choice(READ), line, rules)
        except Exception as problem:
            raise AssertionError(ascii(line)) from problem


def test_a_damaged_line_is_refused_or_read() -> None:
    fuzz(3000, seed=1)
