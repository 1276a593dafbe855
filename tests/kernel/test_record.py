"""A record packs into bytes, and a rule that the kernel does not play is refused."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import Any, get_type_hints

import pytest

from bgcore.axes import Contact, Layout, PrimePath, PrimeRule
from bgcore.kernel import FAULTS
from bgcore.kernel.record import RECORD_SIZE, Movement, pack
from bgcore.reason import Reason

from .made import RULES


def test_every_record_has_its_own_bytes() -> None:
    packed = {pack(rules) for rules in RULES.values()}
    assert len(packed) == len(RULES)
    assert {len(record) for record in packed} == {RECORD_SIZE}


def test_a_movement_shows_its_own_record() -> None:
    assert Movement(checkers=3).packed == pack(Movement(checkers=3))


@pytest.mark.parametrize("limit", [0, 255])
def test_a_head_limit_that_is_none_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match=f"head_limit {limit}: expected 1 to 254"):
        pack(Movement(head_limit=limit))


def test_every_other_field_changes_the_bytes() -> None:
    six = Movement(prime_rule=PrimeRule.NEED_AHEAD)
    assert pack(replace(six, prime_path=PrimePath.OWN)) != pack(six)
    for field, kind in get_type_hints(Movement).items():
        if field == "prime_path":
            continue
        value = getattr(Movement(), field)
        others: list[Any] = [not value]
        if value is None:
            others = [1, 2]
        elif isinstance(value, Enum):
            others = [other for other in kind if other is not value]
        elif not isinstance(value, bool):
            others = [value - 1]
        for other in others:
            changed: dict[str, Any] = {field: other}
            assert pack(replace(Movement(), **changed)) != pack(Movement()), field


@pytest.mark.parametrize("checkers", [0, 256, -1])
def test_a_number_of_checkers_that_no_byte_holds_is_refused(checkers: int) -> None:
    with pytest.raises(ValueError, match=f"checkers {checkers}: expected 1 to 255"):
        pack(Movement(checkers=checkers))


def test_255_checkers_can_be_played(kernel: Any) -> None:
    record = pack(Movement(checkers=255))
    side = bytes(24) + b"\xff" + bytes(7)
    assert kernel.fault(side * 2, record) == 0
    plays = kernel.plays(side * 2, b"\6\5", record)
    assert plays[0] == 2
    assert kernel.playouts(side * 2, b"", record, 1, 1, 50).unfinished == 1


def faulty(kernel: Any, rules: Movement, *changes: tuple[int, int]) -> str:
    """What is said of the opening stacks after some bytes have been written over."""
    position = bytearray(64)
    position[24] = position[56] = 15
    for at, value in changes:
        position[at] = value
    fault: int = kernel.fault(bytes(position), pack(rules))
    return FAULTS[fault]


def test_faults_say_what_is_wrong(kernel: Any) -> None:
    hit, pin = Movement(), Movement(contact=Contact.PIN)
    block = Movement(contact=Contact.BLOCK, layout=Layout.PARALLEL)
    for rules in (hit, pin, block):
        assert faulty(kernel, rules) == "a proper position"
    assert faulty(kernel, hit, (27, 1)) == "bytes that must be 0 are not"
    assert faulty(kernel, pin, (31, 2)) == "bytes that must be 0 are not"
    assert faulty(kernel, hit, (24, 14)) == "not the right number of checkers"
    assert faulty(kernel, hit, (56, 16)) == "not the right number of checkers"
    assert faulty(kernel, block, (24, 14), (25, 1)).startswith("a checker on the bar")
    assert faulty(kernel, hit, (24, 14), (25, 1)) == "a proper position"
    assert faulty(kernel, hit, (24, 14), (26, 1)).startswith("an unentered checker")
    assert faulty(kernel, hit, (24, 14), (28, 2)).startswith("a pinned checker in a game without")
    assert faulty(kernel, pin, (24, 14), (31, 1)).startswith("a pinned and a free checker")
    assert faulty(kernel, pin, (24, 14), (28, 4)).startswith("a pinned checker with no opposing")
    assert faulty(kernel, pin, (24, 14), (28, 2)) == "a proper position"
    both = ((24, 14), (56, 14), (28, 4), (62, 128))
    assert faulty(kernel, pin, *both) == "checkers of both sides pinned on a point"
    assert faulty(kernel, hit, (24, 14), (1, 1)) == "checkers of both sides on a point"
    assert faulty(kernel, block, (24, 14), (12, 1)) == "checkers of both sides on a point"
    off = ((0, 15), (24, 0), (32, 15), (56, 0))
    assert faulty(kernel, hit, *off) == "all checkers of both sides are off"
    assert FAULTS[kernel.fault(bytes(63), pack(hit))] == "not 64 bytes"


def test_both_on_the_bar_before_closed_homes_is_no_fault(kernel: Any) -> None:
    side = bytes((0, 2, 2, 2, 2, 2, 2)) + bytes(18) + b"\3" + bytes(6)
    assert kernel.fault(side * 2, Movement().packed) == 0
    assert kernel.plays(side * 2, b"\6\5", Movement().packed) == bytes(4)


def mothers(mine: bool, theirs: bool, my_head: int = 0, their_head: int = 0) -> bytes:
    sides = []
    for pinned, head, pinning in ((mine, my_head, theirs), (theirs, their_head, mine)):
        side = bytearray(32)
        side[24], side[1], side[6] = head, pinning, 5
        side[28:32] = (pinned << 24).to_bytes(4, "little")
        side[0] = 15 - sum(side[1:27]) - pinned
        sides.append(bytes(side))
    return b"".join(sides)


@pytest.mark.parametrize("rule", [False, True])
def test_the_mother_ends_the_game_where_she_does(kernel: Any, rule: bool) -> None:
    record = pack(Movement(contact=Contact.PIN, mother_rule=rule))
    for position, status in (
        (mothers(False, False), 0),
        (mothers(True, True), 3),
        (mothers(False, True), 4 * rule),
        (mothers(True, False), 5 * rule),
        (mothers(False, True, my_head=1), 0),
        (mothers(True, False, their_head=1), 0),
    ):
        assert kernel.fault(position, record) == 0
        assert kernel.status(position, record) == status
        assert (kernel.plays(position, b"\6\5", record) == bytes(4)) == bool(status)
        assert (kernel.probe(position, record, 255 << 32, 6, 1) == Reason.GAME_ENDED) == bool(
            status
        )


def test_the_win_comes_when_the_last_checker_leaves_the_start(kernel: Any) -> None:
    """PLK-R1: the rest of the roll is not played, and counts as if it had been."""
    record = pack(Movement(contact=Contact.PIN, mother_rule=True))
    position = mothers(False, True, my_head=1)
    plays = kernel.plays(position, b"\3\1", record)
    single = [plays[at : at + 4] for at in range(4, len(plays), 4) if not plays[at + 1]]
    assert single == [bytes((24 << 3 | 3, 0, 0, 0)), bytes((24 << 3 | 1, 0, 0, 0))]
    for play in single:
        assert kernel.status(kernel.apply(position, play, record), record) == 4
