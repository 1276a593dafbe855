"""Values go to the wire and come back the same."""

from __future__ import annotations

import random

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given
from hypothesis import strategies as st

import bgcore
from bgcore import Action, Kind, Level, Roll, Rules, Seat
from bgcore.testing import self_play
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2, table_pb2, table_service_pb2
from bgcore_server.convert import actions, board, options, states
from bgcore_server.convert.wire import column, tag
from tests.server.model.messages import action_message

RULES = [bgcore.load().rules(entry.variant.id) for entry in bgcore.load()]
DICE = st.integers(1, 6)
SEATS = st.sampled_from(list(Seat))

ACTIONS = st.one_of(
    st.builds(Action.throw, DICE, DICE),
    st.builds(Action.roll, SEATS, DICE, DICE),
    st.builds(Action.play, SEATS, st.text(max_size=20)),
    st.builds(
        Action.play_steps,
        SEATS,
        st.lists(st.tuples(st.integers(1, 26), DICE), max_size=4).map(tuple),
    ),
    st.builds(Action.double, SEATS),
    st.builds(Action.take, SEATS),
    st.builds(Action.drop, SEATS),
    st.builds(Action.resign, SEATS, st.sampled_from(list(Level))),
    st.builds(
        lambda seat, accept: Action.answer_resignation(seat, accept=accept), SEATS, st.booleans()
    ),
    st.just(Action.next_game()),
)


@given(ACTIONS)
def test_an_action_comes_back_the_same(action: Action) -> None:
    seat = Seat.WHITE if action.seat is None else action.seat
    assert actions.action(action_message(action), seat) == action


def test_every_kind_of_action_has_its_number() -> None:
    assert set(actions.KINDS) == set(Kind)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: str(rules.variant.id))
def test_positions_and_plays_of_whole_games_come_back_the_same(rules: Rules) -> None:
    chance = random.Random(3)
    for _ in range(3):
        for visit in self_play(rules, chance):
            for seat in Seat:
                message = board.position_message(visit.position, seat, seat)
                raw = pb.Position.FromString(message.SerializeToString())
                assert board.position(rules, raw) == (visit.position, seat)
            listed = full(visit.plays)
            check_list(listed, visit.plays)


def full(plays: bgcore.Plays) -> pb.PlayList:
    return pb.PlayList.FromString(board.plays_bytes(plays, pb.PLAY_VIEW_FULL))


def check_list(listed: pb.PlayList, plays: bgcore.Plays | object) -> None:
    assert isinstance(plays, bgcore.play.Plays)
    at = 0
    for index, play in enumerate(plays):
        end = at + listed.lengths[index]
        steps = list(zip(listed.origins[at:end], listed.numbers[at:end], strict=True))
        assert steps == [(step.origin, step.number) for step in play.steps]
        assert [bool(hit) for hit in listed.hits[at:end]] == [step.hit for step in play.steps]
        assert [bool(pin) for pin in listed.pins[at:end]] == [step.pin for step in play.steps]
        assert listed.texts[index] == str(play)
        assert listed.boards[64 * index : 64 * index + 64] == play.after.packed
        at = end
    assert at == len(listed.origins)
    assert listed.numbers_used == plays.numbers_used


def test_a_long_list_is_columns_too() -> None:
    rules = bgcore.load().rules("western")
    side = pb.Side(points=[0, 0, 0, 0, 0, 3, 2, 2, 2, 0, 0, 0, 2, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1])
    far = pb.Side(points=[0] * 23 + [15])
    position, _ = board.position(rules, pb.Position(white=side, black=far, on_roll=pb.SEAT_WHITE))
    plays = rules.plays(position, Roll.of(1, 1))
    listed = full(plays)
    assert len(listed.origins) > 1000  # longer than one byte of length can say
    check_list(listed, plays)


@given(st.binary(max_size=300))
def test_a_column_is_what_protobuf_writes(values: bytes) -> None:
    assert column(b"\x0a", values) == pb.PlayList(lengths=values).SerializeToString()


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.text(max_size=20)),
        lambda inner: st.lists(inner, max_size=3).map(tuple),
        max_leaves=1,
    )
)
def test_the_value_of_an_option_comes_back_the_same(value: object) -> None:
    message = options.option_value(value)
    expected = tuple(map(str, value)) if isinstance(value, tuple) else value
    assert options.value("option", message) == expected


def fill(message: Message, name: str) -> None:
    """Sets a field to something that is written."""
    field, held = message.DESCRIPTOR.fields_by_name[name], getattr(message, name)
    value = "a" if field.type == FieldDescriptor.TYPE_STRING else 1
    if isinstance(held, Message):
        held.SetInParent()
    elif isinstance(held, int | str | bytes):
        setattr(message, name, b"a" if isinstance(held, bytes) else value)
    elif field.message_type:
        held.add()
    else:
        held.append(value)


KINDS = [
    GetMessageClass(kind)
    for file in (pb, table_pb2, table_service_pb2, rules_service_pb2)
    for kind in file.DESCRIPTOR.message_types_by_name.values()
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.DESCRIPTOR.name)
def test_a_tag_is_what_protobuf_begins_a_field_with(kind: type[Message]) -> None:
    for field in kind.DESCRIPTOR.fields:
        if field.message_type and field.message_type.GetOptions().map_entry:
            continue  # which nobody writes by hand
        message = kind()
        fill(message, field.name)
        assert message.SerializeToString().startswith(tag(kind, field.name)), field.name


def test_every_ending_level_and_phase_is_on_the_wire() -> None:
    assert {ending.value for ending in bgcore.Ending} <= set(board.ENDINGS)
    assert {level.value for level in Level} <= set(board.LEVELS)
    assert set(bgcore.Phase) == set(states.PHASES)
    assert {kind.value for kind in bgcore.PartKind} <= set(states.PART_KINDS)
    assert set(board.ENDINGS.values()) == set(pb.Ending.values()) - {0}
    assert table_pb2.PHASE_MATCH_OVER in table_pb2.Phase.values()
