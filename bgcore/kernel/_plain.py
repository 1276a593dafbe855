"""The bits and bytes under the plain kernel; `movement.pxd` has the same in C.

Only how things are stored and counted is here, no rule of play.
"""

from __future__ import annotations

import struct
from typing import Any

_FILLED = bytes([48]) + bytes([49]) * 255
_PAIRED = bytes([48, 48]) + bytes([49]) * 254

length = int.bit_length


def filled(position: Any, at: int) -> int:
    """Bit n is set where byte n of the side holds anything, 1 to 26."""
    return int(position[at + 26 : at : -1].translate(_FILLED), 2) << 1


def paired(position: Any, at: int) -> int:
    """Bit n is set where byte n of the side is two or more, 1 to 26."""
    return int(position[at + 26 : at : -1].translate(_PAIRED), 2) << 1


def mirrored(mask: int) -> int:
    """Bit n becomes bit 25 - n."""
    return int(f"{mask:026b}"[::-1], 2)


def pins(position: Any, at: int) -> int:
    """The side's mask of pinned checkers, as it is stored."""
    return int.from_bytes(position[at + 28 : at + 32], "little")


def set_pins(position: Any, at: int, mask: int) -> None:
    position[at + 28 : at + 32] = mask.to_bytes(4, "little")


def ones(mask: int) -> int:
    return mask.bit_count()


def total(position: Any, at: int) -> int:
    """The side's checkers that are not pinned, those off included."""
    return sum(position[at : at + 27])


class Store:
    """Where one call collects its plays, and the nodes of the general search."""

    bar_steps: int
    best: int
    board: bytearray
    dice: bytearray
    exact: int
    outside: int
    changes: int
    closed: int
    doubtful: int
    fixed: int
    found: dict[tuple[int, int], int]
    known: set[bytes]
    leaving: int
    most: int
    mother: int
    nodes: list[int]
    number: int
    order_counts: int
    out: list[int]
    path: int
    replies: list[int]
    rose: int
    side: list[int]
    state: int
    until_entered: int
    until_home: int
    watch: int
    worth: list[int]
    failed = False


Work = Store
Counts = Any


def open_work(work: Work) -> None:
    work.out = []
    work.replies = [0] * 27


def close_work(work: Work) -> None:
    pass


# Plays.


def reset(work: Work) -> None:
    """Forget the plays collected so far."""
    work.out = []


def put(work: Work, play: int) -> None:
    work.out.append(play)


def put_each(work: Work, moves: int, number: int, play: int, shift: int) -> None:
    """For each source in a mask, the highest first, a play that ends with a step from there."""
    add = work.out.append
    while moves:
        source = length(moves) - 1
        moves ^= 1 << source
        add(play | (source << 3 | number) << shift)


def collected(work: Work) -> int:
    return len(work.out)


def chosen(work: Work, index: int) -> int:
    return work.out[index]


def put_at(work: Work, index: int, play: int) -> None:
    """Another play in the place of one."""
    work.out[index] = play


def answer(work: Work, used: int) -> bytes:
    """The header and the plays."""
    return struct.pack(f"<{len(work.out) + 1}I", used, *work.out)


def spill(work: Work, buffer: Any, index: int) -> None:
    """Write the plays to a buffer, from its play `index` on."""
    struct.pack_into(f"<{len(work.out)}I", buffer, 4 * index, *work.out)


def borrow(work: Work, position: Any) -> Any:
    """The mover's counts, to be changed and put back."""
    work.side = list(position[:32])
    return work.side


def entering(work: Work, position: Any) -> Any:
    """The position with the mover's unentered checkers on the bar."""
    face = bytearray(position)
    face[25] = (face[25] + face[26]) & 255
    face[26] = 0
    return face


# What the smaller of two numbers may do after the larger has left a point.


def set_reply(work: Work, source: int, moves: int) -> None:
    work.replies[source] = moves


def reply(work: Work, source: int) -> int:
    return work.replies[source]


# Nodes: steps in the order in which they were made, and what they count.


def root(work: Work) -> None:
    """Begin a general search: forget all nodes but one without steps."""
    work.nodes = [0]
    work.worth = [0]
    work.known = set()


def nodes(work: Work) -> int:
    return len(work.nodes)


def steps_of(work: Work, index: int) -> int:
    return work.nodes[index]


def worth_of(work: Work, index: int) -> int:
    return work.worth[index]


def set_worth(work: Work, index: int, worth: int) -> None:
    work.worth[index] = worth


def branch(work: Work, index: int, step: int) -> None:
    """A node of one step more, unless there is one of the same steps."""
    play = work.nodes[index]
    play |= step << (length(play) + 7 & ~7)
    key = bytes(sorted(play.to_bytes(4, "little")))
    if key not in work.known:
        work.known.add(key)
        work.nodes.append(play)
        work.worth.append(0)


def scratch(work: Work, position: Any) -> Any:
    """A copy of the position, to be changed."""
    return bytearray(position[:64])


# Plays of different positions.


def forget(work: Work) -> None:
    """Remember no play any more."""
    work.found = {}


def remember(work: Work, play: int, blots: int) -> None:
    """A play, unless one is remembered that leads to the same position."""
    change = 0
    left = play
    while left:
        source = left >> 3 & 31
        target = (25 if source == 26 else source) - (left & 7)
        change -= 1 << 5 * source
        if target > 0:
            change += 1 << 5 * target
        left >>= 8
    left = play if blots else 0
    while left:
        source = left >> 3 & 31
        target = (25 if source == 26 else source) - (left & 7)
        if target > 0 and blots >> target & 1:
            blots ^= 1 << target
        left >>= 8
    work.found.setdefault((change, blots), play)


def remember_each(work: Work, moves: int, number: int, play: int, shift: int, blots: int) -> None:
    """For each source in a mask, the highest first, a play that ends with a step from there."""
    while moves:
        source = length(moves) - 1
        moves ^= 1 << source
        remember(work, play | (source << 3 | number) << shift, blots)


def remembered(work: Work) -> int:
    return len(work.found)


def recall(work: Work) -> None:
    """Put all that is remembered."""
    work.out = list(work.found.values())


# Positions in larger buffers.


def part(buffer: Any, start: int, size: int) -> Any:
    return bytes(buffer[start : start + size])


def word(buffer: Any, start: int) -> int:
    """Four bytes as a play."""
    return int.from_bytes(buffer[start : start + 4], "little")


def raw(view: memoryview) -> Any:
    return view


def write_offset(buffer: Any, index: int, value: int) -> None:
    struct.pack_into("=I", buffer, 4 * index, value)


def read_context(buffer: Any, index: int) -> int:
    context: int = struct.unpack_from("=Q", buffer, 8 * index)[0]
    return context


def blank(count: int) -> list[bytearray]:
    """Room for so many positions."""
    return []


def slot(boards: list[bytearray], index: int, position: Any) -> Any:
    """The next of them, a copy of a position."""
    boards.append(bytearray(position))
    return boards[index]


def sealed(boards: list[bytearray]) -> bytes:
    return b"".join(boards)


def frozen(board: Any) -> bytes:
    return bytes(board)


# Random games.


def board_of(work: Work, position: Any) -> Any:
    """The board of a game, set up."""
    work.board = bytearray(position)
    work.dice = bytearray(4)
    return work.board


def swap(board: Any) -> None:
    """Hand over: the opponent becomes the mover."""
    board[:] = board[32:] + board[:32]


def dice_of(work: Work) -> Any:
    return work.dice


def throw(work: Work, numbers: Any, count: int) -> None:
    """Lay out numbers that are given."""
    work.dice[:count] = numbers[:count]


def sow(work: Work, seed: int) -> None:
    work.state = seed


def random(work: Work, below: int) -> int:
    """A number from 0 up to but not including `below` (splitmix64)."""
    work.state = (work.state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    bits = work.state
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    bits ^= bits >> 31
    return (bits >> 32) * below >> 32
