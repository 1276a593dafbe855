"""Positions packed for a batch, and its answer read."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest

from bgcore_client import BLACK, AsyncClient, Batch, Client, messages, pack, position, side
from tests.client.fake import FakeServer

BOARD = position({6: 5, 25: 1, 0: 9}, side({24: 2, 26: 1, 0: 11}, pinned=[3]))
WHITES = "6:5 bar:1 off:9"
BLACKS = "24:2 in:1 pin:3 off:11"
CODES = bytes([8 << 3 | 3, 6 << 3 | 1, 0, 0, 26 << 3 | 5, 0, 0, 0])


def test_a_message_and_a_text_have_the_same_bytes() -> None:
    assert pack(BOARD) == pack(f"{WHITES} / {BLACKS}")


def test_bytes_stand_where_the_contract_says() -> None:
    packed = pack(BOARD)
    assert len(packed) == 64
    assert (packed[0], packed[6], packed[25], packed[26], packed[27]) == (9, 5, 1, 0, 0)
    assert (packed[32], packed[56], packed[57], packed[58]) == (11, 2, 0, 1)
    assert int.from_bytes(packed[60:], "little") == 1 << 3


def test_who_is_on_roll_comes_first() -> None:
    blacks = position(BOARD.white, BOARD.black, BLACK)
    assert pack(blacks) == pack(f"{BLACKS} / {WHITES}") == pack(BOARD)[32:] + pack(BOARD)[:32]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("6:5", "expected two sides"),
        ("6:5 / 25:1", "expected each of the points 1 to 24 at most once"),
        ("6:5 6:4 / off:15", "at most once"),
        ("6-5 / off:15", "'6-5': expected a place and a number"),
        ("6:256 / off:15", "256 checkers: expected 0 to 255"),
        ("6:5 pin:25 / off:15", "pinned point 25: expected 1 to 24"),
        ("6:5 pin:3 pin:3 / off:15", "expected each point at most once"),
        (bytes(63), "position of 63 bytes: expected 64"),
        (messages.Position(), "on_roll 0: expected WHITE or BLACK"),
        (position(messages.Side(points=[1]), {}), "points of 1 numbers: expected 24, or none"),
    ],
)
def test_what_has_no_bytes_is_refused(given: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        pack(given)


def answer(**more: Any) -> messages.BatchListPlaysResponse:
    fields = {"plays": CODES, "offsets": [0, 1, 1, 2], "numbers_used": bytes([2, 0, 1])} | more
    return messages.BatchListPlaysResponse(**fields)


def test_an_answer_is_read_by_position() -> None:
    batch = Batch(answer())
    assert [[str(play) for play in plays] for plays in batch] == [["8/5 6/5"], [], ["in/20"]]
    assert [plays.numbers_used for plays in batch] == [2, 0, 1]
    assert (len(batch), len(batch[-1]), repr(batch)) == (3, 1, "<2 plays of 3 positions>")
    assert [len(plays) for plays in batch[1:]] == [0, 1]
    assert batch[0][0].message.steps.origins == [8, 6]
    with pytest.raises(IndexError, match="position 3: expected one of 3"):
        batch[3]
    with pytest.raises(IndexError, match="play 1: expected one of 1"):
        batch[0][1]


def test_boards_come_with_the_plays() -> None:
    batch = Batch(answer(boards=pack(BOARD) + pack(f"{BLACKS} / {WHITES}")))
    assert batch[0][0].after == (BOARD.white, BOARD.black)
    assert batch[2][0].after == (BOARD.black, BOARD.white)
    with pytest.raises(ValueError, match="no board"):
        _ = Batch(answer())[0][0].after


@pytest.mark.parametrize(
    "wrong",
    [
        {"offsets": [0, 1, 2]},
        {"offsets": [0, 2, 1, 2]},
        {"offsets": [1, 1, 1, 2]},
        {"plays": CODES[:-1]},
        {"boards": bytes(64)},
        {"offsets": []},
    ],
)
def test_columns_that_do_not_fit_together_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Batch(answer(**wrong))


async def test_both_clients_send_packed_bytes() -> None:
    with FakeServer({"BatchListPlays": lambda _, __: answer()}) as server:
        with Client(server.target) as client:
            found = client.batch_list_plays(
                "tavla", [BOARD, WHITES + " / " + BLACKS], [(3, 1), (6, 6)]
            )
            assert len(found) == 3
        async with AsyncClient(server.target) as waiting:
            await waiting.batch_list_plays("tavla", pack(BOARD) * 2, bytes([3, 1, 6, 6]))
    first, second = cast("list[messages.BatchListPlaysRequest]", server.requests)
    assert first == second
    assert (first.variant.id, first.positions, list(first.dice)) == (
        "tavla",
        pack(BOARD) * 2,
        [3, 1, 6, 6],
    )
