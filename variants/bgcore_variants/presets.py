"""Presets that fit every variant, written once as functions of its data (rules M13).

A value that a rule book gives in brackets, "when switched on", is for the table to choose: the preset
has what holds before.
"""

from bgcore.axes import Scoring
from bgcore.option import Value, Values
from bgcore.preset import Preset
from bgcore.resolve import options_of
from bgcore.variant import Variant


def tournament(variant: Variant) -> Values:
    """A match of the variant's usual length; with a cube, by the Crawford rule."""
    cube: Values = {"crawford": True, "jacoby": False} if variant.cube else {}
    return {"match_length": variant.match_length or 7, **cube}


def money(variant: Variant) -> Values | None:
    """Game after game for points, with Jacoby; only where there is a cube."""
    return {"match_length": None, "jacoby": True} if variant.cube else None


PLAIN: Values = {
    "opening_roll": "play_dice",
    "later_starter": "opening_roll",
    "cube_cap": 64,
    "crawford": True,
    "dead_cube_rule": False,
    "holland": False,
    "animals": 0,
    "auto_doubles": 0,
    "auto_double_66": "double",
    "money_rules_in_match": "reject",
    "decline_cost": "stake",
    "clock": "none",
}
"""What the rulebooks have in common."""


def book(variant: Variant, **own: Value) -> Values:
    """The common values and a book's own, those of them for which the variant has an option."""
    known = options_of(variant)
    return {name: value for name, value in {**PLAIN, **own}.items() if name in known}


def vog(variant: Variant) -> Values | None:
    """Rulebook 000: a dead cube is not turned, a beaver cannot be refused, money rules go with matches."""
    if not variant.cube:
        return None
    return book(
        variant,
        dead_cube_rule=True,
        jacoby=variant.jacoby,
        animals_refusable=False,
        money_rules_in_match="allow",
    )


def money_001(variant: Variant) -> Values | None:
    """Rulebook 001: money play with Jacoby and beavers."""
    if not variant.cube:
        return None
    return book(variant, match_length=None, jacoby=True, animals=1, animals_refusable=True)


def jacoby_with_automatic_doubles(values: Values) -> Values:
    """Rulebook 001: with automatic doubles the Jacoby rule is also in effect (S1-25)."""
    return {"jacoby": True} if values.get("auto_doubles") != 0 else {}


def club_002(variant: Variant) -> Values | None:
    """Rulebook 002: Crawford in matches, Jacoby for money only, which the length decides."""
    return book(variant, cube=True) if variant.cube else None


def jpgames(variant: Variant) -> Values | None:
    """Rulebook 003: no Crawford game and no money rules; 7 points with a cube, 5 without.

    Where checkers are counted, its lengths make no sense.
    """
    if variant.scoring is Scoring.CHECKERS_LEFT:
        return None
    return book(
        variant,
        match_length=7 if variant.cube else 5,
        cube=variant.cube,
        crawford=False,
        jacoby=False,
        mother_rule=False,
        layout=variant.layout.value,
    )


def tournament_004(variant: Variant) -> Values | None:
    """Rulebook 004 in a match: Crawford, no end to the cube, and a Bronstein clock."""
    if not variant.cube:
        return None
    return book(
        variant,
        cube_cap=None,
        jacoby=False,
        clock="bronstein",
        bank_per_point=120,
        step=12,
        flag_loses="match",
    )


def money_004(variant: Variant) -> Values | None:
    """Rulebook 004 for money: Jacoby, beavers and raccoons, no end to the cube."""
    if not variant.cube:
        return None
    return book(
        variant, match_length=None, cube_cap=None, jacoby=True, animals=2, animals_refusable=True
    )


PRESETS = (
    Preset("tournament", "a match to points", tournament),
    Preset("money", "a money session with Jacoby", money),
    Preset("vog", "rulebook 000: dead cube, beavers that cannot be refused", vog),
    Preset(
        "money-001",
        "rulebook 001: money with Jacoby and beavers",
        money_001,
        follows=jacoby_with_automatic_doubles,
    ),
    Preset("club-002", "rulebook 002: club play, Jacoby for money only", club_002),
    Preset("jpgames", "rulebook 003: no Crawford game, no money rules", jpgames),
    Preset("tournament-004", "rulebook 004: a match with a clock", tournament_004),
    Preset("money-004", "rulebook 004: money with beavers and raccoons", money_004),
)
