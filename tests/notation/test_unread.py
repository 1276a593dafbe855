"""A file in which something cannot be read: the matches before and behind it are read all the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore import NotationError, load
from bgcore.notation.formats import FORMATS, MatchFormat
from bgcore.notation.match_text_reader import LONGEST_LINE, read_matches
from bgcore.notation.record_text import read_records
from bgcore.notation.sgf import read_trees
from bgcore.notation.sgf_match import read_sgf

MAT = """; [Variation "{variant}"]
1 point match

 Game 1
 {name} : 0                      bob : 0
  1) 31: 8/5 6/5               Wins 1 point
"""
SGF = """(;FF[4]GM[6]MI[length:3][game:0]PW[{name}]RE[W+1R];W[31hefe])
(;FF[4]GM[6]MI[length:3][game:1][ws:1]PW[{name}]RE[W+2R];B[31qtst])
"""
RECORD = """{{"bgcore":1,"variant":"western","names":["{name}","bob"]}}
{{"kind":"throw","dice":[3,1]}}
{{"kind":"play","seat":"white","play":"8/5 6/5"}}
{{"score":[0,0],"winner":null}}
"""
TEXTS = {"mat": MAT, "sgf": SGF, "record": RECORD}


def match(form: str, name: str) -> str:
    return TEXTS[form].format(name=name, variant="western")


def read(form: str, text: str) -> tuple[list[str], list[str]]:
    """White's names in the matches that could be read, and what is said of the others."""
    way = FORMATS[form]
    assert isinstance(way, MatchFormat)
    errors: list[NotationError] = []
    found = list(way.read(text, load(), on_error=errors.append))
    assert all(not one.report.faults for one in found)
    for error in errors:
        assert error.faults[0].field.startswith("line "), error
        assert "expected" in str(error)
    return [one.report.names[0] for one in found], [str(error) for error in errors]


BROKEN = [
    ("mat", "1) 31:", "1) hello"),
    ("mat", "1) 31:", "1) 71:"),
    ("mat", "Wins 1 point", "Wins much"),
    ("mat", " eve : 0 ", " eve : much"),
    ("mat", " eve : 0                      bob : 0\n  1) 31: 8/5 6/5               Wins 1 point\n", ""),
    ("mat", "Game 1", "x" * (LONGEST_LINE + 1)),
    ("sgf", "(;FF[4]GM[6]MI[length:3][game:1]", "(;FF[4]GM[6]MI[length:3][game:1]!"),
    ("sgf", ";B[31qtst]", ";B[31qtst"),
    ("sgf", ";B[31qtst])", ";B[31qtst]"),
    ("sgf", ";B[31qtst])", ";B[31qtst]))"),
    ("sgf", ";B[31qtst]", ";B[71qtst]"),
    ("sgf", "game:0", "game:x"),
    ("sgf", ";W[31hefe]", ";[31hefe]"),
    ("sgf", "RE[W+2R]", "RE[much]"),
    ("record", '"kind":"throw"', '"kind":"hello"'),
    ("record", '"dice":[3,1]}', '"dice":[3,1]'),
    ("record", '"bgcore":1', '"bgcore":7'),
    ("record", '{"score":[0,0],"winner":null}\n', ""),
    ("record", '"western"', '"western","start":{"position":7}'),
]  # fmt: skip


@pytest.mark.parametrize(("form", "old", "new"), BROKEN)
def test_the_matches_before_and_behind_are_read(form: str, old: str, new: str) -> None:
    broken = match(form, "eve")
    assert old in broken
    text = match(form, "ann") + broken.replace(old, new) + match(form, "cyd") + match(form, "dot")
    names, errors = read(form, text)
    assert [name for name in names if name != "eve"] == ["ann", "cyd", "dot"]
    assert len(errors) == 1


@pytest.mark.parametrize(("form", "old", "new"), BROKEN)
def test_nothing_is_left_of_a_match_that_cannot_be_read(form: str, old: str, new: str) -> None:
    """But for the games of an SGF that stand apart from what is wrong, when its place is not known."""
    broken = match(form, "eve").replace(old, new)
    names, errors = read(form, broken)
    apart = form == "sgf" and new in ("game:x", ";B[31qtst]))")
    assert names == (["eve"] if apart else [])
    assert len(errors) == 1


@pytest.mark.parametrize(("form", "old", "new"), BROKEN)
def test_without_asking_for_more_the_first_ends_the_reading(form: str, old: str, new: str) -> None:
    broken = match(form, "eve").replace(old, new)
    way = FORMATS[form]
    assert isinstance(way, MatchFormat)
    found = way.read(match(form, "ann") + broken + match(form, "cyd"), load())
    assert next(found).report.names[0] == "ann"
    with pytest.raises(NotationError):
        list(found)


def test_headers_of_a_match_that_cannot_be_read_are_not_those_of_the_next() -> None:
    errors: list[NotationError] = []
    broken = MAT.format(name="eve", variant="tavla").replace("1 point", "one point")
    plain = match("mat", "ann").partition("\n")[2]
    [found] = read_matches(broken + plain, errors.append)
    assert found.header("variation") == ""
    [found] = read_matches("hello\n" + match("mat", "ann"), errors.append)
    assert found.header("variation") == "western"
    assert len(errors) == 2


def test_a_player_called_as_a_match_begins_does_not_begin_one() -> None:
    broken = match("mat", "eve").replace("1)", "hello", 1)
    names = " 7 point match : 0              bob : 0\n"
    found, errors = read("mat", broken + names + match("mat", "ann"))
    assert (found, len(errors)) == (["ann"], 1)


@pytest.mark.parametrize("count", [1, 200])
def test_each_match_that_cannot_be_read_is_told_once(count: int) -> None:
    for form, old, new in BROKEN:
        broken = match(form, "eve").replace(old, new)
        names, errors = read(form, (broken + match(form, "ann")) * count)
        assert [name for name in names if name != "eve"] == ["ann"] * count
        assert len(errors) == count, (form, old, new)


@pytest.mark.parametrize("form", TEXTS)
@given(data=st.data())
def test_who_asks_for_more_gets_what_comes_before_the_first_error_and_more(
    form: str, data: st.DataObject
) -> None:
    text = match(form, "ann") + match(form, "bea") + match(form, "cyd")
    at, until = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    damage = data.draw(st.sampled_from(["", "(", ")", ";", "[", "]", "\n", "{", "hello", text]))
    text = text[:at] + damage + text[until:]
    way = FORMATS[form]
    assert isinstance(way, MatchFormat)
    errors: list[NotationError] = []
    every = [one.report.names for one in way.read(text, load(), on_error=errors.append)]
    first: list[tuple[str, str]] = []
    told = ""
    try:
        first += (one.report.names for one in way.read(text, load()))
    except NotationError as error:
        told = str(error)
    assert told == (str(errors[0]) if errors else "")
    assert every[: len(first)] == first


@pytest.mark.parametrize("text", ["", "hello", "(;", "[", '{"bgcore":1}', "(;GM[6]" * 5, "\x00"])
def test_where_nothing_can_be_read_there_is_one_error_at_least(text: str) -> None:
    for reader in (read_matches, read_sgf, read_records, read_trees):
        errors: list[NotationError] = []
        assert list(reader(text, errors.append)) in ([], [()])
        assert errors


@pytest.mark.parametrize(
    ("reader", "text", "line"),
    [
        ("mat", f" 3 point match\n\n Game 1\n A : 0   B : 0\n{'x' * 1001}", 5),
        ("sgf", "(;GM[6]\n;B[", 2),
        ("record", '{"bgcore":1,"variant":"western"}\n{"kind":"nonsense"}\n', 2),
        ("record", "", 1),
    ],
)
def test_an_error_has_the_line_that_it_names(reader: str, text: str, line: int) -> None:
    form = FORMATS[reader]
    assert isinstance(form, MatchFormat)
    with pytest.raises(NotationError) as caught:
        list(form.read(text, load()))
    for fault in caught.value.faults:
        assert fault.line == line
        assert fault.field.startswith(f"line {line}")
