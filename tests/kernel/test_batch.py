"""A batch says the same as so many single calls."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable
from typing import Any

import pytest

from bgcore.kernel.record import pack

from .made import RULES, questions


def batched(
    kernel: Any, asked: list[tuple[bytes, bytes]], record: bytes, room: int = 100_000
) -> tuple[bytearray, array[int], bytearray, int]:
    plays = bytearray(4 * room)
    offsets = array("I", bytes(4 * len(asked) + 4))
    used = bytearray(len(asked))
    positions = b"".join(position for position, _ in asked)
    numbers = b"".join(numbers.ljust(4, b"\0") for _, numbers in asked)
    written = kernel.batch(positions, numbers, record, None, plays, offsets, used)
    return plays, offsets, used, written


@pytest.mark.parametrize("name", ["western", "pin, mother", "block", "no hit and run"])
def test_a_batch_says_what_single_calls_say(kernel: Any, name: str) -> None:
    record = pack(RULES[name])
    asked = list(questions(21, RULES[name], 150))
    plays, offsets, used, written = batched(kernel, asked, record)
    assert offsets[-1] == written
    for index, (position, numbers) in enumerate(asked):
        answer = kernel.plays(position, numbers, record)
        assert used[index] == answer[0]
        assert plays[4 * offsets[index] : 4 * offsets[index + 1]] == answer[4:]


def test_too_little_room_is_refused_and_the_room_needed_is_named(kernel: Any) -> None:
    record = pack(RULES["western"])
    asked = list(questions(22, RULES["western"], 50))
    written = batched(kernel, asked, record)[3]
    with pytest.raises(ValueError, match=f"room for {written - 1} plays: expected {written}"):
        batched(kernel, asked, record, written - 1)
    assert batched(kernel, asked, record, written)[3] == written


def test_an_empty_batch_is_no_error(kernel: Any) -> None:
    plays, offsets, _, written = batched(kernel, [], pack(RULES["western"]))
    assert (written, offsets[0], len(plays)) == (0, 0, 400_000)


def test_buffers_that_do_not_fit_are_refused(kernel: Any) -> None:
    record = pack(RULES["western"])
    room, offsets, used = bytearray(400), bytearray(8), bytearray(1)
    calls: list[Callable[[], object]] = [
        lambda: kernel.batch(bytes(63), bytes(4), record, None, room, offsets, used),
        lambda: kernel.batch(bytes(64), bytes(3), record, None, room, offsets, used),
        lambda: kernel.batch(bytes(64), bytes(4), record, bytes(7), room, offsets, used),
        lambda: kernel.batch(bytes(64), bytes(4), record, None, room, bytearray(7), used),
        lambda: kernel.batch(bytes(64), bytes(4), record, None, room, offsets, bytearray()),
        lambda: kernel.batch(bytes(64), b"\7\0\0\0", record, None, room, offsets, used),
        lambda: kernel.batch(bytes(64), b"\1\0\0\7"[::-1], record, None, room, offsets, used),
        lambda: kernel.batch(bytes(64), bytes(4), record, None, bytes(400), offsets, used),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"expected|cannot be written"):
            call()


def test_threads_do_not_disturb_each_other(kernel: Any) -> None:
    record = pack(RULES["pin, mother"])
    asked = list(questions(23, RULES["pin, mother"], 60))
    expected = batched(kernel, asked, record)
    found: list[Any] = []
    threads = [
        threading.Thread(target=lambda: found.append(batched(kernel, asked, record)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


@pytest.mark.parametrize("numbers", [b"\3\0\1\0", b"\0\0\0\1", b"\0\2\1\0"])
def test_numbers_behind_the_last_are_refused(kernel: Any, numbers: bytes) -> None:
    record = pack(RULES["western"])
    [(position, _)] = questions(23, RULES["western"], 1)
    room = bytearray(4000), array("I", [0, 0]), bytearray(1)
    with pytest.raises(ValueError, match="numbers of position 0: expected 1 to 6, then 0"):
        kernel.batch(position, numbers, record, None, *room)


def test_games_and_distances_have_their_ranges(kernel: Any) -> None:
    record = pack(RULES["western"])
    [(position, _)] = questions(24, RULES["western"], 1)
    with pytest.raises(ValueError, match="games -5: expected 0 or more"):
        kernel.playouts(position, b"", record, -5, 1, 100)
    with pytest.raises(ValueError, match="expected 1 to 1000000"):
        kernel.sample(position, record, 1, 1, 2**31)
