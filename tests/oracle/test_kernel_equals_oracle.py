"""The kernels find what the oracle finds. BGCORE_ORACLE_N positions a variant."""

from __future__ import annotations

import os

import pytest

from bgcore import load
from tests.needs import no_compiled_kernel

from . import model
from .compare import ORDINARY, Comparison, Kernel, compared, kernel_named
from .random_positions import STARTS, random_examples
from .registered import unlike
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
    "portes": {"CHECKER_ON_BAR", "LOCKED_AFTER_HIT"},
    "misere": {"CHECKER_ON_BAR"},
    "tapa": {"CHECKER_PINNED", "NO_BEARING_OFF_WHILE_PINNED"},
    "plakoto-express": {"CHECKER_PINNED", "NO_BEARING_OFF_WHILE_PINNED"},
    "hypergammon": {"CHECKER_ON_BAR"},
    "nackgammon": {"CHECKER_ON_BAR"},
    "longgammon": {"CHECKER_ON_BAR"},
}


def test_every_variant_is_compared() -> None:
    assert STARTS.keys() == {entry.variant.id for entry in load(["none"])}


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
    # The filter over whole plays was needed, or its comparison would say little.
    assert N < 1000 or (comparison.totals["filtered"] > N // 100) is (variant == "fevga")


def kernels_here() -> list[str]:
    """The kernels that are on this machine."""
    return ["plain"] if no_compiled_kernel() else ["plain", "compiled"]


@BOTH_KERNELS
def test_the_kernel_agrees_with_the_oracle_on_every_example_and_case(kernel: str) -> None:
    comparison = Comparison([kernel])
    for example in EXAMPLES + CASES:
        comparison.example(example)
    assert not comparison.differences, "\n".join(comparison.differences[:5])


@pytest.mark.parametrize(
    ("variant", "data", "said"),
    [
        ("moultezim", {"opp_start_quarter_max": 5}, "opp_start_quarter_max 5: the registered"),
        ("fevga", {"unblock_duty": False}, "unblock_duty False: the registered variant has True"),
        ("long-nardy", {"head_first_turn": "none"}, "head_first_turn none: the registered"),
        ("hypergammon", {"checkers": 15}, "the record "),
        ("tabula", {"layout": "contrary"}, "the record "),
    ],
)
def test_data_that_are_not_the_registered_variants_are_noticed(
    variant: str, data: dict[str, object], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unlike(variant) == []
    monkeypatch.setitem(model.VARIANTS, variant, {**model.VARIANTS[variant], **data})
    assert said in "\n".join(unlike(variant))
    assert compared(variant, 0, seed=1, kernels=["plain"]).differences


def test_another_start_than_the_registered_variants_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(STARTS, "nackgammon", STARTS["western"])
    [said] = unlike("nackgammon")
    assert said.startswith("start {24: 2, 13: 5, 8: 3, 6: 5}: the registered variant has")


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
