"""The rest of the cube, giving up, and illegal plays (M3, M4, M6, M8, M9, M11), over the wire."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_proto.v1 import variant_service_pb2 as variants
from tests.server.helpers import (
    ANIMAL,
    BLACK,
    DOUBLE,
    DROP,
    END_SESSION,
    NEXT_GAME,
    RESIGN_MATCH,
    TAKE,
    WHITE,
    AtTable,
    Client,
    answer,
    at_table,
    correct,
    ref,
    resign,
)

NOT_NOW = grpc.StatusCode.FAILED_PRECONDITION
Fields = dict[str, Any]


async def blacks_roll(client: Client, variant: pb.VariantRef) -> AtTable:
    at = await at_table(client, variant)
    await at.throw(3, 1)
    await at.play("8/5 6/5")
    return at


def money(**more: Any) -> pb.VariantRef:
    return ref(match_length=None, **more)


# -- the cube ---------------------------------------------------------------------------------------


async def test_a_beaver_may_be_taken(client: Client) -> None:
    at = await blacks_roll(client, money(animals=2))
    await at.act(**DOUBLE)
    offer = at.state.game.offer
    assert (offer.seat, offer.raised, offer.refusable) == (BLACK, 1, True)
    assert (offer.stake_if_taken, offer.stake_if_refused) == (2, 1)
    assert table.ACTION_KIND_ANIMAL in at.state.decision.kinds
    await at.act(**ANIMAL)
    offer = at.state.game.offer
    assert (offer.seat, offer.raised, at.state.decision.seat) == (WHITE, 2, BLACK)
    assert (offer.stake_if_taken, offer.stake_if_refused) == (4, 2)
    await at.act(**TAKE)
    assert not at.state.game.HasField("offer")
    assert (at.state.game.cube.value, at.state.game.cube.owner) == (4, WHITE)
    assert at.state.decision.seat == BLACK


async def test_a_refused_raccoon_costs_the_stake_before_it(client: Client) -> None:
    at = await blacks_roll(client, money(animals=2))
    for what in (DOUBLE, ANIMAL, ANIMAL):
        await at.act(**what)
    assert table.ACTION_KIND_ANIMAL not in at.state.decision.kinds
    limit = await at.refused(**ANIMAL)
    assert (limit.code, limit.reason, limit.field) == (NOT_NOW, "ANIMAL_LIMIT", "action.animal")
    assert limit.info.metadata["rule"] == "M4"
    await at.act(**DROP)
    result = at.state.match.last_result
    assert (result.points, result.cube, result.outcome.points) == (4, 4, 1)
    assert result.outcome.winner == BLACK


async def test_an_animal_that_cannot_be_refused(client: Client) -> None:
    at = await blacks_roll(client, money(animals=1, animals_refusable=False))
    await at.act(**DOUBLE)
    await at.act(**ANIMAL)
    assert not at.state.game.offer.refusable
    assert table.ACTION_KIND_DROP not in at.state.decision.kinds
    found = await at.refused(**DROP)
    assert (found.reason, found.info.metadata["rule"]) == ("ANIMAL_NOT_REFUSABLE", "M4")


async def test_a_refusal_may_always_cost_one_point(client: Client) -> None:
    at = await blacks_roll(client, money(decline_cost="always_one", animals=1))
    await at.act(**DOUBLE)
    await at.act(**ANIMAL)
    assert at.state.game.offer.stake_if_refused == 1
    await at.act(**DROP)
    result = at.state.match.last_result
    assert (result.points, result.cube, result.outcome.points) == (1, 2, 1)
    assert result.outcome.level == pb.LEVEL_SINGLE


async def test_ties_double_the_stake(client: Client) -> None:
    at = await at_table(client, money(auto_doubles=1))
    await at.throw(3, 3)
    assert (at.state.game.auto_doubles, at.state.game.cube.value) == (1, 2)
    await at.throw(4, 4)
    assert (at.state.game.auto_doubles, at.state.game.cube.value) == (1, 2)
    assert not at.state.game.cube.turned


async def test_a_stake_that_cannot_be_told_is_not_offered(client: Client) -> None:
    at = await blacks_roll(client, money(cube_cap=None, animals=None))
    await at.act(**DOUBLE)
    for _ in range(29):
        await at.act(**ANIMAL)
    assert at.state.game.offer.stake_if_taken == 1 << 30
    found = await at.refused(**ANIMAL)
    assert found.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (found.reason, found.field) == ("STAKE_TOO_LARGE", "action.animal")


@pytest.mark.parametrize(
    ("variant", "reason", "rule"),
    [
        (money(cube=False), "CUBE_OFF", "M1"),
        (ref(match_length=1), "CUBE_OFF", "M7"),
        (money(cube_cap=1), "CUBE_AT_CAP", "M2"),
        (ref(match_length=2, dead_cube_rule=True, crawford=False), "", ""),
    ],
    ids=["no cube", "one point", "the cap", "legal"],
)
async def test_a_refused_double_names_its_rule(
    client: Client, variant: pb.VariantRef, reason: str, rule: str
) -> None:
    at = await blacks_roll(client, variant)
    if not reason:
        await at.act(**DOUBLE)
        return
    found = await at.refused(**DOUBLE)
    assert (found.reason, found.info.metadata["rule"]) == (reason, rule)


@pytest.mark.parametrize(
    ("act", "reason", "rule"),
    [
        (ANIMAL, "NOT_NOW", "M4"),
        (END_SESSION, "NO_SESSION", "M8"),
        (correct("8/5 6/5"), "NOTHING_TO_CORRECT", "M11"),
        (NEXT_GAME, "NOT_NOW", "M7"),
        ({"flag": table.FlagAction()}, "NO_CLOCK", "M10"),
        (TAKE, "NOT_NOW", "M3"),
        ({"throw": table.ThrowAction(dice=[3, 1])}, "NOT_NOW", "C5"),
    ],
    ids=["animal", "end session", "correct", "next game", "flag", "take", "throw"],
)
async def test_what_is_not_due_names_its_rule(
    client: Client, act: Fields, reason: str, rule: str
) -> None:
    at = await blacks_roll(client, ref())
    found = await at.refused(**act)
    assert (found.code, found.reason, found.info.metadata["rule"]) == (NOT_NOW, reason, rule)
    assert found.field == f"action.{next(iter(act))}"


# -- giving up --------------------------------------------------------------------------------------


async def test_a_match_may_be_given_up_at_any_time(client: Client) -> None:
    at = await blacks_roll(client, ref())
    assert table.ACTION_KIND_RESIGN_MATCH in at.state.decision.kinds
    assert table.ACTION_KIND_RESIGN_MATCH in at.state.decision.other_kinds
    done = await at.act(WHITE, **RESIGN_MATCH)
    [event] = done.events
    assert (event.seat, event.action.WhichOneof("kind")) == (WHITE, "resign_match")
    match = done.state.match
    assert (match.winner, match.ending) == (BLACK, pb.ENDING_RESIGNED)
    assert (match.white_score, match.black_score, match.closed) == (0, 0, False)
    assert done.state.game.phase == table.PHASE_MATCH_OVER
    assert not done.state.HasField("decision")
    found = await at.get()
    assert found.table.status == table.TABLE_STATUS_FINISHED
    over = await at.refused(BLACK, **NEXT_GAME)
    assert (over.reason, over.info.metadata["rule"]) == ("MATCH_OVER", "M7")


async def test_a_session_has_no_match_to_give_up(client: Client) -> None:
    at = await blacks_roll(client, money())
    assert table.ACTION_KIND_RESIGN_MATCH not in at.state.decision.kinds
    found = await at.refused(**RESIGN_MATCH)
    assert (found.reason, found.info.metadata["rule"]) == ("NO_MATCH", "M9")


async def test_a_session_ends_between_two_games(client: Client) -> None:
    at = await blacks_roll(client, money(resign_auto_accept=False))
    early = await at.refused(**END_SESSION)
    assert (early.reason, early.info.metadata["rule"]) == ("NOT_NOW", "M8")
    await at.act(WHITE, **resign(pb.LEVEL_SINGLE))
    await at.act(BLACK, **answer(True))
    assert list(at.state.decision.kinds) == [
        table.ACTION_KIND_NEXT_GAME,
        table.ACTION_KIND_END_SESSION,
    ]
    await at.act(WHITE, **END_SESSION)
    match = at.state.match
    assert (match.closed, match.winner, match.ending) == (True, 0, 0)
    assert (match.white_score, match.black_score) == (0, 1)
    assert at.state.game.phase == table.PHASE_MATCH_OVER
    found = await client.ListTables(service.ListTablesRequest(status=table.TABLE_STATUS_FINISHED))
    assert [one.id for one in found.tables] == [at.id]


# -- illegal plays ----------------------------------------------------------------------------------


async def test_an_illegal_play_may_be_corrected_until_the_next_roll(client: Client) -> None:
    at = await at_table(client, ref(illegal_moves="until_next_roll"))
    await at.throw(3, 1)
    await at.play("8/5 8/5")
    state = at.state
    assert (state.game.correctable, state.decision.seat) == (WHITE, BLACK)
    assert table.ACTION_KIND_CORRECT in state.decision.other_kinds
    assert state.decision.correct_plays.numbers_used == 2
    assert len(state.decision.correct_plays.lengths) == 16
    other = await at.refused(BLACK, **correct("8/5 6/5"))
    assert (other.reason, other.info.metadata["rule"]) == ("NOTHING_TO_CORRECT", "M11")
    still = await at.refused(WHITE, **correct("8/5 8/5"))
    assert (still.code, still.field) == (NOT_NOW, "action.correct.play.text")
    done = await at.act(WHITE, **correct("8/5 6/5"))
    assert done.events[0].action.correct.play.text == "8/5 6/5"
    assert done.state.game.correctable == pb.SEAT_UNSPECIFIED
    assert done.state.game.position.white.points[4] == 2
    columns = pb.PlaySteps(origins=[8, 6], numbers=[3, 1])
    again = await at.refused(WHITE, correct=table.CorrectAction(play=pb.Play(steps=columns)))
    assert again.reason == "NOTHING_TO_CORRECT"


async def test_a_correction_is_read_like_a_play(client: Client) -> None:
    at = await at_table(client, ref(illegal_moves="until_next_roll"))
    await at.throw(3, 1)
    await at.play("8/5 8/5")
    for play, path in (
        (pb.Play(), "action.correct.play"),
        (pb.Play(text="8/x"), "action.correct.play.text"),
        (pb.Play(text="8" * 257), "action.correct.play.text"),
        (pb.Play(steps=pb.PlaySteps(origins=[8], numbers=[3, 1])), "action.correct.play.steps"),
        (
            pb.Play(steps=pb.PlaySteps(origins=[99], numbers=[3])),
            "action.correct.play.steps.origins[0]",
        ),
    ):
        found = await at.refused(WHITE, correct=table.CorrectAction(play=play))
        assert (found.field, found.code is grpc.StatusCode.INTERNAL) == (path, False)
    columns = pb.PlaySteps(origins=[8, 6], numbers=[3, 1])
    done = await at.act(WHITE, correct=table.CorrectAction(play=pb.Play(steps=columns)))
    assert done.events[0].action.correct.play.steps == columns


async def test_a_roll_closes_what_was_illegal(client: Client) -> None:
    at = await at_table(client, ref(illegal_moves="until_next_roll"))
    await at.throw(3, 1)
    await at.play("8/5 8/5")
    await at.roll(6, 5)
    assert at.state.game.correctable == pb.SEAT_UNSPECIFIED
    assert (await at.refused(WHITE, **correct("8/5 6/5"))).reason == "NOTHING_TO_CORRECT"


# -- options and presets ----------------------------------------------------------------------------


async def test_options_of_every_scope_are_listed(client: Client) -> None:
    variant = (await client.GetVariant(variants.GetVariantRequest(id="western"))).variant
    scopes = {option.name: option.scope for option in variant.options}
    assert scopes["animals"] == variants.OPTION_SCOPE_MATCH
    assert scopes["clock"] == scopes["step"] == variants.OPTION_SCOPE_TABLE
    rules = {option.name: option.rule for option in variant.options}
    assert (rules["animals"], rules["clock"], rules["illegal_moves"]) == ("M4", "M10", "M11")
    animals = next(option for option in variant.options if option.name == "animals")
    assert (animals.minimum, animals.maximum, animals.none_allowed) == (0, 16, True)


async def test_every_preset_of_the_rule_book_has_its_values(client: Client) -> None:
    variant = (await client.GetVariant(variants.GetVariantRequest(id="western"))).variant
    presets = {preset.id: preset.options for preset in variant.presets}
    assert {"vog", "money-001", "club-002", "jpgames", "tournament-004", "money-004"} <= set(
        presets
    )
    names = {option.name for option in variant.options}
    assert all(set(options) == names for options in presets.values())
    assert presets["vog"]["dead_cube_rule"].flag
    assert presets["tournament-004"]["clock"].text == "bronstein"
    assert presets["money-004"]["animals"].integer == 2
    assert presets["money-001"]["match_length"].HasField("none")


@pytest.mark.parametrize("preset", ["vog", "money-001", "club-002", "jpgames", "tournament-004"])
async def test_a_table_is_made_by_every_preset(client: Client, preset: str) -> None:
    at = await at_table(client, ref("western", preset))
    found = (await at.get()).table
    assert found.variant.preset == preset
    assert at.state.HasField("clock") == (preset == "tournament-004")
