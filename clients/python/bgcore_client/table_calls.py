"""What can be asked of a table, each call described once."""

from __future__ import annotations

from bgcore_client import messages
from bgcore_client.binding import one, pages, watching
from bgcore_client.call import Call, Pages
from bgcore_client.values import named
from bgcore_client.watch import Watch

COLUMNS = messages.PLAY_VIEW_COLUMNS
DEFAULT_VIEW = messages.PLAY_VIEW_UNSPECIFIED


class TableCalls:
    """What can be asked of a table by anybody who knows its id."""

    id: str

    @one
    def get(self, view: messages.PlayView = COLUMNS) -> Call[messages.GetTableResponse]:
        """The table as it is: who sits there, where the match stands, who must decide what."""
        request = messages.GetTableRequest(table=self.id, view=view)
        return Call.of(request, messages.GetTableResponse)

    @pages
    def events(
        self,
        after: int = 0,
        *,
        states: bool = False,
        view: messages.PlayView = DEFAULT_VIEW,
        page_size: int = 0,
    ) -> Pages[messages.Event]:
        """All that has happened after a revision."""
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
        view: messages.PlayView = DEFAULT_VIEW,
        page_size: int = 0,
        page_token: str = "",
    ) -> Call[messages.ListEventsResponse]:
        """One page of it."""
        request = messages.ListEventsRequest(
            table=self.id,
            after_revision=after,
            states=states,
            view=view,
            page_size=page_size,
            page_token=page_token,
        )
        return Call.of(request, messages.ListEventsResponse)

    @one
    def export(
        self, format: messages.MatchFormat | str = messages.MATCH_FORMAT_RECORD
    ) -> Call[messages.ExportMatchResponse]:
        """The match so far as the text of a file: our "record", a "match_text", "sgf"."""
        chosen = named(messages.MatchFormat, format)
        request = messages.ExportMatchRequest(table=self.id, format=chosen)
        return Call.of(request, messages.ExportMatchResponse)

    @one
    def verify_dice(self) -> Call[messages.VerifyDiceResponse]:
        """Whether every throw follows from the seeds, as the server says. `dice.check` need not believe it.

        `FailedPrecondition` while the match is on, and where the dice are not committed.
        """
        return Call.of(messages.VerifyDiceRequest(table=self.id), messages.VerifyDiceResponse)

    @watching
    def watch(self, after: int | None = None, *, view: messages.PlayView = DEFAULT_VIEW) -> Watch:
        """What happens from now on, or after a revision, without an end.

        The first news is the table as it is, or the event after the revision, then every event. Where
        the connection is lost the watch comes back by itself; no event is left out or told twice.
        `OutOfRange` where the revision has not been reached yet.
        """
        return Watch(self.id, after, view)
