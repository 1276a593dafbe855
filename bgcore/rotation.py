"""Rotations: matches whose games change variant, as data (`tavli.md`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from bgcore.axes import DrawPolicy
from bgcore.cycle import Cycle
from bgcore.errors import BgcoreError, Fault, OptionError, PluginFailed, shown
from bgcore.nearest import one_of
from bgcore.option import Option, Scope, Value, Values
from bgcore.registering import plain
from bgcore.resolve import defaults_of, options_of
from bgcore.rules import Rules
from bgcore.spec import Spec
from bgcore.variant import Variant

if TYPE_CHECKING:
    from bgcore.registry import Registry

T = TypeVar("T")

FEWEST_GAMES, MOST_GAMES = 2, 20
ID_TAKEN = "ROTATION_ID_TAKEN"
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

    `NotRegistered` for an unknown variant or preset, `OptionError` for what is wrong with the options,
    `SpecError` with house rules: every fault of all games, in an error of the first one's kind. A fault of a game
    says of which, counted from 1.
    """
    _check(rotation)
    choices = rotation.games
    variants = _each(choices, lambda one: registry.entry(one.variant).variant)
    known = [options_of(variant) for variant in variants]
    chosen = {**rotation.options, **options}
    faults = [*_wrong_options(chosen, known), *_misplaced(choices, known)]
    if faults:
        raise OptionError(*faults)
    shared = dict[str, Value]()

    def game(choice: Choice) -> Rules:
        variant = registry.entry(choice.variant).variant
        whole = _of_match(variant, {**PLAIN, **chosen})
        given = registry.chosen(variant, choice.preset, choice.options, whole)
        rules = registry.rules(choice.variant, "", given)
        shared.update({name: rules.options[name] for name in whole})
        # By every option, so that the same games are the same objects however they were chosen.
        by_name = isinstance(choice.variant, str)
        which = rules.variant.id if by_name else rules.spec or choice.variant
        return registry.rules(which, "", rules.options)

    games = _each(choices, game)
    policy, first = DrawPolicy(rotation.draw_policy), rotation.start_index
    return Cycle(tuple(games), rotation.id, policy, first, MappingProxyType(shared))


def check_id(registry: Registry, cycle: Cycle, rules_version: str = "") -> None:
    """`OptionError` for games that somebody tells of under the id of a rotation here that has others, or of a variant.

    Games of other versions of the rules than those here may have other options: defaults change with versions.
    """
    if known := registry.rotations.get(plain(cycle.id)):
        if not _same_games(registry, known, cycle, rules_version):
            names = ", ".join(registry.entry(one.variant).variant.id for one in known.games)
            expected = f"the games of {known.id} as they are here ({names}), or no id"
            raise OptionError(Fault(ID_TAKEN, "rotation id", shown(cycle.id), expected))
    elif taken := registry.named(cycle.id):
        expected = f"an id that {taken.variant.id} does not use, or none"
        raise OptionError(Fault(ID_TAKEN, "rotation id", shown(cycle.id), expected))


def known_as(registry: Registry, cycle: Cycle, rules_version: str = "") -> Cycle:
    """The games under their id, or under none where it means others here now: tables keep what they were made with."""
    try:
        check_id(registry, cycle, rules_version)
    except OptionError:
        return replace(cycle, id="")
    return cycle


def _same_games(registry: Registry, known: Rotation, cycle: Cycle, rules_version: str) -> bool:
    entries = [registry.entry(one.variant) for one in known.games]
    wanted = [(entry.variant.id, entry.spec) for entry in entries]
    if wanted != [(rules.variant.id, rules.spec) for rules in cycle.games]:
        return False
    ours = cycle_of(registry, known, cycle.options)
    other = rules_version.strip(", ") and rules_version != ours.rules_version
    return bool(other) or ours.games == cycle.games


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
    policy = rotation.draw_policy
    if policy not in list(DrawPolicy):
        expected = f"one of {', '.join(DrawPolicy)}"
        raise OptionError(Fault("OPTION_OUT_OF_RANGE", "draw_policy", shown(policy), expected))


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
            expected = f"{where} {', '.join(names)}" if name in every else one_of(name, names)
            yield Fault("UNKNOWN_OPTION", "option", shown(name), expected)


def _misplaced(choices: tuple[Choice, ...], known: list[dict[str, Option]]) -> Iterator[Fault]:
    """Options of match and table that stand beside one of the games."""
    for number, (choice, options) in enumerate(zip(choices, known, strict=True), 1):
        for name in choice.options:
            if name in options and options[name].scope is not Scope.GAME:
                expected = "it among the options of the rotation: they hold for the whole match"
                yield Fault("OPTION_OF_MATCH", f"game {number} option", shown(name), expected)


def _each(choices: tuple[Choice, ...], ask: Callable[[Choice], T]) -> list[T]:
    """The answers to a question about each game; what is wrong with any of them says which game it is about."""
    answers, errors = list[T](), list[BgcoreError]()
    for number, choice in enumerate(choices, 1):
        try:
            answers.append(ask(choice))
        except PluginFailed:
            raise
        except BgcoreError as error:
            errors.append(_of_game(number, error))
    if errors:
        raise type(errors[0])(*(fault for error in errors for fault in error.faults))
    return answers


def _of_game(number: int, error: BgcoreError) -> BgcoreError:
    faults = (
        replace(fault, field=f"game {number} {fault.field}", message=f"game {number}: {fault}")
        for fault in error.faults
    )
    return type(error)(*faults)
