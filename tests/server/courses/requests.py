"""Requests for the state machine: sensible ones, and such as a careless or hostile client sends."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from bgcore import Kind, Match, Seat
from bgcore.play import Plays
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.convert.board import LEVELS
from tests.server.helpers import BLACK, WHITE, ref, side
from tests.server.model.standing import NUMBER_OF, Standing
from tests.server.model.table import COMMITTED, Table

MANUAL = pb.DICE_MODE_MANUAL
BOTS = ("greedy", "random", "first")
ACCOUNTS = ("ann", "bob", "cem")
FALSE_HEADERS = (
    "",
    "Bearer",
    "Bearer  ",
    "Basic abc",
    "Bearer account",
    "Bearer false.one",
    "Bearer x",
)


def new_table(r: Random, bots: list[str]) -> service.CreateTableRequest:
    """A table of any kind."""
    modes = (pb.DICE_MODE_SEEDED, MANUAL, COMMITTED, pb.DICE_MODE_SYSTEM)
    mode = r.choices(modes, (5, 3, 3, 1))[0]
    asked = service.CreateTableRequest(
        dice_mode=mode,
        visibility=pb.Visibility.Name(r.choice(pb.Visibility.values())),
        seed=r.randrange(1 << 20) if mode == pb.DICE_MODE_SEEDED else 0,
    )
    if r.random() < 0.2:
        asked.rotation.CopyFrom(rotation(r))
    else:
        asked.variant.CopyFrom(rules(r))
    for seat in ("white", "black"):
        occupant: pb.Occupant = getattr(asked, seat)
        match r.randrange(8):
            case 0:
                occupant.player.name = r.choice(("Ann", "Bob", "Çağla"))
            case 1:
                occupant.player.account = r.choice(ACCOUNTS)
            case 2 if mode != MANUAL and not asked.white.HasField("bot"):
                occupant.bot.id = r.choice(bots)
    if asked.variant.id == "western" and r.random() < 0.5:
        asked.start.CopyFrom(late(r))
    return asked


def rules(r: Random) -> common_pb2.VariantRef:
    """The rules of a match."""
    options: dict[str, Any] = {"match_length": r.choice((1, 2, 3, 5, None))}
    for switch in ("auto_roll", "auto_play", "auto_pass"):
        if r.random() < 0.35:
            options[switch] = True
    clock = r.choice(("none", "none", "bronstein", "fischer", "per_turn"))
    if clock != "none":
        options |= {"clock": clock, "bank_fixed": r.choice((10, 60)), "step": r.choice((2, 12))}
    if r.random() < 0.4:
        options["absence"] = r.choice((5, 30, 3600))
    if r.random() < 0.3:
        options["abandonment"] = r.choice((20, 40, 7200))
    if r.random() < 0.15:
        options["undo"] = False
    if options["match_length"] is None or r.random() < 0.4:
        options["flag_loses"] = "game"
    if r.random() < 0.2:
        options["illegal_moves"] = "until_next_roll"
    if r.random() < 0.3:
        options["resign_auto_accept"] = False
    variant = r.choice(ALL_VARIANTS)
    found = ref(variant, **options)
    if r.random() < 0.2:
        found.spec.CopyFrom(kitchen(r))
    return found


ALL_VARIANTS = (
    *("western", "western", "western", "tavla", "fevga", "plakoto"),
    *("acey-deucey", "tawla-31"),
)


def kitchen(r: Random) -> common_pb2.VariantSpec:
    """House rules."""
    return common_pb2.VariantSpec(
        base=r.choice(("western", "tavla")),
        id=r.choice(("kitchen", "cellar")),
        title="At home",
        axes=dict(ref(bear_off=r.choice(("exact", "standard"))).options),
        start=common_pb2.SpecStart(points={24: 2, 23: 2, 13: 4, 8: 3, 6: 4}),
    )


def rotation(r: Random) -> common_pb2.RotationRef:
    """Games that change: some that the server knows, or a list."""
    options: dict[str, Any] = {"match_length": r.choice((1, 3, 7))}
    if r.random() < 0.3:
        options["auto_roll"] = True
    if r.random() < 0.3:
        options |= {"clock": "fischer", "bank_fixed": 10, "step": 2}
    if r.random() < 0.3:
        options["absence"] = r.choice((5, 30))
    found = common_pb2.RotationRef(options=dict(ref(**options).options))
    if r.random() < 0.6:
        found.id = "tavli"
    else:
        named = r.sample(("tavla", "plakoto", "fevga", "acey-deucey"), r.choice((2, 3)))
        found.games.extend(ref(name) for name in named)
    if r.random() < 0.4:
        found.start_index = r.choice((0, 1, 1, 9))
    if r.random() < 0.4:
        found.draw_policy = r.choice((1, 2, 9))  # type: ignore[assignment]
    return found


def late(r: Random) -> service.Start:
    """A race that is nearly over."""
    home = [{1: 1}, {1: 2}, {2: 2, 1: 1}, {6: 2, 1: 1}]
    start = service.Start(
        position=common_pb2.Position(
            white=side(r.choice(home)),
            black=side(r.choice(home)),
            on_roll=r.choice((WHITE, BLACK)),
        )
    )
    if r.random() < 0.3:
        start.dice.extend((r.randint(1, 6), r.randint(1, 6)))
    return start


Fault = Callable[[service.CreateTableRequest], object]

TABLE_FAULTS: tuple[Fault, ...] = (
    lambda asked: setattr(asked, "visibility", 9),
    lambda asked: setattr(asked, "dice_mode", 9),
    lambda asked: setattr(asked.white.player, "name", "n" * 101),
    lambda asked: setattr(asked.black.bot, "id", "nobody"),
    lambda asked: setattr(asked, "seed", asked.seed or 7),
    lambda asked: setattr(asked, "request_id", "x" * 65),
    lambda asked: setattr(asked.variant, "id", "ludo"),
    lambda asked: setattr(asked.variant, "preset", "none-such"),
    lambda asked: setattr(asked.variant.options["match_length"], "integer", -1),
    lambda asked: setattr(asked.start, "white_score", 99),
    lambda asked: setattr(asked.start, "record", "not a record"),
    lambda asked: asked.ClearField("variant"),
    lambda asked: setattr(asked.rotation, "id", "tavli"),
    lambda asked: setattr(asked.rotation, "id", "none-such"),
    lambda asked: setattr(asked.variant.spec, "base", "none-such"),
)


def dice(r: Random, count: int) -> list[int]:
    if count == 2 and r.random() < 0.3:
        return [2, 1]  # after which some name a double
    return [r.randint(1, 6) for _ in range(count)]


def sensible(r: Random, at: Standing, seat: Seat, mode: int) -> pb.Action | None:
    """Something that a seat may do in its match; `None` if there is nothing."""
    decision = at.match.decision
    mine = decision.seat in (None, seat)
    kinds = list(decision.kinds if mine else decision.other_kinds)
    weights = [WEIGHTS.get(kind, 10) if mine else 1 for kind in kinds]
    if not kinds:
        return None
    return action(r, r.choices(kinds, weights)[0], at.match, seat, mode)


WEIGHTS = {Kind.DOUBLE: 8, Kind.RESIGN: 1, Kind.RESIGN_MATCH: 0.2, Kind.END_SESSION: 2}


def action(r: Random, kind: Kind, match: Match, seat: Seat, mode: int) -> pb.Action:
    """An action of a kind, legal if the kind is."""
    message = pb.Action()
    game = match.game
    count = 2 if kind is Kind.THROW else match.rules.variant.dice
    match kind:
        case Kind.THROW | Kind.ROLL:
            part = getattr(message, kind.value)
            part.SetInParent()
            if mode == MANUAL:
                part.dice.extend(dice(r, count))
        case Kind.PLAY:
            fill_play(r, match.decision.plays, message.play.play)
        case Kind.CORRECT:
            correctable = game.correctable
            fill_play(r, correctable.plays if correctable else None, message.correct.play)
        case Kind.RESIGN:
            levels = game.levels(seat)
            if points := game.points_to_resign(seat):
                message.resign.points = r.randint(1, points)
            else:
                message.resign.level = LEVELS[r.choice(levels)] if levels else 1  # type: ignore[assignment]
        case Kind.NAME_DOUBLE:
            message.name_double.number = r.choice((1, 2, 3, 4, 5, 6, 6, 7))
        case Kind.ANSWER_RESIGNATION:
            message.answer_resignation.accept = r.random() < 0.6
            message.answer_resignation.SetInParent()
        case Kind.FLAG:
            message.flag.SetInParent()
            if r.random() < 0.5:
                message.flag.seat = NUMBER_OF[seat.other]
        case _:
            getattr(message, kind.value).SetInParent()
    return message


def fill_play(r: Random, plays: Plays | None, message: common_pb2.Play) -> None:
    if not plays:
        message.text = "8/5 6/5"
        return
    play = plays[r.randrange(len(plays))]
    if r.random() < 0.5:
        message.text = str(play)
        return
    message.steps.SetInParent()
    for step in play.steps:
        message.steps.origins.append(step.origin)
        message.steps.numbers.append(step.number)


def careless(r: Random, at: Standing, seat: Seat, mode: int) -> pb.Action:
    """Anything at all."""
    match r.randrange(8):
        case 0:
            return pb.Action()
        case 1:
            return pb.Action(play=pb.PlayAction(play=common_pb2.Play(text=r.choice(BAD_PLAYS))))
        case 2:
            return pb.Action(roll=pb.RollAction(dice=dice(r, r.choice((1, 2, 3)))))
        case 3:
            return pb.Action(roll=pb.RollAction(dice=(7, 0)))
        case 4:
            return pb.Action(flag=pb.FlagAction(seat=NUMBER_OF[seat]))
        case _:
            return action(r, r.choice(list(Kind)), at.match, seat, mode)


BAD_PLAYS = ("", "24/1", "13/7 13/8", "bar/22", "8/x", "6/5 6/5 6/5 6/5", "x" * 300)


def wish(r: Random, at: Standing, table: Table) -> pb.Action:
    """Something that needs the other's consent, or an answer."""
    message = pb.Action()
    match r.choices(("undo", "answer_undo", "void", "rematch"), (6, 6, 1, 3))[0]:
        case "undo":
            message.undo.SetInParent()
        case "answer_undo":
            message.answer_undo.accept = r.random() < 0.7
            message.answer_undo.SetInParent()
        case "void":
            message.void.SetInParent()
        case _:
            message.CopyFrom(rematch(r, table))
    return message


VARIANTS = ("western", "western", "tavla", "ludo")


def rematch(r: Random, table: Table) -> pb.Action:
    message = pb.Action()
    message.rematch.SetInParent()
    if r.random() < 0.25:
        message.rematch.variant.CopyFrom(ref(r.choice(VARIANTS), match_length=1))
        if r.random() < 0.3:
            message.rematch.variant.spec.CopyFrom(kitchen(r))
    if r.random() < 0.2:
        message.rematch.rotation.CopyFrom(rotation(r))
    if (table.dice == COMMITTED) != (r.random() < 0.05):
        message.rematch.dice_seed = r.choice(SEEDS)
    return message


SEEDS = ("ann's own", "Zoë ⚅", "7")
