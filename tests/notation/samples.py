"""Matches as text, and what a match comes to whatever it is written in."""

from __future__ import annotations

from bgcore import Kind, Match, Position

SAMPLE = """\
; [Site "Example"]
; [Player 1 "ann"]
; [CubeLimit "64"]

3 point match

 Game 1
 ann : 0                         bob : 0
  1) 31: 8/5 6/5                  64: 24/14
  2)  Doubles => 2                 Takes
  3) 52: 13/8 24/22               43: 13/9 13/10
  4) 66: 24/18 22/16 13/7(2)       Doubles => 4
  5)  Drops                        Wins 2 points

 Game 2
 ann : 0                         bob : 2
  1)                              62: 24/18 13/11
  2) 21: 13/11 6/5                54:
                                  Wins 1 point and the match
"""
"""A double, a drop, and a resignation after a roll in the Crawford game."""

SILENT = (Kind.RESIGN, Kind.ANSWER_RESIGNATION, Kind.FLAG, Kind.END_SESSION)


def told(match: Match, *, as_rolled: bool = True) -> list[object]:
    """What match text tells of a match, in order, worked out from its actions alone.

    Who starts and with what numbers, each roll (as thrown or the higher
    number first), the position after each play, each cube
    action with the stake it leads to, each result's winner and points, the score.
    """
    events: list[object] = [match.length, match.start.score]
    replay = Match.new(match.rules, match.start)
    for action in match.actions:
        before, replay = replay, replay.after(action)
        game = replay.game
        if action.kind is Kind.THROW:
            if game.dice:  # a tie is thrown again
                events.append((game.seat, tuple(sorted(game.dice, reverse=True))))
        elif action.kind is Kind.ROLL:
            if before.game.thrown:
                events.pop()
            dice = action.dice if as_rolled else tuple(sorted(action.dice, reverse=True))
            events.append((action.seat, dice))
        elif action.kind is Kind.PLAY:
            if (reached := _after(before, replay)) != before.game.position:
                events.append(reached)  # else a roll alone tells that nothing could be played
        elif action.kind not in SILENT:
            events.append((action.kind, action.seat, game.cube.value, game.raised))
        if game.result and not before.game.result:
            result = game.result
            events.append((result.winner, result.points, result.cube, replay.score))
    return events


def _after(before: Match, after: Match) -> Position:
    """The position after a play, seen by the player who has made it."""
    same = after.game.seat is before.game.seat
    return after.game.position if same else after.game.position.flipped()
