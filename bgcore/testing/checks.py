"""What must hold of every position and roll, whatever the variant: each check says what does not."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import fields

from bgcore.errors import BgcoreError, PluginFailed
from bgcore.notation.board_json import read_board_json, write_board_json
from bgcore.notation.board_text import read_board, write_board
from bgcore.outcome import Outcome
from bgcore.perft import goes_on
from bgcore.play import Play, Plays
from bgcore.position import OFF, SIDE, UNENTERED, Position
from bgcore.raised import Raised
from bgcore.roll import Roll
from bgcore.rules import Rules
from bgcore.testing.games import Visit
from bgcore.testing.search import legal_results, lines_of, most_used
from bgcore.turn import ORDINARY_TURN, Turn

SOME = 4

Check = Callable[[Rules, Visit], str]
"""What does not hold of a position, a roll and the plays there; empty: all does."""


def conserved(rules: Rules, visit: Visit) -> str:
    """No checker is lost or made, and every play leads to a position of the variant."""
    before = checkers(visit.position)
    for play in visit.plays:
        if (found := checkers(play.after)) != before:
            return f"a checker is lost or made: {play} leads from {before} checkers to {found}"
        rules.proved(play.after.packed)
    return ""


def distinct(rules: Rules, visit: Visit) -> str:
    """No result comes twice."""
    found = visit.plays.positions()
    if len(found) != len(visit.plays):
        return f"{len(visit.plays)} plays, and {len(found)} results"
    seen: dict[Position, str] = {}
    for after, play in zip(found, visit.plays, strict=True):
        if after in seen:
            return f"a play comes twice: {seen[after]} and {play} lead to the same position"
        seen[after] = str(play)
    return ""


def searched(rules: Rules, visit: Visit) -> str:
    """The plays are those that an exhaustive search over `rules.steps` finds.

    With the most numbers, and the larger of two, as the variant declares. A filter over whole plays may
    leave fewer of them, and never none.
    """
    numbers = tuple(visit.plays.numbers)
    lines = lines_of(rules, visit.position, numbers, visit.plays.turn)
    expected = legal_results(rules, visit.position, numbers, visit.plays.turn, lines)
    plays = unfiltered(rules, visit)
    found = set(plays.positions())
    if missing := expected - found:
        return f"{len(missing)} plays are missing, such as one that leads to {least(missing)}"
    if extra := found - expected:
        return f"{len(extra)} plays are too many, such as one that leads to {least(extra)}"
    if (most := most_used(lines)) != plays.numbers_used and not _ends(rules, expected):
        return f"numbers_used is {plays.numbers_used}, and a search uses {most}"
    if added := set(visit.plays.positions()) - {after for _, after in lines}:
        return f"keep adds plays, such as one that leads to {least(added)}"
    return ""


def unfiltered(rules: Rules, visit: Visit) -> Plays:
    """The plays without the variant's own filter."""
    if type(rules).keep is Rules.keep:
        return visit.plays
    plain = copy.copy(rules)
    vars(plain)["keep"] = lambda start, plays: plays
    return plain.plays_of(visit.position, tuple(visit.plays.numbers), visit.plays.turn)


def followed(rules: Rules, visit: Visit) -> str:
    """The same of the parts that follow one another in a turn, with all that the turn remembers."""
    parts = rules.parts(visit.roll, ORDINARY_TURN, visit.position)
    for play in some(visit.plays) if len(parts) > 1 else ():
        turn = Turn(parts=parts, dice=visit.roll.dice)
        while goes_on(rules, turn, play):
            turn = turn.next_part(play.left_head, play.locked)
            plays = rules.plays_of(play.after, turn.parts[0].numbers, turn)
            if what := searched(rules, Visit(play.after, visit.roll, plays)):
                return f"{what}, of {' '.join(map(str, plays.numbers))} after {play}"
            play = plays[0]
    return ""


def _ends(rules: Rules, positions: set[Position]) -> bool:
    """Whether some play ends the game; it counts as using more than it does (R6)."""
    return any(rules.outcome(position) for position in positions)


def judged(rules: Rules, visit: Visit) -> str:
    """What is listed is not refused, and its steps can be made one by one."""
    numbers = tuple(visit.plays.numbers)
    for play in some(visit.plays):
        if refusal := rules.why_not(visit.position, numbers, play.steps, visit.plays.turn):
            return f"{play} is listed, and refused: {refusal.fault}"
        if len(play.steps) != play.numbers_used:
            return f"{play} has {len(play.steps)} steps and uses {play.numbers_used} numbers"
    return ""


def read_back(rules: Rules, visit: Visit) -> str:
    """Whatever is written reads back: positions as text, as JSON and packed, and plays as text."""
    for position in (visit.position, *(play.after for play in some(visit.plays))):
        forms = {
            "text": rules.position(read_board(write_board(position))),
            "JSON": rules.position(read_board_json(write_board_json(position))),
            "packed form": rules.proved(position.packed),
            "other side, seen twice,": position.flipped().flipped(),
        }
        for name, found in forms.items():
            if found != position:
                return f"the {name} of {position.setup} reads as {found.setup}"
    for play in some(visit.plays):
        try:
            again = visit.plays.find(str(play))
        except PluginFailed:
            raise
        except BgcoreError as problem:
            return f"the text of {play} is not read: {problem}"
        if again != play:
            return f"the text of {play} reads as {again}"
    return ""


def deterministic(rules: Rules, visit: Visit) -> str:
    """The same question has the same answer, also of rules that were never asked before."""
    fresh = type(rules)(rules.variant, rules.options)
    expected, ends = visit.plays.codes, _outcomes(rules, visit)
    for name, asked in (("the same", rules), ("new", fresh)):
        if _asked(asked, visit).codes != expected:
            return f"{name} rules list other plays than before"
        if _outcomes(asked, visit) != ends:
            return f"{name} rules tell another outcome than before"
        if asked.parts(visit.roll) != rules.parts(visit.roll):
            return f"{name} rules tell other parts of {visit.roll}"
    return ""


def _asked(rules: Rules, visit: Visit) -> Plays:
    return rules.plays_of(visit.position, tuple(visit.plays.numbers), visit.plays.turn)


def _outcomes(rules: Rules, visit: Visit) -> list[Outcome | None]:
    return [rules.outcome(position) for position in (visit.position, *visit.plays.positions())]


def untouched(rules: Rules, visit: Visit) -> str:
    """Asking changes neither the rules nor what they are asked about."""
    before, given = state_of(rules), (visit.position.packed, visit.roll, visit.plays.codes)
    plays = _asked(rules, visit)
    _outcomes(rules, visit)
    rules.steps(visit.position, tuple(plays.numbers))
    after = state_of(rules)
    for name, value in before.items():
        if after.get(name) != value:
            return f"asking has changed {name} from {value} to {after.get(name)}"
    if after.keys() != before.keys():
        return f"asking has made {', '.join(after.keys() - before.keys())}"
    if (visit.position.packed, visit.roll, visit.plays.codes) != given:
        return "asking has changed the position, the roll or the plays"
    return ""


def state_of(rules: Rules) -> Mapping[str, str]:
    """All that may be seen of rules, as texts; what begins with an underscore is their own business."""
    own = {name: value for name, value in vars(rules).items() if not name.startswith("_")}
    axes = {axis.name: getattr(rules.variant, axis.name) for axis in fields(rules.variant)}
    return {name: repr(value) for name, value in ({**axes, **own}).items()}


def mirrored(rules: Rules, visit: Visit) -> str:
    """Whoever is on roll: the end of a game is the same, seen from the other side."""
    for position in (visit.position, *visit.plays.positions()):
        here, there = rules.outcome(position), rules.outcome(position.flipped())
        if mirror(here) != there:
            return (
                f"{write_board(position)} ends as {here}, and seen from the other side as {there}"
            )
    return ""


def worth(rules: Rules, visit: Visit) -> str:
    """No end is worth more than `most` said before the last play, and who resigned then has not lost less."""
    for play, position in zip(visit.plays, visit.plays.positions(), strict=True):
        end = rules.outcome(position)
        if end is None or end.winner is None:
            continue
        most = rules.most(visit.position, end.winner.other)
        if end.points > most:
            return f"after {play} the game is worth {end.points}, and most said {most} before it"
    return ""


def mirror(outcome: Outcome | None) -> Outcome | None:
    """The same outcome from the other side."""
    if outcome is None or outcome.winner is None:
        return outcome
    return Outcome(outcome.winner.other, outcome.points, outcome.level, outcome.ending)


def some(plays: Plays) -> list[Play]:
    """A few plays, from all over the list: what takes long for each is not done to all."""
    return plays[:: max(len(plays) // SOME, 1)][: SOME + 1]


def checkers(position: Position) -> tuple[int, int]:
    """Checkers of each side, wherever they are."""
    return position.mover.checkers, position.opponent.checkers


def least(positions: set[Position]) -> str:
    """One of some positions, always the same."""
    return min(map(write_board, positions))


CHECKS: Mapping[str, Check] = {
    "checkers are conserved": conserved,
    "results are distinct": distinct,
    "the list is that of an exhaustive search": searched,
    "the list of later parts is that of a search": followed,
    "what is listed is legal": judged,
    "what is written reads back": read_back,
    "answers are the same each time": deterministic,
    "asking changes nothing": untouched,
    "both sides see the same end": mirrored,
    "no end is worth more than most says": worth,
}
"""The checks of a position, by what they check."""


# -- the smallest position ---------------------------------------------------------------------------


def failure_of(check: Check, rules: Rules, visit: Visit) -> str:
    """What a check says; what a variant's code raises is said in a line, too."""
    try:
        return check(rules, visit)
    except Exception as problem:
        return Raised(problem)


MOST_TRIES = 400


def smallest(check: Check, rules: Rules, visit: Visit, what: str) -> tuple[Visit, str]:
    """A position with as few checkers as possible for which the check fails still, and what it says there."""
    tries = 0
    while True:
        for position in smaller(rules, visit.position):
            tries += 1
            found = visit_of(rules, position, visit.roll)
            if found is not None and (told := failure_of(check, rules, found)):
                visit, what = found, told
                break
            if tries >= MOST_TRIES:
                return visit, what
        else:
            return visit, what


def smaller(rules: Rules, position: Position) -> list[Position]:
    """The positions with one checker fewer on the board, borne off."""
    found = []
    packed = position.packed
    for side in (0, SIDE):
        for place in range(1, UNENTERED + 1):
            if not packed[side + place]:
                continue
            fewer = bytearray(packed)
            fewer[side + place] -= 1
            fewer[side + OFF] += 1
            try:
                found.append(rules.proved(bytes(fewer)))
            except Exception:  # no position, or rules that fail at it
                continue
    return found


def visit_of(rules: Rules, position: Position, roll: Roll) -> Visit | None:
    """A position of a game that runs, with the plays of a roll; `None` where there are none."""
    try:
        if rules.outcome(position):
            return None
        return Visit(position, roll, rules.plays(position, roll))
    except Exception:
        return None
