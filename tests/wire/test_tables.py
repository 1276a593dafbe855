"""What the Python client does at tables of a real server beside the game: secrets, leaving, rematches, accounts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bgcore_client import (
    BLACK,
    WHITE,
    AsyncClient,
    Client,
    FailedPrecondition,
    News,
    NotFound,
    NotYourSeat,
    OutOfRange,
    Seat,
    SeatKey,
    Table,
    Unauthenticated,
    dice,
    messages,
    player,
)
from tests.wire.process import ServerProcess

NOTHING = messages.ACTION_KIND_UNSPECIFIED


def seated(table: Table) -> tuple[Seat, Seat]:
    return table.join(WHITE, "ann"), table.join(BLACK, "bob")


# -- secrets ----------------------------------------------------------------------------------------------


def test_a_private_table_opens_to_those_who_were_given_a_secret(client: Client) -> None:
    table = client.create_table("tavla", visibility="private")
    key = table.key
    for stranger in (client.table(table.id), client.table(table.id, "another")):
        with pytest.raises(NotFound):
            stranger.get()
        with pytest.raises(NotFound):
            next(stranger.watch())
    ann = client.table(table.id, key.invitation).join(WHITE, "ann")
    onlooker = client.table(table.id, key.spectator)
    with pytest.raises(NotYourSeat, match="INVITATION_NEEDED"):
        onlooker.join()
    bob = table.join(BLACK, "bob")  # the host shows his own token
    ann.throw()
    for seen in (table, onlooker, ann.table, bob.table, client.table(key)):
        revision = seen.get().state.revision
        assert next(seen.watch()).revision == revision
        assert len(list(seen.events())) == revision
        assert seen.export().text
    with pytest.raises(NotYourSeat, match="NOT_THE_HOST"):
        ann.table.close()
    closed = table.close("enough").state.closed
    assert (closed.reason, closed.note, closed.void) == (
        messages.CLOSE_REASON_HOST,
        "enough",
        True,
    )
    assert table.close("again").state.closed == closed


def test_the_same_request_brings_the_same_secrets(client: Client) -> None:
    known = "an id that only I know"
    first, second = (client.create_table("tavla", request_id=known) for _ in range(2))
    assert first.key == second.key
    assert first.key.host


def test_seats_are_left_and_freed_before_the_match_begins(client: Client) -> None:
    table = client.create_table("tavla")
    ann = table.join(WHITE, "ann")
    ann.leave()
    with pytest.raises(NotYourSeat):  # nothing was lost: the token is simply not known any more
        ann.leave()
    bob = table.join(WHITE, "bob")
    with pytest.raises(Unauthenticated):
        client.table(table.id).kick(WHITE)
    table.kick("white")
    with pytest.raises(NotYourSeat):
        bob.throw()
    kinds = [event.WhichOneof("kind") for event in table.events()]
    assert kinds == ["seat_taken", "seat_left", "seat_taken", "seat_left"]
    assert [event.seat_left.kicked for event in table.events()][1::2] == [False, True]
    ann, bob = seated(table)
    with pytest.raises(FailedPrecondition, match="MATCH_BEGUN"):
        bob.leave()


# -- what both must agree to ------------------------------------------------------------------------------


def test_an_action_is_taken_back_when_the_other_agrees(client: Client) -> None:
    table = client.create_table("western", dice="manual")
    ann, bob = seated(table)
    before = ann.throw(3, 1).state
    ann.play("8/5 6/5")
    state = ann.undo().state
    assert messages.ACTION_KIND_ANSWER_UNDO in bob.may(state)
    assert messages.ACTION_KIND_UNDO not in bob.may(state)
    assert bob.answer_undo(False).state.game.position != before.game.position
    ann.undo()
    after = bob.answer_undo(True).state
    assert after.game == before.game
    ann.play("24/23 24/21")


def test_a_match_is_void_when_both_ask_for_it(client: Client) -> None:
    table = client.create_table("tavla")
    ann, bob = seated(table)
    assert not ann.void().state.HasField("closed")
    assert bob.void().state.closed.reason == messages.CLOSE_REASON_AGREED
    with pytest.raises(FailedPrecondition, match="TABLE_CLOSED"):
        ann.throw()


def test_a_watch_goes_on_through_a_rematch_and_each_match_has_fair_dice(client: Client) -> None:
    table = client.create_table("tavla", dice="committed")
    ann, bob = seated(table)
    watch = table.watch(0)
    first = [ann.key, bob.key]
    played_to_its_end(ann, bob)
    ann, bob = ann.rematch().seat, bob.rematch(options={}).seat
    assert (ann.key.match_number, bob.key.match_number) == (2, 2)
    assert ann.key.commitment == bob.key.commitment != first[0].commitment
    played_to_its_end(ann, bob)
    asked = ann.rematch("western", options={"match_length": 3})
    assert asked.answer.state.asked[0].variant.id == "western"
    bob = bob.rematch().seat
    state = table.get().state
    assert (state.match_number, bob.key.match_number) == (3, 3)
    played_to_its_end(asked.seat, bob)

    last = table.get().state.revision
    events = []
    for news in watch:
        assert news.event
        events.append(news.event)
        if news.revision == last:
            break
    assert [event.revision for event in events] == list(range(1, last + 1))
    keys = {1: first, 2: [ann.key], 3: [asked.seat.key, bob.key]}
    for number, seats in keys.items():
        answer = table.verify_dice(number)
        assert answer.legal
        told = [(throw.revision, tuple(throw.dice)) for throw in answer.throws]
        assert told == dice.throws(events, number)
        for key in seats:
            assert dice.check(answer.dice, events, key) == []
        other = keys[number % 3 + 1][0]
        assert dice.check(answer.dice, events, other)  # another match's key fits none but its own
    assert '"western"' in table.export("record", 3).text.splitlines()[0]
    assert '"tavla"' in table.export("record", 1).text.splitlines()[0]
    with pytest.raises(OutOfRange, match="MATCH_NOT_REACHED"):
        table.export("record", 4)


def played_to_its_end(ann: Seat, bob: Seat) -> None:
    while not ann.throw().state.game.turn.dice:
        pass  # a tie
    bob.resign_match()


def test_a_bot_agrees_to_another_match_at_once(client: Client) -> None:
    table = client.create_table("tavla", black=messages.Occupant(bot={"id": "greedy"}))
    ann = table.join(WHITE, "ann")
    ann.resign_match()
    assert ann.rematch().answer.state.match_number == 2


def test_the_server_rolls_where_the_options_say_so(client: Client) -> None:
    options = {"auto_roll": True, "auto_play": True, "auto_pass": True}
    table = client.create_table("tavla", options=options)
    seated(table)
    thrown = [event for event in table.events() if event.HasField("action")]
    assert thrown
    assert all(event.automatic for event in thrown)


# -- events that are gone ---------------------------------------------------------------------------------


def test_where_events_were_compacted_a_watch_begins_with_a_snapshot(tmp_path: Path) -> None:
    upkeep = ("--upkeep-tidy-seconds", "1", "--upkeep-compact-after", "1")
    process = ServerProcess(tmp_path, (*upkeep, "--allow-seeded")).start()
    try:
        with Client(process.grpc) as client:
            table = client.create_table("tavla", dice="committed")
            ann, bob = seated(table)
            played_to_its_end(ann, bob)
            watched = list(table.events())
            until = time.monotonic() + 30
            while not (compacted := table.get().table.compacted_revision):
                assert time.monotonic() < until
                time.sleep(0.2)
            with pytest.raises(OutOfRange, match="EVENTS_COMPACTED"):
                list(table.events())
            news: News = next(table.watch(0))
            assert (news.event, news.revision) == (None, compacted)
            assert dice.check(table.verify_dice().dice, watched, ann.key) == []
    finally:
        process.kill()


# -- accounts ---------------------------------------------------------------------------------------------

ISSUER = "https://id.example"
KEY = ed25519.Ed25519PrivateKey.generate()


def account(sub: str) -> str:
    claims = {"iss": ISSUER, "aud": "bgcore", "sub": sub, "name": sub, "exp": time.time() + 600}
    return jwt.encode(claims, KEY, algorithm="EdDSA")


@pytest.fixture
def with_accounts(tmp_path: Path) -> Iterator[str]:
    """Where a server listens that believes an issuer."""
    file = tmp_path / "keys.pem"
    public = KEY.public_key()
    file.write_bytes(public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    issuer = ("--accounts-issuer", ISSUER, "--accounts-audience", "bgcore")
    process = ServerProcess(tmp_path, (*issuer, "--accounts-key-file", str(file))).start()
    try:
        yield process.grpc
    finally:
        process.kill()


async def test_an_account_acts_in_the_place_of_a_seats_token(with_accounts: str) -> None:
    async with AsyncClient(with_accounts) as client:
        carol = client.with_account(lambda: account("carol"))
        ann, bob = (client.with_account(account(name)) for name in ("ann", "bob"))
        table = await carol.create_table(
            "tavla", white=player("Ann", account="ann"), visibility="private", dice="manual"
        )
        with pytest.raises(NotFound):
            await bob.table(table.id).get()
        white = await ann.table(table.id).join()  # who has a seat here needs no invitation
        assert white.key.seat == WHITE
        black = await client.table(table.id, table.key.invitation).join(name="bob")
        # Ann comes back on another machine, with her account alone.
        again = ann.seat(SeatKey(table.id, WHITE))
        await again.throw(3, 1)
        assert (await again.table.get()).state.game.turn.dice
        await client.seat(SeatKey(table.id, WHITE, account("ann"))).play("24/21 24/23")
        with pytest.raises(NotFound):  # for him there is no such table
            await bob.seat(SeatKey(table.id, BLACK)).roll(6, 1)
        assert black.key.seat == BLACK
        await carol.table(table.id).close()  # the host's account is as good as his token


# -- too often --------------------------------------------------------------------------------------------


def test_who_asks_more_often_than_he_may_waits_as_the_server_says(tmp_path: Path) -> None:
    quotas = ("--quota-address-requests", "20", "--quota-address-burst", "2")
    process = ServerProcess(tmp_path, (*quotas, "--quota-unlimited", "none")).start()
    try:
        with Client(process.grpc) as client:
            for _ in range(10):
                client.get_server_info()
            seat = client.create_table("tavla").join()
            seat.leave()
    finally:
        process.kill()
