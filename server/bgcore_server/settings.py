"""What a table was made with: all that its events do not say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from bgcore import Dice, Rules, SeededDice, Spec, Start, SystemDice
from bgcore.dice import CommittedDice, commitment
from bgcore.dice_proof import DiceMode, DiceProof
from bgcore.match import NEW
from bgcore.notation.board_text import write_board
from bgcore.notation.start_json import OF_POSITION, read_start
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_server.errors import too_new
from bgcore_server.store import Seat

Seeds = tuple[str, str]
"""What White and Black added to committed dice; empty while they have not."""


@dataclass(frozen=True, slots=True)
class Keys:
    """What opens a table: hashes of its secrets in hex, and the account of who made it."""

    host: str = field(repr=False)
    salt: str = field(repr=False)  # with the request id of who made it, it gives the secrets again
    host_account: str = ""
    invitation: str = field(default="", repr=False)  # empty unless it is private, as the next
    spectator: str = field(default="", repr=False)


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
    server_seed: str = field(
        default="", repr=False
    )  # of committed dice, hex: a secret while playing
    dice_seeds: Seeds = ("", "")  # of committed dice, what was drawn for bots
    past: int = 0  # first events that are the actions of a record: nobody did them here
    next_seed: str = field(default="", repr=False)  # the same for the next match at the table
    match_number: int = 1
    accounts: tuple[str, str] = ("", "")  # for which seats are kept
    rotation: Mapping[str, Any] | None = (
        None  # where the games change: which, as they were asked for
    )
    keys: Keys | None = None  # None: a table of before there were any
    spec: Mapping[str, object] | None = None  # house rules that the variant is made of

    def which(self, variant: str) -> str | Spec:
        """What the registry is asked for: the house rules, or the variant of this id."""
        return variant if self.spec is None else Spec.of(self.spec, new=False)

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """The seats before anybody has joined."""
        white, black = (
            Seat(number, name, bot, taken=bool(bot), account=account)
            for number, (name, bot, account) in enumerate(
                zip(self.names, self.bots, self.accounts, strict=True)
            )
        )
        return white, black

    def to_json(self) -> str:
        """The form that a store keeps."""
        form = {name: getattr(self, name) for name in NAMES}
        form["keys"] = asdict(self.keys) if self.keys else None
        if self.spec is None:
            del form["spec"]  # servers from before there was any read the others
        return json.dumps(form, separators=(",", ":"), default=dict)  # of mappings that are closed

    @classmethod
    def from_json(cls, text: str) -> Settings:
        """The settings of that form; `TooNew` where there is more than this server knows of."""
        form = json.loads(text)
        if unknown := form.keys() - FIELDS:
            raise too_new("a table with", ", ".join(sorted(unknown)))
        return cls._of(form)

    @classmethod
    def known_in(cls, text: str) -> Settings:
        """As much of them as this server knows: enough to tell who may see the table, not to play there."""
        form = json.loads(text)
        return cls._of({name: form[name] for name in FIELDS & form.keys()})

    @classmethod
    def _of(cls, form: Mapping[str, Any]) -> Settings:
        keys = form.get("keys")
        return cls(**{**form, "keys": Keys(**keys) if keys else None})

    def dice(self, thrown: int, seeds: Seeds) -> Dice | None:
        """The dice of the table after so many throws; `None`: the players type them in."""
        match self.dice_mode:
            case pb.DICE_MODE_MANUAL:
                return None
            case pb.DICE_MODE_SEEDED:
                return SeededDice(self.seed, thrown)
            case pb.DICE_MODE_COMMITTED:
                return CommittedDice(self._secret, *seeds, thrown)
        return SystemDice()

    def proof(self, seeds: Seeds, *, over: bool) -> DiceProof | None:
        """What may be told of committed dice: the server's seed only when the match is over."""
        if self.dice_mode != pb.DICE_MODE_COMMITTED:
            return None
        secret = self._secret
        white, black = (seed or None for seed in seeds)
        return DiceProof(
            DiceMode.COMMITTED, commitment(secret), (white, black), secret if over else None
        )

    @property
    def _secret(self) -> bytes:
        return bytes.fromhex(self.server_seed)

    def start_of(self, rules: Rules) -> Start:
        """Where the match starts."""
        return NEW if self.start is None else start_from_json(rules, self.start)


NAMES = tuple(one.name for one in fields(Settings))
FIELDS = frozenset(NAMES)


def start_from_json(rules: Rules, form: Mapping[str, object]) -> Start:
    """The start of the form that a store keeps; its position is proved anew, since rules may have changed.

    Tables that were made before it was the form of records keep the position packed and the cube as a
    pair, and every key whether it says something or not.
    """
    packed, pair = form.get("position"), form.get("cube")
    if not isinstance(pair, list):
        return read_start(form, rules)
    if not isinstance(packed, str):
        return read_start({key: form[key] for key in form.keys() - set(OF_POSITION)}, rules)
    board = write_board(rules.proved(bytes.fromhex(packed)))
    cube = dict(zip(("value", "owner"), pair, strict=True))
    return read_start({**form, "position": board, "cube": cube}, rules)
