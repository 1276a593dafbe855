"""What holds at every moment of a match, whatever its options and whoever has done what before."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bgcore import Action, IllegalAction, Kind, Match, NotationError, OptionError, Rules, Seat, load
from bgcore.option import Option, OptionType
from bgcore.resolve import options_of
from tests.engine.random_acts import SEATLESS, WEIGHTS, acts, chosen, listed, tries

VARIANTS = ("western", *(entry.variant.id for entry in load()))

# More cubes and resignations than in a real game, so that a short walk sees them.
LIVELY = {**WEIGHTS, Kind.DOUBLE: 2, Kind.ANIMAL: 3, Kind.RESIGN: 0.05, Kind.END_SESSION: 0.05}


def values(option: Option) -> st.SearchStrategy[Any]:
    """Any value of an option; of numbers only the small ones, where the rules' limits are."""
    if option.type is OptionType.BOOL:
        found: st.SearchStrategy[Any] = st.booleans()
    elif option.type is OptionType.INT:
        low, high = (int(end) for end in option.values)
        found = st.integers(low, min(high, low + 8))
    else:
        found = st.sampled_from(option.values)
    return st.none() | found if option.optional else found


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Any variant under some of its options, as far as they go together."""
    variant = load().variant(draw(st.sampled_from(VARIANTS)))
    options = {
        name: values(option)
        for name, option in options_of(variant).items()
        if name not in ("options_locked", "money_rules_in_match")
    }
    chosen_options = draw(st.fixed_dictionaries({}, optional=options))
    chosen_options["money_rules_in_match"] = "allow"
    known = options_of(variant)
    chosen_options = {name: value for name, value in chosen_options.items() if name in known}
    while True:
        try:
            return load().rules(variant.id, options=chosen_options)
        except OptionError as error:  # what does not go together is left out
            for fault in error.faults:
                name = fault.field.removeprefix("option ")
                chosen_options.pop(name, None)
                if name == "bank_fixed":
                    chosen_options[name] = 60  # what a money session with a clock needs


@st.composite
def moments(draw: st.DrawFn) -> tuple[Match, Random]:
    """Some moment of a random match."""
    under = draw(any_rules())
    random = Random(draw(st.integers(0, 1 << 30)))
    match = Match.new(under)
    weights = draw(st.sampled_from((LIVELY, WEIGHTS)))
    for _ in range(draw(st.integers(0, 60) | st.integers(0, 500))):
        later = one_more(match, random, weights)
        if later.over and random.random() < 0.9:
            break  # once it is over there is little more to see
        match = later
        if match.over:
            break
    return match, random


def one_more(match: Match, random: Random, weights: Mapping[Kind, float]) -> Match:
    """The match after one act: any legal one, or an illegal play where those may stand."""
    if match.rules.options["illegal_moves"] == "until_next_roll" and random.random() < 0.3:
        for action in tries(match, random):
            if action.kind is Kind.PLAY:
                try:
                    return match.after(action)
                except (IllegalAction, NotationError):
                    continue
    return match.after(chosen(match, random, weights))


@given(moments())
def test_everything_that_a_decision_lists_is_accepted(moment: tuple[Match, Random]) -> None:
    match, random = moment
    for kind, seat in listed(match):
        tried = list(acts(match, kind, seat, random))
        assert tried, (kind, seat)
        for action in tried:
            match.after(action)


@given(moments())
def test_every_listed_play_is_accepted_as_text_and_as_steps(moment: tuple[Match, Random]) -> None:
    match, _ = moment
    for play in match.decision.plays or ():
        seat = match.game.seat
        steps = tuple((step.origin, step.number) for step in play.steps)
        by_text, by_steps = Action.play(seat, play), Action.play_steps(seat, steps)
        # An illegal play may stand, but none of these is one.
        reached = {match.after(one).game.correctable for one in (by_text, by_steps)}
        assert reached == {None}


@settings(max_examples=200)
@given(moments())
def test_what_is_not_listed_is_refused_and_the_error_names_the_rule(
    moment: tuple[Match, Random],
) -> None:
    match, random = moment
    may = listed(match)
    before = (match, match.game, match.actions)
    for action in tries(match, random):
        who = None if action.kind in SEATLESS else action.seat
        try:
            match.after(action)
        except (IllegalAction, NotationError) as error:
            refused_well(error)
            assert not always_good(match, action) or (action.kind, who) not in may, action
        else:
            assert (action.kind, who) in may or flag_is_right(match, action), action
            if action.kind is Kind.RESIGN:
                assert action.seat is not None
                most = match.game.points_to_resign(action.seat) or 0
                levels = match.game.levels(action.seat)
                assert action.level in levels or 0 < (action.points or 0) <= most
    assert before == (match, match.game, match.actions)


def refused_well(error: IllegalAction | NotationError) -> None:
    """Every fault says what was found, what was expected instead, and by which rule."""
    for fault in error.faults:
        assert fault.reason
        assert fault.reason == fault.reason.upper()
        # A reader that stops where nothing stands says at which column.
        assert fault.value or fault.field.startswith("column"), fault
        assert fault.expected, fault
        assert fault.rule, fault
        assert fault.expected in str(fault), fault
        assert "expected" in str(fault), fault
        assert "None" not in str(fault), fault
        # A sentence of ours begins small, unless the value that it begins with does not.
        assert str(fault)[0] == str(fault)[0].lower(), fault


def always_good(match: Match, action: Action) -> bool:
    """Whether an action is legal whenever its kind is: with levels and plays that depends on which."""
    if action.kind in (Kind.PLAY, Kind.CORRECT):
        return False
    if action.kind is Kind.RESIGN:
        assert action.seat is not None
        return action.level in match.game.levels(action.seat)
    if action.kind is Kind.ROLL:
        return len(action.dice) == match.rules.variant.dice
    return action.kind is not Kind.FLAG


def flag_is_right(match: Match, action: Action) -> bool:
    """Whoever holds the clock says that a time has run out, so `flag` is never listed."""
    options = match.rules.options
    if action.kind is not Kind.FLAG or (options["clock"], options["absence"]) == ("none", None):
        return False
    return match.decision.seat is action.seat


@given(moments(), st.sampled_from(Kind), st.sampled_from([None, *Seat]))
def test_an_action_with_something_missing_is_refused(
    moment: tuple[Match, Random], kind: Kind, seat: Seat | None
) -> None:
    """No dice, no level, no answer; with an empty play it may be one that passes."""
    match, _ = moment
    action = Action(kind, seat)
    if kind not in (Kind.THROW, Kind.ROLL, Kind.RESIGN, Kind.ANSWER_RESIGNATION):
        return
    try:
        match.after(action)
    except IllegalAction as error:
        refused_well(error)
    else:
        raise AssertionError(f"accepted: {action}")


@given(moments())
def test_a_record_alone_leads_to_the_same_match(moment: tuple[Match, Random]) -> None:
    match, _ = moment
    kept = [Action.from_json(action.to_json()) for action in match.actions]
    assert Match.replay(match.rules, kept) == match


@given(moments())
def test_both_sides_keep_their_checkers(moment: tuple[Match, Random]) -> None:
    match, _ = moment
    sides = (match.game.position.mover, match.game.position.opponent)
    assert [side.checkers for side in sides] == [match.rules.variant.checkers] * 2
    assert match.rules.proved(match.game.position.packed) == match.game.position
