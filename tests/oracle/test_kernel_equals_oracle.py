"""The kernels find what the oracle finds. BGCORE_ORACLE_N positions a variant."""

from __future__ import annotations

import os

import pytest

from tests.needs import no_compiled_kernel

from .compare import ORDINARY, Comparison, Kernel, compared, kernel_named
from .random_positions import STARTS, random_examples
from .test_oracle import CASES, EXAMPLES

N = int(os.environ.get("BGCORE_ORACLE_N", "2000"))
BOTH_KERNELS = pytest.mark.parametrize(
    "kernel",
    ["plain", pytest.param("compiled", marks=pytest.mark.needs_compiled_kernel)],
)


EVERYWHERE = {"NO_CHECKER_THERE", "POINT_CLOSED", "NOT_ALL_HOME", "HIGHER_CHECKER_FIRST"}
SPECIAL: dict[str, set[str]] = {
    "western": {"CHECKER_ON_BAR"},
    "tavla": {"CHECKER_ON_BAR", "LOCKED_AFTER_HIT"},
    "plakoto": {"CHECKER_PINNED", "NO_BEARING_OFF_WHILE_PINNED"},
    "moultezim": {"RUNNER_FIRST", "FORMATION_FORBIDDEN"},
    "fevga": {"RUNNER_FIRST", "FORMATION_FORBIDDEN"},
    "long-nardy": {"HEAD_LIMIT", "FORMATION_FORBIDDEN"},
    "crazy-narde": {"HEAD_LIMIT", "FORMATION_FORBIDDEN", "EXACT_NUMBER_ONLY"},
    "jacquet": {"RUNNER_FIRST"},
    "tawla-31": {"RUNNER_FIRST"},
    "acey-deucey": {"CHECKER_ON_BAR"},
    "european-acey-deucey": {"CHECKER_ON_BAR", "EXACT_NUMBER_ONLY"},
    "russian-backgammon": {"CHECKER_ON_BAR", "MUST_ENTER_FIRST"},
    "tabula": {"CHECKER_ON_BAR", "FIRST_HALF_ONLY", "EXACT_NUMBER_ONLY"},
    "dutch": {"CHECKER_ON_BAR", "HIT_NOT_ALLOWED_YET"},
}


@pytest.mark.parametrize("variant", STARTS)
@pytest.mark.timeout(120 + N // 10)
def test_the_kernels_agree_with_the_oracle_on_random_positions(variant: str) -> None:
    # Both at once, for it is the oracle that takes its time.
    comparison = compared(variant, N, seed=1, kernels=kernels_here())
    assert comparison.totals["positions"] == N
    # Where random steps do not meet every reason, the comparison would say little.
    met = {name for name in comparison.totals if name.isupper()}
    assert N < 1000 or met >= EVERYWHERE | SPECIAL.get(variant, set())
    assert not comparison.differences, "\n".join(comparison.differences[:5])


def kernels_here() -> list[str]:
    """The kernels that are on this machine."""
    return ["plain"] if no_compiled_kernel() else ["plain", "compiled"]


@BOTH_KERNELS
def test_the_kernel_agrees_with_the_oracle_on_every_example_and_case(kernel: str) -> None:
    comparison = Comparison([kernel])
    for example in EXAMPLES + CASES:
        comparison.example(example)
    assert not comparison.differences, "\n".join(comparison.differences[:5])


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
