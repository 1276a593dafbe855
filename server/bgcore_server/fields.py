"""Where in a request something is wrong.

The engine has short names for what is wrong (`preset`, `column 7`), and `convert` names what it converts
as most requests do (`position.white.bar`). Here both become paths of the request that was sent
(`variant.preset`, `action.play.play.text`, `start.position.white.bar`). What people read stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from google.protobuf.message import Message

from bgcore.errors import Fault
from bgcore_proto.v1 import common_pb2, rules_service_pb2, table_service_pb2, variant_service_pb2
from bgcore_server.spec_fields import spec_path

ENGINE: tuple[tuple[re.Pattern[str], Callable[[Fault, str], str]], ...] = tuple(
    (re.compile(name), path)
    for name, path in (
        ("variant", lambda fault, _: "variant.id"),
        ("preset", lambda fault, _: "variant.preset"),
        ("option", lambda fault, _: option_path(fault.value)),
        ("option .*", lambda fault, _: option_path(fault.field.partition(" ")[2])),
        ("column [0-9]+|step to [0-9]+|play", lambda _, form: f"play.{form}" if form else "play"),
        ("cube", lambda fault, _: "cube.value"),
        ("spec.*", lambda fault, _: spec_path(fault.field)),
    )
)
"""The engine's names, as paths of the messages that most requests hold."""

PLACES: Mapping[type[Message], Callable[[Any, Fault], Mapping[str, str]]] = {
    variant_service_pb2.GetVariantRequest: lambda *_: {"variant.id": "id", "variant.spec": "spec"},
    table_service_pb2.ListTablesRequest: lambda *_: {"variant.id": "variant"},
    table_service_pb2.CreateTableRequest: lambda request, fault: _creating(request, fault),
    table_service_pb2.ActRequest: lambda request, fault: _acting(request, fault),
    rules_service_pb2.FormatMatchRequest: lambda request, _: _formatting(request),
    rules_service_pb2.ListStepsRequest: lambda _, fault: {"play": f"steps[{fault.step or 0}]"},
}
"""Where a request holds what others hold elsewhere."""


def _creating(request: table_service_pb2.CreateTableRequest, fault: Fault) -> Mapping[str, str]:
    seat = "white" if request.white.bot.id == fault.value else "black"
    ahead = "white" if request.start.white_score >= request.start.black_score else "black"
    return {
        "bot": f"{seat}.bot.id",
        "position": "start.position",
        "dice": "start.dice",
        "cube": "start.cube",
        "stake": "start.cube.value",
        "score": f"start.{ahead}_score",
        "crawford": "start.crawford",
    }


def _formatting(request: rules_service_pb2.FormatMatchRequest) -> Mapping[str, str]:
    start = request.match.start
    ahead = "white" if start.white_score >= start.black_score else "black"
    return {
        **{name: f"match.{name}" for name in ("variant", "start")},
        **{name: f"match.start.{name}" for name in ("position", "dice", "cube", "crawford")},
        "score": f"match.start.{ahead}_score",
    }


def _acting(request: table_service_pb2.ActRequest, fault: Fault) -> Mapping[str, str]:
    kind = request.action.WhichOneof("kind")
    action = f"action.{kind}" if kind else "action"
    about_flag = {"seat": action} if fault.reason == "CLOCK_NOT_RUNNING" else {}
    return {
        **about_flag,
        "action": action,
        "dice": f"{action}.dice",
        "play": f"{action}.play",
        "level": "action.resign.level",
        "points": "action.resign.points",
        "number": "action.name_double.number",
        "stake": action,
        "dice_seed": "action.rematch.dice_seed",
        "variant": "action.rematch.variant",
    }


def located(fault: Fault, request: Message) -> Fault:
    """The fault with the path of its field in the request; its sentence stays as it was.

    >>> request = rules_service_pb2.CheckPlayRequest(play=common_pb2.Play(text="8/x"))
    >>> found = located(Fault("BAD_PLAY_TEXT", "column 3", "x", "a point"), request)
    >>> print(found.field, "-", found)
    play.text - column 3 x: expected a point
    """
    path = fault.field
    for name, path_of in ENGINE:
        if name.fullmatch(path):
            path = path_of(fault, _form(request))
            break
    places = PLACES.get(type(request))
    moved = places(request, fault) if places else {}
    for short, place in moved.items():
        if path == short or path.startswith((f"{short}.", f"{short}[")):
            path = place + path[len(short) :]
            break
    return fault if path == fault.field else replace(fault, field=path, message=str(fault))


def _form(request: Message) -> str:
    """How the play of a request is written: `text` or `steps`; empty where there is none."""
    match request:
        case table_service_pb2.ActRequest():
            action = request.action
            corrects = action.WhichOneof("kind") == "correct"
            play: common_pb2.Play = action.correct.play if corrects else action.play.play
        case rules_service_pb2.CheckPlayRequest():
            play = request.play
        case _:
            return ""
    return play.WhichOneof("form") or ""


def option_path(name: str) -> str:
    """The path of an option.

    >>> option_path("match_length")
    'variant.options["match_length"]'
    """
    return f"variant.options[{json.dumps(name, ensure_ascii=False)}]"


# -- positions --------------------------------------------------------------------------------------

_PLACE = re.compile(r"(?P<side>mover|opponent) (?P<place>[a-z ]+?)(?: (?P<point>\d+))?")
_SIDES = re.compile(r"\b(?:the )?(mover|opponent)\b")


def in_seats(fault: Fault, given: common_pb2.Position, seats: Mapping[str, str]) -> Fault:
    """A fault of a position for those who see white and black, where the engine sees mover and opponent.

    >>> fault = Fault("COUNT_OUT_OF_RANGE", "mover point 24", "300", "0 to 255 checkers")
    >>> seats = {"mover": "black", "opponent": "white"}
    >>> found = in_seats(fault, common_pb2.Position(), seats)
    >>> print(found.field, "-", found)
    position.black.points[23] - black point 24 300: expected 0 to 255 checkers
    """

    def told(text: str) -> str:
        return _SIDES.sub(lambda found: seats[found[1]], text)

    return replace(
        fault,
        field=_position_path(fault, given, seats),
        value=told(fault.value),
        expected=told(fault.expected),
        message=told(str(fault)),
    )


def _position_path(fault: Fault, given: common_pb2.Position, seats: Mapping[str, str]) -> str:
    found = _PLACE.fullmatch(fault.field)
    if found is None:
        return "position"
    seat = seats[found["side"]]
    side: common_pb2.Side = getattr(given, seat)
    match found["place"]:
        case "point" if found["point"]:
            return f"position.{seat}.points[{int(found['point']) - 1}]"
        case "pinned point" if fault.value in map(str, side.pinned):
            return f"position.{seat}.pinned[{[*map(str, side.pinned)].index(fault.value)}]"
        case "bar" | "off" | "unentered" | "pinned" as place:
            return f"position.{seat}.{place}"
    return f"position.{seat}"
