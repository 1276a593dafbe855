"""The player's own check of committed dice, which uses nothing of the server's or the engine's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bgcore.dice import CommittedDice
from bgcore_client import BLACK, WHITE, SeatKey, dice, messages
from tests.needs import ROOT

VECTORS = [
    json.loads(line)
    for line in (ROOT / "tests/data/vectors/committed-dice.jsonl").read_text("utf-8").splitlines()
]
SECRET = bytes(range(32))
SEEDS = ("ann's own", "Zoë ⚅")
PROOF = messages.DiceProof(
    scheme="bgcore-dice-1",
    commitment="630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
    white_seed=SEEDS[0],
    black_seed=SEEDS[1],
    server_seed=SECRET.hex(),
)
KEY = SeatKey("t1", BLACK, "secret", dice_seed=SEEDS[1], commitment=PROOF.commitment)


def played(throws: int = 60) -> list[messages.Event]:
    """The events of a table with such dice: two joined, an opening, then rolls with a play between."""
    thrown = CommittedDice(SECRET, *SEEDS)
    kinds = [messages.Action(throw={"dice": thrown.throw(2)})]
    for _ in range(throws - 1):
        kinds += [
            messages.Action(play={"play": {"text": ""}}),
            messages.Action(roll={"dice": thrown.throw(2)}),
        ]
    return [messages.Event(revision=3 + at, action=kind) for at, kind in enumerate(kinds)]


@pytest.mark.parametrize("vector", VECTORS)
def test_every_vector_gives_its_numbers(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["server_seed"])
    derived = dice.derive(seed, tuple(vector["seeds"]), vector["throw"], vector["dice"])
    assert list(derived) == vector["numbers"]
    assert dice.commitment(seed) == vector["commitment"]


def test_fair_dice_have_no_fault() -> None:
    assert dice.check(PROOF, played(), KEY) == []


def test_a_throw_that_was_changed_is_found_and_named() -> None:
    events = played()
    last = events[-1].action.roll.dice
    last[0] = last[0] % 6 + 1
    [fault] = dice.check(PROOF, events, KEY)
    assert (fault.reason, fault.revision) == ("THROW_NOT_DERIVED", events[-1].revision)
    assert fault.message.startswith("throw 59 (the first is 0) was ")


def test_a_throw_that_was_left_out_is_found() -> None:
    events = played()
    del events[20]
    assert dice.check(PROOF, events, KEY)


JOINED = messages.Event(revision=2, seat_taken={"dice_seed": SEEDS[1]})


def test_what_a_record_told_before_anybody_sat_down_is_none_of_the_tables_dice() -> None:
    past = messages.Event(revision=1, action=messages.Action(roll={"dice": [6, 6]}))
    assert dice.check(PROOF, [past, JOINED, *played()], KEY) == []


def test_no_throw_is_hidden_behind_another_players_sitting_down() -> None:
    events = played()
    assert dice.check(PROOF, [JOINED, *events[:9], JOINED, *events[9:]], KEY) == []
    events[0].action.throw.dice[:] = [6, 6]
    assert len(dice.check(PROOF, [JOINED, *events[:9], JOINED, *events[9:]], KEY)) == 1


def with_other(**changes: str) -> messages.DiceProof:
    proof = messages.DiceProof()
    proof.CopyFrom(PROOF)
    for name, value in changes.items():
        setattr(proof, name, value)
    return proof


OTHER = bytes(32)


@pytest.mark.parametrize(
    ("proof", "reason"),
    [
        (with_other(server_seed=OTHER.hex()), "COMMITMENT_BROKEN"),
        (
            with_other(server_seed=OTHER.hex(), commitment=dice.commitment(OTHER)),
            "COMMITMENT_CHANGED",
        ),
        (with_other(black_seed="another"), "DICE_SEED_CHANGED"),
        (with_other(white_seed=""), "DICE_SEED_MISSING"),
        (with_other(server_seed=""), "SERVER_SEED_SECRET"),
        (with_other(server_seed="no hex"), "SERVER_SEED_SECRET"),
        (with_other(scheme="bgcore-dice-2"), "SCHEME_UNKNOWN"),
    ],
)
def test_what_does_not_hold_of_the_proof_is_told(proof: messages.DiceProof, reason: str) -> None:
    faults = dice.check(proof, [], KEY)
    assert [fault.reason for fault in faults] == [reason]
    assert all(fault.revision == 0 and ": expected " in fault.message for fault in faults)


def test_a_record_that_was_made_up_as_a_whole_agrees_with_itself() -> None:
    made_up = with_other(server_seed=OTHER.hex(), commitment=dice.commitment(OTHER))
    assert dice.check(made_up, []) == []
    assert dice.check(made_up, [], KEY)


def test_a_key_that_holds_nothing_from_before_play_agrees_with_nothing() -> None:
    bare = SeatKey("t1", WHITE, "secret")
    reasons = {fault.reason for fault in dice.check(PROOF, [], bare)}
    assert reasons == {"COMMITMENT_CHANGED", "DICE_SEED_CHANGED"}


def two_matches() -> list[messages.Event]:
    """The events of a table with two matches: 40 throws of the first, then those of the proof."""
    started = messages.Event(revision=200, match_started={"match_number": 2})
    first = [messages.Event(revision=3, action={"throw": {"dice": [6, 6]}}) for _ in range(40)]
    return [JOINED, *first, started, *played()]


SECOND = SeatKey("t1", BLACK, "secret", SEEDS[1], PROOF.commitment, match_number=2)


def test_each_match_of_a_table_has_throws_of_its_own() -> None:
    events = two_matches()
    assert dice.throws(events) == dice.throws(events, 2) == dice.throws(played())
    assert dice.throws(events, 1) == [(3, (6, 6))] * 40
    assert dice.throws(events, 3) == []


def test_a_key_says_which_match_is_checked() -> None:
    assert dice.check(PROOF, two_matches(), SECOND) == []
    assert dice.check(PROOF, two_matches()) == []
    assert dice.check(PROOF, two_matches(), match_number=2) == []
    assert dice.check(PROOF, two_matches(), SECOND, match_number=2) == []
    with pytest.raises(ValueError, match="match_number 2: expected 1, which the key is of"):
        dice.check(PROOF, two_matches(), KEY, match_number=2)
    assert len(dice.check(PROOF, two_matches(), KEY)) > 30
