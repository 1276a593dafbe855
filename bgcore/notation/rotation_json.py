"""The games that a match changes between, as JSON: what records and tables keep of a rotation."""

from __future__ import annotations

from collections.abc import Mapping

from bgcore.axes import DrawPolicy
from bgcore.cycle import Cycle
from bgcore.notation.json_line import check_keys, object_of, text_of, wrong
from bgcore.option import Value
from bgcore.rotation import MOST_GAMES, Choice, Rotation, choice_of
from bgcore.spec import Spec

KEYS = ("id", "draw_policy", "start_index", "games")
GAME_KEYS = ("variant", "rules_version", "options")


def write_rotation(cycle: Cycle) -> dict[str, object]:
    """The form of a cycle: its games with every option of their own; those of the match are beside it."""
    form: dict[str, object] = {"id": cycle.id} if cycle.id else {}
    games = [_game_form(cycle, index) for index in range(len(cycle.games))]
    policy = str(cycle.draw_policy)
    return {**form, "draw_policy": policy, "start_index": cycle.start_index, "games": games}


def _game_form(cycle: Cycle, index: int) -> dict[str, object]:
    rules = cycle.games[index]
    form: dict[str, object] = {
        "variant": rules.variant.id,
        "rules_version": rules.variant.rules_version,
        "options": dict(choice_of(cycle, index).options),
    }
    return form if rules.spec is None else {**form, "spec": rules.spec.form}


def read_rotation(form: Mapping[str, object], *, specs: bool = False) -> tuple[Rotation, str]:
    """The rotation of that form, and the versions of its games' rules; whether it exists, a registry says.

    With `specs` its games may say of which house rules they are.

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
    keys = (*GAME_KEYS, "spec") if specs else GAME_KEYS
    read = [_game(f"rotation.games[{index}]", game, keys) for index, game in enumerate(games)]
    rotation = Rotation(
        tuple(choice for choice, _ in read),
        text_of("rotation.id", form.get("id", "")),
        draw_policy=DrawPolicy(policy),
        start_index=first,
    )
    return rotation, ", ".join(version for _, version in read)


def _game(field: str, form: object, keys: tuple[str, ...]) -> tuple[Choice, str]:
    if not isinstance(form, dict):
        wrong(field, form, 'an object such as {"variant": "western"}')
    check_keys(form, keys, ("variant",), at=field)
    options = object_of(f"{field}.options", form.get("options", {}))
    variant: str | Spec = text_of(f"{field}.variant", form["variant"])
    if "spec" in form:
        variant = Spec.of(object_of(f"{field}.spec", form["spec"]), new=False)
    version = text_of(f"{field}.rules_version", form.get("rules_version", ""))
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
