"""Whole matches over the wire under every preset, both seats choosing among the legal acts by chance.

    python -m tests.wire.random_matches --n 300

plays so many against a server of its own, and prints a line for each preset. What may be done is known
from the server's decisions alone; only what a match came to is compared with the engine, see `Standing`.

Now and then a player takes something back, the server acts for the players, a table is private, and when the
match is over another one begins there.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path

from bgcore_client import (
    BLACK,
    WHITE,
    AsyncClient,
    AsyncSeat,
    AsyncTable,
    NotFound,
    Plays,
    actions,
    messages,
    option,
    variant,
)
from bgcore_client.values import Option
from tests.wire.process import ServerProcess
from tests.wire.random_checks import (
    check_dice,
    check_record_of_dice,
    check_records,
    check_state,
    of_match,
)

AT_ONCE = 16
COLUMNS = messages.PLAY_VIEW_COLUMNS
ANY = messages.SEAT_UNSPECIFIED
DICE = (messages.DICE_MODE_COMMITTED, messages.DICE_MODE_SYSTEM, messages.DICE_MODE_SEEDED)

USUAL = 1000.0
WEIGHTS: Mapping[int, float] = {
    messages.ACTION_KIND_DOUBLE: 80,
    messages.ACTION_KIND_DROP: 400,
    messages.ACTION_KIND_RESIGN: 2,
    messages.ACTION_KIND_RESIGN_MATCH: 0.1,
    messages.ACTION_KIND_END_SESSION: 300,
}
"""How likely a kind is beside others; those that are not named are usual. So games really get played."""
MEANWHILE = 1 / 500
"""How often the seat that need not decide does something."""
MOVED, MOVED_BEFORE = 1 / 5, 200
"""How many matches go on at another table, made of their record, and before which act."""
MOST_ACTS = 100_000
UNDONE, ANSWERED, AGREED = 1 / 40, 3 / 4, 1 / 2
"""How often a player who may asks to take something back, the other answers and does not just play on, and agrees."""
PRIVATE, AUTOMATIC, AGAIN, SHORTER = 1 / 4, 1 / 3, 1 / 5, 1 / 2
"""How many tables are private or act by themselves, how many matches another one follows, and one to a single point."""
AUTO = ("auto_roll", "auto_play", "auto_pass")
PRIVATELY = messages.VISIBILITY_PRIVATE

SWITCHED_ON: Mapping[str, Mapping[str, Option]] = {
    "vog": {"animals": 4, "auto_doubles": 1},
    "money-001": {"auto_doubles": 2, "animals": 2},
    "club-002": {"match_length": None, "animals": 1},
    "money-004": {"animals": 4, "animals_refusable": False, "auto_doubles": 1},
    "money": {"animals": None, "auto_doubles": None},
}
"""What a table may choose beside a preset: every second one does."""
LENGTHS = (1, 2, 3, 5)

ARGUMENTS = ("--allow-seeded", "--upkeep-compact-events", "none")
"""Of a server that keeps every event of a long match one by one."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One match that is to be played."""

    number: int
    variant: str
    preset: str
    checkers: int  # of each side
    dice: messages.DiceMode
    options: Mapping[str, Option] = field(default_factory=dict)
    moves_after: int | None = None  # acts, and then it goes on at another table
    private: bool = False
    rematches: int = 0

    @property
    def seed(self) -> int:
        """Of the dice, where they have one."""
        return self.number if self.dice == messages.DICE_MODE_SEEDED else 0

    def __str__(self) -> str:
        return f"match {self.number}: {self.variant}, {self.preset} {dict(self.options)}"


async def plans(client: AsyncClient, count: int, seed: int) -> list[Plan]:
    """So many matches, by turns under each preset of each variant of the server."""
    found = [await client.get_variant(one.id) async for one in client.variants()]
    under = [(one, preset) for one in found for preset in one.presets]
    return [
        plan(number, one, preset, random.Random(f"{seed}:{number}"))
        for number, (one, preset) in enumerate(islice(cycle(under), count))
    ]


def plan(
    number: int, under: messages.Variant, preset: messages.Preset, chance: random.Random
) -> Plan:
    """A match under a preset: short, or as long as it says, and with options or without."""
    options: dict[str, Option] = {}
    if option(preset.options["match_length"]) is not None:
        length = chance.choice([*LENGTHS, option(preset.options["match_length"])])
        options["match_length"] = length
    if chance.random() < 0.5 and "animals" in preset.options:
        # A bundle of a variant's own may have the name of a preset.
        allowed = option(preset.options["money_rules_in_match"]) == "allow"
        if allowed or option(preset.options["match_length"]) is None or preset.id == "club-002":
            options |= SWITCHED_ON.get(preset.id, {})
    dice = DICE[(number + number // len(DICE)) % len(DICE)]
    moves_after = chance.randint(0, MOVED_BEFORE) if chance.random() < MOVED else None
    if chance.random() < AUTOMATIC:
        options |= {name: chance.random() < 0.7 for name in AUTO}
    rematches = 0
    while rematches < 3 and chance.random() < AGAIN:
        rematches += 1
    return Plan(
        number,
        under.summary.id,
        preset.id,
        under.checkers,
        dice,
        options,
        moves_after,
        private=chance.random() < PRIVATE,
        rematches=rematches,
    )


@dataclass
class RandomMatch:
    """A match on its way, and what has been done in it."""

    plan: Plan
    client: AsyncClient
    table: AsyncTable
    seats: Mapping[messages.Seat, AsyncSeat]
    state: messages.TableState
    chance: random.Random
    done: Counter[str] = field(default_factory=Counter)  # acts by kind
    results: list[messages.GameResult] = field(default_factory=list)
    moved: bool = False  # this match
    moves: int = 0
    matches: int = 1
    number: int = 1  # of the match at its table
    games: int = 0  # of those before
    undone: int = 0

    @classmethod
    async def begin(cls, client: AsyncClient, plan: Plan, seed: int) -> RandomMatch:
        """A table, and both seats taken."""
        chance = random.Random(f"{seed}:{plan.number}:acts")
        table = await client.create_table(
            variant(plan.variant, plan.preset, **plan.options),
            dice=plan.dice,
            seed=plan.seed,
            visibility=visibility(plan),
        )
        seats = await seated(client, table)
        return cls(plan, client, table, seats, (await table.get()).state, chance)

    async def _move(self) -> None:
        """Go on at another table, made of the record so far; it must stand there as it stood here."""
        exported, before = await self.table.export(), self.state
        self.table = await self.client.create_table(
            record=exported.text,
            dice=self.plan.dice,
            seed=self.plan.seed,
            visibility=visibility(self.plan),
        )
        self.seats = await seated(self.client, self.table)
        self.state = (await self.table.get()).state
        assert self.state.match == before.match
        assert self.state.game == before.game
        assert self.state.decision == before.decision
        self.moved = True
        self.moves += 1
        self.number = 1

    async def play(self) -> None:
        """Act until nothing is to be decided; every state on the way must hold."""
        check_state(self.state, self.plan.checkers)
        while self.state.HasField("decision"):
            assert self.done.total() < MOST_ACTS, "it does not end"
            if self.done.total() == self.plan.moves_after and not self.moves:
                await self._move()
            seat, action = self._choice()
            seen = self.state.revision
            answer = await seat.act(action, expected_revision=seen, view=COLUMNS)
            assert answer.first_revision == seen + 1
            self.state = answer.state
            self.done[str(action.WhichOneof("kind"))] += 1
            check_state(self.state, self.plan.checkers)
            game = self.state.game
            if action.answer_undo.accept:  # perhaps the end of a game
                self.undone += 1
                ended = self.state.match.game_number - (not game.HasField("result"))
                del self.results[ended:]
            if game.HasField("result") and game.result.game_number > len(self.results):
                self.results.append(game.result)

    async def again(self) -> None:
        """Another match at the table, under the same rules or to a single point."""
        plan, rules = self.plan, None
        if plan.options.get("match_length") and self.chance.random() < SHORTER:
            rules = variant(plan.variant, plan.preset, **{**plan.options, "match_length": 1})
        first, second = self.chance.sample((WHITE, BLACK), 2)
        asked = await self.seats[first].rematch(rules)
        assert not asked.answer.state.HasField("decision")
        agreed = await self.seats[second].rematch()
        self.seats = {first: asked.seat, second: agreed.seat}
        self.state = agreed.answer.state
        self.matches += 1
        self.number += 1
        assert self.state.match_number == self.number
        self.games += len(self.results)
        self.results, self.moved = [], False

    async def check(self) -> None:
        """What the match came to follows from its record, and from its events, and its dice from the seeds."""
        exported = await self.table.export(match_number=self.number)
        events = [event async for event in self.table.events(page_size=500)]
        assert exported.revision == len(events) == self.state.revision
        mine = of_match(events, self.number)
        check_records(exported.text, mine, self.state, self.results)
        if self.plan.dice == messages.DICE_MODE_COMMITTED:
            answer = await self.table.verify_dice(self.number)
            keys = [seat.key for seat in self.seats.values()]
            check_dice(answer, events, keys)
            if not self.moved:  # else some of the dice are those of another table
                check_record_of_dice(answer, exported.text, mine, self.chance)

    def _choice(self) -> tuple[AsyncSeat, messages.Action]:
        """Something that one of the seats may do."""
        if (wish := self._wish()) is not None:
            return wish
        seat, action = chosen(self.state, self.chance)
        return self.seats[seat], action

    def _wish(self) -> tuple[AsyncSeat, messages.Action] | None:
        """What a player asks the other for, or answers to that; mostly nothing."""
        for seat in self.seats.values():
            may = seat.may(self.state)
            if messages.ACTION_KIND_ANSWER_UNDO in may and self.chance.random() < ANSWERED:
                return seat, actions.answer_undo(self.chance.random() < AGREED)
            if messages.ACTION_KIND_UNDO in may and self.chance.random() < UNDONE:
                return seat, actions.of_kind(messages.ACTION_KIND_UNDO)
        return None


def chosen(
    state: messages.TableState, chance: random.Random
) -> tuple[messages.Seat, messages.Action]:
    """Something that one of the seats may do, where somebody must decide."""
    decision = state.decision
    decider = decision.seat if decision.seat != ANY else chance.choice((WHITE, BLACK))
    if decision.other_kinds and chance.random() < MEANWHILE:
        other = BLACK if decider == WHITE else WHITE
        levels = decision.other_resign_levels
        return other, _action(decision, decision.other_kinds, levels, chance)
    return decider, _action(decision, decision.kinds, decision.resign_levels, chance)


def _action(
    decision: messages.Decision,
    kinds: Sequence[messages.ActionKind],
    levels: Sequence[messages.Level],
    chance: random.Random,
) -> messages.Action:
    weights = [WEIGHTS.get(kind, USUAL) for kind in kinds]
    [kind] = chance.choices(kinds, weights)
    match kind:
        case messages.ACTION_KIND_PLAY:
            return actions.play(chance.choice(Plays(decision.plays)))
        case messages.ACTION_KIND_CORRECT:
            return actions.correct(chance.choice(Plays(decision.correct_plays)))
        case messages.ACTION_KIND_RESIGN if levels:
            return actions.resign(chance.choice(levels))
        case messages.ACTION_KIND_RESIGN:  # checkers are counted
            return actions.resign(points=1)
        case messages.ACTION_KIND_ANSWER_RESIGNATION:
            return actions.answer(chance.random() < 0.5)
        case messages.ACTION_KIND_NAME_DOUBLE:
            number = chance.randint(1, 6)
            return messages.Action(name_double=messages.NameDoubleAction(number=number))
    return actions.of_kind(kind)


def visibility(plan: Plan) -> messages.Visibility:
    """Who may see the table of a match."""
    return PRIVATELY if plan.private else messages.VISIBILITY_PUBLIC


async def seated(client: AsyncClient, table: AsyncTable) -> dict[messages.Seat, AsyncSeat]:
    """Both seats of a table, taken by those who have been invited; nobody else finds a private one."""
    guest = client.table(table.id, table.key.invitation)
    if table.key.invitation:
        with suppress(NotFound):
            await client.table(table.id).join()
            raise AssertionError("a stranger sits at a private table")
    return {seat: await guest.join(seat, name) for seat, name in ((WHITE, "ann"), (BLACK, "bob"))}


async def played(client: AsyncClient, plans: Sequence[Plan], seed: int) -> list[RandomMatch]:
    """All of them played to their end, some at once, and checked; the first that fails says which it is."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(plan: Plan) -> RandomMatch:
        async with gate:
            match = await RandomMatch.begin(client, plan, seed)
            try:
                await match.play()
                await match.check()
                for _ in range(plan.rematches):
                    await match.again()
                    await match.play()
                    await match.check()
            except Exception as problem:
                problem.add_note(f"{plan}, table {match.table.id} at {match.state.revision}")
                raise
            return match

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(plan)) for plan in plans]
    return [task.result() for task in tasks]


# -- as a program ----------------------------------------------------------------------------------------

COLUMNS_SHOWN: Mapping[str, str] = {
    "acts": "",
    "doubles": "double",
    "takes": "take",
    "drops": "drop",
    "animals": "animal",
    "resignations": "resign",
    "conceded": "resign_match",
    "sessions": "end_session",
}
"""What is counted, and the kind of act that it is."""


def lines(matches: Sequence[RandomMatch]) -> Iterator[str]:
    """A table of what was played, a line a preset."""
    yield " ".join(f"{title:>14}" for title in ["preset", "matches", "games", *COLUMNS_SHOWN])
    for preset in [*dict.fromkeys(match.plan.preset for match in matches), "all"]:
        under = [match for match in matches if preset in (match.plan.preset, "all")]
        done = sum((match.done for match in under), Counter[str]())
        counts = [done[kind] if kind else done.total() for kind in COLUMNS_SHOWN.values()]
        games = sum(match.games + len(match.results) for match in under)
        played = sum(match.matches for match in under)
        yield " ".join(f"{cell!s:>14}" for cell in [preset, played, games, *counts])
    committed = sum(match.plan.dice == messages.DICE_MODE_COMMITTED for match in matches)
    moved = sum(match.moves for match in matches)
    played, private = sum(match.matches for match in matches), sum(m.plan.private for m in matches)
    undone = sum(match.undone for match in matches)
    yield (
        f"{played} matches ended at {len(matches)} tables ({private} private), each score derived again from its"
        f" record alone; the dice at {committed} verified; {moved} moved to another table by their record;"
        f" {undone} actions taken back"
    )


async def run(address: str, count: int, seed: int) -> None:
    """Play so many, and print what came of it."""
    begin = time.monotonic()
    async with AsyncClient(address, timeout=120) as client:
        matches = await played(client, await plans(client, count, seed), seed)
    sys.stdout.write("".join(f"{line}\n" for line in lines(matches)))
    sys.stdout.write(f"seed {seed}, {time.monotonic() - begin:.0f} s\n")


def main() -> None:
    """Read the command line; play against a server of our own."""
    parser = argparse.ArgumentParser(description="Play random matches over the wire.")
    parser.add_argument("--n", type=int, default=300, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the choices (default: %(default)s)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), ARGUMENTS).start()
        try:
            asyncio.run(run(server.grpc, given.n, given.seed))
            assert "server fault" not in server.told(), server.told()
        finally:
            server.kill()


if __name__ == "__main__":
    main()
