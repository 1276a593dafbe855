"""Players for whom servers come and go: they ask another one, with the same request id, until they are answered."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TypeVar

from bgcore_client import (
    BLACK,
    WHITE,
    AsyncClient,
    BgcoreClientError,
    DeadlineExceeded,
    NotYourSeat,
    SeatKey,
    StaleRevision,
    Unavailable,
    actions,
    messages,
    variant,
)
from bgcore_client.seat_calls import How
from tests.wire.fault_findings import Findings
from tests.wire.random_matches import chosen

T = TypeVar("T")

DEADLINE = 2.0
"""Seconds after which a server that does not answer is left for another one."""

PATIENCE = 300.0
"""Seconds after which somebody whom no server answers gives up, and the run with him."""

DICE = (messages.DICE_MODE_SYSTEM, messages.DICE_MODE_COMMITTED)
LENGTH = 15
"""Points of a match, so many that few of them end."""

TRICKS = 0.2
"""How often something else than an act is tried."""

BY_ID_ALONE = 0.4
"""How many acts do not say which revision they follow: only their request id keeps them from being done twice."""

MOST_TRIES = 10
"""How often a match is given up, where something else happens at the table each time."""


@dataclass
class Company:
    """The servers as players see them, and what has been asked of them."""

    clients: Sequence[AsyncClient]
    variants: Sequence[str]
    chance: random.Random
    counts: Counter[str] = field(default_factory=Counter)
    findings: Findings = field(default_factory=Findings)

    async def insist(self, ask: Callable[[AsyncClient], Awaitable[T]]) -> T:
        """The answer of any server."""
        end = time.monotonic() + PATIENCE
        while True:
            client = self.chance.choice(self.clients)
            try:
                return await ask(client)
            except (Unavailable, DeadlineExceeded) as nobody:
                self.counts["asked again"] += 1
                if time.monotonic() > end:
                    raise
                nobody.__traceback__ = None
            await asyncio.sleep(self.chance.uniform(0.01, 0.1))

    async def twice(self, what: str, ask: Callable[[AsyncClient], Awaitable[T]]) -> T:
        """Ask for it, and once more; both times the answer is the same."""
        first = await self.insist(ask)
        try:
            second = await self.insist(ask)
        except BgcoreClientError as refused:
            self.findings.add("told wrong", f"{what}, repeated: {refused}")
        else:
            self.findings.unless(first == second, "doubled", what)
        return first


@dataclass
class Party:
    """Two players at a table, and all that was acknowledged to them."""

    company: Company
    id: str
    keys: dict[messages.Seat, SeatKey]
    dice: messages.DiceMode
    variant: str
    state: messages.TableState
    requests: dict[str, messages.ActRequest] = field(default_factory=dict)  # by their ids
    answers: dict[str, messages.ActResponse] = field(default_factory=dict)

    @classmethod
    async def begin(cls, company: Company, name: str) -> Party:
        """Make a table and sit down; each of it is asked twice, and must be done once."""
        chance = company.chance
        dice, kind = chance.choice(DICE), chance.choice(company.variants)

        async def make(client: AsyncClient) -> str:
            rules = variant(kind, match_length=LENGTH)
            made = await client.create_table(rules, dice=dice, request_id=f"the table {name}")
            return made.id

        table = await company.twice(f"the table {name}", make)
        keys = {}
        for seat in (WHITE, BLACK):

            async def join(client: AsyncClient, seat: messages.Seat = seat) -> SeatKey:
                secret = f"the secret of seat {seat} of {name}"
                return (await client.table(table).join(seat, f"p{seat}", request_id=secret)).key

            keys[seat] = await company.twice(f"seat {seat} of {name}", join)
        company.counts["commands"] += 3
        company.counts["acknowledged"] += 3
        seen = await company.insist(lambda client: client.table(table).get())
        return cls(company, table, keys, dice, kind, seen.state)

    @property
    def over(self) -> bool:
        """Whether nothing is to be decided any more."""
        return not self.state.HasField("decision")

    async def command(self) -> None:
        """One command: an act mostly."""
        self.company.counts["commands"] += 1
        tricks = (self.stale, self.wrong_token, self.again, self.twice_at_once, self.go_away)
        if self.company.chance.random() < TRICKS and self.answers:
            await self.company.chance.choice(tricks)()
        else:
            await self.act()

    # -- acts ---------------------------------------------------------------------------------------

    def next(self) -> messages.ActRequest:
        """The request of the next act, with an id."""
        seat, action = chosen(self.state, self.company.chance)
        request = self.request(seat, action, f"{self.id} {len(self.requests)}")
        if self.company.chance.random() < BY_ID_ALONE:
            request.ClearField("expected_revision")
            self.company.counts["by its id alone"] += 1
        return request

    def request(
        self, seat: messages.Seat, action: messages.Action, name: str
    ) -> messages.ActRequest:
        """The request of an act on what was seen last."""
        return messages.ActRequest(
            table=self.id,
            seat=seat,
            action=action,
            request_id=name,
            expected_revision=self.state.revision,
        )

    async def send(self, client: AsyncClient, request: messages.ActRequest) -> messages.ActResponse:
        """Send it to a server."""
        how = How(request_id=request.request_id, view=messages.PLAY_VIEW_COLUMNS)
        if request.HasField("expected_revision"):
            how["expected_revision"] = request.expected_revision
        return await client.seat(self.keys[request.seat]).act(request.action, **how)

    async def act(self, request: messages.ActRequest | None = None) -> None:
        """Have something done."""
        wanted = request or self.next()
        self.requests[wanted.request_id] = wanted
        if answer := await self.answer(wanted):
            self.acknowledged(wanted, answer)
        else:
            await self.look_again()

    async def answer(self, request: messages.ActRequest) -> messages.ActResponse | None:
        """What comes of an act that may be done, as often as it is asked for."""
        try:
            return await self.company.insist(lambda client: self.send(client, request))
        except BgcoreClientError as refused:
            self.company.findings.add("told wrong", f"{request.request_id}: {refused}")
            return None

    def acknowledged(self, request: messages.ActRequest, answer: messages.ActResponse) -> None:
        """Write down what was answered; it follows what was seen."""
        last = self.state.revision + len(answer.events)
        told = (answer.first_revision, answer.last_revision, answer.state.revision)
        follows = told == (self.state.revision + 1, last, last)
        self.company.findings.unless(
            follows, "told wrong", f"{request.request_id}: {told} after {self.state.revision}"
        )
        self.answers[request.request_id] = answer
        self.state = answer.state
        self.company.counts["acknowledged"] += 1

    async def look_again(self) -> None:
        """See what the table has come to, where it is not what was thought."""
        table = await self.company.insist(lambda client: client.table(self.id).get())
        self.state = table.state

    # -- tricks -------------------------------------------------------------------------------------

    async def again(self) -> None:
        """Repeat something at another time and, perhaps, another server; best what could be done anew."""
        possible = [name for name in self.answers if self.could_be_done(self.requests[name])]
        name = self.company.chance.choice(possible or list(self.answers))
        answer = await self.answer(self.requests[name])
        if answer != self.answers[name]:
            if answer is not None:
                self.company.findings.add("told wrong", f"{name}: repeated, answered otherwise")
            await self.look_again()
        self.company.counts["repeated"] += 1

    def could_be_done(self, request: messages.ActRequest) -> bool:
        """Whether nothing but its id says that it was done before."""
        decision, kind = self.state.decision, str(request.action.WhichOneof("kind"))
        return (
            not request.HasField("expected_revision")
            and decision.seat in (request.seat, messages.SEAT_UNSPECIFIED)
            and messages.ActionKind.Value(f"ACTION_KIND_{kind.upper()}") in decision.kinds
        )

    async def twice_at_once(self) -> None:
        """The same, sent by two at the same time."""
        request = self.next()
        self.requests[request.request_id] = request
        first, second = await asyncio.gather(self.answer(request), self.answer(request))
        if first is not None and first == second:
            self.acknowledged(request, first)
        else:
            told = [answer for answer in (first, second) if answer is not None]
            if len(told) == 2:
                self.company.findings.add(
                    "told wrong", f"{request.request_id}: sent twice, answered otherwise"
                )
            if told:
                self.acknowledged(request, min(told, key=lambda answer: answer.first_revision))
            await self.look_again()
        self.company.counts["sent twice at once"] += 1

    async def go_away(self) -> None:
        """Send it and go away without reading the answer, and come back later."""
        request = self.next()
        client = self.company.chance.choice(self.company.clients)
        task = asyncio.create_task(self.send(client, request))
        await asyncio.sleep(self.company.chance.uniform(0, 0.01))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await self.act(request)
        self.company.counts["gone before the answer"] += 1

    async def stale(self) -> None:
        """Act on what was before."""
        seat, action = chosen(self.state, self.company.chance)
        request = self.request(seat, action, f"{self.id} stale {self.company.counts['commands']}")
        request.expected_revision -= 1
        await self.refused(StaleRevision, lambda client: self.send(client, request))

    async def wrong_token(self) -> None:
        """Act for a seat with a token that is none, or the other one's."""
        seat, action = chosen(self.state, self.company.chance)
        other = self.keys[BLACK if seat == WHITE else WHITE].token
        token = self.company.chance.choice((other, "no token of any seat at all"))
        key = replace(self.keys[seat], token=token)

        def ask(client: AsyncClient) -> Awaitable[messages.ActResponse]:
            return client.seat(key).act(action, expected_revision=self.state.revision)

        await self.refused(NotYourSeat, ask)

    async def refused(
        self,
        expected: type[BgcoreClientError],
        ask: Callable[[AsyncClient], Awaitable[messages.ActResponse]],
    ) -> None:
        """It must be refused."""
        self.company.counts["refused"] += 1
        try:
            answer = await self.company.insist(ask)
        except expected:
            return
        except BgcoreClientError as refused:
            found = str(refused)
        else:
            found = f"revision {answer.last_revision}"
        self.company.findings.add(
            "told wrong", f"{self.id}: expected {expected.__name__}, got {found}"
        )
        await self.look_again()

    async def give_up(self) -> None:
        """End the match, so that its dice can be verified."""
        for number in range(MOST_TRIES):
            if self.over:
                return
            action = actions.of_kind(messages.ACTION_KIND_RESIGN_MATCH)
            await self.act(self.request(WHITE, action, f"{self.id} given up {number}"))
        self.company.findings.unless(self.over, "told wrong", f"{self.id}: it does not end")


class Pace:
    """How many commands there may be by now: faults come among them, not after them."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self._allowed = 0.0
        self._more = asyncio.Event()
        self._ended = False

    @property
    def used(self) -> bool:
        """Whether it is all used up."""
        return self._counts["commands"] >= self._allowed

    async def until(self, share: float) -> None:
        """Wait until so many are left at most."""
        while self._counts["commands"] < self._allowed - share:
            await asyncio.sleep(0.002)

    def allow(self, more: float) -> None:
        """So many more."""
        self._allowed += more
        self._more.set()

    def end(self) -> None:
        """There will be no more."""
        self._ended = True
        self._more.set()

    async def turn(self) -> bool:
        """Wait for leave to send one; false when there are to be no more."""
        while self.used:
            if self._ended:
                return False
            self._more.clear()
            await self._more.wait()
        return True


async def play(
    company: Company, pace: Pace, number: int, begun: Callable[[Party], None]
) -> list[Party]:
    """Play matches, one after the other, as long as there may be commands."""
    parties: list[Party] = []
    for match in count():
        if match and not await pace.turn():
            break
        party = await Party.begin(company, f"{number}.{match}")
        parties.append(party)
        begun(party)
        while not party.over and await pace.turn():
            await party.command()
        if not party.over:
            break
    for party in parties:
        await party.give_up()
    return parties
