"""The worked examples of the rule files, and the vectors that independent programs agreed on."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from bgcore.axes import BearOff, Contact, Entry, Layout, PrimeRule, Runner, Timing
from bgcore.kernel import ORDINARY
from bgcore.kernel.record import Movement, pack
from bgcore.reason import Reason

DATA = Path(__file__).parents[1] / "data"
HIT = Movement()
PIN = Movement(contact=Contact.PIN)
BLOCK = Movement(contact=Contact.BLOCK, layout=Layout.PARALLEL)
VARIANTS = {
    "western": HIT,
    "tavla": HIT,
    "portes": HIT,
    "hypergammon": replace(HIT, checkers=3),
    "nackgammon": HIT,
    "longgammon": HIT,
    "plakoto": PIN,
    "tapa": PIN,
    "gul_bara": BLOCK,
    "gul_bara_bulgarian": BLOCK,
    "gioul": replace(BLOCK, layout=Layout.CONTRARY),
    "moultezim": replace(BLOCK, runner=Runner.PASS_START, opp_start_quarter_max=4),
    "fevga": replace(BLOCK, runner=Runner.PASS_START, own_start_quarter_max=5),
    "long_nardy": replace(BLOCK, prime_rule=PrimeRule.NEED_AHEAD),
    "crazy_narde": replace(BLOCK, prime_rule=PrimeRule.NEED_AHEAD, bear_off=BearOff.EXACT_STATIC),
    "jacquet": replace(BLOCK, runner=Runner.REACH_HOME),
    "tawla_31": replace(BLOCK, layout=Layout.CONTRARY, runner=Runner.REACH_HOME),
    "acey_deucey": replace(HIT, entry=Entry.FREELY),
    "european_acey_deucey": replace(HIT, entry=Entry.FREELY, bear_off=BearOff.EXACT),
    "russian_backgammon": replace(HIT, layout=Layout.SAME, entry=Entry.FIRST),
    "tabula": replace(
        HIT,
        layout=Layout.SAME,
        entry=Entry.FREELY,
        first_half_lock=True,
        bear_off=BearOff.EXACT,
    ),
    "dutch": replace(HIT, entry=Entry.FREELY, no_hit_before_home=True),
    "misere": HIT,
    "plakoto_express": PIN,
}
HEADS = {"long_nardy": 1, "crazy_narde": 1}
UNBLOCKING = {"FEV-07", "FEV-09"}  # fevga's duty to open a wall leaves fewer plays
FIELDS = get_type_hints(Movement)
WORDS = {"in": 26, "bar": 25, "off": 0}


def read(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


EXAMPLES = [
    example
    for path in sorted((DATA / "examples").glob("*.jsonl"))
    for example in read(path)
    if example["variant"] in VARIANTS
    # Rules over whole plays are the variant's, not the kernel's.
    and "MUST_UNBLOCK" not in example.get("why", [])
    and example["id"] not in UNBLOCKING
]


def side(example: dict[str, Any], who: str, checkers: int) -> bytes:
    packed = bytearray(32)
    for point, count in example.get(who, {}).items():
        packed[int(point)] = count
    packed[25] = example.get(f"{who}_bar", 0)
    packed[26] = example.get(f"{who}_reserve", 0)
    pinned = example.get(f"{who}_pinned", [])
    packed[0] = checkers - sum(packed) - len(pinned)
    packed[28:] = sum(1 << point for point in pinned).to_bytes(4, "little")
    return bytes(packed)


def rules_of(example: dict[str, Any]) -> Movement:
    options = {
        name: FIELDS[name](value)
        for name, value in example.get("options", {}).items()
        if name in FIELDS
    }
    return replace(VARIANTS[example["variant"]], **options)


def context_of(example: dict[str, Any]) -> int:
    """What may still leave the head; on a first turn two may with the listed doubles."""
    if example["variant"] not in HEADS:
        return ORDINARY
    turn = example.get("turn", {})
    dice = example["dice"]
    listed = len(dice) == 2 and dice[0] == dice[1] and dice[0] in (3, 4, 6)
    limit = 2 if turn.get("own_roll") == 1 and listed else HEADS[example["variant"]]
    return int(limit - turn.get("left_head", 0)) << 32


def steps_of(play: str, numbers: bytes) -> Iterator[tuple[int, int]]:
    """The steps as written: bearing off uses the exact number if it is left, else the next larger."""
    left = sorted(numbers)
    for text in play.replace("*", "").replace("^", "").split():
        source, target = (WORDS[word] if word in WORDS else int(word) for word in text.split("/"))
        number = min(source, 25) - target
        if target == 0:
            number = next((n for n in left if n >= source), number)
        if number in left:
            left.remove(number)
        yield source, number


def made(
    kernel: Any, position: bytes, record: bytes, play: str, numbers: bytes, context: int
) -> bytes:
    for source, number in steps_of(play, numbers):
        assert kernel.probe(position, record, context, source, number) == 0, (play, source, number)
        position, context = kernel.step(position, record, context, source, number)
    return position


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["id"]))
def test_example(kernel: Any, example: dict[str, Any]) -> None:
    rules = rules_of(example)
    record = pack(rules)
    position = side(example, "me", rules.checkers) + side(example, "opp", rules.checkers)
    dice = example["dice"]
    numbers = bytes([dice[0]] * 4 if len(dice) == 2 and dice[0] == dice[1] else dice)
    context = context_of(example)
    plays = kernel.plays(position, numbers, record, context)
    packed = kernel.results(position, plays, record)
    after = {packed[at : at + 64] for at in range(0, len(packed), 64)}
    assert plays[0] == example["dice_used"]
    assert len(after) == len(plays) // 4 - 1 == example["legal_count"]
    if "legal" in example:
        assert after == {
            made(kernel, position, record, p, numbers, context) for p in example["legal"]
        }
    for play in example.get("legal_includes", []):
        assert made(kernel, position, record, play, numbers, context) in after
    for play, why in zip(example.get("illegal", []), example.get("why", []), strict=True):
        reason = first_reason(kernel, position, record, play, numbers, context)
        late = why == "FORMATION_FORBIDDEN" and rules.restriction_timing is Timing.END_OF_PLAY
        if Reason[why].whole_play or late:
            assert not reason
            result = made(kernel, position, record, play, numbers, context)
            assert result not in after
            assert kernel.barred(result, record) == late
        else:
            assert reason == Reason[why]


def first_reason(
    kernel: Any, position: bytes, record: bytes, play: str, numbers: bytes, context: int
) -> int:
    for source, number in steps_of(play, numbers):
        if reason := kernel.probe(position, record, context, source, number):
            return int(reason)
        position, context = kernel.step(position, record, context, source, number)
    return 0


def decoded(text: str, checkers: int) -> bytes:
    """A position as GNU Backgammon writes it: the side not on roll first."""
    bits = "".join(f"{byte:08b}"[::-1] for byte in base64.b64decode(text + "=="))
    places = bits.split("0")
    sides = []
    for at in (25, 0):
        counts = [len(ones) for ones in places[at : at + 25]]
        sides.append(bytes([checkers - sum(counts), *counts, *bytes(6)]))
    return sides[0] + sides[1]


def encoded(position: bytes) -> str:
    bits = "".join("1" * n + "0" for at in (32, 0) for n in position[at + 1 : at + 26])
    bits = bits.ljust(80, "0")
    raw = bytes(int(bits[at : at + 8][::-1], 2) for at in range(0, 80, 8))
    return base64.b64encode(raw).decode()[:-2]


@pytest.mark.parametrize(("name", "checkers"), [("western", 15), ("hyper", 3), ("nack", 15)])
def test_vectors(kernel: Any, name: str, checkers: int) -> None:
    record = pack(replace(HIT, checkers=checkers))
    for vector in read(DATA / "vectors" / f"{name}-legal.jsonl"):
        position = decoded(vector["id"], checkers)
        dice = vector["dice"]
        numbers = bytes(dice * 2 if dice[0] == dice[1] else dice)
        plays = kernel.plays(position, numbers, record)
        packed = kernel.results(position, plays, record) or position
        after = sorted(encoded(packed[at : at + 64]) for at in range(0, len(packed), 64))
        assert kernel.fault(position, record) == 0
        assert (plays[0], after) == (vector["used"], vector["to"]), vector["id"]
