"""What a table was made with: all that its events do not say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

import bgcore
from bgcore import Crawford, Cube, Dice, Rules, SeededDice, Start, SystemDice
from bgcore.match import NEW
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_server.store import Seat


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a table, kept as JSON."""

    preset: str = ""
    options: Mapping[str, object] = field(default_factory=dict)  # as they were chosen
    resolved: Mapping[str, object] = field(default_factory=dict)  # every option
    dice_mode: int = pb.DICE_MODE_SYSTEM
    seed: int = 0
    start: Mapping[str, object] | None = None
    names: tuple[str, str] = ("", "")  # of the players expected
    bots: tuple[str, str] = ("", "")

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """The seats before anybody has joined."""
        white, black = (
            Seat(number, name, bot, taken=bool(bot))
            for number, (name, bot) in enumerate(zip(self.names, self.bots, strict=True))
        )
        return white, black

    def to_json(self) -> str:
        """The form that a store keeps."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Settings:
        """The settings of that form."""
        return cls(**json.loads(text))

    def dice(self, thrown: int) -> Dice | None:
        """The dice of the table after so many throws; `None`: the players type them in."""
        match self.dice_mode:
            case pb.DICE_MODE_MANUAL:
                return None
            case pb.DICE_MODE_SEEDED:
                return SeededDice(self.seed, thrown)
        return SystemDice()

    def start_of(self, rules: Rules) -> Start:
        """Where the match starts."""
        return NEW if self.start is None else start_from_json(rules, self.start)


def start_to_json(start: Start) -> dict[str, object]:
    """A start as a store keeps it."""
    owner = start.cube.owner
    return {
        "position": start.position.packed.hex() if start.position else None,
        "seat": str(start.seat),
        "cube": [start.cube.value, None if owner is None else str(owner)],
        "dice": list(start.dice),
        "score": list(start.score),
        "crawford": str(start.crawford),
    }


def start_from_json(rules: Rules, form: Mapping[str, object]) -> Start:
    """The start of that form; its position is proved anew, since rules may have changed."""
    known = {"position": None, "seat": "white", "cube": [1, None], "dice": [], "score": [0, 0]}
    kept: dict[str, object] = {**known, "crawford": "before", **form}
    value, owner = _pair(kept["cube"])
    white, black = _pair(kept["score"])
    position = kept["position"]
    dice = kept["dice"]
    return Start(
        position=rules.proved(bytes.fromhex(position)) if isinstance(position, str) else None,
        seat=bgcore.Seat.read(str(kept["seat"])),
        cube=Cube(int(str(value)), bgcore.Seat.read(str(owner)) if owner else None),
        dice=tuple(map(int, dice)) if isinstance(dice, list) else (),
        score=(int(str(white)), int(str(black))),
        crawford=Crawford(str(kept["crawford"])),
    )


def _pair(form: object) -> tuple[object, object]:
    first, second = form if isinstance(form, list) else (None, None)
    return first, second
