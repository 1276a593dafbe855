"""VariantService: what a client needs to offer, draw and explain a variant it has never heard of."""

from __future__ import annotations

import pytest

import bgcore
from bgcore.axes import Axis
from bgcore.option import OptionType
from bgcore.registry import Entry
from bgcore.resolve import options_of
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import variant_service_pb2 as variants
from bgcore_server.convert.options import option_value
from bgcore_server.limit_settings import QuotaSettings
from bgcore_server.operator_settings import OperatorSettings
from bgcore_server.rules_text import WORDS, rules_text
from bgcore_server.server import limits
from bgcore_variants.western import WESTERN
from tests.server.helpers import Client

IDS = sorted(entry.variant.id for entry in bgcore.load())


async def test_variants_come_in_pages_by_id(client: Client) -> None:
    request = variants.ListVariantsRequest(page_size=3)
    found = []
    while True:
        page = await client.ListVariants(request)
        found += [variant.id for variant in page.variants]
        if not page.next_page_token:
            break
        assert len(page.variants) == 3
        request.page_token = page.next_page_token
    assert found == IDS


async def test_each_says_which_plugin_it_comes_from(client: Client) -> None:
    answer = await client.ListVariants(variants.ListVariantsRequest())
    assert {variant.plugin.distribution for variant in answer.variants} == {"bgcore"}
    assert {plugin.state for plugin in answer.plugins} == {variants.PLUGIN_STATE_LOADED}


@pytest.mark.parametrize("id", IDS)
async def test_a_variant_tells_all_that_a_form_needs(client: Client, id: str) -> None:
    variant = (await client.GetVariant(variants.GetVariantRequest(id=id))).variant
    assert variant.summary.id == id
    assert variant.rules_text.startswith(variant.summary.summary)
    rules = bgcore.load().rules(id)
    assert {option.name for option in variant.options} == set(rules.options)
    for option in variant.options:
        assert option.meaning
        assert option.type
        assert option.scope
        assert option.default.WhichOneof("kind")
        if option.type == variants.OPTION_TYPE_WORD:
            assert option.default in option.values
    for preset in variant.presets:
        assert set(preset.options) == set(rules.options)


@pytest.mark.parametrize("id", IDS)
async def test_the_geometry_puts_the_sides_where_they_meet(client: Client, id: str) -> None:
    variant = (await client.GetVariant(variants.GetVariantRequest(id=id))).variant
    rules = bgcore.load().rules(id)
    geometry = variant.geometry
    assert sorted(geometry.white.points) == sorted(geometry.black.points) == list(range(1, 25))
    for point in range(1, 25):
        place = geometry.white.points[point - 1]
        assert place == geometry.black.points[rules.opponents_point(point) - 1]
    assert geometry.white.off != geometry.white.unentered


async def test_the_start_is_drawn_for_both(client: Client) -> None:
    variant = (await client.GetVariant(variants.GetVariantRequest(id="backgammon"))).variant
    assert variant.start.white == variant.start.black
    assert variant.start.white.points[23] == 2
    assert variant.start.on_roll == pb.SEAT_UNSPECIFIED
    assert {level.level: level.points for level in variant.levels} == {1: 1, 2: 2, 3: 3}
    gul_bara = (await client.GetVariant(variants.GetVariantRequest(id="gul_bara"))).variant
    assert gul_bara.geometry.black.points[0] == 13
    assert gul_bara.geometry.black.off == 29


async def test_the_server_says_what_it_is(client: Client) -> None:
    info = await client.GetServerInfo(variants.GetServerInfoRequest())
    assert info.kernel == bgcore.kernel.KERNEL
    assert info.api_level == 3
    assert info.server_version
    assert set(info.rules_versions) == set(IDS)
    assert info.limits.message_bytes == 1 << 20
    assert {"greedy", "random"} <= set(info.bots)


async def test_the_rules_in_words_are_those_of_the_variant(client: Client) -> None:
    text = {
        name: (await client.GetVariant(variants.GetVariantRequest(id=name))).variant.rules_text
        for name in ("western", "plakoto", "gul-bara")
    }
    assert "2 on the 24-point, 5 on the 13-point" in text["western"]
    assert "It goes up to 64." in text["western"]
    assert "pinned" in text["plakoto"]
    assert "**Cube.** None." in text["plakoto"]
    assert "my 24-point is the opponent's 12-point" in text["gul-bara"]
    assert "**Limits.**" not in text["western"] + text["plakoto"] + text["gul-bara"]


@pytest.mark.parametrize(
    ("id", "told"),
    [
        ("moultezim", "At most 4 of one's own points 12 to 7 may be held at once."),
        ("fevga", "no second one may leave. At most 5 of one's own points 24 to 19"),
        ("long-nardy", "in a turn, on a player's first roll two with 3-3, 4-4 and 6-6."),
        ("long-nardy", "Six points in a row, along the opponent's way,"),
        ("tabula", "With checkers to enter, none may come past its 13-point."),
        ("dutch", "Nobody hits before one of his own checkers is home."),
        ("jacquet", "come to its 6-point, no second one may leave."),
    ],
)
def test_the_limits_of_a_variant_are_told(id: str, told: str) -> None:
    assert told in rules_text(bgcore.load().rules(id))


def test_who_wins_by_another_rule_is_told_by_the_summary_alone() -> None:
    text = rules_text(bgcore.load().rules("misere"))
    assert "borne off everything first loses" in text
    assert "wins." not in text


@pytest.mark.parametrize("entry", list(bgcore.load()), ids=lambda entry: str(entry.variant.id))
def test_every_value_of_every_option_has_words(entry: Entry) -> None:
    for option in options_of(entry.variant).values():
        words = option.values if option.type is OptionType.WORD else ()
        for word in words:
            rules = bgcore.load().rules(entry.variant.id, options={option.name: word})
            assert "{" not in rules_text(rules)


def test_every_word_of_an_axis_is_explained() -> None:
    for axis, words in WORDS.items():
        values: type[Axis] = type(getattr(WESTERN, axis))
        assert set(words) == set(values), axis


@pytest.mark.parametrize("id", IDS)
async def test_it_tells_what_holds_in_money_sessions_where_that_is_another(
    client: Client, id: str
) -> None:
    variant = (await client.GetVariant(variants.GetVariantRequest(id=id))).variant
    session = bgcore.load().rules(id, options={"match_length": None}).options
    match = bgcore.load().rules(id, options={"match_length": 7}).options
    for option in variant.options:
        if option.name == "match_length":
            continue
        told = option.money_default if option.HasField("money_default") else option.default
        assert told == option_value(session[option.name]), option.name
        assert option.default == option_value(match[option.name]), option.name


async def test_jacoby_is_the_rule_of_money_sessions(client: Client) -> None:
    variant = (await client.GetVariant(variants.GetVariantRequest(id="western"))).variant
    told = {option.name: option for option in variant.options}
    assert not told["jacoby"].default.flag
    assert told["jacoby"].money_default.flag
    assert told["flag_loses"].default.text == "match"
    assert told["flag_loses"].money_default.text == "game"
    assert {name for name in told if told[name].HasField("money_default")} == {
        *("jacoby", "flag_loses")
    }


@pytest.mark.parametrize(
    ("quota", "told"),
    [
        ({}, (500, 2000, 200, 1000)),
        (
            {"token_requests": 0, "token_watches": 0, "account_tables": 0},
            (1000, 5000, 1000, 2000),
        ),
        (
            {"address_requests": 0, "address_watches": 0, "address_tables": 0},
            (500, 2000, 200, 1000),
        ),
        (
            {"address_requests": 20.5, "address_watches": 30, "address_tables": 40},
            (21, 2000, 30, 40),
        ),
        (
            dict.fromkeys(
                (
                    *("address_requests", "token_requests", "address_watches"),
                    *("token_watches", "address_tables", "account_tables"),
                ),
                0,
            ),
            (0, 0, 0, 0),
        ),
    ],
)
def test_of_two_limits_the_smaller_is_told(quota: dict[str, float], told: tuple[int, ...]) -> None:
    found = limits(OperatorSettings(quota=QuotaSettings(**quota)))  # type: ignore[arg-type]
    assert (
        found.requests_per_second,
        found.request_burst,
        found.watches,
        found.tables_per_hour,
    ) == told
