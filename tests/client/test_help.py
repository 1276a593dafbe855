"""What `help`, `inspect` and `print` tell of a client."""

from __future__ import annotations

import inspect
import pydoc
from typing import Any

import pytest

from bgcore_client import WHITE, AsyncClient, AsyncTable, Client, Seat, SeatKey, Table, messages
from bgcore_client.binding import Many, One
from bgcore_client.values import named
from tests.client.fake import FakeServer

CLASSES = (Client, AsyncClient, Table, AsyncTable, Seat)
CALLS = [
    (kind, name)
    for kind in CLASSES
    for name in dir(kind)
    if isinstance(inspect.getattr_static(kind, name), One | Many)
]


@pytest.mark.parametrize(("kind", "name"), CALLS)
def test_every_call_has_words_a_name_and_a_signature(kind: type, name: str) -> None:
    call = getattr(kind, name)
    assert call.__name__ == name
    assert inspect.getdoc(call)
    signature = inspect.signature(call)
    assert next(iter(signature.parameters)) == "self"
    assert inspect.unwrap(call) is call.build
    assert not str(signature.return_annotation).startswith(("Call[", "Chain[", "Pages["))
    assert f"{name}(self" in pydoc.plain(pydoc.render_doc(call))


def test_a_signature_says_what_is_given() -> None:
    def gives(call: object) -> object:
        assert callable(call)
        return inspect.signature(call).return_annotation

    assert gives(Client.create_table) == "Table"
    assert gives(Client.get_variant) == "messages.Variant"
    assert gives(Client.variants) == "Iterator[messages.VariantSummary]"
    assert gives(Table.watch) == "Iterator[News]"
    assert gives(Table.join) == "Seat"


def test_a_call_of_an_object_leaves_out_the_object() -> None:
    with Client("127.0.0.1:1") as client:
        assert list(inspect.signature(client.get_variant).parameters) == ["id"]
        assert client.get_variant.__doc__ == Client.get_variant.__doc__
    with FakeServer() as server, Client(server.target) as client:
        assert isinstance(Client.get_variant(client, "western"), messages.Variant)
        assert list(Client.variants(client)) == []


def test_printed_they_are_short() -> None:
    with Client("127.0.0.1:1") as client:
        assert repr(client) == "<Client of 127.0.0.1:1>"
        assert repr(client.table("t1")) == "<Table t1>"
        seat = client.seat(SeatKey("t1", WHITE, "secret"))
        assert repr(seat) == "<Seat white of table t1>"


@pytest.mark.parametrize("word", ["committed", "Committed", " DICE_MODE_COMMITTED"])
def test_a_word_stands_for_an_enumeration(word: str) -> None:
    with FakeServer() as server, Client(server.target) as client:
        client.create_table("tavla", dice=word, visibility="link")
    [request] = server.requests
    assert isinstance(request, messages.CreateTableRequest)
    assert request.dice_mode == messages.DICE_MODE_COMMITTED
    assert request.visibility == messages.VISIBILITY_LINK


@pytest.mark.parametrize("word", ["fair", "", "unspecified", "dice_mode_", "2"])
def test_an_unknown_word_is_refused_with_the_known_ones(word: str) -> None:
    with pytest.raises(ValueError, match="expected one of 'system', 'seeded', 'manual', 'comm"):
        named(messages.DiceMode, word)


def test_words_go_with_every_call_that_takes_an_enumeration() -> None:
    with FakeServer() as server, Client(server.target) as client:
        client.convert_position("western", "4HPwATDgc/ABMA", "xgid", "svg")
        client.format_match("a match", "sgf", source_format="match-text")
        client.replay_match("a match", "record")
        client.table("t1").export("sgf")
        client.seat(SeatKey("t1", WHITE, "secret")).resign("gammon")
        list(client.tables(status="playing"))
        client.table("t1").join("black")
    sent: list[Any] = list(server.requests)
    converted, formatted, replayed, exported, resigned, listed, _, joined = sent
    assert converted.target_formats == [
        messages.POSITION_FORMAT_XGID,
        messages.POSITION_FORMAT_SVG,
    ]
    assert formatted.format == messages.MATCH_FORMAT_SGF
    assert formatted.source_format == messages.MATCH_FORMAT_MATCH_TEXT
    assert replayed.format == messages.MATCH_FORMAT_RECORD
    assert exported.format == messages.MATCH_FORMAT_SGF
    assert resigned.action.resign.level == messages.LEVEL_GAMMON
    assert listed.status == messages.TABLE_STATUS_PLAYING
    assert joined.seat == messages.SEAT_BLACK
