"""What cube, match and table mean to a player, in sentences like those about the game."""

from __future__ import annotations

from bgcore.axes import (
    Bound,
    ClockKind,
    DeclineCost,
    DrawPolicy,
    FlagLoses,
    IllegalMoves,
    MoneyRules,
    ResignWhen,
    Triple,
)
from bgcore.page.about import OTHER, About, Chapter

CUBE = {"cube": (True,)}

MATCH_AND_CUBE = Chapter(
    "Match and cube",
    (
        About(
            "match_length",
            "M7",
            {
                None: "Games are played one after another, and their points are added up (a money session).",
                OTHER: "A match is to {match_length} points where nobody chooses another length.",
            },
        ),
        About(
            "cube",
            "M1",
            {
                True: "There is a doubling cube. Before you roll you may double, if the cube is in the middle or "
                "yours. Who takes owns it, and the game counts twice as much; who drops loses what it "
                "counted before.",
                False: "There is no doubling cube.",
            },
        ),
        About(
            "cube_cap",
            "M2",
            {None: "The cube has no end.", OTHER: "The cube goes up to {cube_cap}."},
            where=CUBE,
        ),
        About(
            "crawford",
            "M7",
            {
                True: "When a player comes to one point short of the match, the next game is played without the "
                "cube (Crawford).",
                False: "There is no Crawford game.",
            },
            where=CUBE,
        ),
        About(
            "jacoby",
            "M5",
            {
                True: "Gammon and backgammon count as a single game unless the cube was turned in it (Jacoby).",
                False: "",
            },
            where=CUBE,
        ),
        About(
            "dead_cube_rule",
            "M2",
            {True: "In a match nobody doubles whose stake wins it with a single game.", False: ""},
            where=CUBE,
        ),
        About(
            "holland",
            "M2",
            {
                True: "After the Crawford game nobody may double before each side has completed two turns.",
                False: "",
            },
            where=CUBE,
        ),
        About(
            "holland_scope",
            "M2",
            {
                Bound.TRAILING: "That binds who is behind.",
                Bound.BOTH: "That binds both.",
            },
            where={**CUBE, "holland": (True,)},
        ),
        About(
            "animals",
            "M4",
            {
                0: "",
                None: "Who is doubled may double again on the spot and keep the cube, and the other then may too.",
                OTHER: "Who is doubled may double again on the spot and keep the cube, and the other then may, "
                "too: {animals} in all.",
            },
            where=CUBE,
        ),
        About(
            "auto_doubles",
            "M6",
            {
                0: "",
                None: "Every tie of the opening throw doubles the stake.",
                OTHER: "Ties of the opening throw double the stake, {auto_doubles} of them in a game.",
            },
            where=CUBE,
        ),
        About(
            "auto_double_66",
            "M6",
            {Triple.DOUBLE: "", Triple.TRIPLE.value: "A 6-6 among them triples it."},
            where=CUBE,
            but={"auto_doubles": (0,)},
        ),
        About(
            "decline_cost",
            "M3",
            {
                DeclineCost.STAKE: "",
                DeclineCost.ALWAYS_ONE: "Who drops loses one point, whatever the stake.",
            },
            where=CUBE,
        ),
        About(
            "money_rules_in_match",
            "M8",
            {
                MoneyRules.REJECT: "",
                MoneyRules.ALLOW: "Jacoby, beavers and automatic doubles may be on in a match, too.",
            },
            where=CUBE,
        ),
        About(
            "resign_when",
            "M9",
            {
                ResignWhen.ANY: "A player may offer to lose at any time; the other accepts, or plays on.",
                ResignWhen.OWN_TURN: "A player may offer to lose on his own turn; the other accepts, or "
                "plays on.",
            },
        ),
        About(
            "illegal_moves",
            "M11",
            {
                IllegalMoves.REJECT: "",
                IllegalMoves.UNTIL_NEXT_ROLL: "An illegal play stands, and may be corrected until the "
                "opponent rolls or doubles.",
            },
        ),
        About(
            "clock",
            "M10",
            {
                ClockKind.NONE: "",
                ClockKind.BRONSTEIN: "A clock runs, with a delay of {step} seconds a turn.",
                ClockKind.FISCHER: "A clock runs, and each turn adds {step} seconds.",
                ClockKind.PER_TURN: "Each turn may take {step} seconds.",
            },
        ),
        About(
            "flag_loses",
            "M10",
            {
                FlagLoses.MATCH: "Who runs out of time loses the match.",
                FlagLoses.GAME: "Who runs out of time loses the game.",
            },
            but={"clock": (ClockKind.NONE,)},
        ),
    ),
)

ROTATION = About(
    "draw_policy",
    "M7",
    {
        DrawPolicy.REPLAY: "A drawn game is played again.",
        DrawPolicy.ADVANCE: "After a drawn game the next one follows.",
    },
)
"""What a rotation says of drawn games."""
