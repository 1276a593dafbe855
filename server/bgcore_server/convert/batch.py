"""Many positions at once: packed bytes in, packed bytes out, with nothing made for a play in between."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, product, repeat
from struct import unpack

from bgcore import Position, Roll, Rules, kernel
from bgcore.errors import Fault, IllegalPosition
from bgcore.play import STEPS
from bgcore.proof import faults_of
from bgcore_proto.v1 import rules_service_pb2 as pb
from bgcore_server.convert.board import DIE, NUMBER
from bgcore_server.convert.wire import varint
from bgcore_server.errors import MOST_VIOLATIONS, Malformed, TooMuch

BOARD = 64
MOST_POSITIONS = 4096
MOST_BYTES = 3 << 20
"""Of plays and boards together; with it an answer fits into the 4 MiB that gRPC's clients take."""
LITTLE, MUCH = 256, MOST_POSITIONS
"""Positions between which it is looked whether anybody waits: the compiled kernel does the most in a millisecond."""
USUAL_PLAYS = 48
"""Room for so many plays a position; where they are more, the kernel is asked again."""

PLAYS, OFFSETS, NUMBERS_USED, BOARDS = b"\x0a", b"\x12", b"\x1a", b"\x22"


@dataclass(frozen=True, slots=True)
class Questions:
    """Positions, proven, and for each its dice, and the four numbers to be played, 0 where there are fewer."""

    rules: Rules
    positions: bytes
    dice: bytes
    numbers: bytes
    boards: bool

    def __len__(self) -> int:
        return len(self.positions) // BOARD

    def portions(self) -> Iterator[Questions]:
        """The same, so many at once."""
        each = self.rules.variant.dice
        size = MUCH if kernel.COMPILED and self.rules.kernel_alone else LITTLE
        for at in range(0, len(self), size):
            yield Questions(
                self.rules,
                self.positions[BOARD * at : BOARD * (at + size)],
                self.dice[each * at : each * (at + size)],
                self.numbers[STEPS * at : STEPS * (at + size)],
                self.boards,
            )


@dataclass(slots=True)
class Answers:
    """What was found so far."""

    boards_wanted: bool
    plays: list[bytes] = field(default_factory=list)
    boards: list[bytes] = field(default_factory=list)
    used: list[bytes] = field(default_factory=list)
    offsets: array[int] = field(default_factory=lambda: array("I", [0]))

    @property
    def room(self) -> int:
        """How many more plays the answer takes."""
        return MOST_BYTES // (STEPS + BOARD * self.boards_wanted) - self.offsets[-1]

    def message(self) -> bytes:
        """A `BatchListPlaysResponse`, as the wire has it."""
        offsets = self.offsets
        if sys.byteorder == "big":
            offsets = array("I", offsets)
            offsets.byteswap()
        fields = (
            (PLAYS, b"".join(self.plays)),
            (OFFSETS, offsets.tobytes()),
            (NUMBERS_USED, b"".join(self.used)),
            (BOARDS, b"".join(self.boards)),
        )
        return b"".join(
            part for tag, found in fields if found for part in (tag, varint(len(found)), found)
        )


# -- what comes in ----------------------------------------------------------------------------------


def check_counts(rules: Rules, request: pb.BatchListPlaysRequest) -> None:
    """`Malformed` or `TooMuch` unless there are so many bytes as there should be."""
    size, dice, each = len(request.positions), len(request.dice), rules.variant.dice
    if size % BOARD:
        found, expected = f"of {size} bytes", f"{BOARD} bytes a position"
        raise Malformed(Fault("POSITIONS_SIZE", "positions", found, expected))
    many = size // BOARD
    if many > MOST_POSITIONS:
        found, expected = f"of {many} positions", f"at most {MOST_POSITIONS}"
        raise TooMuch(Fault("TOO_MANY_POSITIONS", "positions", found, expected))
    if dice != many * each:
        found, expected = f"of {dice} dice", f"{many * each} dice: {each} for each of {many}"
        raise Malformed(Fault("DICE_COUNT", "dice", found, expected))


def read(rules: Rules, request: pb.BatchListPlaysRequest) -> Questions:
    """The questions of a request whose counts are right; its first few faults, when it has any."""
    numbers = _numbers(rules, request.dice)
    positions = request.positions
    pieces = unpack(f"{BOARD}s" * (len(positions) // BOARD), positions)
    if any(map(kernel.fault, pieces, repeat(rules.record))):
        wrong = (
            _position_fault(rules, index, piece)
            for index, piece in enumerate(pieces)
            if kernel.fault(piece, rules.record)
        )
        raise IllegalPosition(*islice(wrong, MOST_VIOLATIONS))
    return Questions(rules, positions, request.dice, numbers, request.boards)


def _position_fault(rules: Rules, index: int, packed: bytes) -> Fault:
    """What is wrong with a position first."""
    name = f"positions[{index}]"
    for fault in faults_of(Position(packed).setup, rules.variant):
        message = f"{name}: {fault}"
        return Fault(fault.reason, name, fault.value, fault.expected, message)
    what = kernel.FAULTS[kernel.fault(packed, rules.record)]
    found = f"{name}: {what}, expected a position of the variant"
    return Fault("ILLEGAL_POSITION", name, what, "a position of the variant", found)


def _numbers(rules: Rules, dice: bytes) -> bytes:
    """The numbers that the rolls are worth, four a roll."""
    each, worth = rules.variant.dice, _worth(rules)
    rolls = unpack(f"{each}s" * (len(dice) // each), dice)
    try:
        return b"".join(map(worth.__getitem__, rolls))
    except KeyError:
        wrong = ((index, die) for index, die in enumerate(dice) if die not in DIE)
        faults = (Fault("BAD_DICE", f"dice[{index}]", str(die), NUMBER) for index, die in wrong)
        raise Malformed(*islice(faults, MOST_VIOLATIONS)) from None


@lru_cache(64)
def _worth(rules: Rules) -> Mapping[bytes, bytes]:
    """The numbers of the first part of each roll, as the dice may fall."""
    return {
        bytes(dice): bytes(rules.parts(Roll.of(*dice))[0].numbers).ljust(STEPS, b"\0")
        for dice in product(DIE, repeat=rules.variant.dice)
    }


# -- what goes out ----------------------------------------------------------------------------------


def answered(rules: Rules, request: pb.BatchListPlaysRequest, check: Callable[[], None]) -> bytes:
    """The answer to a request whose counts are right; `check` raises when nobody waits for it any more."""
    asked, answers = read(rules, request), Answers(request.boards)
    for portion in asked.portions():
        check()
        answer(portion, answers)
    return answers.message()


def answer(asked: Questions, answers: Answers) -> None:
    """Add what the rules say; `TooMuch` when it is more than an answer takes."""
    rules, start = asked.rules, answers.offsets[-1]
    many = len(asked)
    offsets, used = array("I", bytes(4 * many + 4)), bytearray(many)
    plays = _straight if rules.kernel_alone else _filtered
    found = plays(asked, offsets, used, answers.room)
    answers.plays.append(found)
    answers.used.append(bytes(used))
    answers.offsets.extend([start + offset for offset in offsets[1:]] if start else offsets[1:])
    if asked.boards:
        for at in range(many):
            here = found[STEPS * offsets[at] : STEPS * offsets[at + 1]]
            position = asked.positions[BOARD * at : BOARD * (at + 1)]
            answers.boards.append(kernel.results(position, here, rules.record))


def _straight(asked: Questions, offsets: array[int], used: bytearray, room: int) -> bytes:
    """The plays as the kernel has them."""
    plays = bytearray(STEPS * min(room, USUAL_PLAYS * len(asked)))
    if not _fits(asked, plays, offsets, used):
        _check_room(offsets[-1], room)
        plays = bytearray(STEPS * offsets[-1])
        _fits(asked, plays, offsets, used)
    return bytes(memoryview(plays)[: STEPS * offsets[-1]])


def _fits(asked: Questions, plays: bytearray, offsets: array[int], used: bytearray) -> bool:
    """Whether the kernel's plays go into a buffer; the last offset tells how many they are."""
    try:
        kernel.batch(asked.positions, asked.numbers, asked.rules.record, None, plays, offsets, used)
    except ValueError:
        if offsets[-1] * STEPS <= len(plays):
            raise
        return False
    return True


def _filtered(asked: Questions, offsets: array[int], used: bytearray, room: int) -> bytes:
    """The plays position by position, as the rules' own code leaves them."""
    rules, each, count = asked.rules, asked.rules.variant.dice, 0
    found = []
    for at in range(len(asked)):
        position = Position(asked.positions[BOARD * at : BOARD * (at + 1)])
        plays = rules.plays(position, Roll.of(*asked.dice[each * at : each * (at + 1)]))
        if plays.numbers_used and not plays.nothing_playable:
            found.append(plays.codes)
            count += len(plays)
            used[at] = plays.numbers_used
            _check_room(count, room)
        offsets[at + 1] = count
    return b"".join(found)


def _check_room(count: int, room: int) -> None:
    if count > room:
        found, limit = "of more plays", f"at most {MOST_BYTES} bytes of plays and boards"
        raise TooMuch(Fault("ANSWER_TOO_LARGE", "positions", found, limit))
