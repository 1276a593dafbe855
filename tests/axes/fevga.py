"""Fevga's duty to open a wall, which is a filter over whole plays (fevga.md)."""

from __future__ import annotations

from bgcore import Plays, Position, Rules


class Fevga(Rules):
    """A wall that traps every opposing checker must be opened, if any play opens it."""

    def keep(self, start: Position, plays: Plays) -> Plays:
        stand = {point for point in range(1, 25) if start.opponent[point]}
        if len(stand) != 1 or (trapped := stand.pop()) < 7:
            return plays
        wall = {self.opponents_point(trapped - ahead) for ahead in range(1, 7)}
        if not all(start.mover[point] for point in wall):
            return plays
        return plays.only(lambda play: not all(play.after.mover[point] for point in wall))
