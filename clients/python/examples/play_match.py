"""Play a whole match against a bot, without knowing a single rule.

    python play_match.py 127.0.0.1:50051 tavla
    python play_match.py 127.0.0.1:50051 western --preset money-004

The server says at every moment what may be done: which kinds of actions, and which plays. This
program takes one of them by chance, until the match is over, and prints the score.
"""

from __future__ import annotations

import argparse
import random
from contextlib import suppress

from bgcore_client import (
    WHITE,
    Client,
    Plays,
    Seat,
    StaleRevision,
    actions,
    bot,
    messages,
    variant,
)

COLUMNS = messages.PLAY_VIEW_COLUMNS
PLAY, CORRECT = messages.ACTION_KIND_PLAY, messages.ACTION_KIND_CORRECT
NAME_DOUBLE = messages.ACTION_KIND_NAME_DOUBLE
GIVING_UP = (messages.ACTION_KIND_RESIGN, messages.ACTION_KIND_RESIGN_MATCH)


def main() -> None:
    """Read the command line, play, print the score."""
    parser = argparse.ArgumentParser(description="Play a match against a bot, by chance.")
    parser.add_argument("server", help="host:port of its gRPC")
    parser.add_argument("variant", help="such as western, tavla, plakoto or gul-bara")
    parser.add_argument("--bot", default="greedy", help="who sits opposite (default: %(default)s)")
    parser.add_argument("--preset", default="", help="rules by name, such as money-004")
    parser.add_argument(
        "--length", type=int, help="points to play to; without, as the preset has it"
    )
    parser.add_argument("--seed", type=int, help="makes the choices the same every time")
    given = parser.parse_args()
    chance = random.Random(given.seed)
    with Client(given.server) as client:
        rules = variant(given.variant, given.preset)
        if given.length:
            rules = variant(given.variant, given.preset, match_length=given.length)
        result = play(client, rules, given.bot, chance)
    print(
        f"{given.variant}: example {result.white_score}, {given.bot} {result.black_score}"
        f" after {result.game_number} game{'s' * (result.game_number > 1)}"
    )


def play(
    client: Client, rules: messages.VariantRef, opponent: str, chance: random.Random
) -> messages.MatchState:
    """Play a match, or for money for a while, and tell how it stands then."""
    table = client.create_table(rules, black=bot(opponent))
    me = table.join(WHITE, "example")
    for news in table.watch(view=COLUMNS):
        state = news.state
        if not state.HasField("decision"):
            return state.match
        if me.choices(state):
            act(me, state, chance)
    raise AssertionError("a watch has no end")


def act(me: Seat, state: messages.TableState, chance: random.Random) -> None:
    """Do one of the things that the server says I may do."""
    decision = state.decision
    kind = chance.choice([kind for kind in decision.kinds if kind not in GIVING_UP])
    action = actions.of_kind(kind)
    if kind == PLAY:
        action = actions.play(chance.choice(Plays(decision.plays)))
    elif kind == NAME_DOUBLE:
        action = actions.name_double(chance.randint(1, 6))
    elif kind == CORRECT:  # of an illegal play, at tables where those are made
        action = actions.correct(chance.choice(Plays(decision.correct_plays)))
    # If the table has moved on meanwhile, the watch tells how.
    with suppress(StaleRevision):
        me.act(action, expected_revision=state.revision)


if __name__ == "__main__":
    main()
