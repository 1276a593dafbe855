"""The variant and the options under which a match file was played, as far as it tells them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from bgcore.axes import LaterStarter, OpeningRoll
from bgcore.file_names import variant_called
from bgcore.notation.match_text import Cell, CellKind, GameText, MatchText
from bgcore.option import Value
from bgcore.registry import DEFAULT_VARIANT, Registry
from bgcore.resolve import options_of
from bgcore.seat import Seat

HIGHEST_CUBE = 1 << 20
OFF = ("off", "no", "false", "0")


def options_in(text: MatchText, registry: Registry) -> tuple[str, dict[str, Value]]:
    """The variant and the options that a file tells of, by its headers and by what happens in it.

    Jacoby is in force in money games unless a header turns it off; without headers no cube is too high,
    and there are beavers in money games where a double is answered with one. Later games start without
    a throw where one begins with a double or with the cube. `; [Options "name=value …"]`, which our
    writer adds for what no other header says, may hold any option but the length.

    No dialect tells of automatic doubles, and programs that know them write the cube as if there were
    none. So a cube that is higher than its doubles is a fault, not a guess at a tie.
    """
    variation = text.header("variation")
    variant = variant_called(variation, registry) or registry.variant(variation or DEFAULT_VARIANT)
    wanted: dict[str, Value] = {
        "match_length": text.length,
        "crawford": text.header("crawford").casefold() not in OFF,
        "cube_cap": _limit(text.header("cubelimit")),
    }
    if text.length == 0 or text.is_money_game:
        wanted["match_length"] = None
        wanted["jacoby"] = text.header("jacoby").casefold() not in OFF
        if _beavers(text):
            wanted["animals"] = None
    words = _in_words(text.header("options"))
    if words.get("opening_roll", variant.opening_roll) == OpeningRoll.PLAY_DICE:
        # Where the starter rolls, any game may begin with a double.
        wanted |= _later_starts(text.games)
    takes = options_of(variant)
    told = {name: value for name, value in wanted.items() if name in takes}
    return variant.id, told | words


def _limit(header: str) -> int | None:
    if not header.isascii() or not header.isdigit() or len(header) > 7:
        return None
    return int(header) if 1 <= int(header) <= HIGHEST_CUBE else None


def _beavers(text: MatchText) -> bool:
    """Whether doubles may be answered with a double: a header says so, or somebody does it."""
    header = text.header("beaver").casefold()
    if header:
        return header not in OFF
    return any(_is_raised(cells) for game in text.games for cells in pairwise(game.cells))


def _is_raised(cells: tuple[Cell, Cell]) -> bool:
    first, second = (cell.kind for cell in cells)
    return second is CellKind.ANIMAL or first is second is CellKind.DOUBLE


def _in_words(header: str) -> dict[str, Value]:
    words = (word.partition("=") for word in header.split())
    return {name: value for name, _, value in words if name != "match_length"}


def _later_starts(games: tuple[GameText, ...]) -> Mapping[str, Value]:
    """Who starts later games, where one of them begins with what follows no opening throw."""
    first = [game.cells[0] for game in games[1:] if game.cells]
    doubled = any(cell.kind is CellKind.DOUBLE for cell in first)
    if not doubled and not any(_is_double(cell) for cell in first):
        return {}
    told: dict[str, Value] = {"double_before_first_roll": True} if doubled else {}
    for starter, seats in _STARTERS.items():
        if all(_starts(game) in (None, seats(before, game)) for before, game in pairwise(games)):
            return {**told, "later_starter": starter.value}
    return told


def _is_double(cell: Cell) -> bool:
    return cell.kind is CellKind.ROLL and cell.dice[0] == cell.dice[1]


def _starts(game: GameText) -> Seat | None:
    return game.cells[0].seat if game.cells else None


def _winner(game: GameText, following: GameText) -> Seat | None:
    """Who won a game, by the score that follows."""
    white, black = (new - old for new, old in zip(following.score, game.score, strict=True))
    return None if white == black else Seat.WHITE if white > black else Seat.BLACK


def _other_starter(game: GameText, following: GameText) -> Seat | None:
    starter = _starts(game)
    return None if starter is None else starter.other


_STARTERS = {
    LaterStarter.PREVIOUS_WINNER: _winner,
    LaterStarter.ALTERNATE: _other_starter,
}
