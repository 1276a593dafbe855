"""Rotations: matches whose games change variant, as data (`tavli.md`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from bgcore.axes import DrawPolicy
from bgcore.cycle import Cycle
from bgcore.errors import BgcoreError, Fault, OptionError, SpecError, shown
from bgcore.option import Option, Scope, Value, Values
from bgcore.resolve import defaults_of, options_of
from bgcore.rules import Rules
from bgcore.spec import Spec
from bgcore.variant import Variant

if TYPE_CHECKING:
    from bgcore.registry import Registry

P = ParamSpec("P")
T = TypeVar("T")

FEWEST_GAMES, MOST_GAMES = 2, 20
NOTHING: Mapping[str, object] = MappingProxyType({})
PLAIN: Values = MappingProxyType({"match_length": 5, "cube": False, "jacoby": False})
"""What holds for the whole match where nobody says otherwise, whatever its games have by themselves."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the games: a variant by name or house rules, a preset and options of the game.

    They are what `Registry.rules` wants.
    """

    variant: str | Spec
    preset: str = ""
    options: Mapping[str, object] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True)
class Rotation:
    """Games that follow one another round and round in one match, the one at `start_index` first.

    `options` are those of match and table: one match has one length, one clock, one cube. What is left
    open is as usual, with `match_length` 5 and without a cube.

    >>> from bgcore.plugins import load
    >>> turkish = Rotation((Choice("tavla"), Choice("plakoto", options={"mother_rule": True})))
    >>> cycle = load().cycle(turkish, {"match_length": 3})
    >>> [rules.variant.id for rules in cycle.games], cycle.options["match_length"]
    (['tavla', 'plakoto'], 3)
    """

    games: tuple[Choice, ...]
    id: str = ""
    title: str = ""
    summary: str = ""
    draw_policy: DrawPolicy = DrawPolicy.REPLAY
    start_index: int = 0
    options: Mapping[str, object] = field(default_factory=lambda: NOTHING)


def cycle_of(registry: Registry, rotation: Rotation, options: Mapping[str, object]) -> Cycle:
    """The games of a rotation with what a table chose beside it.

    `NotRegistered` for an unknown variant or preset, `OptionError` with every fault of the options,
    `SpecError` with every one of all house rules. A fault of a game says of which, counted from 1.
    """
    _check(rotation)
    choices = rotation.games
    variants = _variants(registry, choices)
    known = [options_of(variant) for variant in variants]
    chosen = {**rotation.options, **options}
    faults = [*_wrong_options(chosen, known), *_misplaced(choices, known)]
    if faults:
        raise OptionError(*faults)
    games, shared = list[Rules](), dict[str, Value]()
    for number, (choice, variant) in enumerate(zip(choices, variants, strict=True), 1):
        whole = _of_match(variant, {**PLAIN, **chosen})
        given = {**choice.options, **whole}
        rules = _of_game(number, registry.rules, choice.variant, choice.preset, given)
        shared.update({name: rules.options[name] for name in whole})
        # By every option, so that the same games are the same objects however they were chosen.
        which = variant.id if isinstance(choice.variant, str) else rules.spec or choice.variant
        games.append(registry.rules(which, "", rules.options))
    policy, first = rotation.draw_policy, rotation.start_index
    return Cycle(tuple(games), rotation.id, policy, first, shared)


def choice_of(cycle: Cycle, index: int) -> Choice:
    """One of the games of a cycle by name, house rules by all they say, with every option of its own."""
    rules = cycle.games[index]
    own = {name: value for name, value in rules.options.items() if name not in cycle.options}
    return Choice(rules.spec or rules.variant.id, "", own)


def rotation_of(cycle: Cycle) -> Rotation:
    """A cycle by names: the rotation that leads to it with the options of its match."""
    games = tuple(choice_of(cycle, index) for index in range(len(cycle.games)))
    return Rotation(games, cycle.id, draw_policy=cycle.draw_policy, start_index=cycle.start_index)


def _check(rotation: Rotation) -> None:
    count = len(rotation.games)
    if not FEWEST_GAMES <= count <= MOST_GAMES:
        expected = f"{FEWEST_GAMES} to {MOST_GAMES} games"
        raise OptionError(Fault("ROTATION_LENGTH", "games", f"{count}", expected))
    first = rotation.start_index
    if type(first) is not int or not 0 <= first < count:
        expected = f"a number from 0 to {count - 1}"
        raise OptionError(Fault("OPTION_OUT_OF_RANGE", "start_index", shown(first), expected))


def _variants(registry: Registry, choices: tuple[Choice, ...]) -> list[Variant]:
    variants, faults = list[Variant](), list[Fault]()
    for number, one in enumerate(choices, 1):
        try:
            variants.append(_of_game(number, registry.entry, one.variant).variant)
        except SpecError as error:
            faults += error.faults
    if faults:
        raise SpecError(*faults)
    return variants


def _of_match(variant: Variant, chosen: Mapping[str, object]) -> dict[str, object]:
    """Every option of match and table that a variant has, with its value in this match."""
    options = options_of(variant)
    length = options["match_length"]
    try:
        money = {"match_length": length.read(chosen["match_length"])}
    except ValueError:  # which the resolver says better
        money = {}
    usual = defaults_of(variant, money)
    return {
        name: chosen.get(name, usual[name])
        for name, option in options.items()
        if option.scope is not Scope.GAME
    }


def _wrong_options(chosen: Mapping[str, object], known: list[dict[str, Option]]) -> Iterator[Fault]:
    """Options of the match that no game has, or that are a game's."""
    every = {name: option for each in known for name, option in each.items()}
    names = sorted(name for name, option in every.items() if option.scope is not Scope.GAME)
    for name in chosen:
        if name not in names:
            where = "an option of a game belongs to that game; of the match there are"
            expected = f"{where if name in every else 'one of'} {', '.join(names)}"
            yield Fault("UNKNOWN_OPTION", "option", shown(name), expected)


def _misplaced(choices: tuple[Choice, ...], known: list[dict[str, Option]]) -> Iterator[Fault]:
    """Options of match and table that stand beside one of the games."""
    for number, (choice, options) in enumerate(zip(choices, known, strict=True), 1):
        for name in choice.options:
            if name in options and options[name].scope is not Scope.GAME:
                expected = "it among the options of the rotation: they hold for the whole match"
                yield Fault("OPTION_OF_MATCH", f"game {number} option", shown(name), expected)


def _of_game(number: int, ask: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What a question about a game answers; what it raises says which game it is about."""
    try:
        return ask(*arguments, **named)
    except BgcoreError as error:
        faults = (
            replace(fault, field=f"game {number} {fault.field}", message=f"game {number}: {fault}")
            for fault in error.faults
        )
        raise type(error)(*faults) from None
