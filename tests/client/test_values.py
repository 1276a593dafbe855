from __future__ import annotations

import pytest

from bgcore_client import Play, Plays, Step, actions, messages, position, side, variant
from bgcore_client.values import Option, option, option_value

FULL = messages.PlayList(
    lengths=[2, 0, 1],
    origins=[25, 13, 26],
    numbers=[6, 4, 3],
    numbers_used=2,
    texts=["bar/19 13/9*", "", "bar/22"],
    hits=[0, 1, 0],
    pins=[0, 0, 1],
    boards=bytes([3, *range(1, 25), 2, 1, 0, 0b1000, 0, 0, 0, *[0] * 32]) * 3,
)


def test_columns_become_plays() -> None:
    first, nothing, last = Plays(FULL)
    assert first.steps == (Step(25, 6), Step(13, 4, hit=True))
    assert [step.target for step in first.steps] == [19, 9]
    assert nothing.steps == ()
    assert last.steps == (Step(26, 3, pin=True),)
    assert last.steps[0].target == 22
    assert (first.text, last.text) == ("bar/19 13/9*", "bar/22")


def test_a_list_of_plays_is_a_sequence() -> None:
    plays = Plays(FULL)
    assert len(plays) == 3
    assert plays[-1] == plays[2] == list(plays)[2]
    assert plays[1:] == [plays[1], plays[2]]
    assert plays.numbers_used == 2
    with pytest.raises(IndexError, match="play 3: expected one of 3"):
        plays[3]


def test_a_board_is_read_from_its_bytes() -> None:
    mover, opponent = Plays(FULL)[0].after
    assert list(mover.points) == list(range(1, 25))
    assert (mover.off, mover.bar, mover.unentered, list(mover.pinned)) == (3, 2, 1, [3])
    assert opponent == messages.Side(points=[0] * 24)


def test_a_play_without_a_board_says_so() -> None:
    with pytest.raises(ValueError, match="PLAY_VIEW_FULL"):
        _ = Play((Step(8, 3),)).after


def test_a_play_goes_back_as_it_came() -> None:
    message = Plays(FULL)[0].message
    assert list(message.steps.origins) == [25, 13]
    assert list(message.steps.numbers) == [6, 4]


@pytest.mark.parametrize("value", [True, 5, "opening_roll", None, [1, "two", None, False]])
def test_an_options_value_comes_back(value: Option) -> None:
    assert option(option_value(value)) == value


def test_true_is_no_number() -> None:
    assert option_value(True).WhichOneof("kind") == "flag"


def test_a_variant_carries_preset_and_options() -> None:
    chosen = variant("western", "money", match_length=None, jacoby=True)
    assert (chosen.id, chosen.preset) == ("western", "money")
    assert chosen.options["match_length"].HasField("none")
    assert chosen.options["jacoby"].flag


def test_a_side_is_a_map_of_points() -> None:
    white = side({24: 2, 1: 3, 25: 1, 0: 4, 26: 5}, pinned=[7])
    assert (white.points[23], white.points[0]) == (2, 3)
    assert (white.bar, white.off, white.unentered, list(white.pinned)) == (1, 4, 5, [7])
    assert position(white, {6: 1}).black.points[5] == 1
    with pytest.raises(ValueError, match="point 27: expected 0 to 26"):
        side({27: 1})


def test_every_kind_of_action_can_be_made_by_its_number() -> None:
    for kind in messages.ActionKind.DESCRIPTOR.values[1:]:
        action = actions.of_kind(kind.number)
        assert f"ACTION_KIND_{action.WhichOneof('kind')}".upper() == kind.name


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="kind 0"):
        actions.of_kind(messages.ACTION_KIND_UNSPECIFIED)
