"""The conformance kit finds variants that are broken on purpose, and says where."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bgcore import Level, Outcome, OwnReason, Plays, Position, Registry, Roll, Rules, Setup, load
from bgcore.axes import Doubles
from bgcore.gates import OPEN, Gates
from bgcore.outcome import Ending
from bgcore.play import STEPS, Step
from bgcore.position import OFF
from bgcore.registry import Plugin
from bgcore.seat import Player
from bgcore.testing import (
    NotConforming,
    Report,
    VariantTests,
    check_variant,
    read_examples,
    report_on,
)
from bgcore.testing.doors import unasked
from bgcore.turn import ORDINARY_TURN, Numbers, Part, PartKind, Turn

WESTERN = load().variant("western")


class LosesAChecker(Rules):
    """A checker that is borne off with a six is gone."""

    def after(self, position: Position, play: bytes) -> Position:
        after = bytearray(super().after(position, play).packed)
        if after[OFF] > 2:
            after[OFF] -= 1
        return Position(bytes(after))


class ListsTwice(Rules):
    """Every list begins with its first play twice."""

    def plays_of(
        self, position: Position, numbers: Iterable[int], turn: Turn = ORDINARY_TURN
    ) -> Plays:
        plays = super().plays_of(position, numbers, turn)
        return Plays(self, position, plays.numbers, doubled(plays), turn, plays.context)

    def plays(self, position: Position, roll: Roll, turn: Turn = ORDINARY_TURN) -> Plays:
        plays = super().plays(position, roll, turn)
        return Plays(self, position, plays.numbers, doubled(plays), turn, plays.context)


def doubled(plays: Plays) -> bytes:
    header = bytes((plays.numbers_used, 0, 0, 0))
    return header if plays.nothing_playable else header + plays.codes[:STEPS] + plays.codes


class ForgetsAPlay(Rules):
    """The last of many plays is not listed."""

    def plays(self, position: Position, roll: Roll, turn: Turn = ORDINARY_TURN) -> Plays:
        plays = super().plays(position, roll, turn)
        if len(plays) < 3:
            return plays
        header = bytes((plays.numbers_used, 0, 0, 0))
        return Plays(
            self, position, plays.numbers, header + plays.codes[:-STEPS], turn, plays.context
        )


class MayDoMore(Rules):
    """`steps` allows a step to where the kernel allows none."""

    def steps(
        self, position: Position, numbers: Numbers, turn: Turn = ORDINARY_TURN
    ) -> tuple[Step, ...]:
        found = super().steps(position, numbers, turn)
        if not found and numbers and position.mover[8]:
            return (Step.of(8, numbers[0]),)
        return found


class KeepsAList(Rules):
    """A filter that returns a list of plays, and no `Plays`."""

    def keep(self, start: Position, plays: Plays) -> Plays:
        return list(plays)  # type: ignore[return-value]  # what is wrong with it


class KeepsWhatIsNotThere(Rules):
    """A filter that adds the play of another roll."""

    def keep(self, start: Position, plays: Plays) -> Plays:
        if start != self.start or 6 in plays.numbers:
            return plays
        header, code = bytes((1, 0, 0, 0)), bytes((13 << 3 | 6, 0, 0, 0))
        return Plays(self, start, plays.numbers, header + code, plays.turn, plays.context)


class KeepsByChance(Rules):
    """A filter that throws a coin."""

    def keep(self, start: Position, plays: Plays) -> Plays:
        first = plays[0]
        return plays.only(lambda play: play == first or Random().random() < 0.5)


class Counts(Rules):
    """A filter that remembers how often it was asked."""

    def __init__(self, *given: Any) -> None:
        self._asked = itertools.count()
        super().__init__(*given)

    def keep(self, start: Position, plays: Plays) -> Plays:
        return plays.only(lambda play: play == plays[0]) if next(self._asked) % 2 else plays


class ChangesItself(Rules):
    """A filter that writes down what it saw."""

    def keep(self, start: Position, plays: Plays) -> Plays:
        vars(self)["seen"] = vars(self).get("seen", 0) + 1  # past what the engine closes
        return plays


class NeverEnds(Rules):
    """Nobody ever wins."""

    def outcome(self, position: Position) -> Outcome | None:
        return None


class OneSided(Rules):
    """Only who is on roll can have won."""

    def outcome(self, position: Position) -> Outcome | None:
        if position.mover.off < 3:
            return super().outcome(position)
        return Outcome(Player.MOVER, 1, Level.SINGLE, Ending.BORNE_OFF)


class TellsNonsense(Rules):
    """An end that is a word."""

    def outcome(self, position: Position) -> Outcome | None:
        return super().outcome(position) and "won"  # type: ignore[return-value]


class Raises(Rules):
    """Raises as soon as a checker is on the bar."""

    def keep(self, start: Position, plays: Plays) -> Plays:
        if start.mover.bar:
            raise ZeroDivisionError("on the bar")
        return plays


class ReadsAnother(Rules):
    """A position with a checker on the bar is made with it on the 24."""

    def position(self, setup: Setup) -> Position:
        mover = setup.mover
        if mover.bar:
            points = {**mover.points, 24: mover.points.get(24, 0) + mover.bar}
            setup = Setup(replace(mover, points=points, bar=0), setup.opponent)
        return super().position(setup)


class GivesOthersParts(Rules):
    """A double counts four times the first time, and twice from then on."""

    def __init__(self, *given: Any) -> None:
        self._asked: set[Roll] = set()
        super().__init__(*given)

    def parts(
        self, roll: Roll, turn: Turn = ORDINARY_TURN, position: Position | None = None
    ) -> tuple[Part, ...]:
        if roll in self._asked and roll.is_double:
            return (Part(roll.dice),)
        self._asked.add(roll)
        return super().parts(roll, turn, position)


class DeclaresAnotherRule(Rules):
    """The variant says that the larger number need not be played; it is, still."""

    def __init__(self, variant: Any, options: Any = None) -> None:
        super().__init__(variant, options)
        self.variant = replace(variant, higher_die_rule=False)


BROKEN = {
    LosesAChecker: ("checkers are conserved", "a checker is lost or made"),
    ListsTwice: ("results are distinct", "a play comes twice"),
    ForgetsAPlay: ("the list is that of an exhaustive search", "plays are missing"),
    MayDoMore: ("the list is that of an exhaustive search", "plays are missing"),
    KeepsAList: ("every game ends", "expected Plays, such as"),
    KeepsWhatIsNotThere: ("every game ends", "expected plays that the rules allow"),
    KeepsByChance: ("answers are the same each time", "rules list other plays"),
    Counts: ("answers are the same each time", "rules list other plays"),
    ChangesItself: ("asking changes nothing", "asking has changed seen"),
    NeverEnds: ("every game ends", "a game of more than 2000 turns"),
    OneSided: ("both sides see the same end", "seen from the other side"),
    TellsNonsense: ("every game ends", "returned won: expected a bgcore.Outcome"),
    Raises: ("every game ends", "ZeroDivisionError: on the bar"),
    ReadsAnother: ("what is written reads back", "reads as"),
    GivesOthersParts: ("answers are the same each time", "tell other parts of"),
    DeclaresAnotherRule: ("the list is that of an exhaustive search", "plays are missing"),
}


def broken(kind: type[Rules]) -> tuple[Registry, Report]:
    registry = load().using(Plugin("broken"))
    registry.add(replace(WESTERN, id="broken", aliases=(), bundles={}), kind)
    return registry, report_on("broken", games=3, seed=3, registry=registry)


@pytest.mark.parametrize("kind", BROKEN, ids=lambda kind: kind.__name__)
def test_a_variant_that_is_broken_on_purpose_is_caught(kind: type[Rules]) -> None:
    _, report = broken(kind)
    check, says = BROKEN[kind]
    failures = {failure.check: failure for failure in report.failures}
    assert check in failures, str(report)
    assert says in failures[check].what, str(report)


def test_a_failure_names_a_small_position() -> None:
    _, report = broken(LosesAChecker)
    [failure] = [one for one in report.failures if one.check == "checkers are conserved"]
    assert failure.where.split(" / ")[0].count(":") <= 2, failure.where


def test_all_that_does_not_hold_is_raised_as_one_error() -> None:
    registry, _ = broken(OneSided)
    with pytest.raises(NotConforming, match="FAILED both sides see the same end"):
        check_variant("broken", games=2, registry=registry)


# -- worked examples ---------------------------------------------------------------------------------

EXAMPLE: dict[str, Any] = {
    "id": "one",
    "me": {"20": 1},
    "me_off": 14,
    "opp": {"14": 2},
    "opp_off": 13,
    "dice": [6, 3],
    "dice_used": 1,
    "legal_count": 1,
    "legal": ["20/14"],
    "illegal": ["20/17"],
    "why": ["MUST_USE_LARGER_NUMBER"],
}


@pytest.mark.parametrize("lines", [False, True])
def test_examples_are_a_list_or_lines(tmp_path: Path, lines: bool) -> None:
    file = tmp_path / "examples.json"
    file.write_text(
        f"{json.dumps(EXAMPLE)}\n\n{json.dumps(EXAMPLE)}\n"
        if lines
        else json.dumps([EXAMPLE, EXAMPLE], indent=1)
    )
    assert check_variant("western", games=1, examples=file).examples == 2


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"dice_used": 2}, "dice_used is 1: expected 2"),
        ({"legal_count": 2}, "legal_count is 1: expected 2"),
        ({"legal": []}, "20/14: legal, and not in the list"),
        ({"legal": ["20/14", "20/17"]}, "20/17 is refused, MUST_USE_LARGER_NUMBER"),
        ({"legal_includes": ["20/11"]}, "20/11 is refused"),
        ({"illegal": ["20/14"]}, "20/14 is legal: expected to be refused"),
        ({"why": ["POINT_CLOSED"]}, "refused for MUST_USE_LARGER_NUMBER: expected POINT_CLOSED"),
        ({"why": ["POINT_CLOSED"] * 2}, "why has 2 reasons: expected 1"),
        ({"me": {"20": 99}}, "expected"),
        ({"dice": [7]}, "die 7: expected 1 to 6"),
        ({"variant": "tavla"}, "variant tavla: expected western"),
        ({"options": {"wings": 1}}, "option wings"),
        ({"extra": 1}, "extra: expected one of id, note"),
        ({"illegal": [7]}, "illegal [7]: expected a list of plays such as"),
        ({"legal_count": "1"}, 'legal_count "1": expected a whole number'),
        ({"legal_count": True}, "legal_count true: expected a whole number"),
        ({"dice_used": -1}, "dice_used -1: expected a whole number"),
        ({"legal": "8/6 6/2"}, 'legal "8/6 6/2": expected a list of plays such as ["8/5 6/5"]'),
        ({"legal_includes": None}, "legal_includes null: expected a list of plays"),
        ({"illegal": "8/6"}, 'illegal "8/6": expected a list of plays'),
        ({"why": "POINT_CLOSED"}, 'why "POINT_CLOSED": expected a list of reasons'),
        ({"options": ["cube"]}, 'options ["cube"]: expected an object'),
        ({"preset": 3}, "preset 3: expected a text"),
        ({"note": ["x"]}, 'note ["x"]: expected a text'),
        ({"turn": 1}, "turn 1: expected an object"),
        ({"dice": "63"}, 'dice "63": expected a list of numbers such as [6, 3]'),
        ({"numbers": [6]}, "numbers: expected none beside dice"),
        ({"board": "20:1 / 14:2"}, "me: expected none beside board"),
        ({"me_bar": "1"}, 'me_bar "1": expected a whole number'),
        ({"me": [20]}, "me [20]: expected points and checkers"),
        (
            {"why": ["X"]},
            "no such reason, expected MUST_USE_LARGER_NUMBER, for which 20/17 is refused",
        ),
        (
            {"illegal": ["20/14"], "why": ["X"]},
            "why X: there is no such reason, expected one of GAME_ENDED, NO_CHECKER_THERE",
        ),
        (
            {"why": ["MUST_USE_LARGER_NUMBERS"]},
            "no such reason, expected MUST_USE_LARGER_NUMBER, most likely",
        ),
    ],
)
def test_an_example_that_does_not_hold_is_named(changes: dict[str, Any], says: str) -> None:
    report = report_on("western", games=1, examples=[{**EXAMPLE, **changes}])
    assert report.failures, report
    assert any(says in failure.what for failure in report.failures), str(report)
    assert {failure.where for failure in report.failures} == {"example one"}


@pytest.mark.parametrize(
    ("without", "says"),
    [
        (("dice",), "dice (or numbers) is missing"),
        (("me", "me_off", "opp", "opp_off"), "board (or me and opp) is missing"),
    ],
)
def test_what_an_example_must_have_is_told(without: tuple[str, ...], says: str) -> None:
    example = {key: value for key, value in EXAMPLE.items() if key not in without}
    [failure] = report_on("western", games=1, examples=[example]).failures
    assert failure.what == says


def test_all_that_is_wrong_with_an_example_is_told_at_once() -> None:
    example = {**EXAMPLE, "legal_count": "1", "legal": "20/14", "leagl": []}
    told = [failure.what for failure in report_on("western", games=1, examples=[example]).failures]
    assert [what.split()[0] for what in told] == ["leagl:", "legal", "legal_count"]


def test_an_example_says_its_roll_in_two_ways_and_its_board_in_two() -> None:
    board = {"board": "20:1 off:14 / 14:2 off:13", "numbers": [6, 3], "dice_used": 1}
    assert not report_on("western", games=1, examples=[board]).failures


class Peaceful(Rules):
    closed_reason = OwnReason("PEACE", "{target} is at home, where nobody hits", "another point")

    def closed(self, position: Position, numbers: Numbers, turn: Turn) -> tuple[int, ...]:
        return (4,)


@pytest.mark.parametrize(
    ("why", "says"),
    [
        ("QUIET_GAME_PEACE", ""),
        ("PEACE", "why PEACE: there is no such reason, expected QUIET_GAME_PEACE, most likely"),
        (
            "QUIET_GAME_PIECE",
            "why QUIET_GAME_PIECE: there is no such reason, expected QUIET_GAME_PEACE, most likely",
        ),
        ("POINT_CLOSED", "8/4 is refused for QUIET_GAME_PEACE: expected POINT_CLOSED"),
    ],
)
def test_a_reason_of_its_own_is_told_by_its_whole_name(why: str, says: str) -> None:
    rules = Peaceful(replace(WESTERN, id="quiet-game"))
    example = {
        "board": "8:1 off:14 / 24:1 off:14",
        "dice": [4, 1],
        "illegal": ["8/4"],
        "why": [why],
    }
    told = [failure.what for failure in report_on(rules, games=1, examples=[example]).failures]
    assert told == ([says] if says else [])


@pytest.mark.parametrize("text", ["", "[]", "\n\n", " [ ] "])
def test_a_file_without_examples_is_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / "examples.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"examples\.json: expected at least one example"):
        read_examples(file)


def test_examples_choose_their_options() -> None:
    free = {**EXAMPLE, "options": {"higher_die_rule": False}, "legal": ["20/14", "20/17"]}
    free |= {"legal_count": 2, "illegal": [], "why": []}
    assert check_variant("western", games=1, examples=[free]).examples == 1


HIT_AND_STAY: dict[str, Any] = {
    "id": "TAV-02",
    "board": "8:1 6:2 5:2 off:10 / 21:1 13:5 off:9",
    "dice": [4, 3],
    "illegal": ["8/4* 4/1"],
    "why": ["LOCKED_AFTER_HIT"],
}
"""It holds under the bundle `traditional` of tavla, and not under its usual options."""


@pytest.mark.parametrize("options", [{}, {"opening_roll": "play_dice"}])
def test_examples_are_judged_under_the_preset_of_the_kit(options: dict[str, object]) -> None:
    example = {**HIT_AND_STAY, "options": options}
    assert not report_on("tavla", "traditional", games=1, examples=[example]).failures
    assert report_on("tavla", games=1, examples=[example]).failures


def test_and_those_of_a_class_of_tests_too() -> None:
    class Traditional(VariantTests):
        variant, preset, games = "tavla", "traditional", 1

    example = {**HIT_AND_STAY, "options": {"opening_roll": "play_dice"}}
    assert not list(Traditional.kit().examples([example]))


def test_an_example_may_name_another_preset() -> None:
    example = {**HIT_AND_STAY, "preset": "traditional"}
    assert not report_on("tavla", "tournament", games=1, examples=[example]).failures


def test_options_of_examples_do_not_drop_those_of_rules_as_they_are() -> None:
    rules = load().rules("tavla", options={"home_hit_and_run": False})
    assert not report_on(rules, games=1, examples=[HIT_AND_STAY]).failures
    example = {**HIT_AND_STAY, "options": {"opening_roll": "play_dice"}}
    [failure] = report_on(rules, games=1, examples=[example]).failures
    assert "rules that have their own: expected a variant's id" in failure.what


class Misspelt(Rules):
    """A door that nobody knocks at."""

    def close(self, position: Position, numbers: Numbers, turn: Turn) -> tuple[int, ...]:
        return (4,)


class MisspeltBesideADoor(Rules):
    def may_leav(self, position: Position, numbers: Numbers, turn: Turn) -> int:
        return 0

    def keep(self, start: Position, plays: Plays) -> Plays:
        return plays


class ReasonWithoutADoor(Rules):
    closed_reason = OwnReason("PEACE", "{target} is at home", "another point")

    def keep(self, start: Position, plays: Plays) -> Plays:
        return plays


class HelpersAlone(Rules):
    def _wall(self, position: Position) -> int:
        return position.mover[4]


class HelpersInAMixin(HelpersAlone):
    """What a base of it brings is asked as little."""


UNASKED = {
    Misspelt: "Misspelt.close is no method of Rules: expected closed, most likely",
    MisspeltBesideADoor: "MisspeltBesideADoor.may_leav is no method of Rules: expected may_leave, most likely",
    ReasonWithoutADoor: (
        "ReasonWithoutADoor has a closed_reason that nothing refuses for: expected a method closed"
    ),
    HelpersAlone: "HelpersAlone has no method of Rules: expected one of may_leave, closed, keep",
    HelpersInAMixin: "HelpersInAMixin has no method of Rules: expected one of may_leave, closed",
}


@pytest.mark.parametrize("kind", UNASKED, ids=lambda kind: kind.__name__)
def test_what_a_class_brings_in_vain_is_told(kind: type[Rules]) -> None:
    [failure] = broken(kind)[1].failures
    assert failure.check == "what the rules bring is asked"
    assert failure.what.startswith(UNASKED[kind])


class HelpsItself(Peaceful):
    """Helpers that are named like doors, one of them from inside of a function."""

    def keep(self, start: Position, plays: Plays) -> Plays:
        return plays.only(lambda play: self.keeps(start, play.after))

    def keeps(self, start: Position, after: Position) -> bool:
        return self.levels_(after) > 0

    def levels_(self, after: Position) -> int:
        return 1

    def values(self) -> tuple[int, ...]:
        """It takes less than `value`, and is for whoever looks from outside."""
        return (1, 2)


class WordsAlone(Rules):
    """There for what it says: the data says it, too."""


class ReasonsForMany(Rules):
    """What several games have in common; each of them has doors of its own."""

    step_reason = OwnReason("WAITS", "{origin} waits", "another checker")
    play_reason = OwnReason("QUIET", "it is too loud", "another play")


class OneOfMany(ReasonsForMany):
    def keep(self, start: Position, plays: Plays) -> Plays:
        return plays


class OpensLate(Rules):
    closed_reason = OwnReason("LATE", "{target} opens later", "another point")

    def gates(self, position: Position, numbers: Numbers, turn: Turn) -> Gates:
        return OPEN


class RefusesOptions(Rules):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)


SOUND = (Rules, Peaceful, HelpsItself, WordsAlone, OneOfMany, OpensLate, RefusesOptions, *BROKEN)


@pytest.mark.parametrize("kind", SOUND, ids=lambda kind: kind.__name__)
def test_nothing_of_a_sound_class_is_said_to_be_in_vain(kind: type[Rules]) -> None:
    assert list(unasked(kind)) == []


def test_the_games_here_bring_nothing_in_vain() -> None:
    assert [told for entry in load() for told in unasked(entry.rules)] == []


class ForgetsInALaterPart(Rules):
    """In the complement of a double the last play is not listed."""

    def plays_of(
        self, position: Position, numbers: Iterable[int], turn: Turn = ORDINARY_TURN
    ) -> Plays:
        plays = super().plays_of(position, numbers, turn)
        later = turn.parts and turn.parts[0].kind is PartKind.COMPLEMENT
        return plays.only(lambda play: play != plays[-1]) if later and len(plays) > 1 else plays


def test_later_parts_are_searched_too() -> None:
    rules = ForgetsInALaterPart(replace(WESTERN, doubles=Doubles.COMPLEMENT))
    [failure] = report_on(rules, games=2).failures
    assert failure.check == "the list of later parts is that of a search"
    assert "plays are missing" in failure.what
