"""Recorded matches, played at a table: both seats, with manual dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bgcore.action import FIELDS, Action, Kind
from bgcore.match import Crawford
from bgcore.outcome import Level
from bgcore.replay import ReplayedMatch
from bgcore.seat import Seat as EngineSeat
from bgcore_client import BLACK, WHITE, AsyncClient, AsyncSeat, AsyncTable, actions, messages

NO_PLAYS = messages.PLAY_VIEW_NONE
LEVELS = {
    Level.SINGLE: messages.LEVEL_SINGLE,
    Level.GAMMON: messages.LEVEL_GAMMON,
    Level.BACKGAMMON: messages.LEVEL_BACKGAMMON,
}
CRAWFORD = {
    Crawford.BEFORE: messages.CRAWFORD_BEFORE,
    Crawford.NOW: messages.CRAWFORD_NOW,
    Crawford.AFTER: messages.CRAWFORD_AFTER,
}
SEATS = {EngineSeat.WHITE: WHITE, EngineSeat.BLACK: BLACK, None: WHITE}
ENGINE_SEATS = {WHITE: EngineSeat.WHITE, BLACK: EngineSeat.BLACK}
ENGINE_LEVELS = {sent: level for level, sent in LEVELS.items()}


def wire(action: Action) -> messages.Action:
    """An action of the engine as it is sent."""
    match action.kind:
        case Kind.THROW:
            return actions.throw(*action.dice)
        case Kind.ROLL:
            return actions.roll(*action.dice)
        case Kind.PLAY:
            return actions.play(action.steps or () if action.text is None else action.text)
        case Kind.CORRECT:
            return actions.correct(action.steps or () if action.text is None else action.text)
        case Kind.RESIGN if action.points is not None:
            return actions.resign(points=action.points)
        case Kind.NAME_DOUBLE:
            named = messages.NameDoubleAction(number=action.number or 0)
            return messages.Action(name_double=named)
        case Kind.RESIGN:
            assert action.level is not None
            return actions.resign(LEVELS[action.level])
        case Kind.ANSWER_RESIGNATION:
            return actions.answer(bool(action.accept))
    return actions.of_kind(messages.ActionKind.Value(f"ACTION_KIND_{action.kind.name}"))


def engine_action(event: messages.Event) -> Action:
    """The action of an event as the engine keeps it: the way back from `wire`."""
    name = event.action.WhichOneof("kind")
    assert name is not None
    kind = Kind(name)
    done = getattr(event.action, name)
    whose = done.seat if kind is Kind.FLAG else event.seat
    seat = ENGINE_SEATS[whose] if "seat" in FIELDS[kind] else None
    match kind:
        case Kind.THROW | Kind.ROLL:
            return Action(kind, seat, tuple(done.dice))
        case Kind.PLAY | Kind.CORRECT:
            if done.play.HasField("text"):
                return Action(kind, seat, text=done.play.text)
            steps = done.play.steps
            return Action(kind, seat, steps=tuple(zip(steps.origins, steps.numbers, strict=True)))
        case Kind.RESIGN if done.points:
            return Action.resign_points(ENGINE_SEATS[whose], done.points)
        case Kind.RESIGN:
            return Action(kind, seat, level=ENGINE_LEVELS[done.level])
        case Kind.NAME_DOUBLE:
            return Action(kind, seat, number=done.number)
        case Kind.ANSWER_RESIGNATION:
            return Action(kind, seat, accept=done.accept)
    return Action(kind, seat)


@dataclass
class PlayedMatch:
    """A recorded match at a table, and what the server has said of it so far."""

    recorded: ReplayedMatch
    table: AsyncTable
    seats: dict[messages.Seat, AsyncSeat]
    state: messages.TableState
    done: int = 0  # actions
    answers: list[messages.ActResponse] = field(default_factory=list)
    results: list[messages.GameResult] = field(default_factory=list)

    @classmethod
    async def begin(cls, client: AsyncClient, recorded: ReplayedMatch) -> PlayedMatch:
        """A table with the match's rules and start, and both seats taken."""
        options = {name: _plain(value) for name, value in recorded.record.options.items()}
        white, black = recorded.record.start.score
        table = await client.create_table(
            recorded.record.variant,
            options=options,
            dice=messages.DICE_MODE_MANUAL,
            start=messages.Start(
                white_score=white,
                black_score=black,
                crawford=CRAWFORD[recorded.record.start.crawford],
            ),
        )
        seats = {seat: await table.join(seat) for seat in (WHITE, BLACK)}
        return cls(recorded, table, seats, (await table.get()).state)

    @property
    def last_revision(self) -> int:
        """The table's revision when the match is over."""
        return len(self.seats) + len(self.actions)

    @property
    def actions(self) -> Sequence[Action]:
        """All actions of the match."""
        return self.recorded.record.actions

    def seat_of(self, action: Action) -> AsyncSeat:
        """Who does it; White, where either may."""
        return self.seats[SEATS[action.seat]]

    async def act(self) -> messages.ActResponse:
        """Send the next action; it must make one event, the next one."""
        action = self.actions[self.done]
        answer = await self.seat_of(action).act(
            wire(action),
            expected_revision=self.state.revision,
            view=NO_PLAYS,
            request_id=f"action {self.done}",
        )
        revision = self.state.revision + 1
        assert (answer.first_revision, answer.last_revision) == (revision, revision)
        assert answer.state.revision == revision
        self.state = answer.state
        self.answers.append(answer)
        self.done += 1
        if answer.state.game.HasField("result"):
            self.results.append(answer.state.game.result)
        return answer

    async def play(self, until: int | None = None) -> None:
        """Play on, to the end or to an action."""
        while self.done < (len(self.actions) if until is None else until):
            await self.act()

    async def check_log(self) -> None:
        """The log holds every acknowledged event, without gaps, as it was acknowledged."""
        logged = [event async for event in self.table.events(page_size=500)]
        assert [event.revision for event in logged] == list(range(1, self.state.revision + 1))
        assert [event.WhichOneof("kind") for event in logged[:2]] == ["seat_taken"] * 2
        assert logged[2:] == [event for answer in self.answers for event in answer.events]
        assert [event.action for event in logged[2:]] == [
            wire(action) for action in self.actions[: self.done]
        ]


def ends_as_recorded(played: PlayedMatch) -> bool:
    """Whether every game ended at the table as the engine says, and the match too."""
    match = played.recorded.match
    assert match is not None
    ended = [
        (result.outcome.winner, result.points, result.cube, result.outcome.ending)
        for result in played.results
    ]
    expected = [
        (
            SEATS[result.winner],
            result.points,
            result.cube,
            messages.Ending.Value(f"ENDING_{result.ending.name}"),
        )
        for result in match.results
    ]
    state = played.state.match
    score = (state.white_score, state.black_score)
    return ended == expected and score == match.score and state.winner == winner_of(played)


def winner_of(played: PlayedMatch) -> messages.Seat:
    """Who has won the match, as the engine says."""
    match = played.recorded.match
    assert match is not None
    return messages.SEAT_UNSPECIFIED if match.winner is None else SEATS[match.winner]


def _plain(value: object) -> bool | int | str | None:
    assert value is None or isinstance(value, bool | int | str)
    return value


async def watched(table: AsyncTable, last: int) -> list[messages.Event]:
    """All events of a table from the first to the last, as a watch tells them."""
    events = []
    async for news in table.watch(0):
        assert news.event is not None
        events.append(news.event)
        if news.revision == last:
            break
    return events


def without_state(event: messages.Event) -> messages.Event:
    """An event as a list tells it."""
    plain = messages.Event()
    plain.CopyFrom(event)
    plain.ClearField("state")
    return plain
