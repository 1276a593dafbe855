"""Notations of plugins: found by their ids and by how a text begins, and looked at when they are used."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bgcore import Match, NotationError, PluginError, load
from bgcore.errors import Fault, PluginFailed
from bgcore.notation.brought import LONGEST_MATCH, LONGEST_POSITION, situations
from bgcore.notation.formats import (
    FORMATS,
    MatchFormat,
    PositionFormat,
    format_of,
    formats,
    guess,
    guess_match,
    looked_at,
)
from bgcore.notation.situation import Situation
from bgcore.plugin import Plugin
from bgcore.record import Record

from . import brought
from .brought import BAD, PLUGIN, SHOUT, SHOUTED, registry

KNOWN = registry()
WESTERN = KNOWN.rules("western")
MATCH = Match.new(WESTERN)


def test_they_are_found_by_their_ids_behind_those_of_the_engine() -> None:
    assert list(formats()) == list(FORMATS)
    assert list(formats(KNOWN)) == [*FORMATS, "shout", "shouted", *(one.id for one in BAD)]
    assert format_of("Hoarse_Match", KNOWN).title == "a match, shouted"
    with pytest.raises(NotationError, match="format shout: expected one of record"):
        format_of("shout")


def test_a_text_that_looks_like_none_of_the_engine_may_look_like_one_of_theirs() -> None:
    found = guess("BOARD! 24:2 / 13:1", KNOWN)
    assert found is not None
    assert found.id == "shout"
    assert guess("BOARD! 24:2 / 13:1") is None
    assert guess_match("MATCH!", KNOWN).id == "shouted"
    assert guess_match("MATCH!").id == "mat"
    assert guess("24:2 / 13:1", KNOWN) is FORMATS["text"]


def test_one_that_ends_the_process_when_asked_is_not_guessed() -> None:
    def suits(text: str) -> bool:
        raise SystemExit(3)

    known = load().using(Plugin("mine"))
    known.add_notation(replace(FORMATS["text"], id="ends", suits=suits))
    assert guess("nothing of the kind", known) is guess("nothing of the kind")


def test_what_they_write_they_read() -> None:
    shout, shouted = format_of("shout", KNOWN), format_of("shouted", KNOWN)
    assert isinstance(shout, PositionFormat)
    assert isinstance(shouted, MatchFormat)
    assert shout.read
    text = shout.write(Situation.of(MATCH), WESTERN)
    assert text.startswith("BOARD! 24:2")
    assert shout.write(shout.read(text, WESTERN), WESTERN) == text
    with pytest.raises(NotationError, match="expected BOARD! before it"):
        shout.read("24:2", WESTERN)
    [again] = shouted.read(shouted.write(Record.of(MATCH), KNOWN), KNOWN)
    assert again.record == Record.of(MATCH)


@pytest.mark.parametrize("name", [one.id for one in BAD])
def test_what_they_raise_or_give_that_is_none_is_their_failure(name: str) -> None:
    form = format_of(name, KNOWN)
    if isinstance(form, MatchFormat):
        with pytest.raises(PluginFailed, match=f"notation {name} (raised|gave)"):
            form.write(Record.of(MATCH), KNOWN)
        with pytest.raises(PluginFailed, match=f"notation {name} (raised|gave)"):
            list(form.read(brought.write_shouted(Record.of(MATCH), KNOWN), KNOWN))
    else:
        assert form.read
        with pytest.raises(PluginFailed, match=f"notation {name} (raised|gave)"):
            form.write(Situation.of(MATCH), WESTERN)
        with pytest.raises(PluginFailed, match=f"notation {name} (raised|gave)"):
            form.read("BOARD! 24:2 / 24:2", WESTERN)


@pytest.mark.parametrize(
    "faults",
    [
        ("oops",),
        (Fault("BAD", "text", "\ud800", "x"),),
        (Fault(None, None, None, None),),  # type: ignore[arg-type]
        (Fault("BAD", line=True),),
        (Fault("BAD", line=-1),),
        (Fault("BAD", value="x" * 3_000_000),),
        (Fault("BAD"),) * 2000,
    ],
)
def test_a_refusal_that_cannot_be_told_is_their_failure(faults: Any) -> None:
    def refuses(*_: object) -> Any:
        raise NotationError(*faults)

    with pytest.raises(PluginFailed, match="notation odd raised"):
        situations("odd", refuses)("text")
    sound = Fault("BAD", "text", "x" * 100_000, "less")
    with pytest.raises(NotationError) as refused:
        situations("odd", raises_error(sound))("text")
    assert refused.value.faults == (sound,)


def raises_error(fault: Fault) -> Any:
    def refuses(*_: object) -> Any:
        raise NotationError(fault)

    return refuses


@pytest.mark.parametrize(("form", "longest"), [(SHOUT, LONGEST_POSITION), (SHOUTED, LONGEST_MATCH)])
def test_what_they_write_has_an_end(form: Any, longest: int) -> None:
    for text in ("x" * longest, "é" * (longest // 2)):
        made = replace(form, id="long", write=lambda *_, told=text: told)
        assert looked_at(made).write(None, None) == text  # type: ignore[arg-type]
        made = replace(made, write=lambda *_, told=text: f"{told}x")
        with pytest.raises(PluginFailed, match=rf"notation long gave .* at most {longest}"):
            looked_at(made).write(None, None)  # type: ignore[arg-type]


class Another(str):
    """A text that is another each time."""

    def __str__(self) -> str:
        return "another"

    def encode(self, *_: object) -> bytes:
        return b""

    def __len__(self) -> int:
        return 0


def test_a_text_is_what_it_is() -> None:
    made = replace(SHOUT, id="another", write=lambda *_: Another("x" * 300_000))
    with pytest.raises(PluginFailed, match="notation another gave a text of 300000 bytes"):
        looked_at(made).write(None, None)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["record", "report", "match"])
def test_a_match_that_is_read_has_all_its_parts(name: str) -> None:
    def read(text: str, *given: Any, **named: Any) -> Any:
        for match in brought.read_shouted(text, *given, **named):
            yield replace(match, **{name: "nothing"})

    form = looked_at(replace(SHOUTED, id="parts", read=read))
    assert isinstance(form, MatchFormat)
    with pytest.raises(PluginFailed, match="notation parts gave nothing: expected a"):
        list(form.read(brought.write_shouted(Record.of(MATCH), KNOWN), KNOWN))


def test_it_is_known_which_plugin_brought_what() -> None:
    assert KNOWN.origin("notations", "shout") == PLUGIN
    assert KNOWN.using(Plugin("another")).origin("notations", "shout") == PLUGIN
    assert KNOWN.origin("notations", "sgf").name == "engine"
    assert KNOWN.origin("rotations", "tavli").distribution == "bgcore"


@pytest.mark.parametrize("suffixes", [(), ("txt",), (".a/b",), (".txt", 3), ".txt"])
def test_the_endings_of_its_files_are_endings(suffixes: object) -> None:
    wrong = replace(SHOUT, id="other", suffixes=suffixes)  # type: ignore[arg-type]
    with pytest.raises(PluginError, match="notation suffixes"):
        load().using(PLUGIN).add_notation(wrong)
