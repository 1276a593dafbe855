"""Sources of dice, what a table tells of them, and what changes of that are noticed."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bgcore import NotationError, SeededDice, SystemDice
from bgcore.dice import CommittedDice, commitment, new_player_seed, new_server_seed
from bgcore.dice_proof import DiceMode, DiceProof, Verdict, player_seed, verify

SERVER_SEED = bytes(range(32))
WHITE, BLACK = "ann's own", "Zoë ⚅"
THROWS = 40
Throws = list[tuple[int, ...]]


def committed(**changes: object) -> CommittedDice:
    fields: dict[str, object] = {
        "server_seed": SERVER_SEED,
        "white_seed": WHITE,
        "black_seed": BLACK,
    }
    return CommittedDice(**{**fields, **changes})  # type: ignore[arg-type]


def throws_of(dice: CommittedDice, number: int = THROWS) -> Throws:
    return [dice.throw(2) for _ in range(number)]


PROOF = DiceProof.of(committed())


# -- dice of the system ------------------------------------------------------------------------------


@dataclass
class Source:
    """Stands for the operating system's random source: gives these bytes, and nothing after them."""

    data: bytes
    given: int = 0

    def __call__(self, size: int) -> bytes:
        found = self.data[self.given : self.given + size]
        if len(found) < size:
            raise EOFError("no more bytes")
        self.given += size
        return found


def test_dice_of_the_system_are_bytes_of_its_source_and_none_is_likelier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # `secrets` draws from `random.SystemRandom`, and that from this. Each byte is as likely as another,
    # so the faces must come equally often when each byte comes once.
    source = Source(bytes(range(256)))
    monkeypatch.setattr(random, "_urandom", source)
    dice = SystemDice()
    thrown: Counter[int] = Counter()
    with suppress(EOFError):
        while True:
            thrown.update(dice.throw(1))
    assert source.given == 256
    assert set(thrown) == {1, 2, 3, 4, 5, 6}
    assert len(set(thrown.values())) == 1


def test_dice_of_the_system_keep_nothing_between_throws(monkeypatch: pytest.MonkeyPatch) -> None:
    data = random.Random(1).randbytes(4000)
    monkeypatch.setattr(random, "_urandom", Source(data))
    throws = [SystemDice().throw(3) for _ in range(500)]
    monkeypatch.setattr(random, "_urandom", Source(data))
    dice = SystemDice()
    assert [dice.throw(3) for _ in range(500)] == throws


# -- dice that go on after a restart -----------------------------------------------------------------


def test_seeded_dice_are_what_they_always_were() -> None:
    # A snapshot: tables that were made with them go on with the same dice.
    dice = SeededDice(7)
    assert [dice.throw(2) for _ in range(4)] == [(6, 2), (1, 3), (2, 4), (4, 1)]


@given(st.integers(0, 30))
def test_committed_dice_go_on_where_they_were(before: int) -> None:
    dice = committed()
    whole = throws_of(dice)
    assert dice.thrown == THROWS
    assert throws_of(committed(thrown=before), THROWS - before) == whole[before:]


def test_the_seeds_their_order_the_throw_and_the_number_of_dice_all_count() -> None:
    whole = throws_of(committed())
    others = [
        throws_of(committed(server_seed=SERVER_SEED[::-1])),
        throws_of(committed(white_seed="ann")),
        throws_of(committed(black_seed="bob")),
        throws_of(committed(white_seed=BLACK, black_seed=WHITE)),
        throws_of(committed(thrown=1)),
        [dice[:2] for dice in map(committed().throw, THROWS * [3])],
    ]
    assert len({tuple(throws) for throws in (whole, *others)}) == 7


@given(st.lists(st.text("a: 6", min_size=1), min_size=3, max_size=3))
def test_seeds_that_read_the_same_one_after_the_other_are_told_apart(parts: list[str]) -> None:
    first, second, third = parts
    one = committed(white_seed=first + second, black_seed=third)
    other = committed(white_seed=first, black_seed=second + third)
    assert throws_of(one) != throws_of(other)


def test_a_server_seed_has_32_bytes_and_is_not_shown() -> None:
    for size in (0, 31, 33, 64):
        with pytest.raises(ValueError, match=f"server seed of {size} bytes: expected 32"):
            committed(server_seed=bytes(size))
    assert "server_seed" not in repr(committed())
    assert repr(SERVER_SEED)[2:10] not in repr(committed())


def test_new_seeds_are_of_the_right_size_and_new() -> None:
    assert {len(new_server_seed()) for _ in range(9)} == {32}
    assert len({new_server_seed() for _ in range(9)}) == 9
    assert len({player_seed(new_player_seed()) for _ in range(9)}) == 9


# -- what a table tells of its dice ------------------------------------------------------------------

SEEDS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=64)
PROOFS = st.builds(
    DiceProof,
    st.just(DiceMode.COMMITTED),
    st.text("0123456789abcdef", min_size=64, max_size=64),
    st.tuples(st.none() | SEEDS, st.none() | SEEDS),
    st.none() | st.binary(min_size=32, max_size=32),
) | st.sampled_from([DiceProof(mode) for mode in DiceMode if mode is not DiceMode.COMMITTED])


@given(PROOFS)
def test_a_proof_and_its_json_form_are_the_same(proof: DiceProof) -> None:
    assert DiceProof.from_json(proof.to_json()) == proof


def test_the_json_form_is_what_a_record_keeps() -> None:
    assert PROOF.to_json() == {
        "mode": "committed",
        "commitment": "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
        "seeds": ["ann's own", "Zoë ⚅"],
        "server_seed": "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    }
    assert DiceProof(DiceMode.SYSTEM).to_json() == {"mode": "system"}
    assert replace(PROOF, server_seed=None).to_json()["server_seed"] is None


def test_unknown_keys_capital_hex_and_a_server_seed_that_is_not_told_are_read() -> None:
    form = PROOF.to_json()
    assert DiceProof.from_json({**form, "since": 1}) == PROOF
    assert DiceProof.from_json({**form, "server_seed": SERVER_SEED.hex().upper()}) == PROOF
    del form["server_seed"]
    assert DiceProof.from_json(form).server_seed is None


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("mode", "fair", "mode fair: expected system, committed, manual, seeded"),
        ("mode", ["system"], "mode ['system']: expected system, committed, manual, seeded"),
        ("commitment", "00", "commitment 00: expected 64 hex digits"),
        ("commitment", "g" * 64, f"commitment {'g' * 64}: expected 64 hex digits"),
        ("commitment", "0" * 64 + "\n", f"commitment '{'0' * 64}\\n': expected 64 hex digits"),
        ("commitment", "٠" * 64, f"commitment {'٠' * 64}: expected 64 hex digits"),
        ("commitment", None, "commitment None: expected 64 hex digits"),
        ("server_seed", 10**30, f"server_seed {10**30}: expected 64 hex digits"),
        ("server_seed", "", "server_seed '': expected 64 hex digits"),
        ("seeds", "ab", "seeds ab: expected a list of two texts, white's and black's"),
        ("seeds", ["a"], "seeds ['a']: expected a list of two texts, white's and black's"),
        ("seeds", ["a", 7], "seeds[1] 7: expected 1 to 64 printable characters"),
        ("seeds", ["", "b"], "seeds[0] '': expected 1 to 64 printable characters"),
    ],
)
def test_a_field_that_is_wrong_is_named(name: str, value: object, message: str) -> None:
    with pytest.raises(NotationError) as refused:
        DiceProof.from_json({**PROOF.to_json(), name: value})
    assert str(refused.value) == message
    assert refused.value.reason == "BAD_DICE_PROOF"


@pytest.mark.parametrize("name", ["mode", "commitment", "seeds"])
def test_a_field_that_is_missing_is_named(name: str) -> None:
    form = PROOF.to_json()
    del form[name]
    with pytest.raises(NotationError, match=f"{name} missing: expected"):
        DiceProof.from_json(form)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON, st.sampled_from([None, *PROOF.to_json()]))
def test_whatever_is_read_is_refused_as_a_notation(value: object, name: str | None) -> None:
    form = value if name is None else {**PROOF.to_json(), name: value}
    try:
        proof = DiceProof.from_json(form)
    except NotationError as problem:
        refused = problem.faults[0].field.partition("[")[0]
    else:
        assert verify(proof, []).throws == 0
        return
    assert refused == (name or "dice") or (name is None and isinstance(value, dict))


@pytest.mark.parametrize("seed", ["a", " ", "x" * 64, "🎲" * 64, "شش بش", "e\u0301", "\U000e0fff"])
def test_a_player_may_give_any_printable_seed_of_1_to_64_characters(seed: str) -> None:
    assert player_seed(seed) == seed


@pytest.mark.parametrize(
    "seed",
    ["", "x" * 65, "a\n", "\0", "\x7f", "\u202e", "\u2028", "\ud800", "\ue000", 7, None, b"a", []],
)
def test_other_seeds_are_refused(seed: object) -> None:
    with pytest.raises(NotationError, match=r"black seed .+: expected 1 to 64 printable"):
        player_seed(seed, "black seed")


# -- verifying ---------------------------------------------------------------------------------------


def reasons(verdict: Verdict) -> list[str]:
    return [fault.reason for fault in verdict.faults]


def test_throws_of_two_and_three_dice_follow_from_the_seeds() -> None:
    dice = committed()
    throws = [dice.throw(number) for number in (2, 2, 3, 3, 2)]
    assert verify(PROOF, throws).holds
    assert verify(PROOF, []).holds


def test_everything_that_does_not_hold_is_listed() -> None:
    throws = throws_of(committed())
    throws[3] = (1, 1) if throws[3] != (1, 1) else (2, 2)
    throws[17] = throws[17][::-1] if len(set(throws[17])) > 1 else (6, 5)
    verdict = verify(replace(PROOF, commitment="0" * 64), throws)
    assert not verdict.holds
    assert reasons(verdict) == ["COMMITMENT_BROKEN", "THROW_NOT_DERIVED", "THROW_NOT_DERIVED"]
    assert list(verdict.throw_faults) == [3, 17]
    broken, _, seventeenth = map(str, verdict.faults)
    assert broken == (
        f"commitment {'0' * 64}: expected {commitment(SERVER_SEED)}, "
        "which is SHA-256 of the server seed"
    )
    assert seventeenth == ("throw 17 (the first is 0) was 4-5: expected 5-4, which the seeds give")


def test_without_a_seed_no_throw_can_be_verified_and_which_is_said() -> None:
    throws = throws_of(committed())
    secret = verify(replace(PROOF, server_seed=None), throws)
    assert not secret.holds
    assert [str(fault) for fault in secret.faults] == [
        "server_seed: expected it to be revealed, as it is when the match is over"
    ]
    missing = verify(replace(PROOF, seeds=(WHITE, None)), throws)
    assert [str(fault) for fault in missing.faults] == [
        "seeds[1]: expected the seed that black gave"
    ]


@pytest.mark.parametrize("mode", [mode for mode in DiceMode if mode is not DiceMode.COMMITTED])
def test_of_other_modes_there_is_nothing_to_verify_and_it_is_said_why(mode: DiceMode) -> None:
    verdict = verify(DiceProof(mode), [(3, 1)])
    assert not verdict.holds
    assert verdict.faults == ()
    assert "the" in verdict.nothing


# -- a record that was changed -----------------------------------------------------------------------

HELD = throws_of(committed())
FACE = st.integers(1, 6)


@given(st.integers(0, THROWS - 1), st.integers(0, 1), FACE)
def test_any_single_die_that_was_changed_is_named(throw: int, die: int, face: int) -> None:
    assume(HELD[throw][die] != face)
    changed = list(HELD[throw])
    changed[die] = face
    throws = [*HELD[:throw], tuple(changed), *HELD[throw + 1 :]]
    assert list(verify(PROOF, throws).throw_faults) == [throw]


@given(st.integers(0, THROWS - 1), FACE)
def test_a_die_that_was_put_to_a_throw_makes_it_another(throw: int, face: int) -> None:
    throws = [*HELD[:throw], (*HELD[throw], face), *HELD[throw + 1 :]]
    assume(committed(thrown=throw).throw(3) != throws[throw])
    assert list(verify(PROOF, throws).throw_faults) == [throw]


@given(st.integers(0, THROWS - 2))
def test_a_throw_that_was_left_out_moves_all_that_follow(throw: int) -> None:
    assume(HELD[throw] != HELD[throw + 1])
    throws = HELD[:throw] + HELD[throw + 1 :]
    assert min(verify(PROOF, throws).throw_faults) == throw


@given(st.integers(0, THROWS - 2), st.tuples(FACE, FACE))
def test_a_throw_that_was_put_in_is_noticed(throw: int, thrown: tuple[int, int]) -> None:
    assume(any(one != HELD[throw] for one in (thrown, *HELD[throw + 1 :])))
    throws = [*HELD[:throw], thrown, *HELD[throw:]]
    assert not verify(PROOF, throws).holds


@given(st.integers(0, 255))
def test_any_single_bit_of_the_server_seed_that_was_changed_breaks_the_commitment(bit: int) -> None:
    changed = (int.from_bytes(SERVER_SEED) ^ 1 << bit).to_bytes(32)
    verdict = verify(replace(PROOF, server_seed=changed), HELD)
    assert verdict.proof_faults[0].reason == "COMMITMENT_BROKEN"
    # And with a commitment made to fit, the throws are others.
    fitted = replace(PROOF, server_seed=changed, commitment=commitment(changed))
    assert verify(fitted, HELD).throw_faults


@given(st.integers(0, 63), st.sampled_from("0123456789abcdef"))
def test_any_single_digit_of_the_commitment_that_was_changed_is_noticed(at: int, to: str) -> None:
    assume(PROOF.commitment[at] != to)
    changed = PROOF.commitment[:at] + to + PROOF.commitment[at + 1 :]
    assert reasons(verify(replace(PROOF, commitment=changed), HELD)) == ["COMMITMENT_BROKEN"]


@given(st.sampled_from([0, 1]), st.data())
def test_any_single_character_of_a_players_seed_that_was_changed_is_noticed(
    seat: int, data: st.DataObject
) -> None:
    seed = (WHITE, BLACK)[seat]
    at = data.draw(st.integers(0, len(seed)))
    new = data.draw(st.text(st.characters(exclude_categories=["C", "Z"]), max_size=1))
    changed = seed[:at] + new + seed[at + 1 :]
    assume(changed != seed)
    seeds = (changed, BLACK) if seat == 0 else (WHITE, changed)
    verdict = verify(replace(PROOF, seeds=seeds), HELD)
    assert len(verdict.throw_faults) > THROWS // 2
    assert not verdict.proof_faults


def test_seeds_of_the_wrong_seats_are_noticed() -> None:
    assert verify(replace(PROOF, seeds=(BLACK, WHITE)), HELD).throw_faults
