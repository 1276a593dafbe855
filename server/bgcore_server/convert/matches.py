"""Matches as files: replayed, told, written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import TypedDict

from bgcore import Action, BgcoreError, IllegalAction, Kind, Match, Registry, Seat
from bgcore.cycle import Cycle
from bgcore.errors import Fault, NotationError, PluginFailed, shown
from bgcore.game_report import GameReport
from bgcore.notation.formats import MATCH_FORMATS, MatchFormat, formats
from bgcore.record import Record
from bgcore.registering import plain
from bgcore.replay import EachGame, ReplayedMatch, unwatched
from bgcore.rotation import Rotation
from bgcore.row_fault import FAILED
from bgcore.row_fault import RowFault as Row
from bgcore_proto.v1 import common_pb2, table_pb2
from bgcore_proto.v1 import rules_service_pb2 as pb
from bgcore_server.convert import actions as convert
from bgcore_server.convert import board
from bgcore_server.convert.asking import asking, guessed_match
from bgcore_server.convert.options import Shelf, arguments, option_values, variant_ref
from bgcore_server.convert.rotations import asked, check_no_variant, named_as, rotation_message
from bgcore_server.convert.start import start, start_message
from bgcore_server.errors import Malformed, malformed
from bgcore_server.fields import option_path
from bgcore_server.lengths import LARGEST_UINT32, MOST_GAMES, MOST_HEADERS, check_lengths
from bgcore_server.workers import Waiter

MOST_MATCHES = 200
LONGEST_HEADER = 1000

NUMBERS: Mapping[str, common_pb2.MatchFormat] = {
    "record": common_pb2.MATCH_FORMAT_RECORD,
    "mat": common_pb2.MATCH_FORMAT_MATCH_TEXT,
    "sgf": common_pb2.MATCH_FORMAT_SGF,
}
"""The numbers of the engine's formats."""

MEDIA_TYPES = {"record": "application/jsonl", "mat": "text/plain", "sgf": "application/x-go-sgf"}

SEATLESS = frozenset({"throw", "next_game", "end_session"})
"""Kinds of actions that are nobody's in a record."""


@dataclass(frozen=True, slots=True)
class Named:
    """How a request names a notation: by the number of a format, by an id, or not at all.

    `format` and `notation` are the fields, as paths of the request, that they stand in.
    """

    given: int
    id: str
    format: str = "format"
    notation: str = "notation"

    def form(self, registry: Registry) -> MatchFormat:
        """The notation; our record where none is named."""
        if not self.id:
            return format_of(self.format, self.given)
        check_alone(self.format, self.given, self.notation)
        return match_notation(self.notation, self.id, registry)

    def check(self, text: str, registry: Registry) -> None:
        """`Malformed` for a text or a name that is none, which can be told at once."""
        if not text:
            raise malformed("TEXT_LENGTH", "text", "of 0 characters", "a match")
        self.form(registry)

    def reading(self, text: str, registry: Registry, caller: Waiter) -> MatchFormat:
        """The notation to read a text in; where none is named, by the look of it."""
        named = self.given or self.id
        return self.form(registry) if named else guessed_match(text, registry, caller)


def check_alone(format: str, given: int, notation: str) -> None:
    """`Malformed` for a number beside an id."""
    if given:
        expected = f"none beside {notation}, which names the notation"
        raise malformed("FORMAT_UNUSED", format, given, expected)


def match_notation(field: str, id: str, registry: Registry) -> MatchFormat:
    """The notation for matches of an id."""
    found = formats(registry).get(plain(id))
    if not isinstance(found, MatchFormat):
        known = (one.id for one in formats(registry).values() if isinstance(one, MatchFormat))
        raise malformed("FORMAT_UNKNOWN", field, shown(id), f"one of {', '.join(known)}")
    return found


def format_of(field: str, given: int) -> MatchFormat:
    """The format of a number; our record where none is named."""
    wanted = given or common_pb2.MATCH_FORMAT_RECORD
    found = next((one for one in MATCH_FORMATS if NUMBERS[one.id] == wanted), None)
    if found is None:
        known = ", ".join(common_pb2.MatchFormat.Name(NUMBERS[one.id]) for one in MATCH_FORMATS)
        raise malformed("FORMAT_UNKNOWN", field, given, known)
    return found


class Told(TypedDict):
    """How an answer says in which notation something is."""

    format: common_pb2.MatchFormat
    notation: str


def told(form: MatchFormat) -> Told:
    """A notation as an answer names it: the engine's by their numbers, those of plugins by id."""
    number = NUMBERS.get(form.id, common_pb2.MATCH_FORMAT_UNSPECIFIED)
    return Told(format=number, notation="" if number else form.id)


def write(form: MatchFormat, record: Record, registry: Registry, field: str, caller: Waiter) -> str:
    """A record in a format; `NotationError` at `field` where it has no words for it."""
    try:
        with asking(form.id, caller):
            return form.write(record, registry)
    except NotationError as error:
        raise NotationError(*(moved(field, fault) for fault in error.faults)) from None


def moved(field: str, fault: Fault) -> Fault:
    """The fault at a field of the request; its sentence stays as it was."""
    return replace(fault, field=field, message=str(fault))


# -- replaying --------------------------------------------------------------------------------------


def few_games(field: str, check: Callable[[], None]) -> EachGame:
    """Counts the games of a text, and checks that somebody waits for them; `Malformed` for too many."""
    games = count(1)

    def each_game() -> None:
        check()
        if next(games) > MOST_GAMES:
            raise malformed("TOO_MANY_GAMES", field, "more", f"at most {MOST_GAMES} games")

    return each_game


def check_headers(field: str, headers: Mapping[str, str]) -> None:
    """`Malformed` for more than anybody writes above a match."""
    if len(headers) > MOST_HEADERS:
        expected = f"at most {MOST_HEADERS} headers"
        raise malformed("TOO_MANY_HEADERS", field, f"of {len(headers)} headers", expected)


def replay(text: str, given: Named, registry: Registry, caller: Waiter) -> pb.ReplayMatchResponse:
    """Every match of a text. Where it cannot be read any more, those before that line.

    The caller is checked before each game, whether he is still there.
    """
    form = given.reading(text, registry, caller)
    with asking(form.id, caller):
        return _replayed(text, form, registry, caller)


def _replayed(
    text: str, form: MatchFormat, registry: Registry, caller: Waiter
) -> pb.ReplayMatchResponse:
    answer = pb.ReplayMatchResponse(**told(form))
    try:
        matches = form.read(text, registry, few_games("text", caller.check))
        for found in islice(matches, MOST_MATCHES + 1):
            if len(answer.matches) == MOST_MATCHES:
                expected = f"at most {MOST_MATCHES} matches"
                raise malformed("TOO_MANY_MATCHES", "text", "more", expected)
            check_headers("text", found.record.headers)
            fill_match(found, answer.matches.add())
    except NotationError as error:
        answer.faults.extend(
            row_message(Row(fault.line or 1, fault.reason, str(fault))) for fault in error.faults
        )
    return answer


def fill_match(found: ReplayedMatch, message: pb.ReplayedMatch) -> None:
    """A match that was replayed."""
    record, report = found.record, found.report
    if record.rotation is not None:
        ref = rotation_message(record.rotation, record.options)
        message.rotation.CopyFrom(ref)
    elif record.variant:
        message.variant.CopyFrom(variant_ref(record.spec or record.variant, "", record.options))
    if found.match is not None:
        options = option_values(found.match.cycle.options)
        for name, value in options.items():
            message.options[name].CopyFrom(value)
    message.white, message.black = report.names
    message.headers.update(record.headers)
    if (begins := start_message(record.start)) is not None:
        message.start.CopyFrom(begins)
    for action in record.actions:
        fill_action(action, message.actions.add())
    message.white_score, message.black_score = map(uint, report.score)
    message.winner = board.SEAT_NUMBERS[report.winner]
    for game in report.games:
        _fill_game(game, message.games.add())
    message.faults.extend(map(row_message, report.faults))
    message.rules_version = record.rules_version


def fill_action(action: Action, message: table_pb2.RecordedAction) -> None:
    """An action of a record."""
    if action.kind is not Kind.FLAG:
        message.seat = board.SEAT_NUMBERS[action.seat]
    convert.fill_action(action, message.action)


def _fill_game(game: GameReport, message: pb.ReplayedGame) -> None:
    message.number = uint(game.number)
    message.white_score, message.black_score = map(uint, game.score)
    message.winner = board.SEAT_NUMBERS[game.winner]
    if game.points is not None:
        message.points = uint(game.points)
    if game.points_by_rule is not None:
        message.points_by_rule = uint(game.points_by_rule)
    message.ended_by = game.ended_by
    message.level = board.LEVELS.get(game.level, common_pb2.LEVEL_UNSPECIFIED)
    message.cube = uint(game.cube)
    message.rolls = uint(game.rolls)
    message.flags.extend(game.flags)


def row_message(row: Row) -> pb.RowFault:
    """Something in a file that does not hold."""
    return pb.RowFault(line=uint(row.line), reason=row.reason, message=row.message)


def uint(number: int) -> int:
    """A number of a file as the wire can tell it: files may say anything.

    >>> uint(10**12), uint(-1), uint(7)
    (4294967295, 0, 7)
    """
    return min(max(number, 0), LARGEST_UINT32)


# -- one match that holds ----------------------------------------------------------------------------


def only_match(
    field: str,
    text: str,
    form: MatchFormat,
    registry: Registry,
    caller: Waiter,
) -> ReplayedMatch:
    """The one match of a text; `Malformed` at `field` where it is none, more, or breaks a rule; it may break off.

    The caller is checked before each game, whether he is still there.
    """
    with asking(form.id, caller):
        return _only_match(field, text, form, registry, caller)


def _only_match(
    field: str, text: str, form: MatchFormat, registry: Registry, caller: Waiter
) -> ReplayedMatch:
    try:
        found = list(islice(form.read(text, registry, few_games(field, caller.check)), 2))
    except NotationError as error:
        raise Malformed(*(moved(field, fault) for fault in error.faults)) from None
    if len(found) != 1:
        raise malformed("ONE_MATCH", field, f"of {len(found) or 'no'} matches", "one match")
    check_headers(field, found[0].record.headers)
    if (faults := found[0].report.faults) and not found[0].breaks_off:
        if failed := [one for one in faults if one.reason == FAILED]:
            raise PluginFailed(Fault(FAILED, "", "", "an answer", failed[0].message))
        raise Malformed(
            *(
                Fault(one.reason, field, f"line {one.line}", "a match that holds", str(one))
                for one in faults
            )
        )
    return found[0]


def record_of(
    given: pb.ReplayedMatch, shelf: Shelf, check: Callable[[], None] = unwatched
) -> Record:
    """The record of a match as ReplayMatch tells it; what does not hold is told by its place."""
    games, rotation = _games(given, shelf)
    check_headers("match.headers", given.headers)
    for name, value in given.headers.items():
        if max(len(name), len(value)) > LONGEST_HEADER:
            expected = f"at most {LONGEST_HEADER} characters"
            raise malformed("HEADER_TOO_LONG", "match.headers", name[:20], expected)
    if given.start.record:
        expected = "none: the actions are here"
        raise malformed("RECORD_UNUSED", "start.record", "a record", expected)
    begins = start(games.first, given.start)
    try:
        match = Match.new(games, begins)
    except IllegalAction as refused:  # a start that is none
        raise Malformed(*refused.faults) from None
    actions = tuple(_actions(given, match, few_games("match.actions", check)))
    names, headers = (given.white, given.black), dict(given.headers)
    variant = "" if rotation else games.variant.id
    version = games.rules_version
    record = Record(variant, games.options, begins, actions, names, version, headers)
    return replace(record, rotation=rotation, spec=None if rotation else games.first.spec)


def _games(given: pb.ReplayedMatch, shelf: Shelf) -> tuple[Cycle, Rotation | None]:
    """The games of a match, and the rotation if they change."""
    if not given.HasField("rotation"):
        return Cycle.of(shelf.rules(given.variant)), None
    check_no_variant(given, "match.variant")
    # A record names its games: with an id it is one that somebody knew then.
    listed = common_pb2.RotationRef()
    listed.CopyFrom(given.rotation)
    if listed.games:
        listed.id = ""
    games, rotation, _ = asked("match.rotation", listed, shelf.registry)
    named_as("match.rotation", given.rotation, games, shelf.registry, given.rules_version)
    return games, replace(rotation, id=given.rotation.id)


def _actions(given: pb.ReplayedMatch, match: Match, each_game: EachGame) -> Iterator[Action]:
    each_game()
    for index, one in enumerate(given.actions):
        if one.action.WhichOneof("kind") == "next_game":
            each_game()
        check_lengths(one, f"match.actions[{index}].")
        try:
            action = recorded_action(one)
            match = match.after(action)
        except PluginFailed:
            raise
        except BgcoreError as error:
            field = f"match.actions[{index}]"
            raise Malformed(*(moved(field, fault) for fault in error.faults)) from None
        yield action


def recorded_action(given: table_pb2.RecordedAction) -> Action:
    """An action of a record."""
    kind = given.action.WhichOneof("kind")
    if kind == "flag":
        return Action.flag(board.seat("action.flag.seat", given.action.flag.seat))
    if kind is None or kind in SEATLESS:
        return convert.action(given.action, Seat.WHITE)
    return convert.action(given.action, board.seat("seat", given.seat))


# -- going on from a record --------------------------------------------------------------------------


def check_same(given: common_pb2.VariantRef, games: Cycle, registry: Registry) -> None:
    """`Malformed` where a request says otherwise than the rules of a record beside it."""
    variant, preset, chosen = arguments(given)
    rules, expected = games.first, "what the record says, or nothing"
    found = registry.entry(variant)
    if games.changes:
        wanted = "nothing: the games of the record change"
        raise malformed("RECORD_DIFFERS", "variant.id", found.variant.id, wanted)
    if (found.spec, found.variant.id) != (rules.spec, rules.variant.id):
        place, wanted = "variant.id", f"{rules.variant.id}: {expected}"
        if not isinstance(variant, str):
            variant, place = found.variant.id, "variant.spec"
        raise malformed("RECORD_DIFFERS", place, variant, wanted)
    asked = dict(registry.rules(variant, preset, chosen).options)
    compared = asked if preset else {name: asked[name] for name in chosen}
    for name, value in compared.items():
        if value != rules.options[name]:
            wanted = f"{rules.options[name]}: {expected}"
            raise malformed("RECORD_DIFFERS", option_path(name), value, wanted)
