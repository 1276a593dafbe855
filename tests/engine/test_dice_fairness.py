"""A million rolls of each kind of dice: every pair as often as another, and nothing follows from before.

The p of a chi-square is the chance that fair dice look at least as uneven. Fair dice of the system are
below the limit once in a million, so they may try twice; committed dice with a fixed seed are what they are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, pairwise

import pytest

from bgcore import Dice, SeededDice, SystemDice
from bgcore.dice import CommittedDice

ROLLS = 1_000_000
LIMIT = 1e-6

Roll = tuple[int, ...]


# -- the chi-square distribution ---------------------------------------------------------------------


def tail(chi_square: float, freedom: int) -> float:
    """P(X >= chi_square) with so many degrees of freedom: Q(freedom / 2, chi_square / 2).

    Q is the regularised upper incomplete gamma function. Below its mean it is 1 - P with P's power
    series (DLMF 8.7.1), above it the continued fraction of DLMF 8.9.2, as even part and by Lentz's method
    (Numerical Recipes, 6.2).
    """
    a, x = freedom / 2, chi_square / 2
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    return 1 - front * series(a, x) if x < a + 1 else front * fraction(a, x)


def series(a: float, x: float) -> float:
    term = total = 1 / a
    while term > total * 1e-16:
        a += 1
        term *= x / a
        total += term
    return total


def fraction(a: float, x: float) -> float:
    b = x + 1 - a
    c, d = math.inf, 1 / b
    value = d
    step = 0.0
    number = 0
    while abs(step - 1) > 1e-15:
        number += 1
        factor = number * (a - number)
        b += 2
        d = 1 / (factor * d + b)
        c = b + factor / c
        step = c * d
        value *= step
    return value


KNOWN = [
    # The 5 % and 0.1 % points of printed tables (NIST/SEMATECH e-Handbook, 1.3.6.7.4).
    *[(3.841, 1, 0.05), (18.307, 10, 0.05), (37.652, 25, 0.05), (49.802, 35, 0.05)],
    *[(10.828, 1, 0.001), (29.588, 10, 0.001), (66.619, 35, 0.001), (149.449, 100, 0.001)],
]


@pytest.mark.parametrize(("chi_square", "freedom", "p"), KNOWN)
def test_the_tail_is_that_of_printed_tables(chi_square: float, freedom: int, p: float) -> None:
    assert tail(chi_square, freedom) == pytest.approx(p, rel=2e-3)


@pytest.mark.parametrize("x", [0.01, 1, 5, 30, 200])
def test_the_tail_is_the_closed_form_where_there_is_one(x: float) -> None:
    assert tail(x, 1) == pytest.approx(math.erfc(math.sqrt(x / 2)), rel=1e-9)
    assert tail(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-9)


@pytest.mark.parametrize("freedom", [4, 36, 100, 1224])
@pytest.mark.parametrize("beside", [0.5, 0.9, 0.99, 1, 1.01, 1.1, 1.3])
def test_with_even_freedom_the_tail_is_a_sum_of_poisson_chances(
    freedom: int, beside: float
) -> None:
    half = freedom * beside / 2
    chances = (
        math.exp(number * math.log(half) - half - math.lgamma(number + 1))
        for number in range(freedom // 2)
    )
    assert tail(2 * half, freedom) == pytest.approx(math.fsum(chances), rel=1e-8)


# -- what is looked at -------------------------------------------------------------------------------


def evenness(found: Iterable[Hashable], cells: int) -> float:
    """The p of so many cells being equally likely."""
    counts = Counter(found)
    expected = counts.total() / cells
    missing = (cells - len(counts)) * expected
    chi_square = sum((count - expected) ** 2 for count in counts.values()) / expected + missing
    return tail(chi_square, cells - 1)


def independence(found: Sequence[Hashable]) -> float:
    """The p of what comes next not depending on what came: a contingency table, cell against next cell."""
    pairs = Counter(pairwise(found))
    before, after = Counter(found[:-1]), Counter(found[1:])
    total = len(found) - 1
    # The sum of (n - e)² / e over all cells, e = before × after / total, is this.
    squares = sum(count**2 / (before[one] * after[two]) for (one, two), count in pairs.items())
    return tail(total * (squares - 1), (len(before) - 1) * (len(after) - 1))


def looked_at(rolls: Sequence[Roll]) -> dict[str, float]:
    """The p of everything that fair dice have."""
    numbers = list(chain.from_iterable(rolls))
    return {
        "numbers": evenness(numbers, 6),
        "pairs": evenness(rolls, 36),
        "number to next number": independence(numbers),
        "roll to next roll": independence(rolls),
    }


def thrown(dice: Dice, rolls: int = ROLLS) -> list[Roll]:
    return [dice.throw(2) for _ in range(rolls)]


def suspects(rolls: Sequence[Roll]) -> dict[str, float]:
    return {what: p for what, p in looked_at(rolls).items() if not p > LIMIT}


# -- the dice ----------------------------------------------------------------------------------------


def test_a_million_rolls_of_the_system_are_even_and_independent() -> None:
    assert not suspects(thrown(SystemDice())) or not suspects(thrown(SystemDice()))


def test_a_million_committed_rolls_are_even_and_independent() -> None:
    assert suspects(thrown(CommittedDice(bytes(range(32)), "ann's own", "Zoë ⚅"))) == {}


@pytest.mark.parametrize(
    "dice",
    [
        CommittedDice(bytes(32), "a", "a"),
        CommittedDice(b"\xff" * 32, "white", "black", thrown=2**32),
        SeededDice(0),
    ],
    ids=["zeros", "ones", "seeded"],
)
def test_whatever_the_seeds_rolls_are_even_and_independent(dice: Dice) -> None:
    assert suspects(thrown(dice, ROLLS // 5)) == {}


def test_the_first_throws_of_many_tables_are_even_and_independent() -> None:
    # Keys, and players' seeds, that differ as little as they can.
    keys = [CommittedDice(n.to_bytes(32), "a", "b").throw(2) for n in range(100_000)]
    seeds = [CommittedDice(bytes(32), "a", str(n)).throw(2) for n in range(100_000)]
    assert suspects(keys) == suspects(seeds) == {}


# -- and dice that are not fair, to know that it would be noticed ------------------------------------


def wrapped(rolls: int) -> Iterator[Roll]:
    """As of bytes modulo six with none skipped: 1 to 4 come 43 times in 256, 5 and 6 only 42 times."""
    dice = CommittedDice(bytes(32), "a", "b")
    even = list(chain.from_iterable(thrown(dice, rolls)))
    # One number in 64 is from the four bytes that would have been skipped.
    for number in range(0, len(even), 64):
        even[number] = number // 64 % 4 + 1
    return zip(even[::2], even[1::2], strict=True)


def test_bytes_that_are_not_skipped_would_be_noticed() -> None:
    assert {"numbers", "pairs"} <= suspects(list(wrapped(ROLLS // 2))).keys()


def test_one_roll_in_a_hundred_that_comes_again_would_be_noticed() -> None:
    rolls = thrown(CommittedDice(bytes(32), "a", "b"), ROLLS // 2)
    rolls[1::100] = rolls[::100]
    assert suspects(rolls).keys() == {"roll to next roll"}


def test_a_double_that_comes_too_often_would_be_noticed() -> None:
    rolls = thrown(CommittedDice(bytes(32), "a", "b"), ROLLS // 2)
    rolls[::150] = [(one, one) for one, _ in rolls[::150]]
    assert "pairs" in suspects(rolls)
