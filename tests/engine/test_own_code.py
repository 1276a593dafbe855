"""What a variant's own data and code may be is looked at when it is registered, and where it answers."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import repeat
from typing import Any, cast

import pytest

from bgcore import (
    Action,
    BgcoreError,
    Fault,
    IllegalAction,
    IllegalPosition,
    Level,
    Match,
    NotationError,
    OptionError,
    Outcome,
    Plays,
    PluginError,
    Position,
    Preset,
    Registry,
    Roll,
    Rules,
    Seat,
    Setup,
    SideSetup,
    Variant,
    load,
)
from bgcore.catalogue import narrowed, number, switch
from bgcore.crossing import told
from bgcore.errors import NotRegistered, PluginFailed
from bgcore.option import Option, OptionType, Values
from bgcore.outcome import Ending
from bgcore.reason import Reason
from bgcore.refusal import OwnReason
from bgcore.registry import Plugin
from bgcore.seat import Player
from bgcore.testing import report_on
from bgcore.testing.checks import CHECKS
from bgcore.turn import ORDINARY_TURN, Next, Numbers, Part, Played, Then, Turn

WESTERN = load().variant("western")


def registered(rules: type[Rules] = Rules, **data: Any) -> Registry:
    registry = load().using(Plugin("mine"))
    registry.add(replace(WESTERN, **{"id": "mine", "aliases": (), "bundles": {}, **data}), rules)
    return registry


def faults(rules: type[Rules] = Rules, **data: Any) -> list[str]:
    with pytest.raises(PluginError) as found:
        registered(rules, **data)
    return [str(fault).removeprefix("mine ") for fault in found.value.faults]


# -- data --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"match_length": 0}, "match_length 0: expected a number from 1 to 32767, or none"),
        ({"match_length": -3}, "match_length -3: expected a number from 1 to 32767, or none"),
        ({"dice": 1}, "dice 1: expected a number from 2 to 3"),
        ({"dice": 5}, "dice 5: expected a number from 2 to 3"),
        ({"gammon_value": 0}, "gammon_value 0: expected a number from 1 to 3"),
        ({"ladder_from_roll": -1}, "ladder_from_roll -1: expected a number from 1 to 100"),
        ({"title": ""}, "title: expected a text on one line, 1 to 100 characters"),
        ({"summary": "a\nb"}, "summary a\nb: expected a text on one line, 1 to 400 characters"),
        ({"rules_version": ""}, "rules_version: expected a text on one line, 1 to 64 characters"),
        ({"file_names": {"sgf": 3}}, "file_names sgf 3: expected a text, by the id of a format"),
        ({"start": {24: 16}}, "start 16 checkers: expected at most 15"),
        ({"start": {25: 15}}, "start.25: expected a point from 1 to 24"),
        ({"start": {"24": 15}}, 'start."24": expected a point from 1 to 24'),
        ({"start": {24: "15"}}, 'start.24 "15": expected 0 to 30 checkers'),
        ({"gammon_value": "3"}, 'gammon_value "3": expected a whole number'),
        ({"cube": "false"}, 'cube "false": expected true or false'),
        ({"match_length": "7"}, 'match_length "7": expected a whole number, or None'),
        ({"doubles": "ladder"}, 'doubles "ladder": expected Doubles.LADDER'),
        ({"fixed_options": ("wings",)}, "fixed_options wings: expected one of opening_roll"),
    ],
)
def test_values_that_make_no_sense_are_refused(data: dict[str, Any], expected: str) -> None:
    [found] = faults(**data)
    assert found.startswith(expected)


def test_what_is_wrong_elsewhere_hides_nothing_of_the_start() -> None:
    found = faults(bear_off="exat", start={24: 4, 18: 3, 13: 4, 7: 4})
    assert [text.split(" ")[0] for text in found] == ["bear_off", "start:"]
    assert "the mover's 18 (the opponent's 7): 3 of the mover and 4 of the opponent" in found[-1]


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        (number("Bad Name", "m", 1, 6, 3), "own_options Bad Name: expected lower case letters"),
        (number("pace", "m", 1, 6, 9), "own_options pace default 9: expected a number from 1 to 6"),
        (number("pace", "m", 6, 1, 3), "own_options pace values (6, 1): expected the lowest"),
        (number("pace", "m", 1, 6), "own_options pace default None: expected a number from 1 to 6"),
        (number("pace", "m", 1, 6, "3"), 'own_options pace default "3": expected 3'),  # type: ignore[arg-type]
        (switch("pace", "m", default="off"), 'own_options pace default "off": expected true'),  # type: ignore[arg-type]
        (
            switch("pace", "m", default="false"),  # type: ignore[arg-type]  # what is wrong with it
            'own_options pace default "false": expected False',
        ),
        (switch("bear_off", "m"), "own_options bear_off of type bool: expected another name"),
        (switch("title", "m"), "own_options title: expected a name that no field of a"),
        (switch("pace", ""), "own_options pace meaning: expected a sentence"),
        (
            Option("pace", OptionType.WORD, "m", (), default="a"),
            "own_options pace values (): expected",
        ),
        (
            Option("pace", OptionType.WORD, "m", ("a",)),
            "own_options pace default None: expected one",
        ),
        (
            Option("pace", cast("OptionType", "word"), "m"),
            'own_options pace type "word": expected OptionType.WORD',
        ),
        (
            narrowed("layout", "parallel"),
            "own_options layout default contrary: expected one of par",
        ),
        (narrowed("layout", "up", "contrary"), "own_options layout values up, contrary: expected"),
    ],
)
def test_an_own_option_must_make_sense(option: Option, expected: str) -> None:
    assert [text for text in faults(own_options=(option,)) if expected in text]


def test_sensible_ones_are_taken() -> None:
    word = Option("mood", OptionType.WORD, "how it is", ("calm", "wild"), default="calm")
    some = (word, number("pace", "m", 1, 6, optional=True), switch("gate", "m"))
    assert registered(own_options=some).rules("mine").options["mood"] == "calm"


# -- reasons -----------------------------------------------------------------------------------------


class WithReasons(Rules):
    step_reason = OwnReason("GATE", "{origin} to {target} by {number}", "one of {left}", "R2")
    play_reason = OwnReason("NO_GOOD", "it is none", "one that uses {used}")


@pytest.mark.parametrize(
    ("place", "reason", "expected"),
    [
        ("play_reason", "no", "play_reason 'no': expected a bgcore.refusal.OwnReason"),
        (
            "step_reason",
            Reason.POINT_CLOSED,
            "step_reason <Reason.POINT_CLOSED: 11>: expected a bgcore",
        ),
        *(
            ("play_reason", OwnReason("NO_GOOD", wrong, "x"), "play_reason wrong " + wrong)
            for wrong in ("{origin} is bad", "{", "{0}", "{used.x.y}")
        ),
        ("closed_reason", OwnReason("GATE", "{used}", "x"), "no braces but {origin}, {target}"),
        (
            "step_reason",
            OwnReason("a gate", "x", "x"),
            "step_reason name a gate: expected capitals",
        ),
        ("step_reason", OwnReason("GATE", "", "x"), "step_reason wrong: expected a sentence"),
    ],
)
def test_every_reason_is_tried_when_it_is_registered(
    place: str, reason: Any, expected: str
) -> None:
    [found] = faults(type("Bad", (Rules,), {place: reason}))
    assert expected in found
    assert registered(WithReasons)


def test_a_filter_without_a_reason_of_its_own_does_not_speak_of_another_game() -> None:
    class First(Rules):
        def keep(self, start: Position, plays: Plays) -> Plays:
            return plays.only(lambda play: play == plays[0])

    rules = registered(First).rules("mine")
    plays = rules.plays(rules.start, Roll.of(3, 1))
    other = next(p for p in Rules(WESTERN).plays(rules.start, Roll.of(3, 1)) if p not in plays)
    refusal = rules.why_not(rules.start, (3, 1), other.steps)
    assert refusal is not None
    assert refusal.reason == "MINE_NOT_KEPT"
    assert "a rule of this game forbids it" in refusal.message


# -- answers -----------------------------------------------------------------------------------------


class Ends(Rules):
    """Whatever it is asked, it wants to end the process."""

    how: BaseException = SystemExit(3)

    def keep(self, start: Position, plays: Plays) -> Plays:
        raise self.how

    def most(self, position: Position, loser: Player) -> int:
        sys.exit("enough")


@pytest.mark.parametrize("how", [SystemExit(3), GeneratorExit(), BaseException("so")])
def test_code_that_ends_the_process_has_failed(how: BaseException) -> None:
    rules = type("EndsSo", (Ends,), {"how": how})(replace(WESTERN, id="mine"))
    with pytest.raises(PluginFailed, match=rf"Ends.keep raised {type(how).__name__}") as found:
        rules.plays(rules.start, Roll.of(3, 1))
    assert re.search(r"Ends.keep raised .*\(test_own_code.py:\d+\)", told(found.value))
    with pytest.raises(PluginFailed, match=r"Ends.most raised SystemExit: enough"):
        rules.most(rules.start, Player.MOVER)
    report = report_on(rules, games=1)
    assert "keep raised" in report.failures[0].what


def test_the_terminal_may_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    # Behind a shell that runs us in the background nobody hears of the terminal.
    monkeypatch.setattr("bgcore.crossing.getsignal", lambda number: signal.default_int_handler)
    rules = type("EndsSo", (Ends,), {"how": KeyboardInterrupt()})(WESTERN)
    with pytest.raises(KeyboardInterrupt):
        rules.plays(rules.start, Roll.of(3, 1))


def test_elsewhere_nothing_of_the_terminal_comes() -> None:
    rules = type("EndsSo", (Ends,), {"how": KeyboardInterrupt()})(WESTERN)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(rules.plays, rules.start, Roll.of(3, 1))
        assert isinstance(asked.exception(), PluginFailed)


class Mixed:
    """What a class of rules may mix in: none of the engine's rules itself."""

    def closed(self, position: Position, numbers: Numbers, turn: Turn) -> Any:
        sys.exit(0)

    def most(self, position: Position, loser: Player) -> Any:
        return "all"


def test_code_that_is_mixed_in_is_looked_at_as_well() -> None:
    class MixedRules(Mixed, Rules):
        pass

    class Further(MixedRules):
        pass

    for kind in (MixedRules, Further):
        rules = kind(WESTERN)
        with pytest.raises(PluginFailed, match=r"Mixed.closed raised SystemExit"):
            rules.plays(rules.start, Roll.of(3, 1))
        with pytest.raises(
            PluginFailed, match=r"Mixed.most returned all: expected 0 to 255 points"
        ):
            rules.most(rules.start, Player.MOVER)
    assert not hasattr(Mixed.closed, "__wrapped__")


class Unspeakable(Exception):
    """Not even told can it be."""

    def __str__(self) -> str:
        sys.exit(0)

    __repr__ = __str__


@pytest.mark.parametrize("how", [Unspeakable(), StopIteration(), ValueError(chr(0xD800))])
def test_whatever_it_raises_it_can_be_told(how: Exception) -> None:
    class Raises(Rules):
        def closed(self, position: Position, numbers: Numbers, turn: Turn) -> Any:
            raise how

    rules = Raises(WESTERN)
    with pytest.raises(PluginFailed) as found:
        rules.plays(rules.start, Roll.of(3, 1))
    assert f"Raises.closed raised {type(how).__name__}" in told(found.value)
    told(found.value).encode()


def test_whatever_it_returns_it_can_be_shown() -> None:
    class Returns(Rules):
        def closed(self, position: Position, numbers: Numbers, turn: Turn) -> Any:
            return Unspeakable()

    rules = Returns(WESTERN)
    with pytest.raises(PluginFailed, match="returned a Unspeakable that cannot be shown"):
        rules.plays(rules.start, Roll.of(3, 1))


class Unclassed:
    """It fails even when it is asked of what kind it is."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise KeyError("what")


def test_even_where_nobody_can_say_what_it_is() -> None:
    class Returns(Rules):
        def outcome(self, position: Position) -> Any:
            return Unclassed()

    rules = Returns(WESTERN)
    with pytest.raises(PluginFailed, match=r"Returns.outcome raised KeyError: 'what'"):
        rules.outcome(rules.start)


def test_so_have_rules_that_end_it_when_they_are_made() -> None:
    class Unmade(Rules):
        def __init__(self, *given: Any) -> None:
            sys.exit(4)

    [found] = faults(Unmade)
    assert "Unmade.__init__ raised SystemExit: 4" in found


def test_and_presets_that_do() -> None:
    def values(variant: object) -> Any:
        sys.exit(5)

    with pytest.raises(PluginError, match="SystemExit: 5"):
        load().using(Plugin("mine")).add_preset(Preset("mine", "Mine", values))


def test_an_exception_is_told_with_the_method_and_its_line() -> None:
    class Lacks(Rules):
        def keep(self, start: Position, plays: Plays) -> Plays:
            self.options["x"]
            return plays

    rules = Lacks(WESTERN)
    with pytest.raises(PluginFailed) as found:
        rules.plays(rules.start, Roll.of(3, 1))
    line = Lacks.keep.__wrapped__.__code__.co_firstlineno + 1  # type: ignore[attr-defined]
    name = f"{__name__}.{Lacks.__qualname__}.keep"
    assert told(found.value) == f"{name} raised KeyError: 'x' (test_own_code.py:{line})"
    assert str(found.value) == f"{name} raised KeyError: 'x'"


OURS = (NotationError, IllegalAction, IllegalPosition, OptionError, PluginError, NotRegistered)


@pytest.mark.parametrize("how", OURS)
def test_an_error_of_the_engine_that_its_code_raises_is_its_failure(
    how: type[BgcoreError],
) -> None:
    class Raises(Rules):
        def closed(self, position: Position, numbers: Numbers, turn: Turn) -> Any:
            raise how(Fault("NOT_YOURS", "dice", "7", "1 to 6"))

        def keep(self, start: Position, plays: Plays) -> Plays:
            raise how(Fault("NOT_YOURS", "dice", "7", "1 to 6"))

        def outcome(self, position: Position) -> Outcome | None:
            raise how(Fault("NOT_YOURS", "dice", "7", "1 to 6"))

    rules = Raises(WESTERN)
    for ask in (
        lambda: rules.plays(rules.start, Roll.of(3, 1)),
        lambda: rules.steps(rules.start, (3, 1)),
        lambda: rules.keep(rules.start, load().rules("western").plays(rules.start, Roll.of(3, 1))),
        lambda: rules.outcome(rules.start),
        lambda: rules.why_not(rules.start, (3, 1), ()),
    ):
        with pytest.raises(PluginFailed, match=rf"raised {how.__name__}: dice 7") as found:
            ask()
        assert type(found.value.__cause__) is how


def test_so_is_a_question_to_the_engine_that_it_refuses() -> None:
    class Asks(Rules):
        def keep(self, start: Position, plays: Plays) -> Plays:
            return plays.only(plays.find("24/1").__eq__)

    rules = Asks(WESTERN)
    with pytest.raises(PluginFailed, match=r"Asks.keep raised IllegalAction: 24/1"):
        rules.plays(rules.start, Roll.of(3, 1))
    throw = Action.throw(3, 1)
    with pytest.raises(PluginFailed):
        Match.new(rules).after(throw).after(Action.play(Seat.WHITE, "8/5 6/5"))


class Passes(Rules):
    """Overrides whatever may refuse something, and changes nothing."""

    def __init__(self, variant: Variant, options: Values | None = None) -> None:
        if options and options.get("match_length") == 13:
            raise OptionError(Fault("UNLUCKY", "option match_length", "13", "another"))
        super().__init__(variant, options)

    def position(self, setup: Setup) -> Position:
        return super().position(setup)

    def proved(self, packed: bytes) -> Position:
        return super().proved(packed)


def test_what_its_contract_has_a_method_raise_it_may_raise() -> None:
    rules = registered(Passes).rules("mine")
    with pytest.raises(IllegalPosition):
        rules.position(Setup(SideSetup({24: 16}), SideSetup({24: 15})))
    with pytest.raises(IllegalPosition):
        rules.proved(bytes(64))
    with pytest.raises(OptionError, match="match_length 13"):
        registered(Passes).rules("mine", options={"match_length": 13})
    with pytest.raises(ValueError, match="head_limit 300"):
        Passes(replace(WESTERN, head_limit=300))


@pytest.mark.parametrize("points", [-5, 1.5, True, 0, 256])
def test_a_won_game_is_worth_a_whole_number_of_points(points: Any) -> None:
    class Odd(Rules):
        def won(self, position: Position, winner: Player) -> Outcome:
            return replace(super().won(position, winner), points=points)

    rules = Odd(WESTERN)
    last = rules.position(Setup(SideSetup({}, off=15), SideSetup({8: 15})))
    with pytest.raises(PluginFailed, match=r"Odd.won returned .* 1 to 255 points"):
        rules.outcome(last)


def test_the_kit_finds_an_end_that_is_worth_more_than_most_says() -> None:
    class More(Rules):
        def won(self, position: Position, winner: Player) -> Outcome:
            return Outcome(winner, 13, Level.SINGLE, Ending.BORNE_OFF)

    found = report_on(More(replace(WESTERN, id="mine")), games=1).failures
    assert [one.check for one in found] == ["no end is worth more than most says"]
    assert "worth 13, and most said" in found[0].what


def test_where_no_game_is_played_nothing_else_is_called_well() -> None:
    report = report_on(Ends(replace(WESTERN, id="mine")), games=2)
    assert report.positions == 0
    assert set(report.not_run) == {*CHECKS, *report.checks[-2:]}


# -- points that a rule closes -----------------------------------------------------------------------


class Harbour(Rules):
    """Nobody is hit in the mover's home: a point there with one opposing checker is closed."""

    closed_reason = OwnReason("SAFE", "{target} is a harbour", "another point", "R2")

    def closed(self, position: Position, numbers: Numbers, turn: Turn) -> set[int]:
        blots = (p for p, count in position.opponent.points.items() if count == 1)
        return {point for point in map(self.opponents_point, blots) if point <= 6}


def harbour() -> Rules:
    return registered(Harbour).rules("mine")


def test_a_closed_point_stays_closed_where_nothing_else_is_legal() -> None:
    rules = harbour()
    position = rules.position(Setup(SideSetup({8: 1}, off=14), SideSetup({21: 1, 19: 2}, off=12)))
    plays = rules.plays(position, Roll.of(4, 2))
    assert [str(play) for play in plays] == [""]
    assert not rules.steps(position, (4,))
    refusal = rules.why_not(position, (4, 2), [replace(rules.step(position, 8, 4))])
    assert refusal is not None
    assert (refusal.reason, refusal.rule) == ("MINE_SAFE", "R2")
    assert refusal.message == "8/4*: 4 is a harbour, expected another point"


def test_it_is_asked_after_each_step() -> None:
    class Behind(Rules):
        """Own 4 is closed while a checker stands on 8."""

        def closed(self, position: Position, numbers: Numbers, turn: Turn) -> set[int]:
            return {4} if position.mover[8] else set()

    rules = registered(Behind).rules("mine")
    position = rules.position(Setup(SideSetup({8: 1, 6: 1}, off=13), SideSetup({5: 15})))
    reached = [{*play.after.mover.points} for play in rules.plays(position, Roll.of(3, 2))]
    assert sorted(map(sorted, reached)) == [[1, 8], [3, 6], [4, 5]]
    assert [str(step) for step in rules.steps(position, (2,))] == ["8/6"]


def test_bearing_off_can_be_closed_too() -> None:
    class Stays(Rules):
        def closed(self, position: Position, numbers: Numbers, turn: Turn) -> set[int]:
            return {0} if position.opponent[1] else set()

    rules = registered(Stays).rules("mine")
    position = rules.position(Setup(SideSetup({6: 2}, off=13), SideSetup({1: 1}, off=14)))
    assert [str(play) for play in rules.plays(position, Roll.of(6, 6))] == [""]


def test_the_kit_finds_nothing_wrong_with_closed_points() -> None:
    report = report_on("mine", games=2, registry=registered(Harbour))
    assert not report.failures, report


@pytest.mark.parametrize("answer", [None, 4, {25}, {"4"}, [-1]])
def test_what_is_closed_are_points(answer: Any) -> None:
    kind = type("Odd", (Rules,), {"closed": eval("lambda self, *_: answer", {"answer": answer})})
    rules = kind(WESTERN)
    with pytest.raises(PluginFailed, match="a collection of own points, 0"):
        rules.plays(rules.start, Roll.of(3, 1))


class NoFunction:
    """What can be called, and is no function."""

    def __call__(self, *given: Any) -> Any:
        raise IllegalAction(Fault("NOT_YOURS", "dice", "7", "1 to 6"))


def fails(*given: Any) -> Any:
    raise IllegalAction(Fault("NOT_YOURS", "dice", "7", "1 to 6"))


@pytest.mark.parametrize(
    "method", [staticmethod(fails), classmethod(fails), NoFunction(), None, {4}, property(fails)]
)
def test_whatever_stands_in_the_place_of_a_method_is_looked_at(method: Any) -> None:
    rules = type("Odd", (Rules,), {"closed": method})(WESTERN)
    with pytest.raises(PluginFailed, match=r"Odd.closed raised (IllegalAction|TypeError)"):
        rules.steps(rules.start, (3, 1))


def test_a_static_method_answers_as_it_did() -> None:
    class Static(Rules):
        @staticmethod
        def closed(position: Position, numbers: Numbers, turn: Turn) -> Any:
            return [4]

    rules = Static(WESTERN)
    assert rules.closed(rules.start, (3, 1), ORDINARY_TURN) == {4}


def test_what_is_closed_is_read_once() -> None:
    class Fickle:
        """Other points each time that it is looked at, until nobody may come anywhere."""

        def __init__(self) -> None:
            self.looked = 0

        def __iter__(self) -> Iterator[int]:
            self.looked += 1
            return iter([4] if self.looked == 1 else [400])

        def __len__(self) -> int:
            return self.looked

        def __contains__(self, point: object) -> bool:
            return self.looked > 1

    class Closes(Rules):
        def closed(self, position: Position, numbers: Numbers, turn: Turn) -> Any:
            return Fickle()

    rules = Closes(WESTERN)
    assert rules.closed(rules.start, (3, 1), ORDINARY_TURN) == frozenset({4})
    targets = {step.target for step in rules.steps(rules.start, (4, 2))}
    assert targets == {22, 20, 11, 9, 6, 2}  # 6/4 and 8/4 are closed
    assert all(
        step.target != 4 for play in rules.plays(rules.start, Roll.of(4, 2)) for step in play.steps
    )


@pytest.mark.parametrize("answer", [repeat(4), [4] * 1000, range(10**9)])
def test_what_is_closed_comes_to_an_end(answer: Any) -> None:
    class Endless(Rules):
        def closed(self, position: Position, numbers: Numbers, turn: Turn) -> Any:
            return Everything(answer)

    rules = Endless(WESTERN)
    with pytest.raises(PluginFailed, match="expected a collection of own points"):
        rules.steps(rules.start, (3, 1))


class Everything:
    """A collection that may never end."""

    def __init__(self, items: Iterable[int]) -> None:
        self._items = items

    def __iter__(self) -> Iterator[int]:
        return iter(self._items)

    def __len__(self) -> int:
        return 1

    def __contains__(self, point: object) -> bool:
        return True


def test_parts_are_frozen_as_they_are_given() -> None:
    numbers = [3, 3]

    class Lists(Rules):
        def parts(
            self, roll: Roll, turn: Turn = ORDINARY_TURN, position: Position | None = None
        ) -> tuple[Part, ...]:
            return (Part(numbers),)  # type: ignore[arg-type]  # a list, which may change

        def after_part(self, played: Played) -> Next:
            return Next(Then.HAND_OVER, tuple(self.parts(Roll.of(3, 1))))

    rules = Lists(WESTERN)
    [part] = rules.parts(Roll.of(3, 1))
    following = rules.after_part(Played(Turn(parts=(part,)), (3, 3)))
    numbers.append(6)
    assert part.numbers == (3, 3)
    assert following.leftovers == (Part((3, 3)),)


@pytest.mark.parametrize(
    "answer",
    [Next("on"), Next(Then.HAND_OVER, [Part((3,))]), Next(Then.ROLL, (Part((7,)),)), "on"],  # type: ignore[arg-type]
)
def test_what_follows_a_part_is_one_of_the_words_and_sound_parts(answer: Any) -> None:
    class Follows(Rules):
        def after_part(self, played: Played) -> Next:
            return cast(Next, answer)

    with pytest.raises(PluginFailed, match=r"Follows.after_part returned"):
        Follows(WESTERN).after_part(Played(Turn(parts=(Part((3, 1)),)), (3, 1)))


# -- what it is handed -------------------------------------------------------------------------------


def changes(rules: Rules, name: str) -> None:
    """Tries to change something that all share."""
    things: dict[str, Callable[[], object]] = {
        "option": lambda: rules.options.update(cube=False),  # type: ignore[attr-defined]
        "start": lambda: rules.variant.start.update({24: 15}),  # type: ignore[attr-defined]
        "bundle": lambda: rules.variant.bundles["b"].update(cube=False),  # type: ignore[attr-defined]
        "field": lambda: setattr(rules.variant, "title", "x"),
        "variant": lambda: setattr(rules, "variant", WESTERN),
        "record": lambda: setattr(rules, "record", b""),
        "method": lambda: setattr(rules, "keep", None),
        "engine's own": lambda: setattr(rules, "_ordinary", 3),
        "what is deleted": lambda: delattr(rules, "start"),
    }
    things[name]()


SHARED = (
    *("option", "start", "bundle", "field", "variant", "record", "method", "engine's own"),
    "what is deleted",
)


@pytest.mark.parametrize("name", SHARED)
def test_a_method_cannot_change_what_all_games_share(name: str) -> None:
    class Changes(Rules):
        def keep(self, start: Position, plays: Plays) -> Plays:
            changes(self, name)
            return plays

    rules = registered(Changes, bundles={"b": {"cube": True}}).rules("mine")
    before = (repr(rules), dict(rules.options), dict(rules.variant.start), rules.record)
    with pytest.raises(
        PluginFailed, match=r"Changes.keep raised (Attribute|Type|FrozenInstance)Error"
    ):
        rules.plays(rules.start, Roll.of(3, 1))
    assert (repr(rules), dict(rules.options), dict(rules.variant.start), rules.record) == before


def test_what_a_class_keeps_for_itself_it_may_change() -> None:
    class Remembers(Rules):
        def __init__(self, variant: Variant, options: Values | None = None) -> None:
            super().__init__(variant, options)
            self.most_hits, self._seen = 2, 0

        def keep(self, start: Position, plays: Plays) -> Plays:
            self._seen += 1
            return plays

    rules = registered(Remembers).rules("mine")
    assert rules.plays(rules.start, Roll.of(3, 1))
    with pytest.raises(AttributeError, match="most_hits: all games share their rules"):
        rules.most_hits = 3


def test_the_data_of_a_variant_is_taken_as_it_is_when_it_is_made() -> None:
    start = dict(WESTERN.start)
    variant = replace(WESTERN, start=start)
    start.clear()
    assert dict(variant.start) == dict(WESTERN.start)


@pytest.mark.parametrize("name", ["start", "numbers", "turn", "context", "rules"])
def test_changing_the_plays_that_keep_is_handed_changes_no_answer(name: str) -> None:
    class Spoils(Rules):
        def keep(self, start: Position, plays: Plays) -> Plays:
            setattr(plays, name, b"nonsense")
            return plays

    plain, rules = Rules(WESTERN), Spoils(WESTERN)
    wanted, found = (one.plays(one.start, Roll.of(3, 1)) for one in (plain, rules))
    assert list(map(str, found)) == list(map(str, wanted))
    assert (found.start, found.numbers, found.turn) == (wanted.start, wanted.numbers, wanted.turn)
    assert found.rules is rules


@pytest.mark.parametrize("answer", [b"nonsense", b"\x02\0\0", [], None, b"\x02\0\0\0" + bytes(8)])
def test_plays_that_the_kernel_did_not_find_are_refused(answer: Any) -> None:
    class MakesUp(Rules):
        def keep(self, start: Position, plays: Plays) -> Plays:
            plays.answer = answer
            return plays

    rules = MakesUp(WESTERN)
    with pytest.raises(PluginFailed, match=r"MakesUp.keep (returned|raised)"):
        rules.plays(rules.start, Roll.of(3, 1))
