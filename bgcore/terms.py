"""What one game of a match is played for: the options that concern it, and where the match stands."""

from __future__ import annotations

from dataclasses import dataclass

from bgcore.axes import Bound, DeclineCost, IllegalMoves, ResignWhen, Triple
from bgcore.option import Value, Values
from bgcore.seat import Seat


@dataclass(frozen=True, slots=True)
class Terms:
    """The cube, what it may do, and how a game is given up (rules M1 to M9, M11)."""

    cube: bool = False
    cube_cap: int | None = 64
    jacoby: bool = False
    auto_double_satisfies_jacoby: bool = False
    animals: int | None = 0  # how many may follow a double; None: without end
    animals_refusable: bool = True
    auto_doubles: int | None = 0  # how many ties of the opening throw double; None: all
    triple: bool = False  # a 6-6 among them triples
    double_before_first_roll: bool = False
    always_one: bool = False  # refusing a double costs one point whatever the stake
    dead_cube: bool = False  # nobody doubles whose stake wins the match anyway
    holland: tuple[Seat, ...] = ()  # who may not double before two turns each
    resign_auto_accept: bool = True
    resign_on_own_turn: bool = False
    correctable: bool = False  # an illegal play stands, and may be corrected for a while
    crawford: bool = False  # this is the Crawford game
    match_length: int | None = None  # None: a money session
    score: tuple[int, int] = (0, 0)

    @classmethod
    def of(
        cls, options: Values, score: tuple[int, int], *, crawford: bool, after_crawford: bool
    ) -> Terms:
        """The terms of a game at this score, the Crawford game or one after it."""
        cube = bool(options.get("cube"))
        length = _number(options.get("match_length"))
        holland = bool(options.get("holland")) and after_crawford and length is not None
        return cls(
            cube=cube,
            cube_cap=_number(options.get("cube_cap")),
            jacoby=cube and bool(options.get("jacoby")),
            auto_double_satisfies_jacoby=bool(options.get("auto_double_satisfies_jacoby")),
            animals=_number(options.get("animals", 0)),
            animals_refusable=bool(options.get("animals_refusable", True)),
            auto_doubles=_number(options.get("auto_doubles", 0)),
            triple=options.get("auto_double_66") == Triple.TRIPLE,
            double_before_first_roll=bool(options.get("double_before_first_roll")),
            always_one=options.get("decline_cost") == DeclineCost.ALWAYS_ONE,
            dead_cube=bool(options.get("dead_cube_rule")) and length is not None,
            holland=_bound(score, options.get("holland_scope")) if holland else (),
            resign_auto_accept=bool(options.get("resign_auto_accept")),
            resign_on_own_turn=options.get("resign_when") == ResignWhen.OWN_TURN,
            correctable=options.get("illegal_moves") == IllegalMoves.UNTIL_NEXT_ROLL,
            crawford=crawford,
            match_length=length,
            score=score,
        )


def _number(value: Value) -> int | None:
    return value if isinstance(value, int) else None


def _bound(score: tuple[int, int], scope: Value) -> tuple[Seat, ...]:
    """Whom the Holland rule binds: both, or who is behind, which at an even score is nobody (M2)."""
    if scope == Bound.BOTH:
        return tuple(Seat)
    return tuple(seat for seat in Seat if score[seat] < score[seat.other])
