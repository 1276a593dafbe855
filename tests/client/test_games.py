"""House rules and rotations from plain values, and the double that a player names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bgcore_client import WHITE, Client, SeatKey, actions, house, messages, rotation, variant
from tests.client.fake import FakeServer

KITCHEN = house(
    "western",
    id="kitchen",
    title="Kitchen table",
    summary="As we play it.",
    start={24: 2, 23: 2},
    options=["opening_roll"],
    bundles={"quick": {"match_length": 1}},
    bear_off="exact",
    cube=False,
)


def test_house_rules_are_a_parent_and_what_differs() -> None:
    assert (
        messages.VariantSpec(
            base="western",
            id="kitchen",
            title="Kitchen table",
            summary="As we play it.",
            axes={
                "bear_off": messages.OptionValue(text="exact"),
                "cube": messages.OptionValue(flag=False),
            },
            start=messages.SpecStart(points={24: 2, 23: 2}),
            options=messages.SpecOptions(names=["opening_roll"]),
            bundles={
                "quick": messages.SpecBundle(
                    options={"match_length": messages.OptionValue(integer=1)}
                )
            },
        )
        == KITCHEN
    )


def test_what_house_rules_do_not_say_is_as_in_the_parent() -> None:
    assert house("tavla") == messages.VariantSpec(base="tavla")
    said = house("tavla", start={}, options=[])
    assert (said.HasField("start"), said.HasField("options")) == (True, True)


def test_house_rules_are_a_variant_with_preset_and_options() -> None:
    chosen = variant(KITCHEN, "quick", opening_roll="reroll")
    assert (chosen.spec, chosen.preset) == (KITCHEN, "quick")
    assert chosen.options["opening_roll"].text == "reroll"


def test_a_rotation_is_one_of_the_servers_or_a_list_of_games() -> None:
    tavli = rotation("tavli", draw_policy="advance", match_length=7)
    assert (tavli.id, tavli.draw_policy, len(tavli.games)) == (
        "tavli",
        messages.DRAW_POLICY_ADVANCE,
        0,
    )
    assert tavli.options["match_length"].integer == 7
    assert not tavli.HasField("start_index")
    plakoto = variant("plakoto", mother_rule=True)
    mine = rotation("portes", plakoto, KITCHEN, start_index=0)
    assert (mine.id, mine.HasField("start_index")) == ("", True)
    assert list(mine.games) == [variant("portes"), plakoto, variant(KITCHEN)]
    assert list(rotation(KITCHEN).games) == [variant(KITCHEN)]  # for the server to refuse


MAKE: list[Callable[[Client, Any], object]] = [
    lambda client, how: client.create_table(**how),
    lambda client, how: client.seat(SeatKey("t1", WHITE, "secret")).rematch(**how),
]


def asked(server: FakeServer) -> Any:
    sent: Any = server.requests[-1]
    return sent.action.rematch if isinstance(sent, messages.ActRequest) else sent


@pytest.mark.parametrize("make", MAKE)
def test_a_table_or_a_rematch_has_a_rotation_or_house_rules(
    make: Callable[[Client, Any], object],
) -> None:
    with FakeServer() as server, Client(server.target) as client:
        mine = rotation("tavla", KITCHEN, match_length=3)
        make(client, {"rotation": mine, "options": {"match_length": 9}})
        assert list(asked(server).rotation.games) == list(mine.games)
        assert asked(server).rotation.options["match_length"].integer == 9
        assert not asked(server).HasField("variant")
        assert mine.options["match_length"].integer == 3
        make(client, {"rotation": "tavli"})
        assert asked(server).rotation == rotation("tavli")
        make(client, {"variant": KITCHEN, "options": {"match_length": 9}})
        assert asked(server).variant == variant(KITCHEN, match_length=9)
        with pytest.raises(ValueError, match="none beside a rotation"):
            make(client, {"variant": "tavla", "rotation": "tavli"})


def test_what_house_rules_come_to_is_asked_as_of_a_variant() -> None:
    with FakeServer() as server, Client(server.target) as client:
        client.get_variant(KITCHEN)
        client.get_outcome(KITCHEN, messages.Position())
    assert server.requests == [
        messages.GetVariantRequest(spec=KITCHEN),
        messages.GetOutcomeRequest(variant=variant(KITCHEN), position=messages.Position()),
    ]


def test_a_double_is_named() -> None:
    with FakeServer() as server, Client(server.target) as client:
        client.seat(SeatKey("t1", WHITE, "secret")).name_double(4)
    [sent] = server.requests
    assert isinstance(sent, messages.ActRequest)
    assert sent.action == actions.name_double(4)
    assert sent.action.name_double.number == 4
