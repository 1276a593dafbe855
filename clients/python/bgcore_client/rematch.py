"""Asking for another match, and noting what its dice are checked with."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bgcore_client import actions, messages
from bgcore_client.call import Call, Chain, new_request_id
from bgcore_client.dice import seed_of
from bgcore_client.games import GamesWanted
from bgcore_client.seat_calls import How, SeatCalls, SeatKey


@dataclass(frozen=True, slots=True)
class Asked:
    """The key of a seat for the match that it has asked for, and what the server answered."""

    key: SeatKey
    answer: messages.ActResponse


def asking(seat: SeatCalls, rules: GamesWanted, dice_seed: str, how: How) -> Chain[Asked]:
    """Look at the table, then ask: what is noted of its dice is from before the server hears of the seed."""
    key, check = seat.key, how.get("validate_only", False)
    request_id = how.get("request_id") or new_request_id()

    def ask(seen: messages.GetTableResponse) -> Call[Asked]:
        committed = seen.table.dice_mode == messages.DICE_MODE_COMMITTED
        seed = dice_seed or (seed_of(request_id) if committed else "")

        def noted(answer: messages.ActResponse) -> Asked:
            if check:
                return Asked(key, answer)
            before = answer.first_revision > seen.state.revision
            begun = any(event.HasField("match_started") for event in answer.events)
            following = replace(
                key,
                dice_seed=seed,
                commitment=seen.state.next_commitment if before else "",
                match_number=answer.state.match_number + (not begun),
            )
            return Asked(following, answer)

        acting = how if check else How(**{**how, "request_id": request_id})
        return SeatCalls.act.build(seat, actions.rematch(**rules, dice_seed=seed), **acting).then(
            noted
        )

    request = messages.GetTableRequest(table=key.table, view=messages.PLAY_VIEW_NONE)
    return Chain(Call.of(request, messages.GetTableResponse, key.token), ask)
