"""How long a call takes for every variant and every value of an axis, beside western.

    python -m tests.benchmarks.bench_variants [--positions 1000] [--rounds 15] [--seed 1]

Positions come from random games of each variant, rolls are thrown; processor time of this process;
every round measures every contender once, and the median over the rounds is printed, in µs a call,
with how many times western's it is. At most 1.5 times is wanted, and 20 times where formations or
whole plays are limited. At the end the price of a variant's own code, through `rules.plays`.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import replace

from bgcore import Position, Roll, Rules, kernel
from bgcore.axes import (
    BearOff,
    BearZone,
    Contact,
    Layout,
    PrimePath,
    PrimeRule,
    QuarterScope,
    Runner,
    Timing,
)
from bgcore.resolve import defaults_of
from bgcore.turn import ORDINARY_TURN
from bgcore.variant import Variant
from bgcore_variants.fevga import FevgaRules
from tests.axes.made import BLOCK, ENTERING, VARIANTS, WESTERN
from tests.axes.test_hook import Open, Rearguard
from tests.benchmarks import verdicts

from .bench_kernel import Contender, Question, measure, show

ALMOST, MOST = 1.5, 20.0


def axes() -> dict[str, Variant]:
    """A variant for every value of an axis that is not a default."""
    six = replace(BLOCK, prime_rule=PrimeRule.NEED_AHEAD)
    quarter = replace(BLOCK, opp_start_quarter_max=4)
    pin = replace(BLOCK, contact=Contact.PIN, layout=Layout.CONTRARY)
    return {
        "layout same": replace(ENTERING, layout=Layout.SAME),
        "layout parallel, hits": replace(WESTERN, layout=Layout.PARALLEL, start={24: 15}),
        "contact block": BLOCK,
        "contact pin": pin,
        "contact pin, mother_rule": replace(pin, mother_rule=True),
        "bear_off_while_pinned": replace(pin, bear_off_while_pinned=True),
        "entry freely": ENTERING,
        "entry first": VARIANTS["russian-backgammon"],
        "bear_off exact": replace(WESTERN, bear_off=BearOff.EXACT),
        "bear_off exact_static": replace(WESTERN, bear_off=BearOff.EXACT_STATIC),
        "bear_zone second_half": replace(WESTERN, bear_zone=BearZone.SECOND_HALF),
        "no higher_die_rule": replace(WESTERN, higher_die_rule=False),
        "no home_hit_and_run": replace(WESTERN, home_hit_and_run=False),
        "no_hit_before_home": replace(WESTERN, no_hit_before_home=True),
        "first_half_lock": replace(ENTERING, first_half_lock=True),
        "three dice": replace(ENTERING, dice=3),
        "head_limit 1": replace(BLOCK, head_limit=1),
        "runner pass_start": replace(BLOCK, runner=Runner.PASS_START),
        "runner reach_start_quarter": replace(BLOCK, runner=Runner.REACH_START_QUARTER),
        "runner reach_home": replace(BLOCK, runner=Runner.REACH_HOME),
        "own_start_quarter_max 5": replace(BLOCK, own_start_quarter_max=5),
        "opp_start_quarter_max 4": quarter,
        "… while_start_occupied": replace(
            quarter, opp_start_quarter_scope=QuarterScope.WHILE_START_OCCUPIED
        ),
        "… quarter, end_of_play": replace(quarter, restriction_timing=Timing.END_OF_PLAY),
        "prime_rule need_ahead": six,
        "… prime_path own": replace(six, prime_path=PrimePath.OWN),
        "… prime_path both": replace(six, prime_path=PrimePath.BOTH),
        "… six, end_of_play": replace(six, restriction_timing=Timing.END_OF_PLAY),
    }


def limits_whole_plays(variant: Variant) -> bool:
    """Whether what is legal depends on the order of the steps, or on where they lead."""
    return (
        variant.own_start_quarter_max < 6
        or variant.opp_start_quarter_max < 6
        or variant.prime_rule is not PrimeRule.NONE
        or variant.dice > 2
    )


def asked(rules: Rules, count: int, seed: int) -> list[Question]:
    """Positions of random games, each with the numbers of a roll."""
    rng = random.Random(seed)
    packed = kernel.sample(rules.start.packed, rules.record, count // 4 + 1, seed, 2)
    boards = [packed[at : at + 64] for at in range(0, len(packed), 64)]
    return [(board, numbers(rules, rng)) for board in rng.sample(boards, count)]


def numbers(rules: Rules, rng: random.Random) -> bytes:
    roll = Roll.of(*(rng.randint(1, 6) for _ in range(rules.variant.dice)))
    return bytes(rules.parts(roll)[0].numbers)


def contender(name: str, variant: Variant, count: int, seed: int) -> tuple[Contender, float]:
    """The kernel's call for a variant, and how many plays it lists on average."""
    rules = Rules(variant)
    context = rules.context(rules.start, (), ORDINARY_TURN)
    questions = asked(rules, count, seed)
    record = rules.record

    def run() -> None:
        plays = kernel.plays
        for position, thrown in questions:
            plays(position, thrown, record, context)

    found = sum(len(kernel.plays(*one, record, context)) // 4 - 1 for one in questions)
    return Contender(name, run, len(questions)), found / len(questions)


def public(name: str, rules: Rules, count: int, seed: int) -> Contender:
    """The public call, with whatever code of the variant's own."""
    questions = [(Position(board), tuple(thrown)) for board, thrown in asked(rules, count, seed)]

    def run() -> None:
        for position, thrown in questions:
            rules.plays_of(position, thrown)

    return Contender(name, run, len(questions))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    count, seed = arguments.positions, arguments.seed
    print(f"kernel: {kernel.KERNEL}")
    kinds = {
        **VARIANTS,
        **{f"axis: {name}": one for name, one in axes().items()},
    }
    measured = [contender("western", WESTERN, count, seed)]
    measured += [contender(name, one, count, seed) for name, one in kinds.items()]
    contenders = [each for each, _ in measured]
    fevga = VARIANTS["fevga"]
    few = max(count // 10, 1)
    own = [
        public("plays_of, western", Rules(WESTERN), few, seed),
        public("plays_of, fevga without its duty", Rules(fevga), few, seed),
        public("plays_of, keep: fevga's duty", FevgaRules(fevga, defaults_of(fevga)), few, seed),
        public("plays_of, may_leave that allows all", Open(WESTERN), few, seed),
        public("plays_of, may_leave of a rearguard", Rearguard(WESTERN), few, seed),
    ]
    found = measure(contenders + own, arguments.rounds)
    base = found["western"]
    print("\nµs a call, and times western's")
    for each, plays in measured:
        spent = found[each.name]
        wanted = MOST if each.name in kinds and limits_whole_plays(kinds[each.name]) else ALMOST
        verdict = verdicts.verdict(each.name, spent / base <= wanted)
        note = f"{spent / base:.2f}, {plays:.0f} plays; at most {wanted:g} wanted: {verdict}"
        show(each.name, spent, note)
    print("\nwith a variant's own code, through rules.plays_of")
    for each in own:
        show(each.name, found[each.name])


if __name__ == "__main__":
    verdicts.run(main)
