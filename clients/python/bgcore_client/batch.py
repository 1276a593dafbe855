"""Plays of many positions at once: positions packed for the request, the answer read where somebody looks."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import TypeAlias, overload

from bgcore_client import messages
from bgcore_client.given import MADE_BY, refused
from bgcore_client.plays import BAR, OFF, SIDE_BYTES, UNENTERED, LazyPlays, Play, Step
from bgcore_client.values import BLACK, WHITE, side

PLAY_BYTES = 4
POSITION_BYTES = 2 * SIDE_BYTES

PositionLike: TypeAlias = messages.Position | str | bytes
"""A position: a message, a text such as "6:5 bar:1 off:9 / 24:2 6:5 off:8" (the mover first), or 64 bytes."""

PLACES = {"bar": BAR, "in": UNENTERED, "off": OFF}
ENTRY = re.compile(r"(bar|in|off|pin|[0-9]{1,2}):([0-9]{1,3})")


def pack(position: PositionLike) -> bytes:
    """The 64 bytes of a position, the side on roll first; they are explained at `BatchListPlaysRequest`.

    `ValueError` for what has no such bytes; whether it is legal is for the server to say. In a text no
    checkers are off unless it says so.

    >>> packed = pack("6:5 bar:1 off:9 / 24:2 pin:3 off:12")
    >>> packed[:32].hex()
    '0900000000000500000000000000000000000000000000000001000000000000'
    >>> packed[32:].hex()
    '0c00000000000000000000000000000000000000000000000200000008000000'
    """
    match position:
        case bytes():
            if len(position) != POSITION_BYTES:
                raise ValueError(f"position of {len(position)} bytes: expected {POSITION_BYTES}")
            return position
        case str():
            sides = position.split("/")
            if len(sides) != 2:
                raise ValueError(f"position {position!r}: expected two sides with a / between them")
            mover, opponent = map(_read_side, sides)
        case messages.Position():
            if position.on_roll not in (WHITE, BLACK):
                raise ValueError(f"on_roll {position.on_roll}: expected WHITE or BLACK")
            mover, opponent = position.white, position.black
            if position.on_roll == BLACK:
                mover, opponent = opponent, mover
        case _:
            raise refused("position", position, f"{MADE_BY['Position']}, a text, or 64 bytes")
    return _pack_side(mover) + _pack_side(opponent)


def pack_all(positions: bytes | Iterable[PositionLike]) -> bytes:
    """The bytes of many positions; bytes are taken as they are."""
    if isinstance(positions, bytes):
        return positions
    if isinstance(positions, str) or not isinstance(positions, Iterable):
        raise refused("positions", positions, "a list of positions, or all of them packed")
    return b"".join(map(pack, positions))


def pack_dice(rolls: bytes | Iterable[Iterable[int]]) -> bytes:
    """The bytes of many rolls; bytes are taken as they are.

    >>> list(pack_dice([(3, 1), (6, 6)]))
    [3, 1, 6, 6]
    """
    if isinstance(rolls, bytes):
        return rolls
    try:
        return bytes(chain.from_iterable(rolls))
    except (TypeError, ValueError) as error:
        expected = "a roll for each position, such as [(3, 1), (6, 6)]"
        raise refused("dice", rolls, expected, type(error)) from None


def _read_side(text: str) -> messages.Side:
    checkers: dict[int, int] = {}
    pinned = []
    for word in text.split():
        found = ENTRY.fullmatch(word)
        if found is None:
            raise ValueError(
                f"{word!r}: expected a place and a number, such as 6:5, bar:1 or pin:3"
            )
        place, count = found[1], int(found[2])
        if place == "pin":
            pinned.append(count)
            continue
        point = PLACES[place] if place in PLACES else int(place)
        if point in checkers or (place not in PLACES and not 1 <= point <= 24):
            raise ValueError(f"{word!r}: expected each of the points 1 to 24 at most once")
        checkers[point] = count
    return side(checkers, pinned)


def _pack_side(one: messages.Side) -> bytes:
    points = _counts(*one.points) or bytes(24)
    if len(points) != 24:
        raise ValueError(f"points of {len(points)} numbers: expected 24, or none")
    if wrong := [point for point in one.pinned if not 1 <= point <= 24]:
        raise ValueError(f"pinned point {wrong[0]}: expected 1 to 24")
    if len(set(one.pinned)) < len(one.pinned):
        raise ValueError(f"pinned {list(one.pinned)}: expected each point at most once")
    pins = sum(1 << point for point in one.pinned)
    off, places = _counts(one.off), _counts(one.bar, one.unentered, 0)
    return off + points + places + pins.to_bytes(4, "little")


def _counts(*checkers: int) -> bytes:
    try:
        return bytes(checkers)
    except ValueError:
        raise ValueError(f"{max(checkers)} checkers: expected 0 to 255") from None


class PackedPlays(LazyPlays):
    """The legal plays of one position, each of which leads to another board. None: nothing can be played.

    >>> plays = PackedPlays(bytes([8 << 3 | 3, 6 << 3 | 1, 0, 0]), numbers_used=2)
    >>> len(plays), str(plays[0])
    (1, '8/5 6/5')
    """

    def __init__(self, codes: bytes, numbers_used: int, boards: bytes = b"") -> None:
        self.codes = codes
        """Four bytes a play, a byte a step: its origin times 8 plus its number, or 0."""
        self.numbers_used = numbers_used
        self.boards = boards
        """64 bytes a play, where they were asked for."""

    def __len__(self) -> int:
        return len(self.codes) // PLAY_BYTES

    def _play(self, index: int) -> Play:
        codes = self.codes[PLAY_BYTES * index : PLAY_BYTES * (index + 1)]
        board = self.boards[POSITION_BYTES * index : POSITION_BYTES * (index + 1)]
        return Play(tuple(Step(code >> 3, code & 7) for code in codes if code), board=board)

    def __repr__(self) -> str:
        return f"<{len(self)} plays, {self.numbers_used} numbers used>"


class Batch(Sequence[PackedPlays]):
    """The plays of many positions, in their order. `ValueError` when the answer's columns do not fit together.

    >>> codes = bytes([8 << 3 | 3, 6 << 3 | 1, 0, 0])
    >>> message = messages.BatchListPlaysResponse(
    ...     plays=codes, offsets=[0, 1, 1], numbers_used=bytes([2, 0])
    ... )
    >>> list(Batch(message))
    [<1 plays, 2 numbers used>, <0 plays, 0 numbers used>]
    """

    def __init__(self, message: messages.BatchListPlaysResponse) -> None:
        self.plays = message.plays
        """Those of all positions, four bytes each."""
        self.numbers_used = message.numbers_used
        """A byte a position."""
        self.boards = message.boards
        """64 bytes a play, where they were asked for."""
        self.offsets = array("I", message.offsets or [0])
        """Where the plays of each position begin, and at last how many there are."""
        self._check()

    def _check(self) -> None:
        offsets = self.offsets
        total = offsets[-1]
        for name, found, expected in (
            ("offsets", len(offsets), len(self.numbers_used) + 1),
            ("plays", len(self.plays), PLAY_BYTES * total),
            ("boards", len(self.boards), POSITION_BYTES * total if self.boards else 0),
        ):
            if found != expected:
                raise ValueError(f"{name} of {found}: expected {expected}")
        if offsets[0] or any(start > end for start, end in pairwise(offsets)):
            raise ValueError("offsets: expected numbers that rise from 0")

    def __len__(self) -> int:
        return len(self.numbers_used)

    @overload
    def __getitem__(self, index: int) -> PackedPlays: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[PackedPlays]: ...
    def __getitem__(self, index: int | slice) -> PackedPlays | Sequence[PackedPlays]:
        if isinstance(index, slice):
            return [self._plays(one) for one in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"position {index}: expected one of {len(self)}")
        return self._plays(index % len(self))

    def _plays(self, index: int) -> PackedPlays:
        start, end = self.offsets[index], self.offsets[index + 1]
        return PackedPlays(
            self.plays[PLAY_BYTES * start : PLAY_BYTES * end],
            self.numbers_used[index],
            self.boards[POSITION_BYTES * start : POSITION_BYTES * end],
        )

    def __repr__(self) -> str:
        return f"<{len(self.plays) // PLAY_BYTES} plays of {len(self)} positions>"
