"""Work that is dear: files of many matches, of long lines, batches at their limits."""

from __future__ import annotations

import asyncio
from typing import Any

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_service_pb2 as service
from tests.hostile.messages import NAMES
from tests.hostile.stage import Stage
from tests.server.helpers import OPENING, opening, ref

MATCH = """ 3 point match

 Game 1
 ann : 0                     bob : 0
  1) 31: 8/5 6/5              64: 24/14
  2) 66: 24/18 24/18 13/7 13/7   Doubles => 2
      Wins 1 point
"""
FORMATS: tuple[Any, ...] = (*pb.MatchFormat.values(), 99)
PIECES = (
    " ",
    "\n",
    ":",
    "8/5",
    "Game 1",
    "Doubles => 2",
    "31:",
    ")",
    "(",
    ";",
    "[",
    "]",
    "\\",
    "9" * 30,
)


async def files(stage: Stage) -> None:
    """Files at their limits and nonsense with the words of files, several at once."""
    texts = [
        MATCH * 200,
        MATCH * 201,
        MATCH.replace("8/5 6/5", "8/5 " * 8000),
        " 0 point match\n" + " Game 1\n ann : 0  bob : 0\n" * 2000,
        "(" * 500 + "(;GM[6]" + ";B[31ehfh];W[64xn]" * 20_000 + ")",
        "(;" + "GM[6]" * 100_000 + ")",
        '{"' + '":{"' * 50_000,
    ]
    for _ in stage.times(10):
        words = [stage.chance.choice((*PIECES, *NAMES[:6])) for _ in range(2000)]
        cut = stage.chance.randrange(len(MATCH))
        texts.append(MATCH[:cut] + "".join(words) + MATCH[cut:])
    for text in texts:
        calls = [
            stage.call("ReplayMatch", rules.ReplayMatchRequest(text=text, format=form))
            for form in FORMATS
        ]
        calls += [
            stage.call(
                "FormatMatch", rules.FormatMatchRequest(text=text, format=pb.MATCH_FORMAT_SGF)
            )
        ]
        start = service.Start(record=text[:262_144])
        calls += [stage.call("CreateTable", service.CreateTableRequest(start=start))]
        await asyncio.gather(*calls)
        await stage.witness.go_on()
        if stage.over:
            return


async def batches(stage: Stage) -> None:
    """Batches of as many positions as there may be, one more, and positions of any bytes."""
    side = bytes([0, *OPENING]) + bytes(7)
    for count in (0, 1, 4096, 4097, 16_000):
        for boards in (False, True):
            dice = bytes(stage.chance.randint(1, 6) for _ in range(2 * count))
            request = rules.BatchListPlaysRequest(
                variant=ref(), positions=(side + side) * count, dice=dice, boards=boards
            )
            await asyncio.gather(*(stage.call("BatchListPlays", request) for _ in range(8)))
    for _ in stage.times(60):
        count = stage.chance.choice((1, 2, 100))
        raw = bytearray((side + side) * count)
        for _ in range(stage.chance.choice((1, 2, 50))):
            raw[stage.chance.randrange(len(raw))] = stage.chance.randrange(256)
        variant = ref(stage.chance.choice(("western", "fevga", "plakoto", "hyper")))
        dice = stage.chance.randbytes(stage.chance.choice((2 * count, count, 3 * count)))
        request = rules.BatchListPlaysRequest(variant=variant, positions=bytes(raw), dice=dice)
        await stage.call("BatchListPlays", request)
    views: tuple[Any, ...] = (*pb.PlayView.values(), 99)
    for view in views:
        asked = rules.ListPlaysRequest(
            variant=ref("tavla"),
            position=opening(1),
            dice=[1, 1],
            view=view,
        )
        await asyncio.gather(*(stage.call("ListPlays", asked) for _ in range(50)))
