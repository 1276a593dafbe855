"""What can be asked of a server, each call described once."""

from __future__ import annotations

from collections.abc import Iterable

from bgcore_client import messages
from bgcore_client.actions import PlayLike, play_message
from bgcore_client.batch import Batch, PositionLike, pack_all, pack_dice
from bgcore_client.binding import one, pages
from bgcore_client.call import Call, Pages
from bgcore_client.given import made, refused
from bgcore_client.plays import Plays
from bgcore_client.values import VariantLike, named, variant_ref

COLUMNS = messages.PLAY_VIEW_COLUMNS


class ServerCalls:
    """What can be asked of a server."""

    # -- variants and the server --------------------------------------------------------------------

    @one
    def get_server_info(self) -> Call[messages.GetServerInfoResponse]:
        """Versions, kernel, limits, bots."""
        return Call.of(messages.GetServerInfoRequest(), messages.GetServerInfoResponse)

    @pages
    def variants(self, page_size: int = 0) -> Pages[messages.VariantSummary]:
        """All variants, by id."""
        call = ServerCalls.list_variants.build(self, page_size)
        return Pages(call, lambda page: page.variants)

    @one
    def list_variants(
        self, page_size: int = 0, page_token: str = ""
    ) -> Call[messages.ListVariantsResponse]:
        """One page of them; on the first also the plugins."""
        request = made(messages.ListVariantsRequest, page_size=page_size, page_token=page_token)
        return Call.of(request, messages.ListVariantsResponse)

    @one
    def get_variant(self, id: str | messages.VariantSpec) -> Call[messages.Variant]:
        """Options, presets, geometry, start and rules text of a variant, or of what house rules come to."""
        if not isinstance(id, str | messages.VariantSpec):
            raise refused("id", id, "an id, or house rules such as house() makes")
        request = (
            messages.GetVariantRequest(id=id)
            if isinstance(id, str)
            else messages.GetVariantRequest(spec=id)
        )
        call = Call.of(request, messages.GetVariantResponse)
        return call.then(lambda response: response.variant)

    # -- rules ---------------------------------------------------------------------------------------

    @one
    def check_position(
        self, variant: VariantLike, position: messages.Position
    ) -> Call[messages.CheckPositionResponse]:
        """Whether a position is possible, and all that is wrong with it if not."""
        request = made(
            messages.CheckPositionRequest, variant=variant_ref(variant), position=position
        )
        return Call.of(request, messages.CheckPositionResponse)

    @one
    def list_plays(
        self,
        variant: VariantLike,
        position: messages.Position,
        dice: Iterable[int],
        *,
        turn: messages.TurnContext | None = None,
        view: messages.PlayView | str = COLUMNS,
    ) -> Call[Plays]:
        """Every legal play of a roll."""
        request = made(
            messages.ListPlaysRequest,
            variant=variant_ref(variant),
            position=position,
            dice=dice,
            turn=turn,
            view=named(messages.PlayView, view),
        )
        call = Call.of(request, messages.ListPlaysResponse)
        return call.then(lambda response: Plays(response.plays))

    @one
    def batch_list_plays(
        self,
        variant: VariantLike,
        positions: bytes | Iterable[PositionLike],
        dice: bytes | Iterable[Iterable[int]],
        *,
        boards: bool = False,
    ) -> Call[Batch]:
        """Every legal play of up to 4,096 positions, each with its own roll; with `boards` also where they lead.

        Positions are messages, texts or packed bytes (see `bgcore_client.batch.pack`).
        """
        request = made(
            messages.BatchListPlaysRequest,
            variant=variant_ref(variant),
            positions=pack_all(positions),
            dice=pack_dice(dice),
            boards=boards,
        )
        return Call.of(request, messages.BatchListPlaysResponse).then(Batch)

    @one
    def list_steps(
        self,
        variant: VariantLike,
        position: messages.Position,
        dice: Iterable[int],
        steps: Iterable[messages.Step] = (),
        *,
        turn: messages.TurnContext | None = None,
    ) -> Call[messages.ListStepsResponse]:
        """The steps that may follow those already made, and whether the player may stop."""
        request = made(
            messages.ListStepsRequest,
            variant=variant_ref(variant),
            position=position,
            dice=dice,
            turn=turn,
            steps=steps,
        )
        return Call.of(request, messages.ListStepsResponse)

    @one
    def check_play(
        self,
        variant: VariantLike,
        position: messages.Position,
        dice: Iterable[int],
        play: PlayLike,
        *,
        turn: messages.TurnContext | None = None,
    ) -> Call[messages.CheckPlayResponse]:
        """Whether a play is legal; if not, the answer says why."""
        request = made(
            messages.CheckPlayRequest,
            variant=variant_ref(variant),
            position=position,
            dice=dice,
            turn=turn,
            play=play_message(play),
        )
        return Call.of(request, messages.CheckPlayResponse)

    @one
    def get_outcome(
        self, variant: VariantLike, position: messages.Position
    ) -> Call[messages.Outcome | None]:
        """How a game in a position ended; `None` while it runs."""
        request = made(messages.GetOutcomeRequest, variant=variant_ref(variant), position=position)
        call = Call.of(request, messages.GetOutcomeResponse)
        return call.then(
            lambda response: response.outcome if response.HasField("outcome") else None
        )

    # -- notations ------------------------------------------------------------------------------------

    @one
    def convert_position(
        self,
        variant: VariantLike,
        source: str | messages.Position,
        *targets: messages.PositionFormat | str,
        source_format: messages.PositionFormat | str = messages.POSITION_FORMAT_UNSPECIFIED,
        source_notation: str = "",
        notations: Iterable[str] = (),
        situation: messages.Situation | None = None,
    ) -> Call[messages.ConvertPositionResponse]:
        """A position in other words: read from a text or given, and written in each of the `targets`.

        Formats may be given as words: "xgid", "match_id", "position_id", "svg" and so on.
        Without targets it is written in every way that can tell all of it. `situation` says beside a
        position what a board does not tell: score, cube, dice. Notations that plugins brought are named by their
        ids: `source_notation`, and `notations` behind the targets.
        """
        request = made(
            messages.ConvertPositionRequest,
            variant=variant_ref(variant),
            text=source if isinstance(source, str) else None,
            position=None if isinstance(source, str) else source,
            source_format=named(messages.PositionFormat, source_format),
            source_notation=source_notation,
            target_formats=[named(messages.PositionFormat, target) for target in targets],
            target_notations=notations,
            situation=situation,
        )
        return Call.of(request, messages.ConvertPositionResponse)

    @one
    def replay_match(
        self,
        text: str,
        format: messages.MatchFormat | str = messages.MATCH_FORMAT_UNSPECIFIED,
        *,
        notation: str = "",
    ) -> Call[messages.ReplayMatchResponse]:
        """The matches of a file, played again; each says what in it breaks a rule.

        The format is told by how the text begins, unless it is given: "record", "match_text" or "sgf". Instead of it,
        `notation` is the id of one that a plugin brought.
        """
        chosen = named(messages.MatchFormat, format)
        request = made(messages.ReplayMatchRequest, text=text, format=chosen, notation=notation)
        return Call.of(request, messages.ReplayMatchResponse)

    @one
    def format_match(
        self,
        source: str | messages.ReplayedMatch,
        format: messages.MatchFormat | str = messages.MATCH_FORMAT_UNSPECIFIED,
        *,
        source_format: messages.MatchFormat | str = messages.MATCH_FORMAT_UNSPECIFIED,
        notation: str = "",
        source_notation: str = "",
    ) -> Call[str]:
        """A match in another form: that of a file with one match, or one that `replay_match` gave.

        Without a format it is our record. Notations that plugins brought are named by their ids instead.
        """
        request = made(
            messages.FormatMatchRequest,
            text=source if isinstance(source, str) else None,
            match=None if isinstance(source, str) else source,
            source_format=named(messages.MatchFormat, source_format),
            format=named(messages.MatchFormat, format),
            source_notation=source_notation,
            notation=notation,
        )
        call = Call.of(request, messages.FormatMatchResponse)
        return call.then(lambda response: response.text)

    # -- tables --------------------------------------------------------------------------------------

    @pages
    def tables(
        self,
        *,
        variant: str = "",
        status: messages.TableStatus | str = messages.TABLE_STATUS_UNSPECIFIED,
        page_size: int = 0,
    ) -> Pages[messages.Table]:
        """Public tables, the newest first; of a status: "waiting", "playing" or "finished"."""
        call = ServerCalls.list_tables.build(
            self, variant=variant, status=status, page_size=page_size
        )
        return Pages(call, lambda page: page.tables)

    @one
    def list_tables(
        self,
        *,
        variant: str = "",
        status: messages.TableStatus | str = messages.TABLE_STATUS_UNSPECIFIED,
        page_size: int = 0,
        page_token: str = "",
    ) -> Call[messages.ListTablesResponse]:
        """One page of them."""
        request = made(
            messages.ListTablesRequest,
            variant=variant,
            status=named(messages.TableStatus, status),
            page_size=page_size,
            page_token=page_token,
        )
        return Call.of(request, messages.ListTablesResponse)
