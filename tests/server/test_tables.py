"""Matches at tables: joining, acting, the cube, resigning, records."""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc
import pytest

import bgcore
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.helpers import (
    BLACK,
    DOUBLE,
    DROP,
    NEXT_GAME,
    ROLL,
    TAKE,
    THROW,
    WHITE,
    AtTable,
    Client,
    answer,
    at_table,
    opening,
    ref,
    refusal_of,
    request_id,
    resign,
    running,
    side,
)


async def test_a_new_table_waits_for_its_players(client: Client) -> None:
    created = await client.CreateTable(
        service.CreateTableRequest(
            variant=ref("backgammon", match_length=3),
            white=table.Occupant(player=table.Player(name="Ann")),
        )
    )
    assert created.table.status == table.TABLE_STATUS_WAITING
    assert created.table.variant.id == "western"
    assert created.table.options["match_length"].integer == 3
    assert created.table.options["cube"].flag
    assert created.table.white.player.name == "Ann"
    assert not created.table.white.taken
    assert created.state.revision == 0
    assert created.state.match.length == 3
    assert created.state.game.phase == table.PHASE_OPENING_THROW


async def test_joining_gives_each_seat_a_secret(client: Client) -> None:
    at = await at_table(client)
    assert len(set(at.tokens.values())) == 2
    assert all(len(token) >= 43 for token in at.tokens.values())
    found = await at.get()
    assert found.table.status == table.TABLE_STATUS_PLAYING
    assert found.table.revision == 2


async def test_a_free_seat_is_found_for_who_names_none(client: Client) -> None:
    created = await client.CreateTable(service.CreateTableRequest(variant=ref()))
    seats = []
    for name in ("Ann", "Bea"):
        request = service.JoinTableRequest(table=created.table.id, name=name)
        seats.append((await client.JoinTable(request)).seat)
    assert seats == [WHITE, BLACK]
    refusal = await refusal_of(
        client.JoinTable(service.JoinTableRequest(table=created.table.id, name="Cid"))
    )
    assert refusal.reason == "TABLE_FULL"


async def test_a_join_repeated_brings_the_same_token(client: Client) -> None:
    created = await client.CreateTable(service.CreateTableRequest(variant=ref()))
    request = service.JoinTableRequest(table=created.table.id, request_id=request_id())
    first = await client.JoinTable(request)
    other = await client.JoinTable(service.JoinTableRequest(table=created.table.id))
    assert other.seat == BLACK
    assert await client.JoinTable(request) == first
    request.name = "somebody else"
    assert (await refusal_of(client.JoinTable(request))).reason == "REQUEST_ID_REUSED"


async def test_a_creation_repeated_brings_the_same_table(client: Client) -> None:
    request = service.CreateTableRequest(variant=ref("tavla"), request_id="once")
    first = await client.CreateTable(request)
    await client.JoinTable(service.JoinTableRequest(table=first.table.id))
    again = await client.CreateTable(request)
    assert (again.table, again.state) == (first.table, first.state)
    assert first.host_token
    assert not again.host_token  # whoever guesses so short an id is told no secret
    request.variant.id = "western"
    refusal = await refusal_of(client.CreateTable(request))
    assert (refusal.reason, refusal.value) == ("REQUEST_ID_REUSED", "once"), "as it was sent"


async def test_the_opening_throw_decides_who_plays(client: Client) -> None:
    at = await at_table(client)
    assert at.state.decision.seat == pb.SEAT_UNSPECIFIED
    assert table.ACTION_KIND_THROW in at.state.decision.kinds
    tie = await at.throw(4, 4)
    assert tie.state.game.phase == table.PHASE_OPENING_THROW
    thrown = await at.throw(2, 5)
    assert thrown.state.decision.seat == BLACK
    assert list(thrown.state.game.turn.dice) == [5, 2]
    assert thrown.state.decision.plays.numbers_used == 2
    played = await at.play("13/8 13/11")
    assert played.state.decision.seat == WHITE
    assert list(played.state.decision.kinds)[:2] == [
        table.ACTION_KIND_ROLL,
        table.ACTION_KIND_DOUBLE,
    ]
    assert list(played.state.decision.other_kinds) == [
        table.ACTION_KIND_RESIGN,
        table.ACTION_KIND_RESIGN_MATCH,
    ]
    assert list(played.state.decision.resign_levels) == [
        pb.LEVEL_SINGLE,
        pb.LEVEL_GAMMON,
        pb.LEVEL_BACKGAMMON,
    ]


async def test_the_server_throws_until_the_dice_differ(client: Client) -> None:
    for seed in range(30):
        at = await at_table(client, dice_mode=table.DICE_MODE_SEEDED, seed=seed)
        thrown = await at.act(**THROW)
        dice = [list(event.action.throw.dice) for event in thrown.events]
        assert all(first == second for first, second in dice[:-1])
        assert dice[-1][0] != dice[-1][1]
        assert thrown.last_revision - thrown.first_revision + 1 == len(dice)
        if len(dice) > 1:
            return
    raise AssertionError("no tie in thirty throws")


async def test_seeded_dice_are_the_same_every_time(client: Client) -> None:
    records = []
    for _ in range(2):
        at = await at_table(client, ref("tavla"), table.DICE_MODE_SEEDED, seed=11)
        await at.act(**THROW)
        for _ in range(12):
            kinds = at.state.decision.kinds
            await (at.any_play() if table.ACTION_KIND_PLAY in kinds else at.act(**ROLL))
        listed = await client.ListEvents(service.ListEventsRequest(table=at.id))
        records.append([event.action for event in listed.events])
    assert records[0] == records[1]


async def test_an_act_tells_its_events_and_the_state_after_them(client: Client) -> None:
    at = await at_table(client)
    thrown = await at.throw(6, 1)
    assert (thrown.first_revision, thrown.last_revision) == (3, 3)
    [event] = thrown.events
    assert (event.revision, event.seat) == (3, WHITE)
    assert list(event.action.throw.dice) == [6, 1]
    assert thrown.state == (await at.get()).state


async def test_a_play_is_recorded_as_it_was_sent(client: Client) -> None:
    at = await at_table(client)
    await at.throw(3, 1)
    await at.play("6/5, 8/5")
    listed = await client.ListEvents(service.ListEventsRequest(table=at.id, after_revision=3))
    assert listed.events[0].action.play.play.text == "6/5, 8/5"


async def test_the_cube_goes_over_and_only_its_owner_may_turn_it(client: Client) -> None:
    at = await at_table(client)
    await at.throw(3, 1)
    await at.play("8/5 6/5")
    doubled = await at.act(**DOUBLE)
    assert doubled.state.game.phase == table.PHASE_ANSWER_DOUBLE
    assert doubled.state.decision.seat == WHITE
    assert list(doubled.state.decision.kinds)[:2] == [
        table.ACTION_KIND_TAKE,
        table.ACTION_KIND_DROP,
    ]
    taken = await at.act(**TAKE)
    assert (taken.state.game.cube.value, taken.state.game.cube.owner) == (2, WHITE)
    await at.roll(6, 6)
    await at.any_play()
    await at.act(**DOUBLE)
    dropped = await at.act(**DROP)
    result = dropped.state.match.last_result
    assert (result.points, result.cube) == (2, 2)
    assert (result.outcome.winner, result.outcome.ending) == (WHITE, pb.ENDING_DROPPED)
    assert dropped.state.match.white_score == 2
    assert dropped.state.decision.kinds[0] == table.ACTION_KIND_NEXT_GAME
    following = await at.act(BLACK, **NEXT_GAME)
    assert following.state.match.game_number == 2


async def test_a_resignation_may_be_declined_and_accepted(client: Client) -> None:
    at = await at_table(client)
    await at.throw(3, 1)
    offered = await at.act(BLACK, **resign(pb.LEVEL_SINGLE))
    assert offered.state.game.phase == table.PHASE_ANSWER_RESIGNATION
    assert offered.state.game.resignation.seat == BLACK
    declined = await at.act(WHITE, **answer(False))
    assert declined.state.game.phase == table.PHASE_PLAY
    await at.act(BLACK, **resign(pb.LEVEL_GAMMON))
    accepted = await at.act(WHITE, **answer(True))
    result = accepted.state.match.last_result
    assert (result.outcome.level, result.points) == (pb.LEVEL_GAMMON, 2)
    assert result.outcome.ending == pb.ENDING_RESIGNED


async def test_a_match_ends_when_its_length_is_reached(client: Client) -> None:
    at = await at_table(client, ref("western", match_length=1))
    await at.throw(3, 1)
    ended = await at.act(BLACK, **resign(pb.LEVEL_BACKGAMMON))
    assert ended.state.match.winner == WHITE
    assert not ended.state.HasField("decision")
    assert ended.state.game.phase == table.PHASE_MATCH_OVER
    found = await at.get()
    assert found.table.status == table.TABLE_STATUS_FINISHED
    assert (await at.refused(WHITE, **NEXT_GAME)).reason == "MATCH_OVER"


async def test_a_table_may_start_from_a_position_and_a_score(client: Client) -> None:
    position = pb.Position(white=side({1: 1}), black=side({1: 1}), on_roll=BLACK)
    start = service.Start(
        position=position,
        cube=pb.Cube(value=2, owner=BLACK),
        white_score=3,
        black_score=4,
        crawford=service.CRAWFORD_AFTER,
    )
    at = await at_table(client, ref("western", match_length=7), start=start)
    assert at.state.game.position == position
    assert table.ACTION_KIND_DOUBLE in at.state.decision.kinds
    await at.roll(6, 5)
    done = await at.any_play()
    assert (done.state.match.white_score, done.state.match.black_score) == (3, 6)


async def test_a_table_may_start_with_dice_thrown(client: Client) -> None:
    start = service.Start(position=opening(), dice=[6, 6])
    at = await at_table(client, start=start)
    assert at.state.game.phase == table.PHASE_PLAY
    assert list(at.state.game.turn.dice) == [6, 6]
    assert len(at.state.game.turn.parts[0].numbers) == 4


async def test_an_act_may_only_be_tried(client: Client) -> None:
    at = await at_table(client)
    await at.throw(3, 1)
    before = await at.get()
    play = table.PlayAction(play=pb.Play(text="8/5 6/5"))
    tried = await at.act(play=play, validate_only=True)
    assert (tried.first_revision, tried.last_revision, len(tried.events)) == (0, 0, 0)
    assert await at.get() == before
    bad = table.PlayAction(play=pb.Play(text="8/2"))
    assert (await at.refused(play=bad, validate_only=True)).reason


async def test_events_come_in_pages_and_with_states_on_request(client: Client) -> None:
    at = await at_table(client)
    await at.throw(3, 1)
    await at.play("8/5 6/5")
    await at.roll(6, 5)
    request = service.ListEventsRequest(table=at.id, page_size=2, states=True)
    found = []
    while True:
        page = await client.ListEvents(request)
        found += page.events
        if not page.next_page_token:
            break
        assert len(page.events) == 2
        request.page_token = page.next_page_token
    assert [event.revision for event in found] == [1, 2, 3, 4, 5]
    assert found[0].seat_taken.player.name == ""
    assert [event.state.revision for event in found] == [1, 2, 3, 4, 5]
    assert found[-1].state.game.phase == table.PHASE_PLAY
    assert not found[-1].state.decision.HasField("plays")
    times = [event.time.ToNanoseconds() for event in found]
    assert times == sorted(times)


async def test_tables_are_listed_by_variant_and_status(client: Client) -> None:
    for variant in ("western", "tavla", "western"):
        await client.CreateTable(service.CreateTableRequest(variant=ref(variant)))
    await at_table(client, ref("plakoto"))
    hidden = service.CreateTableRequest(variant=ref(), visibility=table.VISIBILITY_LINK)
    await client.CreateTable(hidden)

    async def listed(**more: object) -> list[str]:
        request = service.ListTablesRequest(page_size=1, **more)  # type: ignore[arg-type]
        found: list[str] = []
        while True:
            page = await client.ListTables(request)
            found += [one.variant.id for one in page.tables]
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    assert await listed() == ["plakoto", "western", "tavla", "western"]
    assert await listed(variant="backgammon") == ["western", "western"]
    assert await listed(status=table.TABLE_STATUS_PLAYING) == ["plakoto"]


@pytest.mark.parametrize("variant", [entry.variant.id for entry in bgcore.load()])
async def test_a_whole_match_is_played_by_the_lists_alone(client: Client, variant: str) -> None:
    rules = ref(variant, match_length=2)
    at = await at_table(client, rules, table.DICE_MODE_SEEDED, seed=5)
    await finish(at)
    assert at.state.match.winner in (WHITE, BLACK)
    assert max(at.state.match.white_score, at.state.match.black_score) >= 2


async def finish(at: AtTable) -> None:
    """Play on by what is legal: the first play, no cube, no resigning."""
    while at.state.HasField("decision"):
        kinds = at.state.decision.kinds
        if table.ACTION_KIND_PLAY in kinds:
            await at.any_play()
        elif table.ACTION_KIND_THROW in kinds:
            await at.act(**THROW)
        elif table.ACTION_KIND_ROLL in kinds:
            await at.act(**ROLL)
        elif table.ACTION_KIND_NEXT_GAME in kinds:
            await at.act(**NEXT_GAME)
        elif table.ACTION_KIND_NAME_DOUBLE in kinds:
            await at.act(name_double=table.NameDoubleAction(number=6))
        else:
            raise AssertionError(f"nothing known in {kinds}")


async def test_a_repeated_act_brings_the_first_answer_again(client: Client) -> None:
    at = await at_table(client)
    await at.throw(3, 1)
    seen = at.state.revision
    play = table.PlayAction(play=pb.Play(text="8/5 6/5"))
    first = await at.act(play=play, request_id="r1")
    await at.roll(6, 5)
    await at.any_play()
    before = await at.get()
    again = await at.act(WHITE, play=play, request_id="r1", expected_revision=seen)
    assert again == first
    fresh = await at.act(WHITE, play=play, request_id="r1", expected_revision=before.state.revision)
    assert fresh == first
    assert await at.get() == before
    other = table.PlayAction(play=pb.Play(text="24/23"))
    refusal = await at.refused(WHITE, play=other, request_id="r1")
    assert refusal.reason == "REQUEST_ID_REUSED"


async def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as server, channel(server.grpc) as client:
        at = await at_table(client)
        await at.throw(3, 1)
        play = table.PlayAction(play=pb.Play(text="8/5 6/5"))
        first = await at.act(play=play, request_id="r1")
        before = await at.get()
    async with running(database) as server, channel(server.grpc) as client:
        at.client = client
        assert await at.get() == before
        assert await at.act(WHITE, play=play, request_id="r1", expected_revision=3) == first
        at.state = before.state
        await at.roll(5, 2)
        assert at.state.revision == before.state.revision + 1


class channel:  # noqa: N801
    """A client of an address."""

    def __init__(self, address: object) -> None:
        self._channel = grpc.aio.insecure_channel(str(address))

    async def __aenter__(self) -> Client:
        return Client(self._channel)

    async def __aexit__(self, *_: object) -> None:
        await self._channel.close()


async def test_acts_at_the_same_time_do_not_meet(client: Client) -> None:
    at = await at_table(client)
    await at.throw(3, 1)
    seen = at.state.revision
    play = table.PlayAction(play=pb.Play(text="8/5 6/5"))
    calls = [at.act(WHITE, play=play, expected_revision=seen) for _ in range(8)]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    done = [a for a in answers if not isinstance(a, BaseException)]
    codes = {a.code() for a in answers if isinstance(a, grpc.aio.AioRpcError)}
    assert len(done) == 1
    assert codes == {grpc.StatusCode.ABORTED}
    assert (await at.get()).state.revision == seen + 1
