"""Matches whose games change variant: which games follow one another, as requests ask for them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from bgcore import BgcoreError, Registry, Rules, Spec
from bgcore.axes import DrawPolicy
from bgcore.cycle import Cycle
from bgcore.errors import Fault, PluginFailed
from bgcore.rotation import Choice, Rotation, check_id
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1.rules_service_pb2 import ReplayedMatch
from bgcore_proto.v1.table_pb2 import RematchAction
from bgcore_proto.v1.table_service_pb2 import CreateTableRequest
from bgcore_server.convert.options import arguments, option_values, value, variant_ref
from bgcore_server.errors import NOTHING, malformed
from bgcore_server.spec_fields import in_wire_words, spec_path

T = TypeVar("T")
Form = Mapping[str, Any]
"""A rotation as a store keeps it."""

POLICIES = {
    pb.DRAW_POLICY_REPLAY: DrawPolicy.REPLAY,
    pb.DRAW_POLICY_ADVANCE: DrawPolicy.ADVANCE,
}
NUMBERS = {policy: number for number, policy in POLICIES.items()}


def check_no_variant(
    given: CreateTableRequest | RematchAction | ReplayedMatch, field: str = "variant"
) -> None:
    """`Malformed` for a variant beside a rotation, which says itself what is played."""
    if given.HasField("variant"):
        expected = "nothing beside a rotation"
        raise malformed("VARIANT_BESIDE_ROTATION", field, "a variant", expected)


def asked(
    field: str, given: pb.RotationRef, registry: Registry
) -> tuple[Cycle, Rotation, dict[str, object]]:
    """The games that a request wants, the rotation by names, and the options of match and table chosen.

    What a rotation chooses itself is among them.

    Faults are told at their place below `field`.
    """
    if not given.id and not given.games:
        raise malformed("ROTATION_MISSING", field, NOTHING, "an id, or 2 to 20 games")
    options = {name: value(_option(field, name), one) for name, one in given.options.items()}
    rotation = _moved(field, given, lambda: _named(field, given, registry))
    if given.draw_policy:
        if given.draw_policy not in POLICIES:
            known, at = ", ".join(pb.DrawPolicy.keys()), f"{field}.draw_policy"
            raise malformed("DRAW_POLICY_UNKNOWN", at, given.draw_policy, known)
        rotation = replace(rotation, draw_policy=POLICIES[given.draw_policy])
    if given.HasField("start_index"):
        rotation = replace(rotation, start_index=given.start_index)
    cycle = _moved(field, given, lambda: registry.cycle(rotation, options))
    rotation = replace(rotation, games=tuple(map(_plainest, rotation.games, cycle.games)))
    if given.id and given.games:
        _check_listed(field, given, cycle, registry)
    return cycle, rotation, {**rotation.options, **options}


def named_as(
    field: str, given: pb.RotationRef, cycle: Cycle, registry: Registry, version: str
) -> None:
    """`OptionError` for games that are told of under an id that is another rotation's here, or a variant's."""
    _moved(field, given, lambda: check_id(registry, replace(cycle, id=given.id), version))


def _plainest(choice: Choice, rules: Rules) -> Choice:
    """A game whose house rules, if it is of any, need nothing but variants that are installed."""
    if isinstance(choice.variant, str) or rules.spec is None:
        return choice
    return replace(choice, variant=rules.spec)


def _check_listed(field: str, given: pb.RotationRef, cycle: Cycle, registry: Registry) -> None:
    """`Malformed` for games beside an id that are others than its own."""
    listed = pb.RotationRef(games=given.games, options=given.options)
    own = pb.RotationRef(id=given.id, options=given.options, start_index=0)
    games, _, _ = asked(field, listed, registry)
    if games.games != asked(field, own, registry)[0].games:
        expected = f"the games of {cycle.id}, or none beside an id"
        raise malformed("GAMES_DIFFER", f"{field}.games", len(given.games), expected)


def _named(field: str, given: pb.RotationRef, registry: Registry) -> Rotation:
    if given.id:
        return registry.rotation(given.id)
    choices = []
    for index, ref in enumerate(given.games):
        try:
            choices.append(Choice(*arguments(ref)))
        except BgcoreError as error:
            at = f"{field}.games[{index}]"
            faults = (
                replace(fault, field=at + _in_variant(fault.field), message=str(fault))
                for fault in error.faults
            )
            raise type(error)(*faults) from None
    return Rotation(tuple(choices))


def _in_variant(path: str) -> str:
    """Where in the message of a variant something is, whether told by the engine's name or by its path."""
    found = spec_path(path) if path.startswith("spec") else path
    return found.removeprefix("variant")


_OF_SPEC = re.compile(r"game (?P<game>\d+) (?P<key>spec\b.*)", re.DOTALL)
_OF_GAME = re.compile(r"(?:game (?P<game>\d+) )?(?P<name>[a-z_]+)(?: (?P<option>\S+))?")


def _moved(field: str, given: pb.RotationRef, ask: Callable[[], T]) -> T:
    """What a question about a rotation answers; the engine's faults at their places in the request."""
    try:
        return ask()
    except PluginFailed:
        raise
    except BgcoreError as error:
        faults = (
            replace(told, field=_place(field, given, told), message=str(told))
            for told in map(in_wire_words, error.faults)
        )
        raise type(error)(*faults) from None


def _place(field: str, given: pb.RotationRef, fault: Fault) -> str:
    if made_up := _OF_SPEC.fullmatch(fault.field):
        return f"{field}.games[{int(made_up['game']) - 1}]{_in_variant(made_up['key'])}"
    found = _OF_GAME.fullmatch(fault.field)
    if found is None:
        return fault.field
    name, option = found["name"], found["option"] or fault.value
    of_rotation = option in given.options and fault.reason != "OPTION_OF_MATCH"
    if name == "option" and (of_rotation or not found["game"]):
        return _option(field, option)
    at = f"{field}.games[{int(found['game']) - 1}]" if found["game"] else field
    match name:
        case "option":
            return _option(at, option)
        case "variant" | "rotation":
            return f"{at}.id"
    return f"{at}.{name}"


def _option(at: str, name: str) -> str:
    return f"{at}.options[{json.dumps(name, ensure_ascii=False)}]"


# -- as a store keeps it -----------------------------------------------------------------------------


def to_form(rotation: Rotation) -> dict[str, Any]:
    """A rotation as JSON, its games as they were asked for."""
    return {
        "id": rotation.id,
        "draw_policy": str(rotation.draw_policy),
        "start_index": rotation.start_index,
        "games": [
            {"variant": _which(one), "preset": one.preset, "options": dict(one.options)}
            for one in rotation.games
        ],
    }


def _which(choice: Choice) -> str | dict[str, Any]:
    return choice.variant.form if isinstance(choice.variant, Spec) else choice.variant


def _choice(form: Mapping[str, Any]) -> Choice:
    given = form["variant"]
    which = given if isinstance(given, str) else Spec.of(given, new=False)
    return Choice(which, form["preset"], form["options"])


def from_form(form: Form) -> Rotation:
    """The rotation of that form."""
    return Rotation(
        tuple(map(_choice, form["games"])),
        form["id"],
        draw_policy=DrawPolicy(form["draw_policy"]),
        start_index=form["start_index"],
    )


def fill_rotation(form: Form, options: Mapping[str, object], message: pb.RotationRef) -> None:
    """The same with the options of match and table into a message."""
    message.id = form["id"]
    message.draw_policy = NUMBERS[DrawPolicy(form["draw_policy"])]
    message.start_index = form["start_index"]
    for game in map(_choice, form["games"]):
        message.games.add().CopyFrom(variant_ref(game.variant, game.preset, game.options))
    for name, one in option_values(options).items():
        message.options[name].CopyFrom(one)


def rotation_message(rotation: Rotation, options: Mapping[str, object]) -> pb.RotationRef:
    """The message of a rotation with options of match and table."""
    message = pb.RotationRef()
    fill_rotation(to_form(rotation), options, message)
    return message
