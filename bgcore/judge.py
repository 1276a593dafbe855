"""Whether a play as somebody wrote it is legal, and the reason why not (rules C7, "Which reason")."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from bgcore import kernel
from bgcore.errors import IllegalAction
from bgcore.outcome import Ending
from bgcore.play import STEPS, Plays, Step, point_text
from bgcore.position import UNENTERED, Position
from bgcore.progress import Progress
from bgcore.reason import Reason
from bgcore.refusal import OwnReason, Refusal, refuse
from bgcore.roll import HIGHEST, NUMBERS


def why_not(plays: Plays, steps: Sequence[Step]) -> Refusal | None:
    """Why steps, taken as written, are none of `plays`; `None` when they are.

    A play is judged by the position it leads to (R6), so a step that could not be made is forgiven
    where the result is legal; only what follows the end of the game never is.
    """
    refusal = first_failure(plays, steps)
    if refusal and refusal.reason == Reason.GAME_ENDED.name:
        return refusal
    if legal_result(plays, steps):
        return None
    if refusal:
        return refusal
    written, variant = " ".join(map(str, steps)), plays.rules.variant.id
    return refuse(_whole_reason(plays, steps), None, written, variant, used=_most(plays))


def legal_result(plays: Plays, steps: Sequence[Step]) -> Position | None:
    """The legal position that steps lead to in some order; `None` when there is none."""
    wanted = set(plays.positions())
    orders = permutations(steps) if len(steps) <= STEPS else [steps]
    return next((at for order in orders if (at := led_to(plays, order)) in wanted), None)


def led_to(plays: Plays, steps: Sequence[Step]) -> Position | None:
    """Where steps lead if nobody asks whether they may be made.

    `None` when one starts where no free checker stands, or is no step by one number at all.
    """
    packed, record = plays.start.packed, plays.rules.record
    for step in steps:
        possible = 1 <= step.origin <= UNENTERED and step.number in NUMBERS
        if not possible or not packed[step.origin]:
            return None
        packed, _ = kernel.step(packed, record, kernel.ORDINARY, step.origin, step.number)
    return Position(packed)


def first_failure(plays: Plays, steps: Sequence[Step]) -> Refusal | None:
    """Why the first of the steps that cannot be made cannot; `None` when all can."""
    progress = Progress.start(plays)
    for index, step in enumerate(steps):
        if reason := _step_reason(progress, step):
            return _refuse_step(reason, index, step, progress)
        progress = progress.after(step)
    return None


def progress_of(plays: Plays, steps: Sequence[Step]) -> Progress:
    """The part after these steps; `IllegalAction` names the first that cannot be made."""
    if refusal := first_failure(plays, steps):
        raise IllegalAction(refusal.fault)
    progress = Progress.start(plays)
    for step in steps:
        progress = progress.after(step)
    return progress


def _step_reason(progress: Progress, step: Step) -> Reason | OwnReason | None:
    """The first reason of the list that applies; the probe knows all but the numbers rolled.

    A reason of the variant's own stands behind them.
    """
    rules, probe = progress.plays.rules, Reason.NO_CHECKER_THERE
    packed = rules.board(progress.position)
    if 1 <= step.origin <= UNENTERED:
        number = step.number if step.number in NUMBERS else HIGHEST
        context = progress.turn.context
        probe = Reason(kernel.probe(packed, rules.record, context, step.origin, number))
    if Reason.LEGAL < probe < Reason.NUMBER_NOT_ROLLED:
        return probe
    if step.number not in progress.left:
        return Reason.NUMBER_NOT_ROLLED
    if probe:
        return probe
    gates = rules.gates(progress.position, progress.left, progress.turn)
    if not gates.leave >> step.origin & 1:
        return rules.step_reason
    return rules.closed_reason if step.target in gates.closed else None


def _refuse_step(reason: Reason | OwnReason, index: int, step: Step, progress: Progress) -> Refusal:
    return refuse(
        reason,
        index,
        str(step),
        progress.plays.rules.variant.id,
        origin=point_text(step.origin),
        target=point_text(step.target),
        number=step.number,
        left=" ".join(map(str, progress.left)),
    )


def _whole_reason(plays: Plays, steps: Sequence[Step]) -> Reason | OwnReason:
    """What is wrong with steps that can all be made."""
    rules, reached = plays.rules, led_to(plays, steps)
    if steps and reached and kernel.barred(reached.packed, rules.record):
        return Reason.FORMATION_FORBIDDEN
    if len(steps) < _most(plays):
        return Reason.MUST_USE_MORE_NUMBERS
    used = {step.number for play in plays for step in play.steps}
    smaller = len(steps) == 1 and rules.variant.higher_die_rule and steps[0].number < max(used)
    return Reason.MUST_USE_LARGER_NUMBER if smaller else rules.play_reason


def _most(plays: Plays) -> int:
    """How many numbers legal plays count as using: an end by the mother counts as all (R6)."""
    ends = (plays.rules.outcome(after) for after in plays.positions())
    if any(end and end.ending is not Ending.BORNE_OFF for end in ends):
        return len(plays.numbers)
    return plays.numbers_used
