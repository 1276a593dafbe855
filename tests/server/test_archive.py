"""Archives: events come out as they went in, or not at all."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore_server.errors import NotNow
from bgcore_server.store import Event
from bgcore_server.store.archive import FORM, Packed, pack, unpack

TEXTS = st.text(st.characters(), max_size=40)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
DIGESTS = st.dictionaries(TEXTS, JSON, max_size=5)
TIMES = st.integers(-(1 << 63), (1 << 63) - 1)
HAPPENED = st.tuples(TIMES, st.sampled_from([None, 0, 1]), TEXTS, TEXTS)


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    """Logs, with anything for texts."""
    happened = draw(st.lists(HAPPENED, max_size=12))
    return [Event(revision, *one) for revision, one in enumerate(happened, 1)]


def usual(count: int) -> list[Event]:
    """A log of plays, with random request ids."""
    play = '{{"kind":"play","seat":"{}","play":"{}/{} 6/5"}}'
    return [
        Event(
            n, 1_800_000_000_000_000 + n * 7_654_321, n % 2, f"id {n}", play.format("white", n, 1)
        )
        for n in range(1, count + 1)
    ]


@given(logs(), DIGESTS)
def test_what_is_packed_comes_out_again(log: list[Event], digest: dict[str, object]) -> None:
    packed = unpack(pack(log, digest))
    assert packed == Packed(tuple(log), digest)
    assert packed.revision == len(log)


@given(logs(), st.data())
def test_a_body_of_which_a_part_is_missing_is_damaged(
    log: list[Event], data: st.DataObject
) -> None:
    body = pack(log, {"at": len(log)})
    with pytest.raises(NotNow) as refused:
        unpack(body[: data.draw(st.integers(0, len(body) - 1))])
    assert refused.value.reason == "ARCHIVE_DAMAGED"


@given(logs(), st.data())
def test_a_body_with_another_byte_is_damaged(log: list[Event], data: st.DataObject) -> None:
    body = bytearray(pack(log, {"at": len(log)}))
    at = data.draw(st.integers(0, len(body) - 1))
    body[at] ^= data.draw(st.integers(1, 255))
    with suppress(NotNow):
        # Some bits of a stream mean nothing, so that the same comes out.
        assert unpack(bytes(body)) == Packed(tuple(log), {"at": len(log)})


@given(st.binary(max_size=200), st.booleans())
def test_bytes_that_are_no_archive_are_damaged(body: bytes, in_form: bool) -> None:
    with pytest.raises(NotNow):
        unpack(bytes([FORM]) * in_form + body)


def test_an_archive_with_something_behind_it_is_damaged() -> None:
    with pytest.raises(NotNow):
        unpack(pack(usual(3), {}) + b"\0")


def test_an_archive_of_a_later_form_says_so() -> None:
    with pytest.raises(NotNow) as refused:
        unpack(bytes([FORM + 1]) + b"whatever")
    assert refused.value.faults[0].value == f"form {FORM + 1}"
    assert refused.value.faults[0].expected == f"form {FORM}"


@pytest.mark.parametrize("revisions", [(2, 3), (1, 3), (1, 1), (0, 1)])
def test_only_a_log_from_its_beginning_can_be_packed(revisions: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="expected"):
        pack([Event(revision, 1, None, "", "{}") for revision in revisions], {})


@pytest.mark.parametrize("digest", [{"a": (1, 2)}, {1: 2}, {"a": float("nan")}])
def test_a_digest_that_would_come_back_as_another_is_refused(digest: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="digest"):
        pack([], digest)


def test_an_archive_is_much_shorter_than_its_events() -> None:
    log = usual(500)
    assert len(pack(log, {})) * 5 < sum(len(event.body) for event in log)
