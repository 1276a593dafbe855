"""T3: taking back what one did last, if the other agrees."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules_service
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.helpers import (
    ANIMAL,
    BLACK,
    DOUBLE,
    DROP,
    NEXT_GAME,
    RESIGN_MATCH,
    TAKE,
    WHITE,
    AtTable,
    Client,
    Fields,
    answer,
    at_table,
    correct,
    ref,
    refusal_of,
    resign,
    running,
    side,
)
from tests.server.test_clocks import SECOND, Time, shown
from tests.server.test_tables import channel
from tests.server.wanting import (
    MAY_ANSWER,
    MAY_UNDO,
    MAY_VOID,
    NO,
    UNDO,
    VOID,
    YES,
    asked,
    events,
    may,
    same_match,
    taken_back,
    timed,
)

NOT_NOW = grpc.StatusCode.FAILED_PRECONDITION


async def whites_roll(client: Client, variant: pb.VariantRef | None = None) -> AtTable:
    """White is to roll or to double; Black has played."""
    at = await at_table(
        client, variant or ref(match_length=7, animals=4, money_rules_in_match="allow")
    )
    await at.throw(1, 3)
    await at.play("8/5 6/5")
    return at


async def test_a_play_is_taken_back_when_the_other_agrees(client: Client) -> None:
    at = await at_table(client)
    before = (await at.throw(1, 3)).state
    await at.play("8/5 6/5")
    assert may(at.state, BLACK) == [MAY_UNDO, MAY_VOID]
    assert may(at.state, WHITE) == [MAY_VOID]
    wanted = await at.act(BLACK, **UNDO)
    assert asked(wanted.state) == [(BLACK, MAY_UNDO)]
    assert wanted.state.asked[0].revision == wanted.state.revision
    assert may(wanted.state, WHITE) == [MAY_ANSWER, MAY_VOID]
    assert may(wanted.state, BLACK) == [MAY_VOID]
    agreed = await at.act(WHITE, **YES)
    assert same_match(agreed.state, before)
    assert asked(agreed.state) == []
    await at.play("24/20")
    assert at.state.game.position.black.points[19] == 1


DONE: list[tuple[list[tuple[int, Fields]], int]] = [
    ([(WHITE, DOUBLE)], WHITE),
    ([(WHITE, DOUBLE), (BLACK, TAKE)], BLACK),
    ([(WHITE, DOUBLE), (BLACK, DROP)], BLACK),
    ([(WHITE, DOUBLE), (BLACK, ANIMAL)], BLACK),
    ([(WHITE, DOUBLE), (BLACK, ANIMAL), (WHITE, ANIMAL)], WHITE),
    ([(WHITE, DOUBLE), (BLACK, ANIMAL), (WHITE, TAKE)], WHITE),
]


@pytest.mark.parametrize(("acts", "seat"), DONE)
async def test_a_double_a_take_a_drop_and_an_animal_are_taken_back(
    client: Client, acts: list[tuple[int, Fields]], seat: int
) -> None:
    at = await whites_roll(client)
    before = at.state
    for who, what in acts:
        before = at.state
        await at.act(who, **what)
    assert same_match(await taken_back(at, seat), before)


async def test_what_was_done_before_can_be_taken_back_after_that(client: Client) -> None:
    at = await whites_roll(client)
    states = [at.state]
    for who, what in [(WHITE, DOUBLE), (BLACK, ANIMAL), (WHITE, ANIMAL)]:
        states.append((await at.act(who, **what)).state)
    for seat in (WHITE, BLACK, WHITE, BLACK):
        assert MAY_UNDO in may(at.state, seat)
        states.pop()
        before = states[-1] if states else None
        after = await taken_back(at, seat)
        if before is not None:
            assert same_match(after, before)
    # Now Black's play is back, and before it fell the dice.
    assert at.state.game.phase == table.PHASE_PLAY
    assert MAY_UNDO not in may(at.state, WHITE) + may(at.state, BLACK)


async def test_what_came_after_it_goes_with_it(client: Client) -> None:
    at = await whites_roll(client)
    before = at.state
    await at.act(WHITE, **DOUBLE)
    await at.act(BLACK, **TAKE)
    assert same_match(await taken_back(at, WHITE), before)


async def test_a_correction_is_taken_back(client: Client) -> None:
    at = await at_table(client, ref(illegal_moves="until_next_roll"))
    await at.throw(1, 3)
    illegal = (await at.play("8/5 13/10")).state
    await at.act(BLACK, **correct("8/5 6/5"))
    assert same_match(await taken_back(at, BLACK), illegal)
    assert at.state.game.correctable == BLACK


async def test_nothing_is_taken_back_once_dice_have_fallen(client: Client) -> None:
    at = await whites_roll(client)
    await at.roll(6, 5)
    for seat in (WHITE, BLACK):
        found = await at.refused(seat, **UNDO)
        assert (found.code, found.reason) == (NOT_NOW, "NOTHING_TO_UNDO")
        assert found.info.metadata["rule"] == "T3"


async def test_a_wish_lapses_when_dice_fall(client: Client) -> None:
    at = await whites_roll(client)
    await at.act(BLACK, **UNDO)
    await at.roll(6, 5)
    assert asked(at.state) == []
    assert (await at.refused(WHITE, **YES)).reason == "UNDO_NOT_ASKED"


async def test_to_play_on_answers_no(client: Client) -> None:
    at = await whites_roll(client)
    await at.act(BLACK, **UNDO)
    await at.act(WHITE, **DOUBLE)
    assert asked(at.state) == []
    # Black's play can still be asked for: no dice have fallen.
    await at.act(BLACK, **UNDO)


async def test_a_no_leaves_everything_as_it_stands(client: Client) -> None:
    at = await whites_roll(client)
    before = at.state
    await at.act(BLACK, **UNDO)
    declined = await at.act(WHITE, **NO)
    assert same_match(declined.state, before)
    assert asked(declined.state) == []
    assert MAY_UNDO in may(declined.state, BLACK)


async def test_a_no_to_one_is_no_answer_to_the_others_wish(client: Client) -> None:
    at = await whites_roll(client)
    await at.act(WHITE, **DOUBLE)
    await at.act(BLACK, **UNDO)
    await at.act(WHITE, **UNDO)
    assert sorted(asked(at.state)) == [(WHITE, MAY_UNDO), (BLACK, MAY_UNDO)]
    await at.act(WHITE, **NO)
    assert asked(at.state) == [(WHITE, MAY_UNDO)]
    await at.act(BLACK, **YES)
    assert at.state.game.phase == table.PHASE_ROLL


async def test_nobody_answers_himself_or_asks_twice(client: Client) -> None:
    at = await whites_roll(client)
    await at.act(BLACK, **UNDO)
    assert (await at.refused(BLACK, **YES)).reason == "UNDO_NOT_ASKED"
    again = await at.refused(BLACK, **UNDO)
    assert (again.code, again.reason) == (NOT_NOW, "ALREADY_ASKED")
    await at.act(WHITE, **NO)
    await at.act(BLACK, **UNDO)


async def test_a_wish_that_is_repeated_by_its_request_id_is_one(client: Client) -> None:
    at = await whites_roll(client)
    seen = at.state.revision
    first = await at.act(BLACK, **UNDO, request_id="wish")
    again = await at.act(BLACK, **UNDO, request_id="wish", expected_revision=seen)
    assert again == first
    await at.act(WHITE, **YES, request_id="yes")
    assert (await at.get()).state.revision == seen + 2


async def test_nothing_is_taken_back_when_the_match_is_over(client: Client) -> None:
    at = await whites_roll(client, ref(match_length=1))
    await at.act(WHITE, **RESIGN_MATCH)
    assert (await at.refused(BLACK, **UNDO)).reason == "NO_MATCH_ON"
    assert (await at.refused(WHITE, **YES)).reason == "UNDO_NOT_ASKED"


async def test_nor_a_throw_of_which_somebody_has_seen_the_dice(client: Client) -> None:
    at = await at_table(client)
    await at.throw(1, 3)
    assert (await at.refused(BLACK, **UNDO)).reason == "NOTHING_TO_UNDO"


async def test_the_last_play_of_a_game_is_taken_back_before_the_next_begins(
    client: Client,
) -> None:
    at = await at_table(
        client,
        ref(match_length=3),
        start=service.Start(
            position=pb.Position(white=side({1: 1}), black=side({1: 1}), on_roll=WHITE)
        ),
    )
    await at.roll(6, 5)
    before = at.state
    await at.play("1/off")
    assert at.state.match.white_score == 1
    assert same_match(await taken_back(at, WHITE), before)
    await at.play("1/off")
    await at.act(**NEXT_GAME)
    assert (await at.refused(WHITE, **UNDO)).reason == "NOTHING_TO_UNDO"


async def test_a_resignation_is_taken_back_by_nobody_and_goes_with_what_was_before(
    client: Client,
) -> None:
    at = await at_table(client)
    before = (await at.throw(1, 3)).state
    await at.play("8/5 6/5")
    await at.act(WHITE, **resign(pb.LEVEL_SINGLE))
    assert (await at.refused(WHITE, **UNDO)).reason == "NOTHING_TO_UNDO"
    assert same_match(await taken_back(at, BLACK), before)
    assert not at.state.game.HasField("resignation")


async def test_what_a_resignation_has_ended_is_not_taken_back(client: Client) -> None:
    at = await whites_roll(client)
    await at.act(WHITE, **resign(pb.LEVEL_SINGLE))
    await at.act(BLACK, **answer(accept=True))
    assert (await at.refused(BLACK, **UNDO)).reason == "NOTHING_TO_UNDO"


async def test_a_part_of_a_ladder_is_taken_back_and_then_the_one_before(client: Client) -> None:
    at = await at_table(client, ref("gul-bara", ladder_from_roll=1, doubles="ladder"))
    await at.throw(1, 3)
    await at.any_play()
    await at.roll(2, 2)
    states = []
    while at.state.decision.seat == WHITE:
        states.append(at.state)
        await at.any_play()
    assert len(states) > 2
    while states:
        assert same_match(await taken_back(at, WHITE), states.pop())
    assert (await at.refused(WHITE, **UNDO)).reason == "NOTHING_TO_UNDO"


async def test_the_option_leaves_it_out(client: Client) -> None:
    at = await whites_roll(client, ref(undo=False))
    assert may(at.state, BLACK) == [MAY_VOID]
    found = await at.refused(BLACK, **UNDO)
    assert (found.code, found.reason, found.expected) == (NOT_NOW, "UNDO_OFF", "undo = true")


async def test_nobody_asks_while_a_seat_is_free(client: Client) -> None:
    created = await client.CreateTable(service.CreateTableRequest(variant=ref()))
    joined = await client.JoinTable(service.JoinTableRequest(table=created.table.id, seat=WHITE))
    for fields in (UNDO, VOID, YES):
        request = service.ActRequest(table=created.table.id, action=table.Action(**fields))
        found = await refusal_of(client.Act(request, token=joined.token))
        assert found.reason == "WAITING_FOR_PLAYERS"


async def test_a_bot_always_agrees_and_plays_on(client: Client) -> None:
    made = await client.CreateTable(
        service.CreateTableRequest(
            variant=ref(match_length=7),
            dice_mode=table.DICE_MODE_SEEDED,
            seed=3,
            black=table.Occupant(bot=table.Bot(id="greedy")),
            start=service.Start(
                position=pb.Position(
                    white=side({1: 8, 2: 7}), black=side({1: 8, 2: 7}), on_roll=WHITE
                )
            ),
        )
    )
    joined = await client.JoinTable(service.JoinTableRequest(table=made.table.id))
    at = AtTable(client, made.table.id, {WHITE: joined.token}, joined.state)
    before = at.state
    doubled = await at.act(WHITE, **DOUBLE)
    watch = client.WatchTable(
        service.WatchTableRequest(table=at.id, after_revision=doubled.last_revision)
    )
    at.state = (await watch.read()).event.state  # the bot has taken or dropped
    watch.cancel()
    back = await at.act(WHITE, **UNDO)
    assert same_match(back.state, before)
    told = [event.action.WhichOneof("kind") for event in back.events]
    assert told == ["undo", "answer_undo"]
    assert [event.seat for event in back.events] == [WHITE, BLACK]
    assert may(back.state, BLACK) == []


async def test_a_record_does_not_have_what_was_taken_back(client: Client) -> None:
    at = await whites_roll(client)
    await taken_back(at, BLACK)
    await at.play("24/21 24/23")
    text = (await client.ExportMatch(service.ExportMatchRequest(table=at.id))).text
    assert "24/21 24/23" in text
    assert "8/5 6/5" not in text
    assert '"kind":"undo"' not in text
    told = [one.action.WhichOneof("kind") for one in await events(at) if one.HasField("action")]
    assert told == ["throw", "play", "undo", "answer_undo", "play"]
    replayed = await client.ReplayMatch(rules_service.ReplayMatchRequest(text=text))
    assert replayed


async def test_a_restart_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as one, channel(one.grpc) as client:
        at = await whites_roll(client)
        await at.act(WHITE, **DOUBLE)
        await at.act(BLACK, **UNDO)
        before = await at.get()
    async with running(database) as two, channel(two.grpc) as client:
        at.client = client
        assert await at.get() == before
        await at.act(WHITE, **YES)
        assert at.state.game.phase == table.PHASE_PLAY  # before the double, too
        after = await at.get()
    async with running(database) as three, channel(three.grpc) as client:
        at.client = client
        assert await at.get() == after


# -- time -------------------------------------------------------------------------------------------


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def timely(time: Time) -> AsyncIterator[Client]:
    async with timed(time) as (_, found):
        yield found


def clocked(kind: str, **more: Any) -> pb.VariantRef:
    return ref(match_length=7, clock=kind, bank_fixed=100, step=10, **more)


async def test_used_time_stays_used_within_a_turn(timely: Client, time: Time) -> None:
    at = await whites_roll(timely, clocked("bronstein"))
    time.passes(8)
    await at.act(WHITE, **DOUBLE)
    time.passes(3)
    await at.act(BLACK, **TAKE)
    time.passes(1)
    await taken_back(at, WHITE)
    # 9 of the delay of 10 are gone, whatever was taken back.
    assert shown(at.state) == (WHITE, 101, 110)
    time.passes(4)
    await at.roll(6, 5)
    assert shown(at.state)[:2] == (WHITE, 97)


async def test_a_turn_that_is_taken_back_gives_no_time(timely: Client, time: Time) -> None:
    at = await at_table(timely, clocked("fischer"))
    await at.throw(1, 3)
    for _ in range(3):
        time.passes(2)
        await at.play("8/5 6/5")
        time.passes(1)
        await taken_back(at, BLACK)
    assert shown(at.state) == (BLACK, 97, 94)
    await at.play("8/5 6/5")
    assert shown(at.state) == (WHITE, 97, 104)


async def test_a_limit_per_turn_begins_anew(timely: Client, time: Time) -> None:
    at = await at_table(timely, ref(match_length=7, clock="per_turn", step=10))
    await at.throw(1, 3)
    time.passes(9)
    await at.play("8/5 6/5")
    time.passes(4)
    await taken_back(at, BLACK)
    assert shown(at.state) == (BLACK, 10, 10)
    assert at.state.deadline.ToMicroseconds() == time.shown + 10 * SECOND


@pytest.mark.parametrize("kind", ["bronstein", "fischer", "per_turn"])
async def test_the_clock_of_who_must_decide_runs_while_he_is_asked(
    timely: Client, time: Time, kind: str
) -> None:
    at = await at_table(timely, clocked(kind))
    await at.throw(1, 3)
    await at.play("8/5 6/5")
    await at.act(BLACK, **UNDO)
    time.passes(200)
    found = await refusal_of(at.act(WHITE, **YES))
    assert found.reason == "TIME_OVER"
    state = (await at.get()).state
    assert state.match.winner == BLACK
    assert asked(state) == []


async def test_absence_is_counted_from_the_answer_on(timely: Client, time: Time) -> None:
    at = await at_table(timely, ref(absence=60))
    await at.throw(1, 3)
    time.passes(50)
    await at.play("8/5 6/5")
    time.passes(50)
    # To ask is not to decide.
    await at.act(WHITE, **VOID)
    await at.act(BLACK, **UNDO)
    assert at.state.deadline.ToMicroseconds() == time.shown + 10 * SECOND
    await at.act(WHITE, **YES)
    assert at.state.deadline.ToMicroseconds() == time.shown + 60 * SECOND
