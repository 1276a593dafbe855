"""The table of docs/authorisation.md as data: what each caller is answered by each rpc at each kind of table.

cells.txt has it; here it is read, and its words are explained.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("cells.txt")

CALLERS: Mapping[str, str] = {
    "nobody": "sends no `authorization`",
    "unreadable": "sends one that is no bearer token",
    "nowhere": "sends a token that no table has given",
    "other": "sends the token of another seat than the one that it acts for",
    "seat": "sends the token of that seat",
    "host": "sends the `host_token` that `CreateTable` gave, or the token of the account that made the table",
    "invited": "sends the `invitation_token`, which only private tables have",
    "spectator": "sends the `spectator_token`, which only private tables have",
    "sitting": "sends the token of the account that has taken that seat",
    "stranger": "sends the token of an account that has nothing to do with the table",
    "expected": "sends the token of an account for which the other seat is kept, and which has not taken it yet",
}

ALLOWED = "allowed"
NONE = "-"
MEANINGS: Mapping[str, str] = {
    ALLOWED: "It is done, if nothing else speaks against it.",
    "shown": "The table is in the list.",
    "hidden": "The table is not in the list.",
    NONE: "There is no such caller: only private tables have this secret, or nobody sits there yet.",
    "TOKEN_MISSING": "`UNAUTHENTICATED`: the call needs an `authorization`, and has none.",
    "TOKEN_MALFORMED": "`UNAUTHENTICATED`: it has one that cannot be read.",
    "TOKEN_UNKNOWN": "`PERMISSION_DENIED`: the caller has no seat at this table.",
    "NOT_YOUR_SEAT": "`PERMISSION_DENIED`: the caller has a seat, but not the one named in the request.",
    "NOT_THE_HOST": "`PERMISSION_DENIED`: only the host may do that.",
    "INVITATION_NEEDED": "`PERMISSION_DENIED`: the caller may see the table, but not sit down.",
    "SEAT_KEPT": "`PERMISSION_DENIED`: the seat waits for another account.",
    "UNKNOWN_TABLE": "`NOT_FOUND`: to this caller the table does not exist, word for word as if its id were made up.",
    "ACCOUNT_REQUIRED": "`UNAUTHENTICATED`: this server wants the token of an account.",
}
"""The words of cells."""

KINDS: Mapping[str, str] = {
    "public": "Public tables",
    "link": "Tables by link",
    "private": "Private tables",
    "required": "Where the server wants accounts (`required`)",
}

ROWS: Mapping[str, str] = {
    "JoinTable:kept": "JoinTable, a seat kept for an account",
    "Act:validate_only": "Act, `validate_only`",
    "LeaveTable:unnamed": "LeaveTable, no seat named",
}
"""How rows are called that are not all of their rpc."""


@dataclass(frozen=True, slots=True)
class Row:
    """What every caller is answered by one rpc at one kind of table."""

    kind: str
    name: str  # the rpc, or the rpc and what is special
    cells: Mapping[str, str]

    @property
    def rpc(self) -> str:
        return self.name.partition(":")[0]


def rows() -> list[Row]:
    """The rows of cells.txt."""
    found = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        kind, name, *cells = words
        found.append(Row(kind, name, dict(zip(CALLERS, cells, strict=True))))
    return found
