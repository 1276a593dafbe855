"""The tree format, whatever the game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore import NotationError
from bgcore.notation.sgf import DEEPEST, LONGEST_GAME, escaped, read_trees


def main_line(text: str) -> list[str]:
    """The first value of each node of the one tree."""
    [tree] = read_trees(text)
    return [node.properties[0].value for node in tree]


def test_of_a_tree_that_branches_the_first_way_is_the_main_line() -> None:
    assert main_line("(;A[1];A[2](;A[3](;A[4];A[5])(;A[x]))(;A[y];A[z](;A[u])))") == list("12345")
    assert main_line("(;A[1](;A[2](;A[3])))") == list("123")


def test_a_file_may_hold_several_trees() -> None:
    trees = list(read_trees("\ufeff(;A[1])\n\n(;A[2](;A[3])(;A[x]))\t(;A[4])"))
    assert [len(tree) for tree in trees] == [1, 2, 1]


def test_what_stands_before_the_first_tree_is_passed_over() -> None:
    assert main_line("Dear (old) friend ;-)\n\n( ;A[1])") == ["1"]


def test_a_property_may_have_several_values_and_blanks_anywhere() -> None:
    [[node]] = read_trees(" ( ; MI [length:7]\n[game:0] CA[UTF-8] ) ")
    assert [(one.name, one.values) for one in node.properties] == [
        ("MI", ("length:7", "game:0")),
        ("CA", ("UTF-8",)),
    ]
    assert node.first("GM", "CA") is node.properties[1]
    assert node.first("GM") is None
    assert (node.text("CA"), node.text("GM")) == ("UTF-8", "")


def test_small_letters_of_a_name_are_decoration() -> None:
    [[node]] = read_trees("(;FileFormat[4]GaMe[6]c[x])")
    assert [one.name for one in node.properties] == ["FF", "GM", "C"]


@pytest.mark.parametrize(
    ("written", "says"),
    [
        (r"a \] b", "a ] b"),
        (r"a \\ b \\", "a \\ b \\"),
        ("(;W[31\\])", "(;W[31])"),
        ("a\\\nb", "ab"),
        ("a\\\r\nb", "ab"),
        ("a\nb\tc\r\nd", "a b c d"),
        (r"\:\n", ":n"),
        ("", ""),
        ("é 日本", "é 日本"),
    ],
)
def test_escapes_are_undone(written: str, says: str) -> None:
    assert main_line(f"(;C[{written}])") == [says]


@given(st.text())
def test_an_escaped_text_reads_as_itself_but_for_white_space(text: str) -> None:
    [said] = main_line(f"(;C[{escaped(text)}])")
    kinds = str.maketrans(dict.fromkeys("\t\n\v\f\r", " "))
    assert said.replace(" ", "") == text.translate(kinds).replace(" ", "")


def test_each_property_knows_its_place() -> None:
    [tree] = read_trees("(;A[1]\n ;B[2]\r\nC[3]\r  D[4])")
    places = [(one.place.line, one.place.column) for node in tree for one in node.properties]
    assert places == [(1, 3), (2, 3), (3, 1), (4, 3)]
    assert [(node.place.line, node.place.column) for node in tree] == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1 column 1: expected a game tree such as (;FF[4]GM[6]…)"),
        ("hello", "line 1 column 1 hello: expected a game tree"),
        ("()", "line 1 column 1 (): expected a game tree"),
        ("(;A[1]", "line 1 column 7 the end of the file: expected a closing )"),
        ("(;A[1]\n(;B[2])", "line 2 column 8 the end of the file: expected a closing )"),
        ("(;A[1]))", "line 1 column 8 ): expected a game tree"),
        ("(;A[1])\n;B[2]", "line 2 column 1 ;: expected a game tree"),
        ("(;A[1](;B[2]);C[3])", "line 1 column 14 ;: expected ( or )"),
        ("(;A[1](;B[2])C[3])", "line 1 column 14 C: expected a node that begins with ;"),
        ("(;[1])", "line 1 column 3 [1]: expected the name of a property before it"),
        ("(;A[1](;B[2])(;[3]))", "line 1 column 16 [3]: expected the name of a property"),
        ("(;A[1]) hello", "line 1 column 9 hello: expected ( ; ) or a property like W[31]"),
        ("(;A[1]B)", "line 1 column 7 B): expected ( ; ) or a property like W[31]"),
        ("(;A[1]\n;B[2\\]", "line 2 column 3 [2\\]: expected a value that ends with ]"),
        ("(;A[1])()", "line 1 column 9 ): expected a node that begins with ;"),
        ("(;A[1])(B[1])", "line 1 column 9 B: expected a node that begins with ;"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(text: str, says: str) -> None:
    with pytest.raises(NotationError) as refused:
        list(read_trees(text))
    assert str(refused.value).startswith(says)
    assert refused.value.reason == "BAD_SGF"


def test_trees_before_what_cannot_be_read_are_given() -> None:
    trees = read_trees("(;A[1])(;B[")
    assert next(trees)[0].text("A") == "1"
    with pytest.raises(NotationError):
        next(trees)


def test_deep_and_long_files_are_refused() -> None:
    for text, says in (
        ("(;A[]" * 100_000, f"column {5 * DEEPEST + 1} (: expected at most {DEEPEST} variations"),
        ("(" + ";A[]" * 100_000, f": expected at most {LONGEST_GAME} nodes a game"),
    ):
        with pytest.raises(NotationError, match="expected at most") as refused:
            list(read_trees(text))
        assert says in str(refused.value)


@pytest.mark.parametrize("part", ["[a]", "\\]", "\\", " ", "\n", "(;C[x])", "A", "(;"])
def test_a_long_file_of_anything_are_read_or_refused(part: str) -> None:
    for head in ("", "(;", "(;C[x]", "(;C["):
        assert readable(head + part * (200_000 // len(part))) in (True, False)


def readable(text: str) -> bool:
    refusal = None
    try:
        trees = list(read_trees(text))
    except NotationError as error:
        refusal = error
    assert trees if refusal is None else refusal.faults[0].field.startswith("line ")
    return refusal is None
