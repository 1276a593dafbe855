"""The legal plays of a position: one source, run as it is or compiled under another name.

A side is 32 bytes on its own path: `[0]` off, `[1..24]` free checkers, `[25]` bar, `[26]`
unentered, `[28:32]` a little-endian mask of its pinned checkers, which are not counted in
`[1..24]`. A position is 64 bytes, the mover's side and then the opponent's, each in its own
numbering. A play is four bytes, one a step, `source << 3 | number`, 0 for no step.

All rules of play are about masks in the mover's numbering. `sources` says which checkers may use
a number; what is closed, what is stuck and where a blot stands is worked out before. Two searches
use them. The fast one is for rules under which the order of the steps does not matter: it meets
every result once, so it compares nothing. The general one goes level by level and
remembers positions. `steps` and `probe` ask the same masks.

Nothing here trusts a position: any 64 bytes are safe, though only proper ones (`fault`) make
sense.
"""

from __future__ import annotations

from collections.abc import Callable

from bgcore.kernel import _shadow as cython

from bgcore.kernel.tally import Tally

if not cython.compiled:
    from bgcore.kernel._plain import (
        Counts,
        Store,
        Work,
        answer,
        blank,
        board_of,
        borrow,
        branch,
        chosen,
        close_work,
        collected,
        dice_of,
        entering,
        filled,
        forget,
        frozen,
        length,
        mirrored,
        nodes,
        ones,
        open_work,
        paired,
        part,
        pins,
        put,
        put_at,
        put_each,
        random,
        raw,
        read_context,
        recall,
        remember,
        remember_each,
        remembered,
        reply,
        reset,
        root,
        scratch,
        sealed,
        set_pins,
        set_reply,
        set_worth,
        slot,
        sow,
        spill,
        steps_of,
        swap,
        throw,
        total,
        word,
        worth_of,
        write_offset,
    )

MOST_APART = 1_000_000
"""The rarest that `sample` takes positions: one in so many."""

ENDED = 1 << 31
"""What `plays_asking` is answered where a variant's own rules have ended the game."""

EVERYWHERE = (1 << 27) - 1
"""Every source may be left, and no point is closed."""

ORDINARY = 255 << 32
"""The context in which nothing is locked, and any number of checkers may leave 24."""

# The bytes of a record, as `Movement.packed` builds them.
RECORD_SIZE = cython.declare(cython.int, 17)
LAYOUT = cython.declare(cython.int, 1)
CONTACT = cython.declare(cython.int, 2)
CHECKERS = cython.declare(cython.int, 3)
ENTRY = cython.declare(cython.int, 4)
BEAR_OFF = cython.declare(cython.int, 5)
BEAR_ZONE = cython.declare(cython.int, 6)
BEAR_OFF_WHILE_PINNED = cython.declare(cython.int, 7)
HIGHER_DIE_RULE = cython.declare(cython.int, 8)
HOME_HIT_AND_RUN = cython.declare(cython.int, 9)
MOTHER_RULE = cython.declare(cython.int, 10)
EARLY = cython.declare(cython.int, 11)  # bits: see below
RUNNER = cython.declare(cython.int, 12)  # the threshold; 0 for none
OWN_QUARTER_MAX = cython.declare(cython.int, 13)
OTHER_QUARTER_MAX = cython.declare(cython.int, 14)
FORMATIONS = cython.declare(cython.int, 15)  # bits: see below
HEAD_LIMIT = cython.declare(cython.int, 16)  # 255 for none

FIRST_HALF_LOCK = cython.declare(cython.int, 1)
NO_HIT_BEFORE_HOME = cython.declare(cython.int, 2)

WHILE_START_OCCUPIED = cython.declare(cython.int, 1)
OPPONENTS_SIX = cython.declare(cython.int, 2)  # six in a row along his path need one ahead
OWN_SIX = cython.declare(cython.int, 4)  # along the mover's path
SIX = cython.declare(cython.int, 6)  # either
AT_THE_END = cython.declare(cython.int, 8)  # formations count where a play ends, not on its way

CONTRARY = cython.declare(cython.int, 0)
PARALLEL = cython.declare(cython.int, 1)
FIRST = cython.declare(cython.int, 2)
EXACT = cython.declare(cython.int, 1)
EXACT_STATIC = cython.declare(cython.int, 2)
HIT = cython.declare(cython.int, 0)
PIN = cython.declare(cython.int, 1)
BLOCK = cython.declare(cython.int, 2)

BAR = cython.declare(cython.int, 25)
UNENTERED = cython.declare(cython.int, 26)
ON_BAR = cython.declare(cython.uint, 1 << 25)
POINTS = cython.declare(cython.uint, 0x1FFFFFE)
MOVABLE = cython.declare(cython.uint, 0x3FFFFFE)
HOME = cython.declare(cython.uint, 0x7E)
SECOND_HALF = cython.declare(cython.uint, 0x1FFE)
BEYOND_HALF = cython.declare(cython.uint, 0xFFFFE000)  # not in the second half
OWN_QUARTER = cython.declare(cython.uint, 0x1F80000)  # 24 to 19
OTHER_QUARTER = cython.declare(cython.uint, 0x1F80)  # 12 to 7
OUTSIDE = cython.declare(cython.uint, 0xFFFFFF80)  # not in the last quarter
NEVER_HOME = cython.declare(cython.uint, 1 << 27)  # a bit that stops bearing off

RUNNING = cython.declare(cython.int, 0)
MOVER_OFF = cython.declare(cython.int, 1)
OPPONENT_OFF = cython.declare(cython.int, 2)
DRAWN = cython.declare(cython.int, 3)
MOVER_BY_MOTHER = cython.declare(cython.int, 4)
OPPONENT_BY_MOTHER = cython.declare(cython.int, 5)

# Four steps of a play, or a part of each.
FROM = cython.declare(cython.uint, 0xF8F8F8F8)
FROM_BAR = cython.declare(cython.uint, 0xC8C8C8C8)
TOP = cython.declare(cython.uint, 0x80808080)
BELOW_TOP = cython.declare(cython.uint, 0x7F7F7F7F)

ARRIVED = cython.declare(cython.uint, 0x7F)  # at home, or off: bit 0


# What the masks are made of.


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def facing(point: cython.int, layout: cython.int) -> cython.int:
    """The opponent's number for my point (C1)."""
    if layout == CONTRARY:
        return 25 - point
    if layout == PARALLEL:
        return point + 12 if point <= 12 else point - 12
    return point


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def across(mask: cython.uint, layout: cython.int) -> cython.uint:
    """The opponent's points in the mover's numbering: `facing` for a whole mask."""
    mask &= POINTS
    if layout == CONTRARY:
        return mirrored(mask)
    if layout == PARALLEL:
        return (mask << 12 | mask >> 12) & POINTS
    return mask


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def shut(
    position: cython.p_uchar, record: cython.p_uchar, theirs: cython.uint, pairs: cython.uint
) -> cython.uint:
    """Where the mover may not land (C4), given where his opponent has free checkers, one or more.

    It does not change while he plays.
    """
    contact: cython.int = record[CONTACT]
    layout: cython.int = record[LAYOUT]
    if contact == BLOCK:
        return across(theirs, layout)
    if contact == PIN:
        return across(pairs, layout) | (across(theirs, layout) & pins(position, 0))
    return across(pairs, layout)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def way(closed: cython.uint, number: cython.int) -> cython.uint:
    """The sources from which a number leads to an open point."""
    barred: cython.uint = (closed << number) | ((2 << number) - 1)
    return ~barred & MOVABLE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def held(position: cython.p_uchar, context: cython.ulonglong) -> cython.uint:
    """The points that no checker may leave any more in this turn: locks and the head."""
    points: cython.uint = context & POINTS & ~paired(position, 0)
    if context >> 32 & 255 == 0:
        points |= 1 << 24
    return points


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def rooted(position: cython.p_uchar, record: cython.p_uchar) -> cython.uint:
    """Checkers that stand in the way of bearing off and cannot move: unentered or pinned."""
    fixed: cython.uint = 0
    if record[CONTACT] == PIN:
        fixed = pins(position, 0) & POINTS
        if fixed and not record[BEAR_OFF_WHILE_PINNED]:
            fixed |= NEVER_HOME
    if position[UNENTERED]:
        fixed |= 1 << 26
    return fixed


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def sources(
    stand: cython.uint,
    fixed: cython.uint,
    path: cython.uint,
    number: cython.int,
    must: cython.uint,
    outside: cython.uint,
    exact: cython.int,
) -> cython.uint:
    """From where a number may be used: the one rule of movement.

    `stand` are the checkers that may move, `fixed` those that only occupy, `path` is the number's
    `way`. Whoever stands on `must` moves first; with anybody `outside` nothing is borne off, and
    then only by the `exact` number, or by a larger one too. Where that is static, nobody moves on at home.
    """
    highest: cython.int
    if stand & must:
        return must & path
    if (stand | fixed) & outside:
        return stand & path
    if exact == EXACT_STATIC and not (stand | fixed) & OUTSIDE:
        return stand & 1 << number
    highest = length(stand | fixed) - 1
    if exact or highest > number:
        return stand & (path | 1 << number)
    if highest > 0:
        return stand & 1 << highest  # no other checker has so far to go
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def off_limits(record: cython.p_uchar) -> cython.uint:
    """Where nobody may stand when a checker is borne off."""
    return BEYOND_HALF if record[BEAR_ZONE] else OUTSIDE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def special(record: cython.p_uchar) -> cython.int:
    """Whether rules apply that `sources` does not know."""
    return record[ENTRY] != 0 or record[EARLY] != 0 or record[RUNNER] != 0 or formations(record)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def formations(record: cython.p_uchar) -> cython.int:
    """Whether some formations are forbidden."""
    return record[OWN_QUARTER_MAX] < 6 or record[OTHER_QUARTER_MAX] < 6 or record[FORMATIONS] & SIX


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def usual(record: cython.p_uchar) -> cython.ulonglong:
    """The context of an ordinary turn: no locks, and as many may leave the head as ever."""
    head: cython.ulonglong = record[HEAD_LIMIT]
    return head << 32


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def behind_runner(position: cython.p_uchar, record: cython.p_uchar) -> cython.uint:
    """Where the others wait while only the runner may move.

    That is the start, and outside the board, unless nobody may move before all have entered.
    """
    mine: cython.uint = filled(position, 0)
    passed: cython.uint = (2 << (record[RUNNER] & 0xF)) - 1
    if not record[RUNNER] or position[0] or mine & passed:
        return 0
    if not mine & 0xFFFFFE:
        return 0
    return 1 << 24 if record[ENTRY] == FIRST else 1 << 24 | 1 << UNENTERED


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def shielded(position: cython.p_uchar, record: cython.p_uchar) -> cython.uint:
    """The blots that may not be hit yet, with no own checker at home or off."""
    if not record[EARLY] & NO_HIT_BEFORE_HOME or position[0] or filled(position, 0) & HOME:
        return 0
    return across(filled(position, 32) & ~paired(position, 32), record[LAYOUT])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def lowest(mask: cython.uint) -> cython.uint:
    """The lowest bit of a mask."""
    return mask & (~mask + 1)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def sixes(mask: cython.uint) -> cython.uint:
    """The lowest points of all rows of six in a mask."""
    mask &= POINTS
    mask &= mask >> 1
    mask &= mask >> 2
    return mask & mask >> 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def walled(mine: cython.uint, position: cython.p_uchar, record: cython.p_uchar) -> cython.int:
    """Whether the mover, standing there, holds six in a row with nobody ahead of them."""
    layout: cython.int = record[LAYOUT]
    theirs: cython.uint = filled(position, 32)
    rows: cython.uint
    low: cython.uint
    if position[32]:
        return 0
    if record[FORMATIONS] & OPPONENTS_SIX:
        # Who is ahead of the lowest row is ahead of all.
        low = lowest(sixes(across(mine, layout)))
        if low and not theirs & (low - 2):
            return 1
    if record[FORMATIONS] & OWN_SIX:
        rows = sixes(mine)
        while rows:
            low = lowest(rows)
            rows ^= low
            if not theirs & (lowest(across(63 * low, layout)) - 2):
                return 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def crowded(
    mine: cython.uint,
    where: cython.uint,
    position: cython.p_uchar,
    record: cython.p_uchar,
) -> cython.int:
    """Whether the mover, standing there, holds more points of a quarter than he may at once.

    Only the quarters that have a point in `where` are looked at.
    """
    if where & OWN_QUARTER and ones(mine & OWN_QUARTER) > record[OWN_QUARTER_MAX]:
        return 1
    return (
        where & OTHER_QUARTER != 0
        and ones(mine & OTHER_QUARTER) > record[OTHER_QUARTER_MAX]
        and (position[56] > 0 or not record[FORMATIONS] & WHILE_START_OCCUPIED)
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def forbidden(
    position: cython.p_uchar,
    record: cython.p_uchar,
    source: cython.int,
    number: cython.int,
) -> cython.int:
    """Whether a step makes a formation that may not be: quarter limits, six in a row."""
    target: cython.int = (BAR if source == UNENTERED else source) - number
    before: cython.uint = filled(position, 0)
    after: cython.uint = before
    if position[source] == 1:
        after &= ~(1 << source)
    if target > 0:
        after |= 1 << target
        if crowded(after, 1 << target & ~before, position, record):
            return 1
    return record[FORMATIONS] & SIX and walled(after, position, record)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def unlawful(position: cython.p_uchar, record: cython.p_uchar) -> cython.int:
    """Whether no play may end with what the mover holds, where formations count at the end."""
    mine: cython.uint = filled(position, 0)
    if not record[FORMATIONS] & AT_THE_END:
        return 0
    if crowded(mine, POINTS, position, record):
        return 1
    return record[FORMATIONS] & SIX and walled(mine, position, record)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def allowed(
    moves: cython.uint,
    position: cython.p_uchar,
    record: cython.p_uchar,
    path: cython.uint,
    number: cython.int,
) -> cython.uint:
    """What the rarer rules make of the sources: they add some and take some away."""
    stand: cython.uint = filled(position, 0)
    spared: cython.uint
    entering: cython.uint = (path >> BAR & 1) << UNENTERED
    left: cython.uint
    source: cython.int
    if stand & ON_BAR:
        entering = 0
    if record[ENTRY] and position[UNENTERED]:
        if record[ENTRY] == FIRST and not stand & ON_BAR:
            moves = 0
        moves |= entering
        if record[EARLY] & FIRST_HALF_LOCK:
            moves &= ~((1 << (13 + number)) - 1)
    moves &= ~behind_runner(position, record)
    if record[EARLY] & NO_HIT_BEFORE_HOME:
        spared = (shielded(position, record) << number) & MOVABLE
        moves &= ~(spared | (spared >> BAR & 1) << UNENTERED)
    if not record[FORMATIONS] & AT_THE_END and formations(record):
        left = moves
        while left:
            source = length(left) - 1
            left ^= 1 << source
            if forbidden(position, record, source, number):
                moves ^= 1 << source
    return moves


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def legal(
    position: cython.p_uchar,
    record: cython.p_uchar,
    context: cython.ulonglong,
    number: cython.int,
) -> cython.uint:
    """The sources from which a number may be used now (R2), in a game that runs."""
    stand: cython.uint = filled(position, 0) & MOVABLE
    stuck: cython.uint = stand & held(position, context)
    path: cython.uint = way(
        shut(position, record, filled(position, 32), paired(position, 32)), number
    )
    moves: cython.uint = sources(
        stand & ~stuck,
        rooted(position, record) | stuck,
        path,
        number,
        ON_BAR,
        off_limits(record),
        record[BEAR_OFF],
    )
    if special(record):
        moves = allowed(moves, position, record, path, number) & ~stuck
    return moves


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mothers(position: cython.p_uchar, record: cython.p_uchar) -> cython.int:
    """Whether a pinned mother has ended the game, which neither side's last step did otherwise."""
    mine: cython.uint = pins(position, 0) >> 24 & 1
    theirs: cython.uint = pins(position, 32) >> 24 & 1
    if mine and theirs:
        return DRAWN
    if record[MOTHER_RULE]:
        if theirs and not position[24] and not position[56]:
            return MOVER_BY_MOTHER
        if mine and not position[24] and not position[56]:
            return OPPONENT_BY_MOTHER
    return RUNNING


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def standing(position: cython.p_uchar, record: cython.p_uchar) -> cython.int:
    """How the game stands: 0 while it runs, else what ended it."""
    return verdict(position, record, filled(position, 0), filled(position, 32))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def verdict(
    position: cython.p_uchar,
    record: cython.p_uchar,
    mine: cython.uint,
    theirs: cython.uint,
) -> cython.int:
    """`standing`, given where free checkers are."""
    if record[CONTACT] == PIN:
        if not mine and not pins(position, 0):
            return MOVER_OFF
        if not theirs and not pins(position, 32):
            return OPPONENT_OFF
        return mothers(position, record)
    if not mine:
        return MOVER_OFF
    if not theirs:
        return OPPONENT_OFF
    return RUNNING


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mothers_apart(position: cython.p_uchar, record: cython.p_uchar, work: Work) -> cython.void:
    """Where the mover has to stand, and where no longer, for a mother to end the game by his steps."""
    lying: cython.uint = pins(position, 32) >> 24 & 1
    mine: cython.uint = pins(position, 0) >> 24 & 1
    if (lying or position[56] == 1) and (mine or record[MOTHER_RULE]):
        work.mother = 1 << facing(24, record[LAYOUT])
        work.leaving = 0 if mine else 1 << 24


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def reaching(targets: cython.uint, numbers: cython.p_uchar, count: cython.int) -> cython.uint:
    """The points from which one checker gets onto a target by some of the numbers, targets among them."""
    index: cython.int
    for index in range(count):
        targets |= targets << numbers[index]
    return targets


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def decidable(
    position: cython.p_uchar,
    record: cython.p_uchar,
    numbers: cython.p_uchar,
    count: cython.int,
) -> cython.int:
    """Whether the mover's steps could end the game by a mother: it never says no wrongly."""
    mother: cython.int = facing(24, record[LAYOUT])
    if pins(position, 32) >> 24 & 1:
        return record[MOTHER_RULE] and position[24] <= count
    return (
        position[56] == 1
        and (record[MOTHER_RULE] or pins(position, 0) >> 24 & 1)
        and filled(position, 0) & reaching(1 << mother, numbers, count) != 0
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tangled(
    position: cython.p_uchar,
    record: cython.p_uchar,
    context: cython.ulonglong,
    numbers: cython.p_uchar,
    count: cython.int,
    mixed: cython.int,
) -> cython.int:
    """Whether what may be done changes on the way, in a manner that the fast search does not know."""
    head: cython.int = context >> 32 & 255
    if formations(record):
        return 1
    if 1 < head < count and position[24] > head:
        return 1
    if record[RUNNER] and not position[0]:
        if not filled(position, 0) & ((2 << (record[RUNNER] & 0xF)) - 1):
            return 1
    return mixed and record[CONTACT] == PIN and decidable(position, record, numbers, count)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def ordered(
    position: cython.p_uchar,
    record: cython.p_uchar,
    numbers: cython.p_uchar,
    count: cython.int,
    work: Work,
) -> cython.int:
    """Whether the order of equal numbers matters: a step might make others legal, or no longer so."""
    number: cython.int = twice(numbers, count)
    mine: cython.uint
    if not number:
        return 0
    if record[CONTACT] == PIN and decidable(position, record, numbers, count):
        return 1
    if record[BEAR_OFF] == EXACT_STATIC and gathering(position, record, number, count):
        return 1
    mine = filled(position, 0)
    # Who comes home by the last step only does not hit any more.
    return mine & leading(work.until_home, work.closed, number, count) != 0 and (
        mine & leading(HOME, work.closed, number, count - 1) != 0
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def leading(
    targets: cython.uint, closed: cython.uint, number: cython.int, count: cython.int
) -> cython.uint:
    """The points from which one checker gets onto a target by a number, up to so many times."""
    found: cython.uint = 0
    index: cython.int
    for index in range(count):
        targets = (targets & ~closed & POINTS) << number
        found |= targets
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def twice(numbers: cython.p_uchar, count: cython.int) -> cython.int:
    """The number that comes more than once; 0 if none does."""
    if count == 2 and numbers[0] != numbers[1]:
        return 0
    if count == 3 and numbers[0] != numbers[1] and numbers[0] != numbers[2]:
        return numbers[1] if numbers[1] == numbers[2] else 0
    return numbers[0] if count > 1 else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gathering(
    position: cython.p_uchar,
    record: cython.p_uchar,
    number: cython.int,
    count: cython.int,
) -> cython.int:
    """Whether the last checkers outside might come home by one number: it never says no wrongly."""
    outside: cython.uint = (filled(position, 0) | rooted(position, record)) & OUTSIDE
    steps: cython.int = 0
    point: cython.int
    if not outside:
        return 0
    while outside and steps <= count:
        point = length(outside) - 1
        outside ^= 1 << point
        steps += position[point] * ((point + number - 7) // number)
    return steps <= count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def advance(
    position: cython.p_uchar,
    record: cython.p_uchar,
    source: cython.int,
    number: cython.int,
) -> cython.int:
    """Make a step, trusted to be legal, in a position that may be changed; whether it hit."""
    layout: cython.int = record[LAYOUT]
    target: cython.int = (BAR if source == UNENTERED else source) - number
    other: cython.int
    contact: cython.int = record[CONTACT]
    pinned: cython.uint = pins(position, 32) if contact == PIN else 0
    if not 1 <= source <= UNENTERED or not position[source]:
        return 0
    position[source] -= 1
    if source <= 24 and not position[source]:
        other = facing(source, layout)
        if pinned >> other & 1:
            pinned &= ~(1 << other)
            set_pins(position, 32, pinned)
            position[32 + other] = (position[32 + other] + 1) & 255
    if target <= 0:
        position[0] = (position[0] + 1) & 255
        return 0
    position[target] = (position[target] + 1) & 255
    other = 32 + facing(target, layout)
    if position[other] != 1 or contact == BLOCK:
        return 0
    position[other] = 0
    if contact == PIN:
        set_pins(position, 32, pinned | 1 << (other - 32))
        return 0
    position[32 + BAR] = (position[32 + BAR] + 1) & 255
    return 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def turned(
    context: cython.ulonglong,
    record: cython.p_uchar,
    source: cython.int,
    number: cython.int,
    hit: cython.int,
) -> cython.ulonglong:
    """The context after a step: a hit at home may lock, and the head's allowance goes down."""
    head: cython.ulonglong = context >> 32 & 255
    one: cython.ulonglong = 1
    if hit and not record[HOME_HIT_AND_RUN] and source - number <= 6:
        context |= one << (source - number)
    if source == 24 and 0 < head < 255:
        context -= one << 32
    return context


# The fast search.


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def usable(
    stand: cython.uint,
    fixed: cython.uint,
    path: cython.uint,
    number: cython.int,
    level: cython.int,
    work: Work,
) -> cython.uint:
    """`sources` under the rules of this search, after so many steps.

    The first `bar_steps` of them are from the bar, if anybody is there.
    """
    must: cython.uint = ON_BAR if level < work.bar_steps else 0
    return sources(stand, fixed, path, number, must, work.outside, work.exact)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def gone(
    stand: cython.uint, count: cython.int, source: cython.int, target: cython.int
) -> cython.uint:
    """Where the mover stands after a step from a point that held `count`; off is bit 0."""
    if count == 1:
        stand ^= 1 << source
    return stand | 1 << target if target > 0 else stand | 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def shut_now(stand: cython.uint, work: Work) -> cython.uint:
    """Where the mover, standing there, may not land: fewer places once all have entered, or one has come home."""
    closed: cython.uint = work.closed
    if stand & ON_BAR:
        closed |= work.until_entered
    if not stand & ARRIVED:
        closed |= work.until_home
    return closed


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def decided(stand: cython.uint, work: Work) -> cython.int:
    """Whether a mother has ended the game with the mover standing there: on the other's, with his own away."""
    return stand & work.mother != 0 and not stand & work.leaving


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def caught(
    stand: cython.uint,
    stuck: cython.uint,
    watch: cython.uint,
    count: cython.int,
    source: cython.int,
    target: cython.int,
) -> cython.uint:
    """The checkers that stay where they are after a step, by locks.

    `watch` are the points that are locked and those where a hit will lock. One checker that stands
    there alone is stuck, until another joins it. The head is among them when one checker may leave it.
    """
    if watch >> source & 1 and (count == 2 or (count > 2 and source == 24)):
        stuck |= 1 << source
    if target > 0:
        if stand >> target & 1:
            stuck &= ~(1 << target)
        elif watch >> target & 1:
            stuck |= 1 << target
    return stuck


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def equal(
    stand: cython.uint,
    stuck: cython.uint,
    moves: cython.uint,
    level: cython.int,
    play: cython.uint,
    work: Work,
) -> cython.void:
    """Two to four equal numbers, the sources in falling order, so that no result comes twice.

    Any legal play can be put into that order: what is farther back only opens the way for what
    is ahead. The deepest level reached is kept. What stays the same on the way is in `work`.
    """
    side: Counts = work.side
    number: cython.int = work.number
    source: cython.int
    target: cython.int
    count: cython.int
    after: cython.uint
    held_after: cython.uint = 0
    step: cython.uint
    replies: cython.uint
    deeper: cython.int = level + 2 < work.most
    while moves:
        source = length(moves) - 1
        moves ^= 1 << source
        target = source - number
        count = side[source]
        after = stand ^ 1 << source if count == 1 else stand
        after |= 1 << target if target > 0 else 1
        if work.watch:
            held_after = caught(stand, stuck, work.watch, count, source, target)
        step = source << 3 | number
        step = play | step << 8 * level
        if work.changes:
            work.path = way(shut_now(after, work), number)
        replies = usable(
            after & ~held_after, work.fixed | held_after, work.path, number, level + 1, work
        )
        replies &= (2 << source) - 1
        if not replies:
            if deepest(level + 1, work):
                put(work, step)
        elif deeper:
            side[source] = count - 1
            if target > 0:
                side[target] += 1
            equal(after, held_after, replies, level + 1, step, work)
            side[source] = count
            if target > 0:
                side[target] -= 1
        elif deepest(level + 2, work):
            put_each(work, replies, number, step, 8 * level + 8)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def deepest(depth: cython.int, work: Work) -> cython.int:
    """Whether no play is collected that is longer; those that are shorter are dropped."""
    if depth > work.best:
        work.best = depth
        reset(work)
    return depth == work.best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def unordered(
    before: cython.uint,
    moved: cython.uint,
    still: cython.uint,
    stand: cython.uint,
    stuck: cython.uint,
    level: cython.int,
    last: cython.int,
    play: cython.uint,
    work: Work,
) -> cython.void:
    """`equal`, where a step may open the way for one from farther back, or end the game.

    The sources fall where two steps could change places, so that few results come twice. Before the
    last step, from `last`, those in `moved` could be made, by who stood as `before`, `still` of them stuck.
    """
    side: Counts = work.side
    number: cython.int = work.number
    source: cython.int
    target: cython.int
    count: cython.int
    after: cython.uint
    held_after: cython.uint = 0
    step: cython.uint
    moves: cython.uint = 0
    rising: cython.uint
    over: cython.int = level > 0 and decided(stand, work)
    if not over:
        moves = usable(
            stand & ~stuck,
            work.fixed | stuck,
            way(shut_now(stand, work), number),
            number,
            level,
            work,
        )
    if level + 1 == work.most or not moves:
        count = work.most if over or moves else level
        if not count or not deepest(count, work):
            return
        if not moves:
            put(work, play)
            return
    rising = moves & moved & ~((2 << last) - 1)
    moved = moves
    if not work.doubtful and not work.watch:
        moves ^= rising  # steps only ever open the way: these two could change places
        rising = 0
    while rising:
        source = length(rising) - 1
        rising ^= 1 << source
        after = gone(before, side[source], source, source - number)
        if decided(after, work):
            continue
        if work.watch:
            held_after = caught(before, still, work.watch, side[source], source, source - number)
        if (
            usable(
                after & ~held_after,
                work.fixed | held_after,
                way(shut_now(after, work), number),
                number,
                level,
                work,
            )
            >> last
            & 1
        ):
            moves ^= 1 << source
    if moves & ~((2 << last) - 1):
        work.rose = 1
    if level + 1 == work.most:
        put_each(work, moves, number, play, 8 * level)
        return
    while moves:
        source = length(moves) - 1
        moves ^= 1 << source
        target = source - number
        count = side[source]
        side[source] = count - 1
        after = gone(stand, count, source, target)
        if target > 0:
            side[target] += 1
        if work.watch:
            held_after = caught(stand, stuck, work.watch, count, source, target)
        step = source << 3 | number
        unordered(
            stand,
            moved,
            stuck,
            after,
            held_after,
            level + 1,
            source,
            play | step << 8 * level,
            work,
        )
        side[source] = count
        if target > 0:
            side[target] -= 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def repeatedly(
    position: cython.p_uchar,
    stand: cython.uint,
    stuck: cython.uint,
    number: cython.int,
    most: cython.int,
    work: Work,
) -> cython.int:
    """One number up to so many times."""
    borrow(work, position)
    work.number = number
    work.most = most
    work.path = way(work.closed, number)
    work.best = 0
    if work.order_counts:
        work.rose = 0
        unordered(0, 0, 0, stand, stuck, 0, UNENTERED, 0, work)
    else:
        if work.changes:
            work.path = way(shut_now(stand, work), number)
        equal(
            stand,
            stuck,
            usable(stand & ~stuck, work.fixed | stuck, work.path, number, 0, work),
            0,
            0,
            work,
        )
    return work.best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def unequal(
    position: cython.p_uchar,
    stand: cython.uint,
    fixed: cython.uint,
    stuck: cython.uint,
    watch: cython.uint,
    blots: cython.uint,
    large: cython.int,
    small: cython.int,
    higher: cython.int,
    work: Work,
) -> cython.int:
    """Two different numbers: the larger first, then what only the other order can do.

    Two pairs of steps lead to the same position in three cases only: the same two steps in the
    other order; one checker running by both numbers over either middle point, unless it meets a
    blot there that makes a difference (`blots`); two checkers borne off with the numbers swapped.
    """
    closed: cython.uint = shut_now(stand, work)
    far: cython.uint = way(closed, large)
    near: cython.uint = way(closed, small)
    first: cython.uint = usable(stand & ~stuck, fixed | stuck, far, large, 0, work)
    second: cython.uint = usable(stand & ~stuck, fixed | stuck, near, small, 0, work)
    runs: cython.uint = 0  # checkers that can run by the larger number first
    others: cython.uint = 0  # by the smaller, where that is not the same
    left: cython.uint = first
    after: cython.uint
    held_after: cython.uint = 0
    replies: cython.uint
    play: cython.uint
    step: cython.uint
    source: cython.int
    twin: cython.int
    other: cython.int
    ended: cython.Py_ssize_t = 0  # by the first step
    while left:
        source = length(left) - 1
        left ^= 1 << source
        after = stand ^ 1 << source if position[source] == 1 else stand
        after |= 1 << (source - large) if source > large else 1
        if watch:
            held_after = caught(stand, stuck, watch, position[source], source, source - large)
        if work.changes:
            near = way(shut_now(after, work), small)
        replies = usable(after & ~held_after, fixed | held_after, near, small, 1, work)
        if work.doubtful:
            if decided(after, work):
                put(work, source << 3 | large)
                ended += 1
                replies = 0
            set_reply(work, source, replies)
        if not replies:
            continue
        if source > large and replies >> (source - large) & 1:
            runs |= 1 << source
        twin = source + small
        if (replies & runs) >> twin & 1 and not blots >> (twin - large) & 1:
            replies ^= 1 << twin
        put_each(work, replies, small, source << 3 | large, 8)
    left = second
    while left:
        source = length(left) - 1
        left ^= 1 << source
        after = stand ^ 1 << source if position[source] == 1 else stand
        after |= 1 << (source - small) if source > small else 1
        if watch:
            held_after = caught(stand, stuck, watch, position[source], source, source - small)
        if work.changes:
            far = way(shut_now(after, work), large)
            near = way(shut_now(after, work), small)
        if work.doubtful and decided(after, work):
            put(work, source << 3 | small)
            ended += 1
            continue
        replies = usable(after & ~held_after, fixed | held_after, far, large, 1, work)
        if work.doubtful:
            if source > small and replies >> (source - small) & 1:
                others |= 1 << source
            twin = source + large
            if others >> twin & 1 and not blots >> (twin - small) & 1:
                replies &= ~(1 << twin)
            other = twin - small
            # Neither run may be legal, and a checker each way have taken the place of the other.
            if first >> other & 1 and reply(work, other) >> twin & 1:
                replies &= ~(1 << twin)
            replies &= ~answered(work, first & replies, source)
        else:
            replies &= ~first
        if not replies:
            continue
        play = source << 3 | small
        while replies:
            other = length(replies) - 1
            replies ^= 1 << other
            if other == source - small:
                if runs >> source & 1 and not ((blots >> other | blots >> (source - large)) & 1):
                    continue
            elif source <= small and other <= large and first >> source & 1:
                if (
                    usable(after & ~held_after, fixed | held_after, near, small, 1, work) >> other
                    & 1
                ):
                    continue
            step = other << 3 | large
            put(work, play | step << 8)
    if collected(work):
        return 2 if collected(work) > ended else 1
    if not first and not second:
        return 0
    put_each(work, first, large, 0, 0)
    if not first or not higher:
        # A checker that either number bears off gives one result.
        put_each(work, second & ~(first & ((2 << small) - 1)), small, 0, 0)
    return 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def each_once(work: Work, blots: cython.uint) -> cython.void:
    """Drop plays that lead where another does."""
    index: cython.Py_ssize_t
    forget(work)
    for index in range(collected(work)):
        remember(work, chosen(work, index), blots)
    recall(work)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def longest(work: Work) -> cython.int:
    """How many numbers a play uses that uses the most."""
    index: cython.Py_ssize_t
    most: cython.uint = 0
    for index in range(collected(work)):
        most = max(most, chosen(work, index))
    return (length(most) + 7) // 8


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def answered(work: Work, moves: cython.uint, source: cython.int) -> cython.uint:
    """Those of the larger number's moves after which the smaller may leave `source`."""
    found: cython.uint = 0
    other: cython.int
    while moves:
        other = length(moves) - 1
        moves ^= 1 << other
        if reply(work, other) >> source & 1:
            found |= 1 << other
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def different(
    position: cython.p_uchar,
    stand: cython.uint,
    fixed: cython.uint,
    stuck: cython.uint,
    watch: cython.uint,
    blots: cython.uint,
    numbers: cython.p_uchar,
    higher: cython.int,
    work: Work,
) -> cython.int:
    """Three numbers, not all the same: plays of each two, and a step more with the one that is left."""
    used: cython.int = 0
    most: cython.int
    last: cython.int
    index: cython.Py_ssize_t
    moves: cython.uint
    forget(work)
    # Where no play uses three, two; where none uses two, one.
    for most in range(3, 1, -1):
        for last in range(3):
            if doubled(numbers, last):
                continue
            if couples(position, stand, fixed, stuck, watch, blots, numbers, last, work) < 2:
                continue
            for index in range(collected(work)):
                if most == 2:
                    remember(work, chosen(work, index), blots)
                else:
                    lengthened(
                        chosen(work, index),
                        numbers[last],
                        borrow(work, position),
                        stand,
                        fixed,
                        stuck,
                        watch,
                        blots,
                        work,
                    )
        if remembered(work):
            used = most
            break
    if not used:
        for last in range(6, 0, -1):
            if last != numbers[0] and last != numbers[1] and last != numbers[2]:
                continue
            moves = usable(
                stand & ~stuck, fixed | stuck, way(shut_now(stand, work), last), last, 0, work
            )
            remember_each(work, moves, last, 0, 0, blots)
            if moves:
                used = 1
                if higher:
                    break
    recall(work)
    return used


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def doubled(numbers: cython.p_uchar, place: cython.int) -> cython.int:
    """Whether one of three numbers stands before its place as well."""
    index: cython.int
    for index in range(place):
        if numbers[index] == numbers[place]:
            return 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def couples(
    position: cython.p_uchar,
    stand: cython.uint,
    fixed: cython.uint,
    stuck: cython.uint,
    watch: cython.uint,
    blots: cython.uint,
    numbers: cython.p_uchar,
    last: cython.int,
    work: Work,
) -> cython.int:
    """The plays of two of three numbers, without the one at the place `last`."""
    one: cython.int = numbers[1 if last == 0 else 0]
    other: cython.int = numbers[1 if last == 2 else 2]
    reset(work)
    if one != other:
        return unequal(
            position,
            stand,
            fixed,
            stuck,
            watch,
            blots,
            max(one, other),
            min(one, other),
            0,
            work,
        )
    return repeatedly(position, stand, stuck, one, 2, work)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lengthened(
    play: cython.uint,
    number: cython.int,
    side: Counts,
    stand: cython.uint,
    fixed: cython.uint,
    stuck: cython.uint,
    watch: cython.uint,
    blots: cython.uint,
    work: Work,
) -> cython.void:
    """Remember what a play of two steps becomes by one more.

    A larger number than the second step's that could have been used before it is left to the play that
    does so; where it might not do as well, the table sees to it that no position comes twice.
    """
    moves: cython.uint
    earlier: cython.uint = 0
    step: cython.uint
    used: cython.int
    level: cython.int
    source: cython.int
    target: cython.int
    for level in range(2):
        step = play >> 8 * level & 255
        used = step & 7
        if level and used < number and not work.doubtful and not watch:
            earlier = usable(stand, fixed, way(shut_now(stand, work), number), number, level, work)
        source = step >> 3
        target = source - used
        if watch:
            stuck = caught(stand, stuck, watch, side[source], source, target)
        stand = gone(stand, side[source], source, target)
        side[source] -= 1
        if target > 0:
            side[target] += 1
    moves = usable(
        stand & ~stuck, fixed | stuck, way(shut_now(stand, work), number), number, 2, work
    )
    remember_each(work, moves & ~earlier, number, play, 16, blots)


# The general search.


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tally_of(numbers: cython.p_uchar, count: cython.int) -> cython.uint:
    """How many there are of each number, four bits for each."""
    tally: cython.uint = 0
    index: cython.int
    for index in range(count):
        tally += 1 << 4 * numbers[index]
    return tally


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def arrive(
    here: cython.p_uchar,
    record: cython.p_uchar,
    context: cython.ulonglong,
    play: cython.uint,
) -> cython.ulonglong:
    """Make the steps of a play; the context after them."""
    source: cython.int
    number: cython.int
    while play:
        source = play >> 3 & 31
        number = play & 7
        context = turned(context, record, source, number, advance(here, record, source, number))
        play >>= 8
    return context


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def left_of(tally: cython.uint, play: cython.uint) -> cython.uint:
    """What is left of the numbers in a tally after a play."""
    while play:
        tally -= 1 << 4 * (play & 7)
        play >>= 8
    return tally


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def expand(
    position: cython.p_uchar,
    tally: cython.uint,
    count: cython.int,
    record: cython.p_uchar,
    context: cython.ulonglong,
    index: cython.Py_ssize_t,
    work: Work,
) -> cython.void:
    """Add the nodes that one step leads to, larger numbers first; and see what this one counts."""
    play: cython.uint = steps_of(work, index)
    here: cython.p_uchar = scratch(work, position)
    number: cython.int
    context = arrive(here, record, context, play)
    set_worth(work, index, worth(here, record, (length(play) + 7) // 8, count))
    tally = left_of(tally, play)
    if not tally or standing(here, record) != RUNNING:
        return
    for number in range(6, 0, -1):
        if tally >> 4 * number & 0xF:
            branch_each(work, index, legal(here, record, context, number), number)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_each(
    work: Work, index: cython.Py_ssize_t, moves: cython.uint, number: cython.int
) -> cython.void:
    """Add the nodes that one step by this number leads to."""
    source: cython.int
    step: cython.uint
    while moves:
        source = length(moves) - 1
        moves ^= 1 << source
        step = source << 3 | number
        branch(work, index, step)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def worth(
    here: cython.p_uchar, record: cython.p_uchar, used: cython.int, count: cython.int
) -> cython.int:
    """How many numbers a play to here counts as having used: all, where a mother ended the game (R6).

    None, where no play may end (R7).
    """
    if unlawful(here, record):
        return 0
    if record[CONTACT] == PIN and standing(here, record) >= DRAWN:
        return count
    return used


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def general(
    position: cython.p_uchar,
    numbers: cython.p_uchar,
    count: cython.int,
    record: cython.p_uchar,
    context: cython.ulonglong,
    work: Work,
) -> cython.int:
    """Level by level, for rules under which the order of the steps matters.

    A node is some steps in whatever order: where they lead and what may follow does not depend on it.
    """
    tally: cython.uint = tally_of(numbers, count)
    start: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    index: cython.Py_ssize_t
    level: cython.int
    root(work)
    for level in range(count + 1):
        end = nodes(work)
        for index in range(start, end):
            expand(position, tally, count, record, context, index, work)
            if work.failed:
                return 0
        start = end
    return settled(position, count, record, work)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def settled(
    position: cython.p_uchar, count: cython.int, record: cython.p_uchar, work: Work
) -> cython.int:
    """Collect, of all nodes, what R3 leaves; the largest count of numbers that one of them uses."""
    index: cython.Py_ssize_t
    best: cython.int = 0
    larger: cython.uint = 0
    play: cython.uint
    blots: cython.uint = 0
    reset(work)
    for index in range(1, nodes(work)):
        best = max(best, worth_of(work, index))
    if best == 0:
        return 0
    if best == 1 and count > 1 and record[HIGHER_DIE_RULE]:
        for index in range(1, nodes(work)):
            if worth_of(work, index) == 1:
                larger = max(larger, steps_of(work, index) & 7)
    if record[CONTACT] == HIT:
        blots = across(filled(position, 32) & ~paired(position, 32), record[LAYOUT])
    forget(work)
    for index in range(1, nodes(work)):
        play = steps_of(work, index)
        if worth_of(work, index) == best and play & 7 >= larger:
            remember(work, play, blots)
    recall(work)
    return longest(work)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search(
    position: cython.p_uchar,
    numbers: cython.p_uchar,
    count: cython.int,
    record: cython.p_uchar,
    context: cython.ulonglong,
    work: Work,
) -> cython.int:
    """Collect the legal plays; the largest count of numbers that one of them uses."""
    stand: cython.uint = filled(position, 0)
    theirs: cython.uint = filled(position, 32)
    fixed: cython.uint
    pairs: cython.uint
    blots: cython.uint = 0
    mixed: cython.int
    unentered: cython.int = position[UNENTERED] if record[ENTRY] else 0
    onto_bar: cython.int = position[BAR]
    head: cython.int = context >> 32 & 255
    used: cython.int
    watch: cython.uint = context & POINTS
    stuck: cython.uint = 0
    contact: cython.int = record[CONTACT]
    number: cython.int
    other: cython.int
    reset(work)
    if count == 0 or verdict(position, record, stand, theirs) != RUNNING:
        return 0
    number = numbers[0]
    other = numbers[count - 1]
    pairs = paired(position, 32)
    if contact == HIT:
        blots = across(theirs & ~pairs, record[LAYOUT])
    mixed = count > 2 and not number == numbers[1] == numbers[2] == other
    if (mixed and count > 3) or tangled(position, record, context, numbers, count, mixed):
        return general(position, numbers, count, record, context, work)
    work.bar_steps = 4
    work.outside = off_limits(record)
    work.exact = record[BEAR_OFF]
    if unentered:
        # They stand on the bar as well, but where they may wait it need not be left for them.
        if record[ENTRY] != FIRST:
            work.bar_steps = onto_bar
        position = entering(work, position)
        stand |= ON_BAR
    stand &= MOVABLE
    fixed = rooted(position, record)
    work.closed = shut(position, record, theirs, pairs)
    work.until_home = 0
    work.until_entered = 0
    work.mother = 0
    if contact == HIT and not record[HOME_HIT_AND_RUN]:
        watch |= blots & HOME & ~stand
    if record[EARLY]:
        work.until_home = shielded(position, record)
        if record[EARLY] & FIRST_HALF_LOCK and unentered:
            work.until_entered = SECOND_HALF
    work.changes = work.until_home | work.until_entered != 0
    if contact == PIN:
        mothers_apart(position, record, work)
    work.doubtful = work.mother != 0 or work.exact == EXACT_STATIC
    work.order_counts = 0
    if work.until_home or work.doubtful:
        work.order_counts = ordered(position, record, numbers, count, work)
    work.fixed = fixed
    if watch:
        stuck = stand & watch & ~paired(position, 0)
    if head < 2:
        watch |= 1 << 24
        if head == 0:
            stuck |= stand & 1 << 24
    work.watch = watch
    if count == 1:
        put_each(
            work,
            usable(
                stand & ~stuck, fixed | stuck, way(shut_now(stand, work), number), number, 0, work
            ),
            number,
            0,
            0,
        )
        used = 1 if collected(work) else 0
    elif mixed:
        used = different(
            position,
            stand,
            fixed,
            stuck,
            watch,
            blots,
            numbers,
            record[HIGHER_DIE_RULE],
            work,
        )
    elif number == other:
        used = repeatedly(position, stand, stuck, number, count, work)
        if work.order_counts:
            if work.rose:
                each_once(work, blots)
            used = longest(work)
    else:
        used = unequal(
            position,
            stand,
            fixed,
            stuck,
            watch,
            blots,
            max(number, other),
            min(number, other),
            record[HIGHER_DIE_RULE],
            work,
        )
    if unentered:
        entered(work, onto_bar)
    return used


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def entered(work: Work, onto_bar: cython.int) -> cython.void:
    """Tell the steps of unentered checkers from those of `onto_bar` checkers on the bar, who go first."""
    index: cython.Py_ssize_t
    play: cython.uint
    steps: cython.uint
    waiting: cython.int
    if not onto_bar:
        for index in range(collected(work)):
            play = chosen(work, index)
            put_at(work, index, play + from_bar(play))
        return
    for index in range(collected(work)):
        play = chosen(work, index)
        steps = from_bar(play)
        waiting = onto_bar
        while steps and waiting:
            steps &= steps - 1
            waiting -= 1
        put_at(work, index, play + steps)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def from_bar(play: cython.uint) -> cython.uint:
    """The bit 3 of every step of a play that is from the bar, by which 25 << 3 becomes 26 << 3."""
    others: cython.uint = play & FROM ^ FROM_BAR
    others |= (others & BELOW_TOP) + BELOW_TOP
    return (others & TOP ^ TOP) >> 4


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def follow(board: cython.p_uchar, record: cython.p_uchar, play: cython.uint) -> cython.void:
    """Make the steps of a play."""
    while play:
        if play & 255:
            advance(board, record, play >> 3 & 31, play & 7)
        play >>= 8


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def turn(
    board: cython.p_uchar, record: cython.p_uchar, first: cython.int, work: Work
) -> cython.int:
    """Roll (unless the numbers of this turn are there), choose a play at random, make it.

    How the game stands then; while it runs the position has been handed over.
    """
    numbers: cython.p_uchar = dice_of(work)
    count: cython.int = first
    over: cython.int
    if not count:
        numbers[0] = 1 + random(work, 6)
        numbers[1] = 1 + random(work, 6)
        count = 2
        if numbers[0] == numbers[1]:
            numbers[2] = numbers[3] = numbers[0]
            count = 4
    search(board, numbers, count, record, usual(record), work)
    if collected(work):
        follow(board, record, chosen(work, random(work, collected(work))))
    over = standing(board, record)
    if over == RUNNING:
        swap(board)
    return over


# What is offered.


def admit(position: bytes, record: bytes, context: int) -> None:
    """Whether the sizes are right; what the bytes say is not looked at."""
    if len(position) != 64:
        raise ValueError(f"position of {len(position)} bytes: expected 64")
    if len(record) != RECORD_SIZE:
        raise ValueError(f"record of {len(record)} bytes: expected {RECORD_SIZE}")
    if not cython.compiled and context >> 64:
        raise OverflowError("context: expected 64 bits")


def admit_numbers(numbers: bytes) -> None:
    index: cython.Py_ssize_t
    if len(numbers) > 4:
        raise ValueError(f"{len(numbers)} numbers: expected at most 4")
    for index in range(len(numbers)):
        if not 1 <= numbers[index] <= 6:
            raise ValueError(f"number {numbers[index]}: expected 1 to 6")


def plays(position: bytes, numbers: bytes, record: bytes, context: int = ORDINARY) -> bytes:
    """Four bytes, the first of them how many numbers are used; then the distinct legal plays.

    Two plays are the same if they lead to the same position. With nothing to play, or in a game
    that has ended, just the four bytes, all 0.
    """
    kind: cython.ulonglong = context
    admit(position, record, context)
    admit_numbers(numbers)
    store: Store
    if not cython.compiled:
        store = Store()
    work: Work = cython.address(store)
    open_work(work)
    try:
        used: cython.int = search(position, numbers, len(numbers), record, kind, work)
        if work.failed:
            raise MemoryError
        return answer(work, used)
    finally:
        close_work(work)


def plays_asking(
    position: bytes,
    numbers: bytes,
    record: bytes,
    context: int,
    ask: Callable[[bytes, bytes], int],
    always: bool,
) -> bytes:
    """`plays` of those steps only that `ask` lets through, wherever there are any.

    It is given a position, after some steps or none, and the numbers that are left, the largest first; it
    answers with the sources that may be left, as bits, and 32 bits higher the points that nobody may come
    to, 0 being off; or with `ENDED` where the game has ended in a way that counts as having used them all.
    `always`: also where no step can be made. What steps lead to is asked about once, in whatever order
    they are made.
    """
    kind: cython.ulonglong = context
    after: cython.ulonglong
    count: cython.int = len(numbers)
    start: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    index: cython.Py_ssize_t
    level: cython.int
    number: cython.int
    tally: cython.uint
    left: cython.uint
    moves: cython.uint
    play: cython.uint
    told: cython.ulonglong
    closed: cython.uint
    asked: cython.int
    here: cython.p_uchar
    admit(position, record, context)
    admit_numbers(numbers)
    store: Store
    if not cython.compiled:
        store = Store()
    work: Work = cython.address(store)
    open_work(work)
    try:
        root(work)
        tally = tally_of(numbers, count)
        for level in range(count + 1):
            end = nodes(work)
            for index in range(start, end):
                play = steps_of(work, index)
                here = scratch(work, position)
                after = arrive(here, record, kind, play)
                set_worth(work, index, worth(here, record, level, count))
                left = left_of(tally, play)
                if not left or standing(here, record) != RUNNING:
                    continue
                asked = always
                told = ask(frozen(here), numbers_of(left)) if asked else 0
                for number in range(6, 0, -1):
                    if not left >> 4 * number & 0xF:
                        continue
                    moves = legal(here, record, after, number)
                    if moves and not asked:
                        asked = 1
                        told = ask(frozen(here), numbers_of(left))
                    closed = told >> 32
                    branch_each(work, index, moves & told & ~sources_to(closed, number), number)
                if told >> 31 & 1:
                    set_worth(work, index, count)
            start = end
        if work.failed:
            raise MemoryError
        level = settled(position, count, record, work)
        if work.failed:
            raise MemoryError
        return answer(work, level)
    finally:
        close_work(work)


@cython.cfunc
@cython.exceptval(check=False)
def sources_to(closed: cython.uint, number: cython.int) -> cython.uint:
    """The sources from which a number leads to one of the closed points."""
    found: cython.uint = (closed & ~1) << number & (1 << BAR + 1) - 1  # the bar lies on 25
    if closed & 1:
        found |= (1 << number + 1) - 2
    if closed >> BAR - number & 1:
        found |= 1 << UNENTERED
    return found


def numbers_of(tally: int) -> bytes:
    """The numbers in a tally, the largest first."""
    return bytes([number for number in range(6, 0, -1) for _ in range(tally >> 4 * number & 0xF)])


def apply(position: bytes, play: bytes, record: bytes) -> bytes:
    """The position after a play, trusted to be legal; the mover is still first."""
    if len(play) > 4:
        raise ValueError(f"play of {len(play)} bytes: expected at most 4")
    return results(position, b"\0\0\0\0" + play.ljust(4, b"\0"), record)


def results(position: bytes, plays: bytes, record: bytes) -> bytes:
    """64 bytes for each play of an answer of `plays`; the mover is still first.

    With or without the answer's header: no play begins with a byte so small.
    """
    start: cython.Py_ssize_t = 4 if len(plays) and plays[0] < 8 else 0
    many: cython.Py_ssize_t = len(plays) // 4 - start // 4
    index: cython.Py_ssize_t
    admit(position, record, 0)
    if len(plays) % 4:
        raise ValueError(f"plays of {len(plays)} bytes: expected a multiple of four")
    boards = blank(many)
    for index in range(many):
        follow(slot(boards, index, position), record, word(plays, start + 4 * index))
    return sealed(boards)


def steps(
    position: bytes, numbers: bytes, record: bytes, context: int = ORDINARY, gates: int = EVERYWHERE
) -> bytes:
    """The legal single steps that `gates` let through, the obligation to use more numbers left aside.

    `gates` are the sources that may be left and the points that nobody may come to, as `plays_asking` is told.
    Sources fall, and for one source the numbers do.
    """
    kind: cython.ulonglong = context
    told: cython.ulonglong = gates
    closed: cython.uint = told >> 32
    moves: cython.uint
    number: cython.int
    source: cython.int
    admit(position, record, context)
    admit_numbers(numbers)
    found = bytearray()
    if standing(position, record) == RUNNING:
        for number in set(numbers):
            moves = legal(position, record, kind, number) & told & ~sources_to(closed, number)
            for source in range(1, UNENTERED + 1):
                if moves >> source & 1:
                    found.append(source << 3 | number)
    return bytes(sorted(found, reverse=True))


def step(
    position: bytes, record: bytes, context: int, source: int, number: int
) -> tuple[bytes, int]:
    """Position and context after one step, trusted to be legal; the mover is still first."""
    kind: cython.ulonglong = context
    admit(position, record, context)
    if not (0 <= source <= 31 and 0 <= number <= 7):
        raise ValueError(f"step {source} by {number}: expected a source and a number")
    boards = blank(1)
    here: cython.p_uchar = slot(boards, 0, position)
    hit: cython.int = advance(here, record, source, number)
    kind = turned(kind, record, source, number, hit)
    return sealed(boards), kind


def probe(position: bytes, record: bytes, context: int, source: int, number: int) -> int:
    """0 if the step is legal, else the first `Reason` in the order of the list."""
    kind: cython.ulonglong = context
    admit(position, record, context)
    if standing(position, record) != RUNNING:
        return 1  # GAME_ENDED
    point: cython.int = source if 1 <= source <= UNENTERED else 0
    pinned: cython.uint = pins(position, 0) & POINTS if record[CONTACT] == PIN else 0
    if not point or not (position[point] or pinned >> point & 1):
        return 2  # NO_CHECKER_THERE
    if not 1 <= number <= 6:
        return 3  # NUMBER_NOT_ROLLED
    wide: cython.int = number
    if legal(position, record, kind, wide) >> point & 1:
        return 0
    if position[BAR] and point != BAR:
        return 4  # CHECKER_ON_BAR
    if record[ENTRY] == FIRST and position[UNENTERED] and point < BAR:
        return 5  # MUST_ENTER_FIRST
    if not position[point]:
        return 6  # CHECKER_PINNED
    stuck: cython.uint = held(position, kind) >> point & 1
    if stuck and point == 24 and kind >> 32 & 255 == 0:
        return 7  # HEAD_LIMIT
    if behind_runner(position, record) >> point & 1:
        return 8  # RUNNER_FIRST
    target: cython.int = (BAR if point == UNENTERED else point) - wide
    locked: cython.int = record[EARLY] & FIRST_HALF_LOCK
    if locked and record[ENTRY] and position[UNENTERED] and 0 < target <= 12:
        return 9  # FIRST_HALF_ONLY
    if stuck:
        return 10  # LOCKED_AFTER_HIT
    mine: cython.uint = filled(position, 0)
    if target > 0:
        theirs: cython.uint = filled(position, 32)
        closed: cython.uint = shut(position, record, theirs, paired(position, 32))
        if closed >> target & 1:
            return 11  # POINT_CLOSED
        if shielded(position, record) >> target & 1:
            return 12  # HIT_NOT_ALLOWED_YET
    if (
        not record[FORMATIONS] & AT_THE_END
        and formations(record)
        and forbidden(position, record, point, wide)
    ):
        return 13  # FORMATION_FORBIDDEN
    if target > 0:
        return 17  # EXACT_NUMBER_ONLY: no step inside the home board
    if (mine | pinned) & off_limits(record):
        return 15  # NOT_ALL_HOME
    if pinned and not record[BEAR_OFF_WHILE_PINNED]:
        return 14  # NO_BEARING_OFF_WHILE_PINNED
    if (mine | pinned) >> (point + 1):
        return 16  # HIGHER_CHECKER_FIRST
    return 17  # EXACT_NUMBER_ONLY


def barred(position: bytes, record: bytes) -> bool:
    """Whether no play may end there (R7): what the mover, still first, holds is forbidden at the end."""
    admit(position, record, 0)
    return unlawful(position, record) != 0


def status(position: bytes, record: bytes) -> int:
    """How the game stands.

    0 it runs, 1 the mover has won, 2 the opponent has, 3 drawn, 4 the mover has won by the
    mother, 5 the opponent has.
    """
    admit(position, record, 0)
    return standing(position, record)


def fault(position: bytes, record: bytes) -> int:
    """0 for a proper position under this record, else one of `FAULTS`."""
    at: cython.int
    pinned: cython.uint
    free: cython.uint
    theirs: cython.uint
    admit(b"\0" * 64, record, 0)
    if len(position) != 64:
        return 1
    for at in range(0, 64, 32):
        pinned = pins(position, at)
        free = filled(position, at)
        if position[at + 27] or pinned & ~POINTS:
            return 2
        if total(position, at) + ones(pinned) != record[CHECKERS]:
            return 3
        if position[at + BAR] and record[CONTACT] != HIT:
            return 4
        if position[at + UNENTERED] and not record[ENTRY]:
            return 5
        if pinned:
            if record[CONTACT] != PIN:
                return 6
            theirs = across(filled(position, 32 - at), record[LAYOUT])
            if pinned & free:
                return 7
            if pinned & across(pins(position, 32 - at), record[LAYOUT]):
                return 8
            if pinned & ~theirs:
                return 9
    if filled(position, 0) & across(filled(position, 32), record[LAYOUT]) & POINTS:
        return 10
    if position[0] == record[CHECKERS] and position[32] == record[CHECKERS]:
        return 11
    return 0


FAULTS: tuple[str, ...] = (
    "a proper position",
    "not 64 bytes",
    "bytes that must be 0 are not",
    "not the right number of checkers",
    "a checker on the bar in a game without one",
    "an unentered checker in a game without them",
    "a pinned checker in a game without pins",
    "a pinned and a free checker of one side on a point",
    "checkers of both sides pinned on a point",
    "a pinned checker with no opposing checker on it",
    "checkers of both sides on a point",
    "all checkers of both sides are off",
)
"""What the numbers that `fault` answers mean."""


def flat(buffer: object, writable: bool) -> memoryview:
    """The bytes of any contiguous buffer."""
    view = memoryview(buffer)  # type: ignore[arg-type]
    if writable and view.readonly:
        raise ValueError("the output buffer cannot be written to")
    return view.cast("B") if view.nbytes else memoryview(b"")


def batch(
    positions: object,
    numbers: object,
    record: bytes,
    contexts: object,
    plays_out: object,
    offsets_out: object,
    used_out: object,
) -> int:
    """Plays for many positions, from buffers into buffers, with the GIL released.

    64 bytes a position, four numbers a position (0 where there are fewer), 64 bits of context a
    position or, for ordinary turns, `None`. Into `plays_out` go the plays, into `offsets_out` (32 bits, one more than
    positions) the place of each position's first play in plays, into `used_out` a byte a position.
    How many plays there are; `ValueError` if `plays_out` has no room for them, with the number.
    """
    boards_view = flat(positions, False)
    numbers_view = flat(numbers, False)
    plays_view = flat(plays_out, True)
    offsets_view = flat(offsets_out, True)
    used_view = flat(used_out, True)
    contexts_view = flat(b"" if contexts is None else contexts, False)
    many: cython.Py_ssize_t = len(boards_view) // 64
    turns: cython.int = contexts is not None
    admit(b"\0" * 64, record, 0)
    if len(boards_view) % 64:
        raise ValueError(f"positions of {len(boards_view)} bytes: expected a multiple of 64")
    for name, size, expected in (
        ("numbers", len(numbers_view), 4 * many),
        ("contexts", len(contexts_view), 8 * many * turns),
        ("offsets_out", len(offsets_view), 4 * many + 4),
        ("used_out", len(used_view), many),
    ):
        if size < expected:
            raise ValueError(f"{name} of {size} bytes: expected {expected}")
    boards: cython.p_uchar = raw(boards_view)
    rolls: cython.p_uchar = raw(numbers_view)
    out: cython.p_uchar = raw(plays_view)
    offsets: cython.p_uchar = raw(offsets_view)
    used: cython.p_uchar = raw(used_view)
    kinds: cython.p_uchar = raw(contexts_view)
    rules: cython.p_uchar = record
    room: cython.Py_ssize_t = len(plays_view) // 4
    written: cython.Py_ssize_t = 0
    index: cython.Py_ssize_t
    count: cython.int
    rest: cython.int
    bad: cython.Py_ssize_t = -1
    kind: cython.ulonglong
    store: Store
    if not cython.compiled:
        store = Store()
    work: Work = cython.address(store)
    open_work(work)
    with cython.nogil:
        for index in range(many):
            count = 0
            while count < 4 and 1 <= rolls[4 * index + count] <= 6:
                count += 1
            rest = count
            while rest < 4 and rolls[4 * index + rest] == 0:
                rest += 1
            if rest < 4:
                bad = index
                break
            kind = read_context(kinds, index) if turns else usual(rules)
            used[index] = search(
                part(boards, 64 * index, 64),
                part(rolls, 4 * index, 4),
                count,
                rules,
                kind,
                work,
            )
            if work.failed:
                break
            write_offset(offsets, index, written)
            if written + collected(work) <= room:
                spill(work, out, written)
            written += collected(work)
        write_offset(offsets, many, written)
    failed = work.failed
    close_work(work)
    if failed:
        raise MemoryError
    if bad >= 0:
        raise ValueError(f"numbers of position {bad}: expected 1 to 6, then 0")
    if written > room:
        raise ValueError(f"plays_out has room for {room} plays: expected {written}")
    return written


def playouts(
    position: bytes, numbers: bytes, record: bytes, games: int, seed: int, max_turns: int
) -> Tally:
    """Play games to the end, every play chosen at random, and count how they end.

    `numbers` are the first turn's if there are any; every other turn throws two dice, and a double
    counts four times. All turns are ordinary ones.
    """
    many: cython.Py_ssize_t = games
    most: cython.Py_ssize_t = max_turns
    first: cython.int = len(numbers)
    rules: cython.p_uchar = record
    start: cython.p_uchar = position
    rolled: cython.p_uchar = numbers
    board: cython.p_uchar
    index: cython.Py_ssize_t
    played: cython.Py_ssize_t
    turns: cython.Py_ssize_t = 0
    over: cython.int
    won: cython.Py_ssize_t = 0
    lost: cython.Py_ssize_t = 0
    drawn: cython.Py_ssize_t = 0
    mothers_won: cython.Py_ssize_t = 0
    mothers_lost: cython.Py_ssize_t = 0
    admit(position, record, 0)
    admit_numbers(numbers)
    if games < 0:
        raise ValueError(f"games {games}: expected 0 or more")
    store: Store
    if not cython.compiled:
        store = Store()
    work: Work = cython.address(store)
    open_work(work)
    sow(work, seed & 0xFFFFFFFFFFFFFFFF)
    with cython.nogil:
        for index in range(many):
            board = board_of(work, start)
            throw(work, rolled, first)
            over = RUNNING
            played = 0
            while played < most and over == RUNNING:
                over = turn(board, rules, first if played == 0 else 0, work)
                played += 1
            turns += played
            if over == RUNNING:
                continue
            if over == DRAWN:
                drawn += 1
                continue
            if (over == MOVER_OFF or over == MOVER_BY_MOTHER) == (played & 1 == 1):
                won += 1
                mothers_won += over >= MOVER_BY_MOTHER
            else:
                lost += 1
                mothers_lost += over >= MOVER_BY_MOTHER
    failed = work.failed
    close_work(work)
    if failed:
        raise MemoryError
    return Tally(
        games=many,
        won=won,
        lost=lost,
        drawn=drawn,
        unfinished=many - won - lost - drawn,
        mothers_won=mothers_won,
        mothers_lost=mothers_lost,
        turns=turns,
    )


def sample(
    position: bytes, record: bytes, games: int, seed: int, every: int, max_turns: int = 2000
) -> bytes:
    """Positions with the mover to roll, from games played at random: one in `every` of them."""
    board: cython.p_uchar
    over: cython.int
    admit(position, record, 0)
    if not 1 <= every <= MOST_APART:
        raise ValueError(f"every {every}: expected 1 to {MOST_APART}")
    chance: cython.int = every
    store: Store
    if not cython.compiled:
        store = Store()
    work: Work = cython.address(store)
    open_work(work)
    sow(work, seed & 0xFFFFFFFFFFFFFFFF)
    found = []
    for _ in range(games):
        board = board_of(work, position)
        over = standing(board, record)
        for _ in range(max_turns):
            if over != RUNNING:
                break
            if random(work, chance) == 0:
                found.append(frozen(board))
            over = turn(board, record, 0, work)
    failed = work.failed
    close_work(work)
    if failed:
        raise MemoryError
    return b"".join(found)
