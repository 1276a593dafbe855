"""What is not a position, and that every fault of it is named."""

from __future__ import annotations

import pytest

from bgcore import IllegalPosition, Setup, SideSetup, load
from tests.engine.helpers import position, rules, side


def faults(variant: str, mover: str | SideSetup, opponent: str | SideSetup) -> list[str]:
    sides = (side(one) if isinstance(one, str) else one for one in (mover, opponent))
    with pytest.raises(IllegalPosition) as caught:
        rules(variant).position(Setup(*sides))
    return [fault.reason for fault in caught.value.faults]


def test_the_start_is_a_position_of_every_variant() -> None:
    for entry in load():
        under = rules(entry.variant.id)
        assert under.position(under.start.setup) == under.start


@pytest.mark.parametrize("point", [0, 25, 26, -1, 10**9])
def test_points_are_1_to_24(point: int) -> None:
    assert faults("western", SideSetup({point: 1}), "6:1") == ["POINT_UNKNOWN"]


def test_a_message_names_the_value_and_what_was_expected() -> None:
    with pytest.raises(IllegalPosition, match=r"mover point 27: expected 1 to 24"):
        rules().position(Setup(side("27:1"), side("6:1")))


@pytest.mark.parametrize("count", [-1, 256, 10**9])
def test_counts_are_0_to_255(count: int) -> None:
    assert faults("western", SideSetup({6: count}), "6:1") == ["COUNT_OUT_OF_RANGE"]


def test_a_side_has_no_more_checkers_than_the_variant() -> None:
    assert faults("western", "6:16", "6:15") == ["TOO_MANY_CHECKERS"]


def test_a_side_that_says_what_is_off_has_no_fewer_either() -> None:
    assert faults("western", "6:10 off:1", "6:15") == ["TOO_FEW_CHECKERS"]


def test_checkers_that_nobody_mentions_are_off() -> None:
    assert position(rules(), "6:1", "6:2").mover.off == 14


def test_two_sides_do_not_share_a_point() -> None:
    assert faults("western", "6:2", "19:2") == ["POINT_SHARED"]
    assert faults("plakoto", "6:2", "19:2") == ["POINT_SHARED"]
    assert faults("gul-bara", "6:2", "18:2") == ["POINT_SHARED"]
    assert position(rules("gul-bara"), "6:2", "19:2")


def test_bar_pins_and_unentered_checkers_are_where_the_game_has_them() -> None:
    assert faults("plakoto", "bar:1 6:1", "6:1") == ["NO_BAR_HERE"]
    assert faults("western", "pin:6", "19:1") == ["NO_PINS_HERE"]
    assert faults("western", "in:1 6:1", "6:1") == ["NO_ENTRY_HERE"]


def test_a_pinned_checker_lies_alone_under_an_opposing_one() -> None:
    assert faults("plakoto", "pin:6", "18:1") == ["PIN_WITHOUT_PINNER"]
    assert faults("plakoto", "6:1 pin:6", "19:1") == ["PINNED_BESIDE_FREE", "POINT_SHARED"]
    assert position(rules("plakoto"), "pin:6", "19:1").mover.pinned == (6,)


def test_both_sides_cannot_have_finished() -> None:
    assert faults("western", "off:15", "off:15") == ["BOTH_FINISHED"]


def test_every_fault_is_listed() -> None:
    assert faults("western", "6:16 in:1", "19:2 pin:3") == [
        "TOO_MANY_CHECKERS",
        "NO_ENTRY_HERE",
        "NO_PINS_HERE",
        "POINT_SHARED",
        "PIN_WITHOUT_PINNER",
    ]


@pytest.mark.parametrize("packed", [b"", bytes(63), bytes(65)])
def test_packed_bytes_are_64(packed: bytes) -> None:
    with pytest.raises(IllegalPosition, match=f"position {len(packed)} bytes: expected 64 bytes"):
        rules().proved(packed)


@pytest.mark.parametrize("side", [0, 32])
@pytest.mark.parametrize(("at", "value"), [(27, 1), (28, 1), (31, 2), (31, 128)])
def test_bits_that_stand_for_nothing_are_refused_with_a_fault(
    side: int, at: int, value: int
) -> None:
    for name in ("western", "plakoto"):
        packed = bytearray(rules(name).start.packed)
        packed[side + at] = value
        with pytest.raises(IllegalPosition) as caught:
            rules(name).proved(bytes(packed))
        assert caught.value.faults
