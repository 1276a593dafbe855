"""The games that a match changes between, as JSON: what records and tables keep of a rotation."""

from __future__ import annotations

from collections.abc import Mapping

from bgcore.axes import DrawPolicy
from bgcore.cycle import Cycle
from bgcore.notation.json_line import check_keys, wrong
from bgcore.option import Value
from bgcore.rotation import MOST_GAMES, Choice, Rotation, choice_of

KEYS = ("id", "draw_policy", "start_index", "games")
GAME_KEYS = ("variant", "rules_version", "options")


def write_rotation(cycle: Cycle) -> dict[str, object]:
    """The form of a cycle: its games with every option of their own; those of the match are beside it."""
    form: dict[str, object] = {"id": cycle.id} if cycle.id else {}
    games = [
        {
            "variant": rules.variant.id,
            "rules_version": rules.variant.rules_version,
            "options": dict(choice_of(cycle, index).options),
        }
        for index, rules in enumerate(cycle.games)
    ]
    policy = str(cycle.draw_policy)
    return {**form, "draw_policy": policy, "start_index": cycle.start_index, "games": games}


def read_rotation(form: Mapping[str, object]) -> tuple[Rotation, str]:
    """The rotation of that form, and the versions of its games' rules; whether it exists, a registry says.

    >>> game = {"variant": "tavla", "rules_version": "1"}
    >>> rotation, versions = read_rotation({"games": [game, {**game, "variant": "plakoto"}]})
    >>> [choice.variant for choice in rotation.games], versions
    (['tavla', 'plakoto'], '1, 1')
    """
    check_keys(form, KEYS, ("games",), at="rotation")
    games = form["games"]
    if not isinstance(games, list) or not 0 < len(games) <= MOST_GAMES:
        wrong("rotation.games", games, f"a list of at most {MOST_GAMES} games")
    policy, first = form.get("draw_policy", "replay"), form.get("start_index", 0)
    if not isinstance(policy, str) or policy not in list(DrawPolicy):
        wrong("rotation.draw_policy", policy, ", ".join(DrawPolicy))
    if type(first) is not int:
        wrong("rotation.start_index", first, "a number from 0")
    read = [_game(f"rotation.games[{index}]", game) for index, game in enumerate(games)]
    rotation = Rotation(
        tuple(choice for choice, _ in read),
        _text("rotation.id", form.get("id", "")),
        draw_policy=DrawPolicy(policy),
        start_index=first,
    )
    return rotation, ", ".join(version for _, version in read)


def _game(field: str, form: object) -> tuple[Choice, str]:
    if not isinstance(form, dict):
        wrong(field, form, 'an object such as {"variant": "western"}')
    check_keys(form, GAME_KEYS, ("variant",), at=field)
    options = form.get("options", {})
    if not isinstance(options, dict):
        wrong(f"{field}.options", options, "an object")
    variant = _text(f"{field}.variant", form["variant"])
    version = _text(f"{field}.rules_version", form.get("rules_version", ""))
    return Choice(variant, "", read_options(f"{field}.options", options)), version


def read_options(field: str, form: Mapping[str, object]) -> dict[str, Value]:
    """Options by name; `NotationError` for one that holds no value of an option."""
    return {name: _value(f"{field}.{name}", value) for name, value in form.items()}


def _value(field: str, value: object) -> Value:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    if value is not None and not isinstance(value, bool | int | str):
        wrong(field, value, "true, false, a number, a word, a list of words or null")
    return value


def _text(field: str, value: object) -> str:
    if not isinstance(value, str):
        wrong(field, value, "a text")
    return value
