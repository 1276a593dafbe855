"""RulesService over a real connection: what is legal, and why something is not."""

from __future__ import annotations

from typing import Any

import pytest

import bgcore
from bgcore import Roll
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from tests.server.helpers import BLACK, OPENING, WHITE, Client, opening, ref, side


def plays_request(**more: Any) -> rules.ListPlaysRequest:
    fields: dict[str, Any] = {"variant": ref(), "position": opening(), "dice": [3, 1]} | more
    return rules.ListPlaysRequest(**fields)


async def test_plays_come_as_columns(client: Client) -> None:
    plays = (await client.ListPlays(plays_request())).plays
    assert len(plays.lengths) == 16
    assert plays.numbers_used == 2
    assert set(plays.lengths) == {2}
    assert len(plays.origins) == len(plays.numbers) == 32
    assert not plays.texts
    assert not plays.boards


async def test_texts_and_boards_come_when_asked_for(client: Client) -> None:
    plays = (await client.ListPlays(plays_request(view=pb.PLAY_VIEW_FULL))).plays
    western = bgcore.load().rules("western")
    expected = western.plays(western.start, Roll.of(3, 1))
    assert list(plays.texts) == [str(play) for play in expected]
    assert plays.boards == b"".join(play.after.packed for play in expected)
    assert list(plays.hits) == list(plays.pins) == [0] * 32


async def test_hits_are_told(client: Client) -> None:
    position = pb.Position(white=side({24: 1}), black=side({4: 1}), on_roll=WHITE)
    request = plays_request(position=position, dice=[3, 1], view=pb.PLAY_VIEW_FULL)
    plays = (await client.ListPlays(request)).plays
    marks = dict(zip(plays.texts, plays.lengths, strict=True))
    assert "24/21* 21/20" in marks
    assert sum(plays.hits) >= 1


async def test_black_moves_when_black_is_on_roll(client: Client) -> None:
    lone = pb.Position(white=side({6: 2}), black=side({24: 1}), on_roll=BLACK)
    plays = (await client.ListPlays(plays_request(position=lone, dice=[6, 6]))).plays
    assert plays.origins[0] == 24


async def test_nothing_playable_is_one_play_without_steps(client: Client) -> None:
    closed = pb.Position(
        white=side({6: 3}, bar=1), black=side(dict.fromkeys(range(1, 7), 2)), on_roll=WHITE
    )
    request = plays_request(position=closed, view=pb.PLAY_VIEW_FULL)
    plays = (await client.ListPlays(request)).plays
    assert list(plays.lengths) == [0]
    assert list(plays.texts) == [""]
    assert plays.numbers_used == 0
    assert len(plays.boards) == 64


async def test_every_variant_lists_its_plays(client: Client) -> None:
    for entry in bgcore.load():
        found = bgcore.load().rules(entry.variant.id)
        start = found.start
        points = [start.mover[n] for n in range(1, 25)]
        side = pb.Side(points=points, unentered=start.mover.unentered)
        position = pb.Position(white=side, black=side, on_roll=WHITE)
        dice = [6, 5, 3][: entry.variant.dice]
        request = plays_request(variant=ref(entry.variant.id), position=position, dice=dice)
        plays = (await client.ListPlays(request)).plays
        assert len(plays.lengths) == len(found.plays(start, Roll.of(*dice)))


async def test_a_part_of_a_turn_may_be_named(client: Client) -> None:
    turn = pb.TurnContext(part=pb.Part(numbers=[5]))
    plays = (await client.ListPlays(plays_request(dice=[], turn=turn))).plays
    assert set(plays.numbers) == {5}
    assert plays.numbers_used == 1


async def test_what_a_hit_has_locked_may_be_told(client: Client) -> None:
    stays = ref("tavla", home_hit_and_run=False)
    position = pb.Position(white=side({6: 1, 4: 1}), black=side({12: 2}), on_roll=WHITE)
    request = plays_request(variant=stays, position=position, dice=[3, 2], view=pb.PLAY_VIEW_TEXT)
    assert "6/3 4/2" in (await client.ListPlays(request)).plays.texts
    request.turn.locked.append(4)
    assert list((await client.ListPlays(request)).plays.texts) == ["6/3 3/1"]


async def test_steps_lead_to_legal_plays_only(client: Client) -> None:
    request = rules.ListStepsRequest(variant=ref(), position=opening(), dice=[6, 4])
    first = await client.ListSteps(request)
    assert not first.may_end
    assert {step.number for step in first.steps} == {6, 4}
    request.steps.add(origin=24, number=6)
    second = await client.ListSteps(request)
    assert {step.number for step in second.steps} == {4}
    assert second.position.white.points[17] == 1
    request.steps.add(origin=24, number=4)
    third = await client.ListSteps(request)
    assert third.may_end
    assert not third.steps


async def test_a_step_that_uses_too_few_numbers_in_the_end_is_not_offered(client: Client) -> None:
    # Only 24/18/13 plays both numbers; with the 5 first, the 6 is blocked.
    position = pb.Position(
        white=side({24: 1, 12: 1}),
        black=side({6: 2, 19: 2, 18: 2, 24: 2, 23: 2}),
        on_roll=WHITE,
    )
    request = rules.ListStepsRequest(variant=ref(), position=position, dice=[6, 5])
    listed = await client.ListSteps(request)
    plays = (await client.ListPlays(plays_request(position=position, dice=[6, 5]))).plays
    starts = set()
    at = 0
    for length in plays.lengths:
        starts.add(plays.origins[at])
        at += length
    assert {step.origin for step in listed.steps} >= starts
    for step in listed.steps:
        follow = rules.ListStepsRequest(variant=ref(), position=position, dice=[6, 5], steps=[step])
        after = await client.ListSteps(follow)
        assert after.steps or after.may_end


async def test_a_legal_play_is_written_our_way(client: Client) -> None:
    request = rules.CheckPlayRequest(
        variant=ref(), position=opening(), dice=[3, 1], play=pb.Play(text="6/5, 8/5")
    )
    checked = await client.CheckPlay(request)
    assert checked.legal
    assert sorted(checked.text.split()) == ["6/5", "8/5"]
    assert checked.position.white.points[4] == 2


@pytest.mark.parametrize(
    ("text", "reason", "step"),
    [
        ("24/21 8/2", "NUMBER_NOT_ROLLED", 1),
        ("7/4 6/5", "NO_CHECKER_THERE", 0),
        ("13/12", "POINT_CLOSED", 0),
        ("8/5", "MUST_USE_MORE_NUMBERS", None),
        ("", "MUST_USE_MORE_NUMBERS", None),
    ],
)
async def test_an_illegal_play_is_refused_with_its_reason(
    client: Client, text: str, reason: str, step: int | None
) -> None:
    dice = [5, 1] if text == "13/12" else [3, 1]
    position = opening()
    if text == "13/12":
        position.black.CopyFrom(side({13: 2, 6: 2}))
        position.white.CopyFrom(side({13: 2}))
    request = rules.CheckPlayRequest(
        variant=ref(), position=position, dice=dice, play=pb.Play(text=text)
    )
    checked = await client.CheckPlay(request)
    assert not checked.legal
    assert checked.reason == reason
    assert checked.message
    assert (checked.failing_step if checked.HasField("failing_step") else None) == step


async def test_a_play_may_be_sent_as_columns(client: Client) -> None:
    steps = pb.PlaySteps(origins=[8, 6], numbers=[3, 1])
    request = rules.CheckPlayRequest(
        variant=ref(), position=opening(), dice=[1, 3], play=pb.Play(steps=steps)
    )
    assert (await client.CheckPlay(request)).legal


async def test_a_position_is_checked_whole(client: Client) -> None:
    checked = await client.CheckPosition(
        rules.CheckPositionRequest(variant=ref(), position=opening(BLACK))
    )
    assert checked.legal
    assert (checked.white_pips, checked.black_pips) == (167, 167)
    assert checked.text == "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
    wrong = opening(BLACK)
    wrong.white.points[0] = 3
    wrong.black.bar = 300
    faults = (
        await client.CheckPosition(rules.CheckPositionRequest(variant=ref(), position=wrong))
    ).faults
    assert [(fault.field, fault.value) for fault in faults] == [("position.black.bar", "300")]
    wrong.black.bar = 1
    faults = (
        await client.CheckPosition(rules.CheckPositionRequest(variant=ref(), position=wrong))
    ).faults
    assert {fault.reason for fault in faults} == {"TOO_MANY_CHECKERS", "POINT_SHARED"}
    assert {fault.field for fault in faults} == {
        "position.white",
        "position.black",
        "position.black.points[23]",
    }
    [shared] = (fault for fault in faults if fault.reason == "POINT_SHARED")
    assert shared.value == "2 of black and 3 of white"
    assert (
        shared.message == f"black's 24 (white's 1): {shared.value}, expected checkers of one side"
    )


async def test_an_outcome_is_told_by_seat(client: Client) -> None:
    position = pb.Position(white=side({6: 5}), black=side({}), on_roll=WHITE)
    request = rules.GetOutcomeRequest(variant=ref(), position=position)
    outcome = (await client.GetOutcome(request)).outcome
    assert (outcome.winner, outcome.level, outcome.points) == (BLACK, pb.LEVEL_SINGLE, 1)
    request.position.CopyFrom(opening())
    assert not (await client.GetOutcome(request)).HasField("outcome")


async def test_many_checkers_on_a_point_travel_well(client: Client) -> None:
    # A count takes a byte on the wire only up to 127: what is beyond must be told right, too.
    position = opening()
    position.white.points[5] = 200
    checked = await client.CheckPosition(
        rules.CheckPositionRequest(variant=ref(), position=position)
    )
    assert [fault.value for fault in checked.faults] == ["210"]
    assert OPENING[5] == 5
