"""House rules and rotations by the Python client, against a server that runs."""

from __future__ import annotations

import random

import pytest

from bgcore_client import (
    BLACK,
    WHITE,
    Client,
    InvalidArgument,
    Plays,
    Seat,
    actions,
    house,
    messages,
    rotation,
    variant,
)

KITCHEN = house(
    "western",
    title="Kitchen table",
    bear_off="exact",
    cube=False,
    start={24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
)
GIVING_UP = (messages.ACTION_KIND_RESIGN, messages.ACTION_KIND_RESIGN_MATCH)


def play_to_the_end(white: Seat, black: Seat) -> tuple[messages.TableState, set[int]]:
    """Plays whatever the server lists, both seats; the last state, and the games of the list that were on."""
    chance, seen = random.Random(7), set[int]()
    state = white.table.get().state
    while state.HasField("decision"):
        seen.add(state.match.rotation_index)
        kind = next(kind for kind in state.decision.kinds if kind not in GIVING_UP)
        seat = black if state.decision.seat == BLACK else white
        match kind:
            case messages.ACTION_KIND_PLAY:
                action = actions.play(chance.choice(Plays(state.decision.plays)))
            case messages.ACTION_KIND_NAME_DOUBLE:
                action = actions.name_double(chance.randint(1, 6))
            case _:
                action = actions.of_kind(kind)
        state = seat.act(action).state
    return state, seen


@pytest.mark.parametrize(
    ("games", "kinds"),
    [
        ({"variant": variant(KITCHEN, match_length=2)}, 1),
        ({"rotation": rotation(KITCHEN, "acey-deucey", match_length=5)}, 2),
        ({"rotation": "tavli", "options": {"match_length": 3}}, 2),
    ],
)
def test_a_match_is_played_and_its_record_replays(
    client: Client, games: dict[str, object], kinds: int
) -> None:
    table = client.create_table(**games)  # type: ignore[arg-type]
    state, seen = play_to_the_end(table.join(WHITE, "Ann"), table.join(BLACK, "Bob"))
    assert state.match.winner
    assert len(seen) >= kinds
    [replayed] = client.replay_match(table.export("record").text).matches
    assert not replayed.faults
    assert replayed.winner == state.match.winner


def test_every_fault_of_house_rules_is_told(client: Client) -> None:
    wrong = house("western", id="tavla", start={24: 20, 30: 1}, contcat="pin", gammon_value=9)
    assert {
        'variant.spec.axes["contcat"]',
        'variant.spec.axes["gammon_value"]',
        "variant.spec.id",
        "variant.spec.start",
        "variant.spec.start.points[30]",
    } == faults(client, variant=wrong)
    assert "rotation.games[1].spec.id" in faults(client, rotation=rotation("tavla", wrong))


def faults(client: Client, **games: object) -> set[str]:
    with pytest.raises(InvalidArgument) as refused:
        client.create_table(**games)  # type: ignore[arg-type]
    assert len(refused.value.violations) == 5
    return {violation.subject for violation in refused.value.violations}


def test_what_house_rules_come_to_is_told(client: Client) -> None:
    told = client.get_variant(KITCHEN)
    assert told.summary.title == "Kitchen table"
    assert told.start.white.points[22] == 2
