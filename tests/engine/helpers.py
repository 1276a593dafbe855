"""Words that make the tests of games read like a score sheet."""

from __future__ import annotations

from bgcore import Action, Game, Level, Match, Rules, Seat, Setup, SideSetup, load
from bgcore.position import Position

WHITE, BLACK = Seat.WHITE, Seat.BLACK


def rules(id: str = "western", preset: str = "", **options: object) -> Rules:
    return load().rules(id, preset, options)


def match(id: str = "western", preset: str = "", **options: object) -> Match:
    return Match.new(rules(id, preset, **options))


def side(text: str) -> SideSetup:
    """`13:5 bar:1 off:3` as a side."""
    words = dict(word.split(":") for word in text.split())
    places = {name: int(words.pop(name)) for name in ("bar", "off", "in") if name in words}
    pinned = (int(words.pop("pin")),) if "pin" in words else ()
    return SideSetup(
        {int(point): int(count) for point, count in words.items()},
        bar=places.get("bar", 0),
        off=places.get("off"),
        unentered=places.get("in", 0),
        pinned=pinned,
    )


def position(under: Rules, mover: str, opponent: str) -> Position:
    return under.position(Setup(side(mover), side(opponent)))


def at_roll(game: Match, seat: Seat = WHITE) -> Match:
    """The match with its opening played, `seat` on turn and not rolled yet."""
    opener = seat.other
    high, low = (6, 5) if opener is WHITE else (5, 6)
    thrown = game.after(Action.throw(high, low))
    return thrown.after(Action.play(opener, str(thrown.game.plays[0])))


def won(game: Match, seat: Seat, level: Level = Level.SINGLE) -> Match:
    """The match with its running game won by `seat`, the other resigning at `level`."""
    offered = game.after(Action.resign(seat.other, level))
    return (
        offered
        if offered.game.result
        else offered.after(Action.answer_resignation(seat, accept=True))
    )


def doubled(game: Match, seat: Seat) -> Match:
    """The match with a double by `seat` taken."""
    return game.after(Action.double(seat)).after(Action.take(seat.other))


def turn_passes(game: Match) -> Match:
    """The seat on turn rolls 2-1 and makes its first legal play."""
    rolled = game.after(Action.roll(game.game.seat, 2, 1))
    return rolled.after(Action.play(rolled.game.seat, str(rolled.game.plays[0])))


def kinds(game: Match | Game) -> set[str]:
    """What is to be decided; a match may be given up at any time besides, which is left out here."""
    return {str(kind) for kind in game.decision.kinds} - {"resign_match"}
