"""A variant's own code at every node, and over whole plays."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import ClassVar

import pytest

from bgcore import IllegalAction, Plays, Position, Registry, Roll, Rules, Step, load
from bgcore.axes import Timing
from bgcore.perft import perft
from bgcore.refusal import OwnReason
from bgcore.rules import EVERYWHERE
from bgcore.testing import check_rules, self_play
from bgcore.turn import ORDINARY_TURN, Numbers, Turn
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import rules_service_pb2 as pb
from bgcore_server.convert.batch import answered

from .made import VARIANTS, WESTERN, board


class Open(Rules):
    """Nothing is forbidden; but every node is asked about."""

    def may_leave(self, position: Position, numbers: Numbers, turn: Turn) -> int:
        return EVERYWHERE


class Rearguard(Rules):
    """The hindmost checkers wait until nobody else can use the number that is left."""

    step_reason: ClassVar = OwnReason(
        "REARGUARD", "{origin} is the rear while others have not passed 12", "another", "X1"
    )

    def may_leave(self, position: Position, numbers: Numbers, turn: Turn) -> int:
        points = position.mover.points
        late = [point for point in points if point > 12]
        return EVERYWHERE & ~(1 << max(late)) if len(late) > 1 else EVERYWHERE


class Gathering(Rules):
    """A play must leave as few blots as any."""

    play_reason: ClassVar = OwnReason("TOO_MANY_BLOTS", "it leaves blots", "a safer play", "X2")

    def keep(self, start: Position, plays: Plays) -> Plays:
        fewest = min(blots(after) for after in plays.positions())
        return plays.only(lambda play: blots(play.after) == fewest)


def blots(position: Position) -> int:
    return sum(count == 1 for count in position.mover.points.values())


@pytest.mark.parametrize("variant", [WESTERN, load().variant("plakoto"), *VARIANTS.values()])
def test_with_a_hook_that_forbids_nothing_all_is_as_without(variant: object) -> None:
    assert isinstance(variant, type(WESTERN))
    plain, asked = Rules(variant), Open(variant)
    random = Random(variant.id)
    for visit in self_play(plain, random):
        again = asked.plays(visit.position, visit.roll)
        assert set(again.positions()) == set(visit.plays.positions())
        assert len(again) == len(visit.plays)
        assert again.numbers_used == visit.plays.numbers_used


def test_no_hit_and_run_and_the_mother_end_where_they_do() -> None:
    for data in (
        replace(WESTERN, home_hit_and_run=False),
        replace(load().variant("plakoto"), mother_rule=True, start={24: 2, 12: 3}, checkers=5),
        replace(WESTERN, higher_die_rule=False),
        replace(VARIANTS["moultezim"], restriction_timing=Timing.END_OF_PLAY),
    ):
        plain, asked = Rules(data), Open(data)
        for seed in range(3):
            for visit in self_play(plain, Random(seed)):
                again = asked.plays(visit.position, visit.roll)
                assert set(again.positions()) == set(visit.plays.positions())
                assert again.numbers_used == visit.plays.numbers_used


@pytest.mark.parametrize("variant", [WESTERN, VARIANTS["long-nardy"]])
def test_what_a_hook_forbids_is_in_no_list_and_the_obligation_is_over_the_rest(
    variant: object,
) -> None:
    assert isinstance(variant, type(WESTERN))
    report = check_rules(Rearguard(variant), games=2)
    assert report.positions > 20


def test_a_step_that_a_hook_forbids_is_refused_for_the_variants_reason() -> None:
    rules = Rearguard(replace(WESTERN, id="rear-western"))
    plays = rules.plays(rules.start, Roll.of(3, 1))
    assert not any(step.origin == 24 for step in rules.steps(rules.start, (3, 1)))
    with pytest.raises(IllegalAction) as refused:
        plays.find("24/21 6/5")
    fault = refused.value.faults[0]
    assert (fault.reason, fault.step, fault.rule) == ("REAR_WESTERN_REARGUARD", 0, "X1")
    assert str(fault).startswith("24/21: 24 is the rear while")
    # What the engine's own rules forbid comes first.
    refusal = rules.why_not(rules.start, (5, 1), [Step.of(24, 5)])
    assert refusal is not None and refusal.reason == "POINT_CLOSED"
    assert not any(step.origin == 24 for step in plays.progress([Step.of(6, 1)]).next_steps)


def test_a_hook_without_a_reason_of_its_own_has_the_usual_one() -> None:
    class Still(Rules):
        def may_leave(self, position: Position, numbers: Numbers, turn: Turn) -> int:
            return EVERYWHERE & ~(1 << 24)

    rules = Still(WESTERN)
    refusal = rules.why_not(rules.start, (2, 1), [Step.of(24, 2)])
    assert refusal is not None and refusal.reason == "WESTERN_MAY_NOT_LEAVE"


def test_a_hook_sees_the_numbers_left_and_the_turn_before_its_steps() -> None:
    seen: list[tuple[Numbers, Turn]] = []

    class Curious(Rules):
        def may_leave(self, position: Position, numbers: Numbers, turn: Turn) -> int:
            seen.append((numbers, turn))
            return EVERYWHERE

    rules = Curious(WESTERN)
    turn = Turn(own_roll=3, left_head=1)
    plays = rules.plays(rules.start, Roll.of(1, 3), turn)
    progress = plays.progress([Step.of(8, 3)])
    assert progress.next_steps
    assert {numbers for numbers, _ in seen} == {(3, 1), (3,), (1,)}
    assert {(told.own_roll, told.left_head, told.steps) for _, told in seen} == {(3, 1, ())}


def test_a_play_that_a_filter_forbids_is_refused_for_the_variants_reason() -> None:
    rules = Gathering(replace(WESTERN, id="gathering"))
    plays = rules.plays(rules.start, Roll.of(3, 1))
    assert [str(play) for play in plays] == ["8/5 6/5"]
    with pytest.raises(IllegalAction) as refused:
        plays.find("13/10 6/5")
    assert refused.value.faults[0].reason == "GATHERING_TOO_MANY_BLOTS"
    refusal = rules.why_not(rules.start, (3, 1), [Step.of(6, 1)])
    assert refusal is not None and refusal.reason == "MUST_USE_MORE_NUMBERS"


def test_a_filter_that_leaves_nothing_lapses() -> None:
    class Nothing(Rules):
        def keep(self, start: Position, plays: Plays) -> Plays:
            return plays.only(lambda play: False)

    rules = Nothing(WESTERN)
    assert len(rules.plays(rules.start, Roll.of(3, 1))) == 16
    closed = board(rules, {24: 15}, {7: 8, 6: 7})
    assert rules.plays(closed, Roll.of(6, 5)).nothing_playable


@pytest.mark.parametrize("kind", [Rearguard, Gathering])
def test_batches_and_counts_ask_the_variants_code(kind: type[Rules]) -> None:
    registry = Registry()
    registry.add(replace(WESTERN, id="hooked", aliases=()), kind)
    rules = registry.rules("hooked")
    visits = list(self_play(rules, Random(4)))[:40]
    request = pb.BatchListPlaysRequest(
        variant=common_pb2.VariantRef(id="hooked"),
        positions=b"".join(visit.position.packed for visit in visits),
        dice=b"".join(bytes(visit.roll.dice) for visit in visits),
    )
    answer = pb.BatchListPlaysResponse.FromString(answered(rules, request, lambda: None))
    codes = b"".join(visit.plays.codes for visit in visits if not visit.plays.nothing_playable)
    assert answer.plays == codes
    total = sum(
        len(rules.plays(rules.start, Roll.of(a, b))) for a in range(1, 7) for b in range(1, a + 1)
    )
    assert perft(rules, rules.start, 1) == total < perft(Rules(WESTERN), rules.start, 1)


def test_data_alone_asks_nobody() -> None:
    assert Rules(WESTERN).kernel_alone
    assert not Rearguard(WESTERN).kernel_alone
    assert not Gathering(WESTERN).kernel_alone
    assert Rules(WESTERN).may_leave(Rules(WESTERN).start, (1,), ORDINARY_TURN) == EVERYWHERE
