"""A sequence that grows without being copied: what a match has behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class Chain(Sequence[T]):
    """An immutable sequence that shares all but its last item with the one it grew from.

    A tuple would be copied with each game, which for a session of many thousands takes longer than to
    play them. Growing, the length and the last item take the same time however long it is; any other item
    takes as long as to go through all of them. It is equal to a tuple of the same items.

    >>> one = Chain().then("a")
    >>> two = one.then("b")
    >>> len(two), two[-1], list(two), two == ("a", "b"), list(one)
    (2, 'b', ['a', 'b'], True, ['a'])
    """

    __slots__ = ("_count", "_last", "_rest")

    def __init__(self) -> None:
        self._count = 0
        self._last: T | None = None
        self._rest: Chain[T] | None = None

    def then(self, item: T) -> Chain[T]:
        """The same with an item more."""
        grown: Chain[T] = Chain()
        grown._count, grown._last, grown._rest = self._count + 1, item, self
        return grown

    def __len__(self) -> int:
        return self._count

    def __reversed__(self) -> Iterator[T]:
        link: Chain[T] | None = self
        while link is not None and link._rest is not None:
            yield link._last  # type: ignore[misc]  # every link but the empty one holds an item
            link = link._rest

    def __iter__(self) -> Iterator[T]:
        return iter([*reversed(self)][::-1])

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if index == -1 and self._rest is not None:
            return self._last  # type: ignore[return-value]  # as above
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Chain | tuple):
            return NotImplemented
        return len(self) == len(other) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[object, ...]:
        return _chain, (tuple(self),)


def _chain(items: Sequence[T]) -> Chain[T]:
    chain: Chain[T] = Chain()
    for item in items:
        chain = chain.then(item)
    return chain
