"""The plays that the kernel lists are those of the rules."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bgcore.axes import QuarterScope, Timing
from bgcore.kernel import ORDINARY
from bgcore.kernel.record import pack
from bgcore.reason import Reason

from .made import BLOCK, RULES, questions
from .reference import Board, half, legal, stepped

START = half(tuple({24: 2, 13: 5, 8: 3, 6: 5}.get(n, 0) for n in range(26)), frozenset())


def boards(packed: bytes) -> list[bytes]:
    return [packed[at : at + 64] for at in range(0, len(packed), 64)]


@pytest.mark.parametrize("name", RULES)
def test_made_up_positions_are_proper_and_say_so(kernel: Any, name: str) -> None:
    for position, _ in questions(1, RULES[name], 200):
        assert kernel.fault(position, pack(RULES[name])) == 0


@pytest.mark.parametrize("name", RULES)
def test_plays_are_those_that_trying_everything_finds(kernel: Any, name: str) -> None:
    rules = RULES[name]
    record = pack(rules)
    for position, numbers in questions(2, rules, 120):
        used, expected = legal(position, rules, numbers)
        plays = kernel.plays(position, numbers, record)
        after = boards(kernel.results(position, plays, record))
        assert (plays[0], plays[1:4]) == (used, b"\0\0\0"), (position.hex(), numbers)
        assert len(after) == len(set(after)), (position.hex(), numbers)
        assert set(after) == expected, (position.hex(), numbers)


@pytest.mark.parametrize("name", RULES)
def test_steps_from_where_none_may_leave_and_to_where_none_may_come_are_left_out(
    kernel: Any, name: str
) -> None:
    rules, rng = RULES[name], Random(name)
    record = pack(rules)
    for position, numbers in questions(4, rules, 100):
        leave = {source for source in range(1, 27) if rng.random() < 0.7}
        closed = {point for point in range(25) if rng.random() < 0.3}
        gates = sum(1 << source for source in leave) | sum(1 << point for point in closed) << 32
        through = kernel.steps(position, numbers, record, ORDINARY, gates)
        assert through == bytes(
            code
            for code in kernel.steps(position, numbers, record)
            if code >> 3 in leave and max(min(code >> 3, 25) - (code & 7), 0) not in closed
        )


@pytest.mark.parametrize("name", RULES)
def test_single_steps_are_those_that_trying_everything_finds(kernel: Any, name: str) -> None:
    rules = RULES[name]
    record = pack(rules)
    for position, numbers in questions(3, rules, 100):
        steps = kernel.steps(position, numbers, record)
        assert steps == bytes(sorted(set(steps), reverse=True))
        for number in range(1, 7):
            expected = {board.packed() for board in stepped(Board.of(position), rules, number)}
            made = {
                kernel.step(position, record, ORDINARY, code >> 3, number)[0]
                for code in steps
                if code & 7 == number
            }
            assert made == (expected if number in numbers else set())


@pytest.mark.parametrize("name", RULES)
def test_probe_is_0_for_the_steps_listed_and_for_no_other(kernel: Any, name: str) -> None:
    record = pack(RULES[name])
    for position, _ in questions(4, RULES[name], 60):
        steps = set(kernel.steps(position, bytes(range(1, 5)), record)) | set(
            kernel.steps(position, bytes((5, 6)), record)
        )
        legal_steps = {
            source << 3 | number
            for source in range(28)
            for number in range(1, 7)
            if kernel.probe(position, record, ORDINARY, source, number) == 0
        }
        assert legal_steps == steps


def test_a_lock_from_earlier_in_the_turn_keeps_one_checker_there(kernel: Any) -> None:
    rules = RULES["no hit and run"]
    record = pack(rules)
    for position, numbers in questions(5, rules, 150):
        locked = frozenset(range(1, 7))
        context = ORDINARY | sum(1 << point for point in locked)
        used, expected = legal(position, rules, numbers, locked)
        plays = kernel.plays(position, numbers, record, context)
        assert plays[0] == used
        assert set(boards(kernel.results(position, plays, record))) == expected


def test_no_more_checkers_leave_the_head_than_the_context_allows(kernel: Any) -> None:
    record = pack(RULES["block"])
    start = bytes(24) + b"\x0f" + bytes(7)

    def leaving(allowed: int) -> set[int]:
        plays = kernel.plays(start * 2, b"\3\2", record, allowed << 32)
        return {15 - board[24] for board in boards(kernel.results(start * 2, plays, record))}

    assert leaving(255) == {1, 2}
    assert leaving(2) == {1, 2}
    assert leaving(1) == {1}
    assert leaving(0) == set()
    assert kernel.probe(start * 2, record, 0, 24, 3) == 7
    assert kernel.step(start * 2, record, 2 << 32, 24, 3)[1] == 1 << 32
    assert kernel.step(start * 2, record, ORDINARY, 24, 3)[1] == ORDINARY


def test_the_opening_rolls_have_447_results_in_all(kernel: Any) -> None:
    """GNU Backgammon 1.07 lists the same number for each of the 21 rolls."""
    rolls = [
        bytes((a, b)) if a != b else bytes([a] * 4) for a in range(1, 7) for b in range(1, a + 1)
    ]
    record = pack(RULES["western"])
    assert sum(len(kernel.plays(START * 2, roll, record)) // 4 - 1 for roll in rolls) == 447


def test_the_order_of_the_numbers_does_not_matter(kernel: Any) -> None:
    record = pack(RULES["western"])
    for position, _ in questions(6, RULES["western"], 100):
        assert kernel.plays(position, b"\6\1", record) == kernel.plays(position, b"\1\6", record)


def test_nothing_is_playable_in_a_game_that_has_ended(kernel: Any) -> None:
    record = pack(RULES["western"])
    off = b"\x0f" + bytes(31)
    for position, status in ((off + START, 1), (START + off, 2)):
        assert kernel.plays(position, b"\6\1", record) == bytes(4)
        assert kernel.steps(position, b"\6\1", record) == b""
        assert kernel.probe(position, record, ORDINARY, 24, 1) == 1
        assert kernel.status(position, record) == status
        assert kernel.fault(position, record) == 0


@pytest.mark.needs_compiled_kernel
@pytest.mark.parametrize("name", RULES)
def test_the_plain_and_the_compiled_kernel_answer_alike(compiled: Any, name: str) -> None:
    from bgcore.kernel import movement as plain

    rules = RULES[name]
    record = pack(rules)
    for position, numbers in questions(7, rules, 150):
        plays = plain.plays(position, numbers, record)
        assert compiled.plays(position, numbers, record) == plays
        assert compiled.results(position, plays, record) == plain.results(position, plays, record)
        assert compiled.status(position, record) == plain.status(position, record)
    start = next(questions(8, rules, 1))[0]
    assert compiled.sample(start, record, 2, 3, 1) == plain.sample(start, record, 2, 3, 1)
    assert compiled.playouts(start, b"", record, 5, 9, 200) == plain.playouts(
        start, b"", record, 5, 9, 200
    )


def test_two_pairs_of_steps_that_come_to_one_run_are_one_play(kernel: Any) -> None:
    # 6/1 7/6 and 2/1 7/2 both take a checker from 7 to 1, where static rules let none run.
    mine = {7: 1, 6: 2, 5: 2, 2: 1, 1: 4, 0: 5}
    position = board(mine, {12: 3, 5: 6, 3: 6})
    record = pack(RULES["static"])
    plays = kernel.plays(position, bytes((5, 1)), record)
    after = boards(kernel.results(position, plays, record))
    assert len(after) == len(set(after))
    assert set(after) == legal(position, RULES["static"], bytes((5, 1)))[1]


@pytest.mark.parametrize("timing", Timing)
@pytest.mark.parametrize("left", [0, 1, 2])
def test_the_limit_on_his_start_quarter_holds_until_his_last_checker_has_left_his_start(
    kernel: Any, timing: Timing, left: int
) -> None:
    rules = replace(
        BLOCK,
        opp_start_quarter_max=4,
        opp_start_quarter_scope=QuarterScope.WHILE_START_OCCUPIED,
        restriction_timing=timing,
    )
    # Four of my 12 to 7 are held, and 13/7 would make it five.
    position = board({13: 1, 11: 1, 10: 1, 9: 1, 8: 11}, {24: left, 2: 15 - left})
    assert kernel.fault(position, pack(rules)) == 0
    plays = kernel.plays(position, b"\6", pack(rules))
    assert (13 << 3 | 6 in plays[4::4]) is (left == 0)
    refused = Reason(kernel.probe(position, pack(rules), ORDINARY, 13, 6))
    assert refused == (Reason.FORMATION_FORBIDDEN if left and timing is Timing.PER_STEP else 0)


def board(mine: dict[int, int], theirs: dict[int, int]) -> bytes:
    """The 64 bytes of these checkers."""
    return b"".join(
        half(tuple(side.get(n, 0) for n in range(27)), frozenset()) for side in (mine, theirs)
    )
