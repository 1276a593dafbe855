"""Tests of a variant, to be inherited: one test for each thing that must hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import ClassVar
from unittest import SkipTest  # which pytest knows, too

from bgcore.examples import read_examples
from bgcore.plugins import load
from bgcore.registry import NO_OPTIONS
from bgcore.testing.checks import CHECKS
from bgcore.testing.conformance import REPLAY, SEATS, Failure, Kit


class VariantTests:
    """What every variant must do, as tests; pytest finds them in a class that derives from this one.

        class TestMyGame(VariantTests):
            variant = "my-game"
            examples = Path(__file__).with_name("my_game.json")

    `options` and `preset` choose under which rules; a class for each that changes play is a good habit.
    """

    variant: ClassVar[str]
    preset: ClassVar[str] = ""
    options: ClassVar[Mapping[str, object]] = NO_OPTIONS
    games: ClassVar[int] = 5
    seed: ClassVar[int] = 1
    examples: ClassVar[str | Path | None] = None
    _kit: ClassVar[Kit | None] = None

    @classmethod
    def kit(cls) -> Kit:
        """The games that were played for these tests; once for all of them."""
        kit = cls.__dict__.get("_kit")
        if kit is None:
            registry = load()
            rules = registry.rules(cls.variant, cls.preset, cls.options)
            kit = cls._kit = Kit(rules, cls.games, cls.seed, registry, cls.options, cls.preset)
            kit.play()
        return kit

    def test_what_the_rules_bring_is_asked(self) -> None:
        holds(self.kit().unasked())

    def test_the_game_has_not_ended_before_it_starts(self) -> None:
        assert not self.kit().start()

    def test_every_game_ends(self) -> None:
        assert not self.kit().ended

    def test_checkers_are_conserved(self) -> None:
        self.check("checkers are conserved")

    def test_results_are_distinct(self) -> None:
        self.check("results are distinct")

    def test_the_list_is_that_of_an_exhaustive_search(self) -> None:
        self.check("the list is that of an exhaustive search")

    def test_the_list_of_later_parts_is_that_of_a_search(self) -> None:
        self.check("the list of later parts is that of a search")

    def test_what_is_listed_is_legal(self) -> None:
        self.check("what is listed is legal")

    def test_what_is_written_reads_back(self) -> None:
        self.check("what is written reads back")

    def test_answers_are_the_same_each_time(self) -> None:
        self.check("answers are the same each time")

    def test_asking_changes_nothing(self) -> None:
        self.check("asking changes nothing")

    def test_both_sides_see_the_same_end(self) -> None:
        self.check("both sides see the same end")

    def test_no_end_is_worth_more_than_most_says(self) -> None:
        self.check("no end is worth more than most says")

    def test_a_replay_is_the_match_that_was_played(self) -> None:
        self.has_run(REPLAY)
        assert not self.kit().replay()

    def test_the_seats_are_alike(self) -> None:
        self.has_run(SEATS)
        assert not self.kit().seats()

    def test_the_worked_examples_hold(self) -> None:
        if self.examples is not None:
            holds(self.kit().examples(read_examples(self.examples)))

    def test_a_position_is_timed(self) -> None:
        print(f"{self.variant}: {self.kit().microseconds():.1f} µs a position")

    def check(self, name: str) -> None:
        """One check of all positions of the games."""
        self.has_run(name)
        holds(self.kit().failure(name, CHECKS[name]))

    def has_run(self, name: str) -> None:
        """Skips the test of a check for which there was nothing to look at."""
        if name in self.kit().not_run():
            raise SkipTest(f"not run: {self.kit().ended}")


def holds(failures: Iterable[Failure]) -> None:
    """`AssertionError` with all of these, if there are any."""
    told = "\n".join(map(str, failures))
    assert not told, told
