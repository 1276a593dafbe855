"""The conformance kit: a variant is played, and every check is made of every position on the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median

from bgcore.errors import BgcoreError
from bgcore.examples import Example, read_examples, wrong_examples
from bgcore.notation.board_text import write_board
from bgcore.plugins import load
from bgcore.position import OFF, UNENTERED
from bgcore.raised import Raised
from bgcore.registry import NO_OPTIONS, Registry
from bgcore.rules import Rules
from bgcore.testing.checks import CHECKS, Check, failure_of, smallest, visit_of
from bgcore.testing.doors import unasked
from bgcore.testing.games import Visit, self_play
from bgcore.testing.matches import replay_of, seats_alike

ASKED = "what the rules bring is asked"
GAMES = "every game ends"
START = "the game has not ended before it starts"
REPLAY = "a replay is the match that was played"
SEATS = "the seats are alike"
EXAMPLES = "the worked examples hold"
TIMED = 200


@dataclass(frozen=True, slots=True)
class Failure:
    """A check that failed: what does not hold, and the smallest position and roll that were found for it."""

    check: str
    what: str
    where: str = ""

    @property
    def trace(self) -> str:
        """The traceback of what the variant's code raised; empty where it raised nothing."""
        return self.what.trace if isinstance(self.what, Raised) else ""

    def __str__(self) -> str:
        return f"{self.check}: {self.what}" + (f"\n    at {self.where}" if self.where else "")


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked, what does not hold, and what could not be checked, as there was no game to look at."""

    variant: str
    games: int
    positions: int
    plays: int
    examples: int = 0
    microseconds: float = 0.0  # the median position, its plays listed once
    checks: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    not_run: tuple[str, ...] = ()

    @property
    def checked(self) -> str:
        """What was checked, in a line."""
        examples = f", {self.examples} examples" if self.examples else ""
        return (
            f"{self.variant}: {self.games} games, {self.positions} positions, {self.plays} plays"
            f"{examples}, {self.microseconds:.1f} µs a position"
        )

    def __str__(self) -> str:
        lines = [self.checked]
        lines += [f"  FAILED {failure}" for failure in self.failures]
        return "\n".join(lines)


class NotConforming(AssertionError):
    """A variant that does not do what every variant must."""

    def __init__(self, report: Report) -> None:
        super().__init__(str(report))
        self.report = report


@dataclass(slots=True)
class Kit:
    """The checks of one variant, on a sample of its games. Nothing raises; whoever asks is told."""

    rules: Rules
    games: int = 10
    seed: int = 1
    registry: Registry | None = None  # where the rules are registered, if they are
    given: Mapping[str, object] = field(default_factory=lambda: NO_OPTIONS)
    preset: str = ""
    visits: list[Visit] = field(default_factory=list)
    each: Callable[[], object] = bool
    """Called after each game and each check, for whoever shows how far it is."""
    ended: str = ""
    """What kept the games from ending."""

    def play(self) -> None:
        """Play the games; the positions on the way are what is checked."""
        random = Random(self.seed)
        try:
            for _ in range(self.games):
                self.visits.extend(self_play(self.rules, random))
                self.each()
        except Exception as problem:
            self.ended = Raised(problem)
        if not self.visits and not self.ended:
            self.ended = "no game has a single position"
        self.visits += list(thinned(self.rules, self.visits, random))

    def failures(self) -> Iterator[Failure]:
        """What does not hold, check by check."""
        yield from self.unasked()
        if what := self.start():
            yield Failure(START, what)
        if self.ended:
            yield Failure(GAMES, self.ended, self.where(self.visits[-1]) if self.visits else "")
        for name, check in CHECKS.items():
            yield from self.failure(name, check)
            self.each()
        for name, what in ((REPLAY, self.replay()), (SEATS, self.seats())):
            if what:
                yield Failure(name, what)

    def unasked(self) -> Iterator[Failure]:
        """What the class of the rules brings in vain."""
        return (Failure(ASKED, what) for what in unasked(type(self.rules)))

    def start(self) -> str:
        """What is wrong with the beginning of a game."""
        try:
            outcome = self.rules.outcome(self.rules.start)
        except Exception as problem:
            return Raised(problem)
        return f"it has ended: {outcome}" if outcome else ""

    def failure(self, name: str, check: Check) -> Iterator[Failure]:
        """The failure of one check, at the smallest position that was found; none if it holds."""
        told = ((visit, failure_of(check, self.rules, visit)) for visit in self.visits)
        failing = [(visit, what) for visit, what in told if what]
        if failing:
            first = min(failing, key=lambda one: size(one[0]))
            visit, what = smallest(check, self.rules, *first)
            yield Failure(name, what, self.where(visit))

    def replay(self) -> str:
        """What is wrong with the replay of a game."""
        return self._of_match(lambda random: replay_of(self.rules, random, self.registry))

    def seats(self) -> str:
        """What is wrong with a game whose seats are exchanged."""
        return self._of_match(lambda random: seats_alike(self.rules, random))

    def _of_match(self, work: Callable[[Random], str]) -> str:
        if self.ended:
            return ""
        try:
            return work(Random(self.seed))
        except Exception as problem:
            return Raised(problem)

    def not_run(self) -> tuple[str, ...]:
        """The checks for which there was nothing to look at: no position, or no game that ends."""
        return (*(() if self.visits else CHECKS), *((REPLAY, SEATS) if self.ended else ()))

    def examples(self, examples: Sequence[Example]) -> Iterator[Failure]:
        """The worked examples that do not hold."""
        for name, what in wrong_examples(list(examples), self._under):
            yield Failure(EXAMPLES, what, f"example {name}")

    def _under(self, preset: str, options: Mapping[str, object]) -> Rules:
        if not preset and not options:
            return self.rules
        if self.registry is None:
            raise ValueError("options, and rules that are not registered: expected a variant's id")
        name = self.rules.variant.id
        if self.registry.rules(name, self.preset, self.given).options != self.rules.options:
            what = "options, and rules that have their own"
            raise ValueError(f"{what}: expected a variant's id, and preset and options beside it")
        both = {**self.given, **options}
        return self.registry.rules(name, preset or self.preset, both)

    def where(self, visit: Visit) -> str:
        """A position and roll, for people; it is what `bgcore plays` takes as a board."""
        return f"{write_board(visit.position)}, {visit.roll}"

    def microseconds(self) -> float:
        """How long the plays of the median position take."""
        times = []
        for visit in self.visits[:: max(len(self.visits) // TIMED, 1)]:
            began = time.perf_counter()
            try:
                self.rules.plays(visit.position, visit.roll)
            except Exception:
                continue
            times.append(time.perf_counter() - began)
        return median(times) * 1e6 if times else 0.0

    def report(self, examples: Sequence[Example] = ()) -> Report:
        """All checks, and what does not hold."""
        self.play()
        failures = [*self.failures(), *self.examples(examples)]
        return Report(
            self.rules.variant.id,
            self.games,
            len(self.visits),
            sum(len(visit.plays) for visit in self.visits),
            len(examples),
            self.microseconds(),
            (ASKED, START, GAMES, *CHECKS, REPLAY, SEATS, *((EXAMPLES,) if examples else ())),
            tuple(failures),
            self.not_run(),
        )


def thinned(rules: Rules, visits: Sequence[Visit], random: Random) -> Iterator[Visit]:
    """Some of the positions with all but a few of the mover's checkers borne off.

    There it shows which numbers must be used; in whole games it seldom does.
    """
    for visit in visits[::3]:
        packed = bytearray(visit.position.packed)
        places = [place for place in range(1, UNENTERED + 1) for _ in range(packed[place])]
        random.shuffle(places)
        for place in places[random.randint(1, 2) :]:
            packed[place] -= 1
            packed[OFF] += 1
        try:
            position = rules.proved(bytes(packed))
        except Exception:  # no position of this variant
            continue
        if found := visit_of(rules, position, visit.roll):
            yield found


def size(visit: Visit) -> tuple[int, int]:
    """How large a position is: checkers on the board, and plays."""
    position = visit.position
    off = position.mover.off + position.opponent.off
    return position.mover.checkers + position.opponent.checkers - off, len(visit.plays)


def report_on(
    variant: str | Rules,
    preset: str = "",
    options: Mapping[str, object] = NO_OPTIONS,
    *,
    games: int = 10,
    seed: int = 1,
    examples: str | Path | Sequence[Example] = (),
    registry: Registry | None = None,
    each: Callable[[], object] = bool,
) -> Report:
    """All checks of a variant, by its id or of rules that need not be registered, failed or not."""
    if isinstance(variant, Rules):
        kit = Kit(variant, games, seed, _registered(variant, registry))
    else:
        known = registry or load()
        kit = Kit(known.rules(variant, preset, options), games, seed, known, options, preset)
    kit.each = each
    told = read_examples(examples) if isinstance(examples, str | Path) else examples
    return kit.report(told)


def check_variant(
    variant: str | Rules,
    preset: str = "",
    options: Mapping[str, object] = NO_OPTIONS,
    *,
    games: int = 10,
    seed: int = 1,
    examples: str | Path | Sequence[Example] = (),
    registry: Registry | None = None,
) -> Report:
    """Plays random games and checks every position on the way; `NotConforming` tells all that does not hold.

    >>> check_variant("western", games=1).failures
    ()
    """
    report = report_on(
        variant, preset, options, games=games, seed=seed, examples=examples, registry=registry
    )
    if report.failures:
        raise NotConforming(report)
    return report


def check_rules(rules: Rules, games: int = 10, seed: int = 1) -> Report:
    """The same of rules as they are."""
    return check_variant(rules, games=games, seed=seed)


def _registered(rules: Rules, registry: Registry | None) -> Registry | None:
    """The registry that makes the same rules, if there is one."""
    known = registry or load()
    try:
        entry = known.entry(rules.variant.id)
        same = known.rules(rules.variant.id, options=rules.options).variant.movement
    except BgcoreError:
        return None
    return known if entry.rules is type(rules) and same == rules.variant.movement else None
