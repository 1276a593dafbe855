"""The conformance kit: what every variant's test calls first.

>>> print(check_variant("western", games=1))  # doctest: +ELLIPSIS
western: 1 games, ... positions, ... plays, ... µs a position

As tests, in a package of one's own:

    class TestMyGame(VariantTests):
        variant = "my-game"
"""

from bgcore.examples import read_examples
from bgcore.testing.conformance import (
    Failure,
    NotConforming,
    Report,
    check_rules,
    check_variant,
    report_on,
)
from bgcore.testing.games import Visit, self_play
from bgcore.testing.search import legal_results
from bgcore.testing.variant_tests import VariantTests

__all__ = [
    "Failure",
    "NotConforming",
    "Report",
    "VariantTests",
    "Visit",
    "check_rules",
    "check_variant",
    "legal_results",
    "read_examples",
    "report_on",
    "self_play",
]
