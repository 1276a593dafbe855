"""What can be asked of a table, each call described once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bgcore_client import messages
from bgcore_client.binding import one, pages, watching
from bgcore_client.call import Call, Pages, Repetition
from bgcore_client.given import made
from bgcore_client.values import named
from bgcore_client.watch import Watch

COLUMNS = messages.PLAY_VIEW_COLUMNS
DEFAULT_VIEW = messages.PLAY_VIEW_UNSPECIFIED


@dataclass(frozen=True, slots=True)
class TableKey:
    """What it takes to find a table again, and to do there what one may. Keep it for a table that you have made."""

    table: str
    token: str = field(default="", repr=False)
    """What is shown at the table: any secret of it, or a seat's. Empty: the account's token, or nothing."""
    host: str = field(default="", repr=False)
    """To close the table, and to free seats before the match has begun. It opens all that the others open."""
    invitation: str = field(default="", repr=False)
    """At a private table: to see it and to take a seat. For the players."""
    spectator: str = field(default="", repr=False)
    """At a private table: to see it. For those who only look on."""


class TableCalls:
    """What can be asked of a table. At a private one it takes a token: the host's, an invitation, a seat's."""

    key: TableKey

    @property
    def id(self) -> str:
        """The table's id, by which anybody finds it again."""
        return self.key.table

    @one
    def get(self, view: messages.PlayView | str = COLUMNS) -> Call[messages.GetTableResponse]:
        """The table as it is: who sits there, where the match stands, who must decide what."""
        request = made(messages.GetTableRequest, table=self.id, view=named(messages.PlayView, view))
        return Call.of(request, messages.GetTableResponse, self.key.token)

    @pages
    def events(
        self,
        after: int = 0,
        *,
        states: bool = False,
        view: messages.PlayView | str = DEFAULT_VIEW,
        page_size: int = 0,
    ) -> Pages[messages.Event]:
        """All that has happened after a revision.

        `OutOfRange` where the server does not keep these events one by one any more; it names the first that it does.
        """
        call = TableCalls.list_events.build(
            self, after, states=states, view=view, page_size=page_size
        )
        return Pages(call, lambda page: page.events)

    @one
    def list_events(
        self,
        after: int = 0,
        *,
        states: bool = False,
        view: messages.PlayView | str = DEFAULT_VIEW,
        page_size: int = 0,
        page_token: str = "",
    ) -> Call[messages.ListEventsResponse]:
        """One page of it."""
        request = made(
            messages.ListEventsRequest,
            table=self.id,
            after_revision=after,
            states=states,
            view=named(messages.PlayView, view),
            page_size=page_size,
            page_token=page_token,
        )
        return Call.of(request, messages.ListEventsResponse, self.key.token)

    @one
    def export(
        self,
        format: messages.MatchFormat | str = messages.MATCH_FORMAT_UNSPECIFIED,
        match_number: int = 0,
        *,
        notation: str = "",
    ) -> Call[messages.ExportMatchResponse]:
        """A match so far as the text of a file: our "record", a "match_text", "sgf". By default the last one here.

        Without a format it is our record. A `notation` that a plugin brought is named by its id instead.
        """
        chosen = named(messages.MatchFormat, format)
        request = made(
            messages.ExportMatchRequest,
            table=self.id,
            format=chosen,
            match_number=match_number,
            notation=notation,
        )
        return Call.of(request, messages.ExportMatchResponse, self.key.token)

    @one
    def verify_dice(self, match_number: int = 0) -> Call[messages.VerifyDiceResponse]:
        """Whether every throw follows from the seeds, as the server says. `dice.check` need not believe it.

        Of the last match here, or that of a number from 1. `FailedPrecondition` while the match is on, and where
        the dice are not committed.
        """
        request = made(messages.VerifyDiceRequest, table=self.id, match_number=match_number)
        return Call.of(request, messages.VerifyDiceResponse, self.key.token)

    @one
    def kick(self, seat: messages.Seat | str) -> Call[messages.LeaveTableResponse]:
        """Free a seat before the match has begun, as the host. Its player's token opens nothing any more.

        Where no answer comes (`Unavailable`, `DeadlineExceeded`), look at the table before you do it again:
        somebody else may sit there by now. So it is not repeated by itself.
        """
        request = made(messages.LeaveTableRequest, table=self.id, seat=named(messages.Seat, seat))
        call = Call.of(request, messages.LeaveTableResponse, self.key.token)
        return replace(call, repetition=Repetition.HARMS)

    @one
    def close(self, note: str = "") -> Call[messages.CloseTableResponse]:
        """Close the table for good, as the host; a match that runs is void. Everybody sees the note.

        Nothing happens at a table that is closed already.
        """
        request = made(messages.CloseTableRequest, table=self.id, note=note)
        return Call.of(request, messages.CloseTableResponse, self.key.token)

    @watching
    def watch(
        self, after: int | None = None, *, view: messages.PlayView | str = DEFAULT_VIEW
    ) -> Watch:
        """What happens from now on, or after a revision, without an end.

        The first news is the table as it is, or the event after the revision, then every event, those of
        another match too. Where the connection is lost the watch comes back by itself; no event is left out or
        told twice. Where the server does not keep the events in between one by one any more, the table as it is
        comes in their place. `OutOfRange` where the revision has not been reached yet.
        """
        return Watch(self.id, after, named(messages.PlayView, view), self.key.token)
