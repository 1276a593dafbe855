"""Positions, dice, turns, steps and plays.

The way of `ListPlays` is laid out for speed. A column of numbers below 128 is, on the wire, those
bytes themselves; so columns are written as they come from the kernel instead of number by number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product

from bgcore import Level, Outcome, Play, Player, Plays, Position, Roll, Rules, Seat, Step, Turn
from bgcore.errors import Fault, IllegalPosition
from bgcore.position import BAR, HOME, POINTS, UNENTERED
from bgcore.setup import Setup, SideSetup
from bgcore.turn import Part, PartKind
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_server.convert.wire import column, piece, varint
from bgcore_server.errors import NOTHING, Malformed, malformed
from bgcore_server.fields import in_seats
from bgcore_server.lengths import MOST_NUMBERS, MOST_STEPS

Packed = bytes

NO_PINS = bytes(4)
LONGEST_TEXT = 256
MOST_ROLLS = 10000

ORIGIN_OF = bytes(code >> 3 for code in range(256))
NUMBER_OF = bytes(code & 7 for code in range(256))

# Tags of the fields that are written here: columns, numbers, and messages.
SIDE_POINTS, SIDE_BAR, SIDE_OFF, SIDE_IN, SIDE_PINNED = b"\x0a", b"\x10", b"\x18", b"\x20", b"\x2a"
POSITION_WHITE, POSITION_BLACK, POSITION_ON_ROLL = b"\x0a", b"\x12", b"\x18"
RESPONSE_PLAYS = LIST_LENGTHS = b"\x0a"

# A position as protobuf writes it, when all counts are below 128, there are 24 of them, and nothing
# is pinned: then the kernel's bytes are cut out of it. Zeros are left out on the wire.
PLAIN_SIDE = rb"[\x1a-\x20]\x0a\x18([\x00-\x7f]{24})" + b"".join(
    b"(?:" + re.escape(tag) + rb"([\x01-\x7f]))?" for tag in (SIDE_BAR, SIDE_OFF, SIDE_IN)
)
PLAIN_POSITION = re.compile(rb"\x0a%b\x12%b\x18([\x01\x02])" % (PLAIN_SIDE, PLAIN_SIDE), re.DOTALL)
ON_ROLL_WHITE = bytes((pb.SEAT_WHITE,))

SEATS: dict[int, Seat] = {pb.SEAT_WHITE: Seat.WHITE, pb.SEAT_BLACK: Seat.BLACK}
SEAT_NUMBERS: dict[Seat | None, pb.Seat] = {
    Seat.WHITE: pb.SEAT_WHITE,
    Seat.BLACK: pb.SEAT_BLACK,
    None: pb.SEAT_UNSPECIFIED,
}

WHITE_OR_BLACK = "SEAT_WHITE or SEAT_BLACK"
DIE = range(1, 7)
NUMBER = f"{DIE[0]} to {DIE[-1]}"
OWN_HOME = f"{HOME[0]} to {HOME[-1]}, points of the own home board"

ROLLS = {dice: Roll.of(*dice) for count in (2, 3) for dice in product(range(1, 7), repeat=count)}
NOT_A_POSITION = Fault("ILLEGAL_POSITION", "position", "as sent", "a position of the variant")


# -- what comes in ----------------------------------------------------------------------------------


def position(rules: Rules, given: pb.Position) -> tuple[Position, Seat]:
    """The proven position, the mover first, and who the mover is."""
    plain = PLAIN_POSITION.fullmatch(given.SerializeToString())
    if plain is None:
        return _any_position(rules, given)
    points, bar, off, unentered, points_, bar_, off_, unentered_, on_roll = plain.groups(b"\0")
    white = b"%b%b%b%b\0\0\0\0\0" % (off, points, bar, unentered)
    black = b"%b%b%b%b\0\0\0\0\0" % (off_, points_, bar_, unentered_)
    try:
        if on_roll == ON_ROLL_WHITE:
            return rules.proved(white + black), Seat.WHITE
        return rules.proved(black + white), Seat.BLACK
    except IllegalPosition:
        return _any_position(rules, given)


def _any_position(rules: Rules, given: pb.Position) -> tuple[Position, Seat]:
    """The same for any position; what is wrong with it is told in the wire's words."""
    seat = SEATS.get(given.on_roll)
    if not given.ByteSize():
        expected = "a position: white, black and on_roll"
        raise malformed("POSITION_MISSING", "position", NOTHING, expected)
    if seat is None:
        raise malformed("SEAT_MISSING", "position.on_roll", given.on_roll, WHITE_OR_BLACK)
    mover, opponent = given.white, given.black
    if seat is Seat.BLACK:
        mover, opponent = opponent, mover
    try:
        return rules.proved(_packed(mover) + _packed(opponent)), seat
    except (IllegalPosition, ValueError, OverflowError):
        # Something is wrong; now find out everything.
        found = faults(rules, given, seat) or (NOT_A_POSITION,)
        raise IllegalPosition(*found) from None


def _packed(side: pb.Side) -> Packed:
    """A side as the kernel packs it; `ValueError` or `OverflowError` when a number does not fit."""
    points = bytes(side.points) or bytes(POINTS)
    if len(points) != POINTS:
        raise ValueError
    pins = _mask(side.pinned) if side.pinned else NO_PINS
    return b"%c%b%c%c\0%b" % (side.off, points, side.bar, side.unentered, pins)


def _mask(points: Sequence[int]) -> bytes:
    if len(set(points)) < len(points) or not all(1 <= point <= POINTS for point in points):
        raise ValueError
    return sum(1 << point for point in points).to_bytes(4, "little")


def faults(rules: Rules, given: pb.Position, seat: Seat) -> tuple[Fault, ...]:
    """Everything that is wrong with a position, in the wire's words; empty: nothing is."""
    sides = {"white": given.white, "black": given.black}
    wrong = [fault for name, side in sides.items() for fault in _count_faults(name, side)]
    if wrong:
        return tuple(wrong)
    seats = {"mover": str(seat), "opponent": str(seat.other)}
    mover, opponent = (_side_setup(sides[name]) for name in seats.values())
    try:
        rules.position(Setup(mover, opponent))
    except IllegalPosition as found:
        return tuple(in_seats(fault, given, seats) for fault in found.faults)
    return ()


def _count_faults(name: str, side: pb.Side) -> Iterable[Fault]:
    if len(side.points) not in (0, POINTS):
        found, expected = f"of {len(side.points)} numbers", f"{POINTS} numbers, or none"
        yield Fault("POINTS_COUNT", f"position.{name}.points", found, expected)
    if len(side.pinned) > POINTS:
        found, expected = f"of {len(side.pinned)} numbers", f"at most {POINTS}"
        yield Fault("POINTS_COUNT", f"position.{name}.pinned", found, expected)


def _side_setup(side: pb.Side) -> SideSetup:
    points = {point: count for point, count in enumerate(side.points, 1) if count}
    return SideSetup(points, side.bar, side.off, side.unentered, tuple(side.pinned))


def roll(rules: Rules, dice: Sequence[int]) -> Roll:
    """The roll of some dice, as many as the variant throws."""
    found = ROLLS.get(tuple(dice))
    if found is not None and len(found.dice) == rules.variant.dice:
        return found
    check_dice_count(dice, rules.variant.dice)
    return Roll.of(*each_die(dice))


def each_die(
    given: Sequence[int], field: str = "dice", reason: str = "BAD_DICE"
) -> tuple[int, ...]:
    """Some dice, or numbers of dice, each of them one; how many there must be is not asked."""
    for index, die in enumerate(given):
        if die not in DIE:
            raise malformed(reason, f"{field}[{index}]", die, NUMBER)
    return tuple(given)


def check_dice_count(dice: Sequence[int], wanted: int) -> None:
    """`Malformed` for too many or too few dice."""
    if len(dice) != wanted:
        raise malformed("DICE_COUNT", "dice", f"of {len(dice)} dice", f"{wanted} dice")


def turn(given: pb.TurnContext, dice: Sequence[int] = ()) -> Turn:
    """What a request says of the turn, whose dice these are."""
    if given.own_roll > MOST_ROLLS:
        expected = f"0 to {MOST_ROLLS}"
        raise malformed("OWN_ROLL_OUT_OF_RANGE", "turn.own_roll", given.own_roll, expected)
    if given.left_head > 255:
        raise malformed("COUNT_OUT_OF_RANGE", "turn.left_head", given.left_head, "0 to 255")
    if len(given.locked) > len(HOME):
        found = f"of {len(given.locked)} numbers"
        raise malformed("POINTS_COUNT", "turn.locked", found, f"at most {len(HOME)}")
    for index, point in enumerate(given.locked):
        if point not in HOME:
            raise malformed("POINT_UNKNOWN", f"turn.locked[{index}]", point, OWN_HOME)
    parts: tuple[Part, ...] = ()
    if given.HasField("part"):
        leftover = given.part.kind == pb.PART_KIND_LEFTOVER
        kind = PartKind.LEFTOVER if leftover else PartKind.ROLL
        parts = (Part(_part_numbers(given.part.numbers), kind),)
    return Turn(
        given.own_roll or None,
        given.left_head,
        parts,
        dice=tuple(dice),
        locked=frozenset(given.locked),
    )


def _part_numbers(given: Sequence[int]) -> tuple[int, ...]:
    if not 1 <= len(given) <= MOST_NUMBERS:
        found, expected = f"of {len(given)} numbers", f"1 to {MOST_NUMBERS}"
        raise malformed("NUMBERS_COUNT", "turn.part.numbers", found, expected)
    return each_die(given, "turn.part.numbers", "NUMBER_OUT_OF_RANGE")


def plays(
    rules: Rules, start: Position, dice: Sequence[int], given: pb.TurnContext | None
) -> Plays:
    """The legal plays that a request is about."""
    if given is None:
        return rules.plays(start, whole_roll(rules, dice))
    now = turn(given, dice)
    if not now.parts:
        return rules.plays(start, whole_roll(rules, dice), now)
    if dice:
        return rules.plays(start, roll(rules, dice), now)
    return rules.plays_of(start, now.parts[0].numbers, now)


def whole_roll(rules: Rules, dice: Sequence[int]) -> Roll:
    """The roll that a question is about; who asks about part of one is told how."""
    wanted = rules.variant.dice
    if 0 < len(dice) != wanted:
        found, expected = f"of {len(dice)} dice", f"{wanted} dice"
        hint = "the numbers of a later part, or of what is left of a roll, are turn.part.numbers"
        what = f"dice {found}: expected {expected}; {hint}"
        raise malformed("DICE_COUNT", "dice", found, expected, what)
    return roll(rules, dice)


def steps(given: Sequence[pb.Step]) -> list[Step]:
    """Steps as they were sent; only what they say of themselves is checked."""
    if len(given) > MOST_STEPS:
        raise malformed("TOO_MANY_STEPS", "steps", len(given), f"at most {MOST_STEPS}")
    return [_step(index, one) for index, one in enumerate(given)]


def _step(index: int, given: pb.Step) -> Step:
    check_step("steps[{index}].{name}", index, given.origin, given.number)
    made = Step.of(given.origin, given.number)
    if given.target not in (0, made.target):
        # A target that cannot be, and one that the number does not lead to.
        expected = str(made.target)
        raise _bad_step("STEP_MISMATCH", f"steps[{index}].target", index, given.target, expected)
    return made


def check_step(path: str, index: int, origin: int, number: int) -> None:
    """`Malformed` for a step from no point or by no number; `path` is filled in with its index and a name."""
    if not 1 <= origin <= UNENTERED:
        expected = f"1 to {POINTS}, {BAR} for the bar, {UNENTERED} for one not entered"
        field = path.format(index=index, name="origin")
        raise _bad_step("POINT_UNKNOWN", field, index, origin, expected)
    if number not in DIE:
        field = path.format(index=index, name="number")
        raise _bad_step("NUMBER_OUT_OF_RANGE", field, index, number, NUMBER)


def _bad_step(reason: str, field: str, index: int, value: int, expected: str) -> Malformed:
    return Malformed(Fault(reason, field, str(value), expected, step=index))


def written(given: pb.Play) -> str | tuple[tuple[int, int], ...]:
    """A play as it was sent: its text, or its steps as origins and numbers."""
    match given.WhichOneof("form"):
        case "text":
            if len(given.text) > LONGEST_TEXT:
                found = f"of {len(given.text)} characters"
                raise malformed("TEXT_TOO_LONG", "play.text", found, f"at most {LONGEST_TEXT}")
            return given.text
        case "steps":
            return _columns(given.steps)
    raise malformed("PLAY_MISSING", "play", NOTHING, "a text or steps")


def _columns(given: pb.PlaySteps) -> tuple[tuple[int, int], ...]:
    origins, numbers = given.origins, given.numbers
    if len(origins) != len(numbers):
        found = f"{len(origins)} origins and {len(numbers)} numbers"
        raise malformed("COLUMNS_DIFFER", "play.steps", found, "as many of each")
    if len(origins) > MOST_STEPS:
        raise malformed("TOO_MANY_STEPS", "play.steps", len(origins), f"at most {MOST_STEPS}")
    pairs = tuple(zip(origins, numbers, strict=True))
    for index, (origin, number) in enumerate(pairs):
        check_step("play.steps.{name}s[{index}]", index, origin, number)
    return pairs


def find(plays: Plays, given: pb.Play) -> Play:
    """The play that was sent; `IllegalAction` says why it is refused."""
    form = written(given)
    return plays.find(form) if isinstance(form, str) else plays.of_steps(form)


def seat(field: str, given: int) -> Seat:
    """The seat of a number."""
    found = SEATS.get(given)
    if found is None:
        raise malformed("SEAT_UNKNOWN", field, given, WHITE_OR_BLACK)
    return found


# -- what goes out ----------------------------------------------------------------------------------


def position_message(position: Position, mover: Seat, on_roll: Seat | None) -> pb.Position:
    """A position, of which `mover` is the first side."""
    return pb.Position.FromString(position_bytes(position, mover, on_roll))


def position_bytes(position: Position, mover: Seat, on_roll: Seat | None) -> bytes:
    """The same, as the wire has it."""
    white, black = side_bytes(position.packed[:32]), side_bytes(position.packed[32:])
    if mover is Seat.BLACK:
        white, black = black, white
    sides = piece(POSITION_WHITE, white) + piece(POSITION_BLACK, black)
    return sides + POSITION_ON_ROLL + varint(SEAT_NUMBERS[on_roll])


def side_bytes(side: Packed) -> bytes:
    """A side of a position, as the wire has it."""
    told = column(SIDE_POINTS, side[1:25])
    if side[BAR]:
        told += SIDE_BAR + varint(side[BAR])
    if side[0]:
        told += SIDE_OFF + varint(side[0])
    if side[UNENTERED]:
        told += SIDE_IN + varint(side[UNENTERED])
    if side[28:] == NO_PINS:
        return told
    mask = int.from_bytes(side[28:], "little")
    return told + column(
        SIDE_PINNED, bytes(point for point in range(1, POINTS + 1) if mask >> point & 1)
    )


def plays_bytes(plays: Plays, view: int) -> bytes:
    """Plays as columns, with more where the view asks for it: a `PlayList` that has at least the columns."""
    told = columns(plays)
    if view < pb.PLAY_VIEW_TEXT:
        return told
    more = pb.PlayList(texts=map(str, plays))
    if view == pb.PLAY_VIEW_FULL:
        made = [step for play in plays for step in play.steps]
        more.hits.extend(int(step.hit) for step in made)
        more.pins.extend(int(step.pin) for step in made)
        more.boards = b"".join(after.packed for after in plays.positions())
    return told + more.SerializeToString()


def plays_response(plays: Plays, view: int) -> bytes:
    """A `ListPlaysResponse`, as the wire has it."""
    return b"" if view == pb.PLAY_VIEW_NONE else piece(RESPONSE_PLAYS, plays_bytes(plays, view))


def columns(plays: Plays) -> bytes:
    """The columns of a `PlayList`, as the wire has them; all their numbers are below 128."""
    count, used, codes = len(plays), plays.numbers_used, plays.codes
    steps = codes.replace(b"\0", b"")
    if len(steps) == count * used:
        lengths = bytes((used,)) * count
    else:  # some end the game before all numbers are used
        lengths = bytes(4 - codes[at : at + 4].count(0) for at in range(0, len(codes), 4))
    if not steps:
        return piece(LIST_LENGTHS, lengths)
    return b"\x0a%b%b\x12%b%b\x1a%b%b\x20%c" % (
        *(varint(count), lengths),
        *(varint(len(steps)), steps.translate(ORIGIN_OF)),
        *(varint(len(steps)), steps.translate(NUMBER_OF)),
        used,
    )


def view(given: int, unspecified: int) -> int:
    """The view that a request asks for."""
    if given == pb.PLAY_VIEW_UNSPECIFIED:
        return unspecified
    if given not in pb.PlayView.values():
        known = ", ".join(pb.PlayView.keys())
        raise malformed("VIEW_UNKNOWN", "view", given, known)
    return given


def step_message(step: Step) -> pb.Step:
    """A step."""
    return pb.Step(
        origin=step.origin, target=step.target, number=step.number, hit=step.hit, pin=step.pin
    )


LEVELS = {
    "single": pb.LEVEL_SINGLE,
    "gammon": pb.LEVEL_GAMMON,
    "backgammon": pb.LEVEL_BACKGAMMON,
}
LEVEL_NAMES: dict[int, str] = {number: name for name, number in LEVELS.items()}
ENDINGS = {
    "borne_off": pb.ENDING_BORNE_OFF,
    "mother_pinned": pb.ENDING_MOTHER_PINNED,
    "both_mothers_pinned": pb.ENDING_BOTH_MOTHERS_PINNED,
    "dropped": pb.ENDING_DROPPED,
    "resigned": pb.ENDING_RESIGNED,
    "void": pb.ENDING_VOID,
    "flagged": pb.ENDING_FLAGGED,
    "both_borne_off": pb.ENDING_BOTH_BORNE_OFF,
}


def level_number(level: Level | None) -> pb.Level:
    """The number of a level; that of none where checkers are counted."""
    return pb.LEVEL_UNSPECIFIED if level is None else LEVELS[level]


def outcome_message(outcome: Outcome, mover: Seat) -> pb.Outcome:
    """How a game ended in a position of which `mover` is the first side."""
    winner = None
    if outcome.winner is not None:
        winner = mover if outcome.winner is Player.MOVER else mover.other
    return pb.Outcome(
        winner=SEAT_NUMBERS[winner],
        points=outcome.points,
        level=level_number(outcome.level),
        ending=ENDINGS[outcome.ending],
    )
