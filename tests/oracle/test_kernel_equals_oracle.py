"""The kernel finds what the oracle finds. BGCORE_ORACLE_N positions a variant and kernel."""

from __future__ import annotations

import os

import pytest

from .compare import ORDINARY, Comparison, Kernel, compared, kernel_named
from .random_positions import STARTS, random_examples
from .test_oracle import CASES, EXAMPLES

N = int(os.environ.get("BGCORE_ORACLE_N", "2000"))
BOTH_KERNELS = pytest.mark.parametrize(
    "kernel",
    ["plain", pytest.param("compiled", marks=pytest.mark.needs_compiled_kernel)],
)


@BOTH_KERNELS
@pytest.mark.parametrize("variant", STARTS)
@pytest.mark.timeout(60 + N // 20)
def test_the_kernel_agrees_with_the_oracle_on_random_positions(variant: str, kernel: str) -> None:
    comparison = compared(variant, N, seed=1, kernels=[kernel])
    assert comparison.totals["positions"] == N
    assert not comparison.differences, "\n".join(comparison.differences[:5])


@BOTH_KERNELS
def test_the_kernel_agrees_with_the_oracle_on_every_example_and_case(kernel: str) -> None:
    comparison = Comparison([kernel])
    for example in EXAMPLES + CASES:
        comparison.example(example)
    assert not comparison.differences, "\n".join(comparison.differences[:5])


@pytest.mark.parametrize("variant", STARTS)
def test_random_steps_meet_every_reason_of_their_variant(variant: str) -> None:
    """Without them the comparison would say little."""
    everywhere = {"NO_CHECKER_THERE", "POINT_CLOSED", "NOT_ALL_HOME", "HIGHER_CHECKER_FIRST"}
    special = {
        "western": {"CHECKER_ON_BAR"},
        "tavla": {"CHECKER_ON_BAR", "LOCKED_AFTER_HIT"},
        "plakoto": {"CHECKER_PINNED", "NO_BEARING_OFF_WHILE_PINNED"},
        "gul-bara": set[str](),
    }
    met = compared(variant, 1000, seed=2, kernels=[]).totals
    assert {name for name in met if name.isupper()} >= everywhere | special[variant]


class Forgetful:
    """A kernel that leaves out the last play and takes every step for legal."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.results = kernel.results

    def plays(
        self, position: bytes, numbers: bytes, record: bytes, context: int = ORDINARY, /
    ) -> bytes:
        return self.kernel.plays(position, numbers, record, context)[:-4]

    def probe(
        self, position: bytes, record: bytes, context: int, source: int, number: int, /
    ) -> int:
        return 0


def test_a_wrong_kernel_is_noticed() -> None:
    comparison = Comparison([])
    comparison.kernels["forgetful"] = Forgetful(kernel_named("plain"))
    comparison.example(next(random_examples("western", 1)))
    text = "\n".join(comparison.differences)
    assert "not found" in text
    assert "right is <Reason" in text
