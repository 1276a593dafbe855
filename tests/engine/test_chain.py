"""What a match has behind it grows without being copied, and is read like a tuple."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore.chain import Chain


def chain(items: list[int]) -> Chain[int]:
    grown: Chain[int] = Chain()
    for item in items:
        grown = grown.then(item)
    return grown


@given(st.lists(st.integers()), st.integers(), st.integers(-12, 12))
def test_it_reads_as_the_tuple_of_its_items(items: list[int], more: int, index: int) -> None:
    grown, told = chain(items), tuple(items)
    assert grown == told
    assert (len(grown), bool(grown), list(reversed(grown))) == (len(told), bool(told), items[::-1])
    assert (hash(grown), repr(grown), grown[1:]) == (hash(told), repr(told), told[1:])
    assert tuple(grown.then(more)) == (*told, more)
    assert tuple(grown) == told
    assert grown != chain([*items, more])
    if -len(told) <= index < len(told):
        assert grown[index] == told[index]
    else:
        with pytest.raises(IndexError):
            grown[index]


def test_a_long_one_is_copied_compared_and_forgotten_like_any_other() -> None:
    items = list(range(100_000))
    grown = chain(items)
    assert copy.deepcopy(grown) == grown
    assert pickle.loads(pickle.dumps(grown)) == chain(items)
    assert grown[-1] == 99_999
