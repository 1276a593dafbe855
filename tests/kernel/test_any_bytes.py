"""Whatever bytes come in, the kernel answers or raises, and never touches what is not its own."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable
from typing import Any

import pytest

from bgcore.kernel.record import RECORD_SIZE

SIZES = (ValueError, OverflowError)
GARBAGE = 400


def garbage(rng: random.Random) -> tuple[bytes, bytes, bytes, int]:
    """Bytes that are right in nothing but their number, though often nearly sensible."""
    kind = rng.random()
    if kind < 0.3:
        position = rng.randbytes(64)
    elif kind < 0.6:
        position = bytes(rng.choice((0, 0, 0, 0, 1, 2, 255)) for _ in range(64))
    else:
        position = bytes(rng.choice((0, 0, 0, 1)) for _ in range(60)) + rng.randbytes(4)
    numbers = bytes(rng.randint(1, 6) for _ in range(rng.randint(0, 2)))
    if rng.random() < 0.2:
        numbers = numbers[:1] * rng.randint(0, 4)
    record = bytes(rng.choice((0, 1, 2, 3, 15, 255)) for _ in range(RECORD_SIZE))
    if rng.random() < 0.3:
        record = rng.randbytes(RECORD_SIZE)
    context = rng.choice((255 << 32, rng.getrandbits(64), rng.getrandbits(40)))
    return position, numbers, record, context


def everything(kernel: Any, position: bytes, numbers: bytes, record: bytes, context: int) -> Any:
    """The answers of every function."""
    plays = kernel.plays(position, numbers, record, context)
    assert len(plays) % 4 == 0
    results = kernel.results(position, plays, record)
    assert len(results) == 16 * (len(plays) - 4)
    rng = random.Random(context)
    source, number = rng.randrange(32), rng.randrange(8)
    return (
        plays,
        results,
        kernel.steps(position, numbers, record, context),
        kernel.step(position, record, context, source, number),
        kernel.probe(position, record, context, source, number),
        kernel.probe(position, record, context, rng.randrange(-300, 300), rng.randrange(-9, 300)),
        kernel.status(position, record),
        kernel.fault(position, record),
        kernel.apply(position, rng.randbytes(rng.randrange(5)), record),
        kernel.results(position, rng.randbytes(16), record),
    )


def test_any_bytes_are_safe(kernel: Any) -> None:
    rng = random.Random(11)
    for _ in range(GARBAGE):
        everything(kernel, *garbage(rng))


@pytest.mark.needs_compiled_kernel
def test_both_kernels_answer_alike_on_any_bytes(compiled: Any) -> None:
    from bgcore.kernel import movement as plain

    rng = random.Random(12)
    for _ in range(GARBAGE):
        question = garbage(rng)
        assert everything(compiled, *question) == everything(plain, *question), question


@pytest.mark.needs_compiled_kernel
def test_thousands_more_are_safe_for_the_compiled_kernel(compiled: Any) -> None:
    rng = random.Random(13)
    for _ in range(50 * GARBAGE):
        everything(compiled, *garbage(rng))


def test_games_from_any_bytes_come_to_an_end(kernel: Any) -> None:
    rng = random.Random(14)
    for _ in range(GARBAGE // 10):
        position, numbers, record, context = garbage(rng)
        tally = kernel.playouts(position, numbers, record, 2, context, 20)
        assert tally.won + tally.lost + tally.drawn + tally.unfinished == tally.games == 2
        kernel.sample(position, record, 1, context, 2, 10)


def test_any_bytes_in_a_batch_are_safe(kernel: Any) -> None:
    rng = random.Random(15)
    asked = [garbage(rng) for _ in range(GARBAGE // 4)]
    record = asked[0][2]
    plays = bytearray(4_000_000)
    offsets = array("I", bytes(4 * len(asked) + 4))
    used = bytearray(len(asked))
    written = kernel.batch(
        b"".join(position for position, _, _, _ in asked),
        b"".join(numbers.ljust(4, b"\0") for _, numbers, _, _ in asked),
        record,
        array("Q", [context for _, _, _, context in asked]),
        plays,
        offsets,
        used,
    )
    for index, (position, numbers, _, context) in enumerate(asked):
        answer = kernel.plays(position, numbers, record, context)
        assert answer[0] == used[index]
        assert answer[4:] == plays[4 * offsets[index] : 4 * offsets[index + 1]]
    assert offsets[len(asked)] == written


@pytest.mark.parametrize(
    ("position", "numbers", "record", "context"),
    [
        (b"", b"\1", bytes(RECORD_SIZE), 0),
        (bytes(63), b"\1", bytes(RECORD_SIZE), 0),
        (bytes(65), b"\1", bytes(RECORD_SIZE), 0),
        (bytes(64), b"\1\1\1\1\1", bytes(RECORD_SIZE), 0),
        (bytes(64), b"\0", bytes(RECORD_SIZE), 0),
        (bytes(64), b"\7", bytes(RECORD_SIZE), 0),
        (bytes(64), b"\1", bytes(RECORD_SIZE - 1), 0),
        (bytes(64), b"\1", b"", 0),
        (bytes(64), b"\1", bytes(RECORD_SIZE), -1),
        (bytes(64), b"\1", bytes(RECORD_SIZE), 1 << 64),
    ],
)
def test_a_wrong_size_or_number_is_refused(
    kernel: Any, position: bytes, numbers: bytes, record: bytes, context: int
) -> None:
    with pytest.raises(SIZES):
        kernel.plays(position, numbers, record, context)
    with pytest.raises(SIZES):
        kernel.steps(position, numbers, record, context)
    if len(position) != 64 or len(record) != RECORD_SIZE:
        calls: list[Callable[[], object]] = [
            lambda: kernel.apply(position, b"", record),
            lambda: kernel.results(position, b"", record),
            lambda: kernel.step(position, record, 0, 1, 1),
            lambda: kernel.probe(position, record, 0, 1, 1),
            lambda: kernel.status(position, record),
            lambda: kernel.playouts(position, b"", record, 1, 1, 1),
            lambda: kernel.sample(position, record, 1, 1, 1),
        ]
        for call in calls:
            with pytest.raises(SIZES):
                call()
