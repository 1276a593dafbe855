"""Committed dice against a short program written only from docs/dice.md."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore.dice import SCHEME, CommittedDice, commitment
from bgcore.dice_proof import LONGEST_SEED, player_seed

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/dice.md").read_text(encoding="utf-8")
VECTORS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (ROOT / "tests/data/vectors/committed-dice.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


# -- the pseudo-code of docs/dice.md, nothing of bgcore ----------------------------------------------


def sha256(message: bytes) -> bytes:
    return hashlib.sha256(message).digest()


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104, for keys of at most 64 bytes."""
    padded = key + bytes(64 - len(key))
    inner = sha256(bytes(byte ^ 0x36 for byte in padded) + message)
    return sha256(bytes(byte ^ 0x5C for byte in padded) + inner)


def derive(key: bytes, white: str, black: str, number: int, dice: int) -> list[int]:
    numbers: list[int] = []
    block = 0
    while True:
        message = "bgcore-dice-1:" + white.encode().hex() + ":" + black.encode().hex()
        message += f":{number}:{dice}:{block}"
        for byte in hmac_sha256(key, message.encode("ascii")):
            if byte < 252:
                numbers.append(byte % 6 + 1)
            if len(numbers) == dice:
                return numbers
        block += 1


# -- the vectors -------------------------------------------------------------------------------------


def label(vector: dict[str, Any]) -> str:
    return f"throw {vector['throw']} of {vector['dice']}"


@pytest.mark.parametrize("vector", VECTORS, ids=label)
def test_the_pseudo_code_and_the_engine_give_every_vector(vector: dict[str, Any]) -> None:
    key = bytes.fromhex(vector["server_seed"])
    white, black = vector["seeds"]
    number, dice = vector["throw"], vector["dice"]
    assert sha256(key).hex() == commitment(key) == vector["commitment"]
    assert derive(key, white, black, number, dice) == vector["numbers"]
    assert CommittedDice(key, white, black, number).throw(dice) == tuple(vector["numbers"])


def test_the_vectors_have_seeds_that_players_may_give() -> None:
    for vector in VECTORS:
        assert [player_seed(seed) for seed in vector["seeds"]] == vector["seeds"]


def first_block(vector: dict[str, Any]) -> bytes:
    white, black = (seed.encode().hex() for seed in vector["seeds"])
    message = f"{SCHEME}:{white}:{black}:{vector['throw']}:{vector['dice']}:0"
    return hmac_sha256(bytes.fromhex(vector["server_seed"]), message.encode())


def test_the_vectors_reach_every_branch() -> None:
    assert len(VECTORS) >= 40
    ordinary = [vector for vector in VECTORS if vector["dice"] <= 3]
    skipped = [first_block(vector)[: vector["dice"]] for vector in ordinary]
    assert {vector["dice"] for vector in ordinary} == {1, 2, 3}
    assert {byte for block in skipped for byte in block} >= {251, 252, 255}
    assert any(all(byte >= 252 for byte in block) for block in skipped)  # the first and the second
    assert any(vector["dice"] > 32 for vector in VECTORS)  # more blocks than one
    assert any(vector["dice"] > 64 for vector in VECTORS)  # and than two
    assert max(vector["throw"] for vector in VECTORS) == 2**53 - 1
    assert {len(seed) for vector in VECTORS for seed in vector["seeds"] if not seed.isascii()} >= {
        1,
        LONGEST_SEED,
    }


@given(
    key=st.binary(min_size=32, max_size=32),
    seeds=st.tuples(*2 * (st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1),)),
    number=st.integers(0, 2**64),
    dice=st.integers(1, 70),
)
def test_the_engine_gives_what_the_pseudo_code_gives(
    key: bytes, seeds: tuple[str, str], number: int, dice: int
) -> None:
    thrown = CommittedDice(key, *seeds, number).throw(dice)
    assert thrown == tuple(derive(key, *seeds, number, dice))


# -- the page itself ---------------------------------------------------------------------------------


def test_the_page_works_its_example_out_as_the_pseudo_code_does() -> None:
    key = bytes.fromhex(cell("server seed"))
    assert cell("commitment") == sha256(key).hex()
    worked = re.findall(r"\| message \| `(.+)` \|\n\| HMAC \| `(.+)` \|\n\| bytes \| (.+) \|", PAGE)
    assert len(worked) == 2
    for message, block, bytes_row in worked:
        assert hmac_sha256(key, message.encode()).hex() == block
        scheme, white, black, number, dice, counter = message.split(":")
        assert (scheme, counter) == (SCHEME, "0")
        assert f"`ann's own`, in UTF-8 `{white}`" in PAGE
        assert f"`Zoë ⚅`, in UTF-8 `{black}`" in PAGE
        numbers = derive(key, "ann's own", "Zoë ⚅", int(number), int(dice))
        assert "**" + "-".join(map(str, numbers)) + "**" in bytes_row
        for found in re.finditer(r"`(..)` is (\d+) and (?:gives (\d)|skipped)", bytes_row):
            byte = int(found[1], 16)
            assert block.startswith(found[1]) or found[1] in re.findall("..", block)[:3]
            assert int(found[2]) == byte
            assert (found[3] is None) == (byte >= 252)
            assert found[3] is None or int(found[3]) == byte % 6 + 1


def cell(name: str) -> str:
    found = re.search(rf"^\| {name} \| `(.+)` \|$", PAGE, re.MULTILINE)
    assert found, name
    return found[1]
