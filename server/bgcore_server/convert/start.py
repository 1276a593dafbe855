"""Where a match starts."""

from __future__ import annotations

from bgcore import Crawford, Cube, Rules, Start
from bgcore.match import NEW
from bgcore_proto.v1 import table_service_pb2 as pb
from bgcore_server.convert import board
from bgcore_server.errors import malformed
from bgcore_server.lengths import LARGEST_SCORE

CRAWFORD = {
    pb.CRAWFORD_UNSPECIFIED: Crawford.BEFORE,
    pb.CRAWFORD_BEFORE: Crawford.BEFORE,
    pb.CRAWFORD_NOW: Crawford.NOW,
    pb.CRAWFORD_AFTER: Crawford.AFTER,
}
STAGES = {
    Crawford.BEFORE: pb.CRAWFORD_BEFORE,
    Crawford.NOW: pb.CRAWFORD_NOW,
    Crawford.AFTER: pb.CRAWFORD_AFTER,
}


def start(rules: Rules, given: pb.Start) -> Start:
    """Where a match starts."""
    if given.crawford not in CRAWFORD:
        known = ", ".join(pb.Crawford.keys())
        raise malformed("CRAWFORD_UNKNOWN", "start.crawford", given.crawford, known)
    score = (given.white_score, given.black_score)
    if max(score) > LARGEST_SCORE:
        raise malformed("SCORE_OUT_OF_RANGE", "score", max(score), f"0 to {LARGEST_SCORE}")
    cube = start_cube(given)
    if not given.HasField("position"):
        if given.dice:
            raise malformed(
                "DICE_WITHOUT_POSITION", "start.dice", list(given.dice), "a position too"
            )
        if cube != Cube():
            raise malformed("CUBE_WITHOUT_POSITION", "start.cube", cube.value, "a position too")
        return Start(score=score, crawford=CRAWFORD[given.crawford])
    position, seat = board.position(rules, given.position)
    return Start(
        position=position,
        seat=seat,
        cube=cube,
        dice=board.roll(rules, given.dice).dice if given.dice else (),
        score=score,
        crawford=CRAWFORD[given.crawford],
    )


def start_cube(given: pb.Start) -> Cube:
    """The cube at the start; whether there can be such a one is for the engine to say."""
    if not given.HasField("cube"):
        return Cube()
    owner = board.seat("start.cube.owner", given.cube.owner) if given.cube.owner else None
    return Cube(given.cube.value, owner, turned=owner is not None)


def start_message(start: Start) -> pb.Start | None:
    """The message of a start; `None`: the beginning."""
    if start == NEW:
        return None
    white, black = start.score
    message = pb.Start(white_score=white, black_score=black, crawford=STAGES[start.crawford])
    if start.position is not None:
        message.position.CopyFrom(board.position_message(start.position, start.seat, start.seat))
        message.dice.extend(start.dice)
        if start.cube != NEW.cube:
            message.cube.value = start.cube.value
            message.cube.owner = board.SEAT_NUMBERS[start.cube.owner]
            message.cube.turned = start.cube.turned
    return message
