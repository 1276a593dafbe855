"""What ways of writing a position tell beside the board."""

from __future__ import annotations

from dataclasses import replace

from bgcore import Cube, Level, Position, Rules, Seat
from bgcore.notation.position_lines import bare
from bgcore.notation.situation import Situation, State
from bgcore_proto.v1 import rules_service_pb2 as pb
from bgcore_server.convert import board
from bgcore_server.errors import malformed
from bgcore_server.lengths import LARGEST_SCORE, LARGEST_STAKE, MOST_DICE

LONGEST_MATCH = (1 << 31) - 1
MOST_RAISED = 30

STATES = {
    State.NONE: pb.SITUATION_STATE_NONE,
    State.PLAYING: pb.SITUATION_STATE_PLAYING,
    State.OVER: pb.SITUATION_STATE_OVER,
    State.RESIGNED: pb.SITUATION_STATE_RESIGNED,
    State.DROPPED: pb.SITUATION_STATE_DROPPED,
}
STATES_BY_NUMBER: dict[int, State] = {
    pb.SITUATION_STATE_UNSPECIFIED: State.PLAYING,
    **{number: state for state, number in STATES.items()},
}


def of_rules(rules: Rules, position: Position, seat: Seat) -> Situation:
    """A position of which nothing else is told: nil-nil under the options of the rules, before the roll."""
    return replace(bare(position.setup, rules), seat=seat, decider=seat)


def situation(given: pb.Situation, position: Position, seat: Seat) -> Situation:
    """What a request tells beside a position that is proved; each number is in its range."""
    at = "situation"
    raised = _most(f"{at}.raised", given.raised, MOST_RAISED)
    if given.state not in STATES_BY_NUMBER:
        known = ", ".join(pb.SituationState.keys())
        raise malformed("STATE_UNKNOWN", f"{at}.state", given.state, known)
    dice = board.each_die(given.dice, f"{at}.dice")
    resigned, decider = None, seat.other if raised % 2 else seat
    if given.HasField("resignation"):
        level = board.LEVEL_NAMES.get(given.resignation.level)
        if level is None:
            known = ", ".join(board.LEVELS)
            field = f"{at}.resignation.level"
            raise malformed("LEVEL_MISSING", field, given.resignation.level, f"one of {known}")
        resigned = Level(level)
        decider = board.seat(f"{at}.resignation.seat", given.resignation.seat).other
    if given.decider:
        decider = board.seat(f"{at}.decider", given.decider)
    return Situation(
        setup=position.setup,
        seat=seat,
        decider=decider,
        cube=_cube(given),
        cube_cap=(
            _most(f"{at}.cube_cap", given.cube_cap, LARGEST_STAKE, 1)
            if given.HasField("cube_cap")
            else None
        ),
        dice=dice[: _most(f"{at}.dice", len(dice), MOST_DICE)],
        length=(
            _most(f"{at}.length", given.length, LONGEST_MATCH, 1)
            if given.HasField("length")
            else None
        ),
        score=(
            _most(f"{at}.white_score", given.white_score, LARGEST_SCORE),
            _most(f"{at}.black_score", given.black_score, LARGEST_SCORE),
        ),
        crawford=given.crawford,
        jacoby=given.jacoby,
        beavers=given.beavers,
        raised=raised,
        resigned=resigned,
        state=STATES_BY_NUMBER[given.state],
    )


def _cube(given: pb.Situation) -> Cube:
    if not given.HasField("cube"):
        return Cube()
    value = _most("situation.cube.value", given.cube.value, LARGEST_STAKE, 1)
    owner = board.seat("situation.cube.owner", given.cube.owner) if given.cube.owner else None
    return Cube(value, owner, turned=given.cube.turned)


def _most(field: str, value: int, most: int, least: int = 0) -> int:
    if not least <= value <= most:
        raise malformed("NUMBER_OUT_OF_RANGE", field, value, f"{least} to {most}")
    return value


def situation_message(here: Situation, rules: Rules) -> pb.Situation:
    """What a text told beside the board."""
    message = pb.Situation(
        dice=here.dice,
        length=here.length,
        white_score=here.score[Seat.WHITE],
        black_score=here.score[Seat.BLACK],
        crawford=here.crawford,
        jacoby=here.jacoby,
        beavers=here.beavers,
        raised=here.raised,
        cube_cap=here.cube_cap,
        decider=board.SEAT_NUMBERS[here.decider],
        state=STATES[here.state],
    )
    cube = message.cube
    cube.value = here.cube.value
    cube.owner = board.SEAT_NUMBERS[here.cube.owner]
    cube.turned = here.cube.turned
    cube.enabled = bool(rules.options.get("cube")) and not here.crawford and here.length != 1
    if here.resigned is not None:
        message.resignation.seat = board.SEAT_NUMBERS[here.decider.other]
        message.resignation.level = board.LEVELS[here.resigned]
        message.resignation.points = rules.value(here.resigned)
    return message
