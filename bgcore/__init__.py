"""bgcore: a rules engine for the backgammon family.

>>> from bgcore import Roll, load
>>> western = load().rules("western")
>>> plays = western.plays(western.start, Roll.of(3, 1))
>>> len(plays), plays.numbers_used, str(plays.find("8/5 6/5"))
(16, 2, '8/5 6/5')
"""

from bgcore.action import Action, Kind
from bgcore.cube import Cube
from bgcore.decision import Decision
from bgcore.dice import Dice, SeededDice, SystemDice
from bgcore.errors import (
    BgcoreError,
    Fault,
    IllegalAction,
    IllegalPosition,
    NotationError,
    NotRegistered,
    OptionError,
    PluginError,
    SpecError,
)
from bgcore.game import Game
from bgcore.match import Crawford, Match, Start
from bgcore.option import Option
from bgcore.outcome import Ending, Level, Outcome, Result
from bgcore.phase import Phase
from bgcore.play import Play, Plays, Step
from bgcore.plugins import hookimpl, load
from bgcore.position import Position, Side
from bgcore.preset import Preset
from bgcore.reason import Reason
from bgcore.refusal import OwnReason
from bgcore.registry import Registry
from bgcore.roll import ALL_ROLLS, Roll
from bgcore.rules import Rules
from bgcore.seat import Player, Seat
from bgcore.setup import Setup, SideSetup
from bgcore.spec import Spec
from bgcore.turn import Part, PartKind, Turn
from bgcore.variant import Variant

__all__ = [
    "ALL_ROLLS",
    "Action",
    "BgcoreError",
    "Crawford",
    "Cube",
    "Decision",
    "Dice",
    "Ending",
    "Fault",
    "Game",
    "IllegalAction",
    "IllegalPosition",
    "Kind",
    "Level",
    "Match",
    "NotRegistered",
    "NotationError",
    "Option",
    "OptionError",
    "Outcome",
    "OwnReason",
    "Part",
    "PartKind",
    "Phase",
    "Play",
    "Player",
    "Plays",
    "PluginError",
    "Position",
    "Preset",
    "Reason",
    "Registry",
    "Result",
    "Roll",
    "Rules",
    "Seat",
    "SeededDice",
    "Setup",
    "Side",
    "SideSetup",
    "Spec",
    "SpecError",
    "Start",
    "Step",
    "SystemDice",
    "Turn",
    "Variant",
    "hookimpl",
    "load",
]
