"""What a turn remembers from part to part and from roll to roll: locks (tavla.md) and the head's count (rules C8)."""

from __future__ import annotations

import pytest

from bgcore import Action, IllegalAction, Match, Rules, Spec, Start, load
from bgcore.notation.board_text import read_board
from bgcore.perft import results_of_turns
from bgcore.phase import Phase
from bgcore.roll import Roll
from bgcore.testing.checks import followed, visit_of
from bgcore.turn import Part, PartKind, Turn
from tests.engine.helpers import BLACK, WHITE

STAYS = {"parent": "tavla", "home_hit_and_run": False}
LADDER = Spec.of({**STAYS, "doubles": "ladder", "ladder_from_roll": 1})
LEFT_OVER = Spec.of(
    {**STAYS, "doubles": "ladder", "ladder_from_roll": 1, "unplayed": "opponent_plays"}
)
COMPLEMENT = Spec.of({**STAYS, "doubles": "complement"})
HEAD = Spec.of({"parent": "long-nardy", "doubles": "complement"})


def under(spec: Spec) -> Rules:
    return load().rules(spec)


def rolled(rules: Rules, board: str, *dice: int) -> Match:
    start = Start(position=rules.position(read_board(board)), seat=WHITE)
    return Match.new(rules, start).after(Action.roll(WHITE, *dice))


HITS = "6:1 7:3 24:1 / 21:1 12:2"
"""White hits on his 4 with a 2 from 6, and his opponent is on the bar, behind no wall."""


def hits_on_4(spec: Spec) -> Match:
    """6/4* in a double of twos, and then the others; what was hit on his 4 stays there."""
    after = rolled(under(spec), HITS, 2, 2)
    return after.after(Action.play(WHITE, "6/4* 7/5 7/5 7/5"))


def test_who_hit_at_home_stays_there_through_the_next_rung() -> None:
    after = hits_on_4(LADDER)
    assert after.game.turn.parts[0].numbers == (3, 3, 3, 3)
    assert after.game.turn.locked == {4}
    with pytest.raises(IllegalAction) as caught:
        after.after(Action.play(WHITE, "4/1"))
    assert caught.value.reason == "LOCKED_AFTER_HIT"
    assert all(step.origin != 4 for play in after.game.plays for step in play.steps)


def test_and_through_the_complement_and_another_roll() -> None:
    rules = under(COMPLEMENT)
    after = rolled(rules, "24:4 6:1 7:3 20:4 / 21:1 2:2", 2, 2)
    after = after.after(Action.play(WHITE, "6/4* 7/5 7/5 7/5"))
    assert after.game.turn.parts == (Part((5, 5, 5, 5), PartKind.COMPLEMENT),)
    assert after.game.turn.locked == {4}
    after = after.after(Action.play(WHITE, "20/15 20/15 20/15 20/15"))
    assert (after.game.seat, set(after.game.turn.locked)) == (WHITE, {4})
    after = after.after(Action.roll(WHITE, 3, 1))
    assert after.game.turn.locked == {4}
    assert all(step.origin != 4 for play in after.game.plays for step in play.steps)


def test_the_opponents_turn_knows_nothing_of_it() -> None:
    rules = under(LADDER)
    after = rolled(rules, HITS, 2, 1).after(Action.play(WHITE, "6/4* 7/6"))
    assert after.game.turn == Turn()
    after = after.after(Action.roll(BLACK, 6, 5))
    assert not after.game.turn.locked


def test_a_record_of_such_a_turn_replays() -> None:
    match = hits_on_4(LADDER)
    match = match.after(Action.play(WHITE, str(match.game.plays[0])))
    again = Match.replay(match.cycle, match.actions, match.start)
    assert (again.game.position, again.game.turn) == (match.game.position, match.game.turn)


def test_who_hit_with_what_was_left_over_stays_in_the_own_roll_that_follows() -> None:
    rules = under(LEFT_OVER)
    start = Start(position=rules.position(read_board("24:2 21:1 / 10:2 7:2")), seat=BLACK)
    after = Match.new(rules, start).after(Action.roll(BLACK, 6, 6))
    after = after.after(Action.play(BLACK, ""))  # all four are White's, who then rolls himself
    assert after.game.turn.parts[0].kind is PartKind.LEFTOVER
    after = after.after(Action.play(WHITE, "10/4* 10/4"))
    assert (after.game.phase, set(after.game.turn.locked)) == (Phase.ROLL, {4})
    assert not after.game.rolled


def test_the_head_has_one_limit_for_a_turn_of_several_rolls() -> None:
    rules = under(HEAD)
    after = rolled(rules, "24:6 16:9 / 24:6 16:9", 1, 1)
    after = after.after(Action.play(WHITE, "24/23 23/22 22/21 21/20"))
    assert after.game.turn.left_head == 1
    after = after.after(Action.play(WHITE, "16/10 16/10 16/10 16/10"))
    after = after.after(Action.roll(WHITE, 2, 1))
    assert after.game.turn.left_head == 1
    assert all(play.left_head == 0 for play in after.game.plays)
    with pytest.raises(IllegalAction) as caught:
        after.after(Action.play(WHITE, "24/22 10/9"))
    assert caught.value.reason == "HEAD_LIMIT"


def test_a_question_can_say_what_is_locked() -> None:
    rules = load().rules("tavla", options={"home_hit_and_run": False})
    board = rules.position(read_board("6:1 4:1 / 12:2"))
    free, held = (
        rules.plays(board, Roll.of(3, 2), Turn(locked=frozenset(points))) for points in ((), (4,))
    )
    assert any(step.origin == 4 for play in free for step in play.steps)
    assert {str(play) for play in held} == {"6/3 3/1"}


def test_results_of_whole_turns_keep_the_locks() -> None:
    rules, board = under(LADDER), read_board(HITS)
    position = rules.position(board)
    free = load().rules(Spec.of({**LADDER.form, "home_hit_and_run": True}))

    def left_after_hitting(under: Rules) -> bool:
        results = results_of_turns(under, position, Roll.of(2, 2))
        return any(after.opponent.bar and not after.mover[4] for after in results)

    assert left_after_hitting(free)
    assert not left_after_hitting(rules)


@pytest.mark.parametrize("spec", [LADDER, COMPLEMENT, HEAD])
def test_the_list_of_a_later_part_is_that_of_a_search(spec: Spec) -> None:
    rules = under(spec)
    board = rules.start if spec is HEAD else rules.position(read_board(HITS))
    visit = visit_of(rules, board, Roll.of(2, 2))
    assert visit is not None
    assert followed(rules, visit) == ""
