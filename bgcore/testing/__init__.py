"""The conformance kit: what every variant's test calls first.

>>> from bgcore import load
>>> check_rules(load().rules("western"), games=1).games
1
"""

from bgcore.testing.conformance import Report, check_rules
from bgcore.testing.games import Visit, self_play
from bgcore.testing.search import legal_results

__all__ = ["Report", "Visit", "check_rules", "legal_results", "self_play"]
