# The bits and bytes under the compiled kernel; `_plain.py` has the same in Python.
#
# Only how things are stored and counted is here, no rule of play.

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

cdef extern from * nogil:
    """
    #include <stdint.h>
    #include <string.h>

    #if defined(__GNUC__) || defined(__clang__)
    #define BG_LENGTH(mask) ((mask) ? 32 - __builtin_clz(mask) : 0)
    #define BG_ONES(mask) __builtin_popcount(mask)
    #else
    static int bg_ones(uint32_t mask) {
        int ones = 0;
        for (; mask; mask &= mask - 1) ones++;
        return ones;
    }
    static int bg_length(uint32_t mask) {
        int length = 0;
        for (; mask; mask >>= 1) length++;
        return length;
    }
    #define BG_LENGTH(mask) bg_length(mask)
    #define BG_ONES(mask) bg_ones(mask)
    #endif

    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define BG_LITTLE(word) __builtin_bswap32(word)
    #else
    #define BG_LITTLE(word) (word)
    #endif

    #define BG_BYTES 0x7FFFFFEu  /* 1 to 26 */

    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>

    static inline uint32_t bg_filled(const unsigned char *side) {
        __m128i none = _mm_setzero_si128();
        __m128i low = _mm_loadu_si128((const __m128i *)side);
        __m128i high = _mm_loadu_si128((const __m128i *)(side + 16));
        uint32_t empty = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(low, none))
            | (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(high, none)) << 16;
        return ~empty & BG_BYTES;
    }

    static inline uint32_t bg_paired(const unsigned char *side) {
        __m128i one = _mm_set1_epi8(1);
        __m128i low = _mm_loadu_si128((const __m128i *)side);
        __m128i high = _mm_loadu_si128((const __m128i *)(side + 16));
        uint32_t few = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(low, one), low))
            | (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(high, one), high)) << 16;
        return ~few & BG_BYTES;
    }
    #else
    static inline uint32_t bg_filled(const unsigned char *side) {
        uint32_t mask = 0;
        for (int n = 1; n < 27; n++) mask |= (uint32_t)(side[n] != 0) << n;
        return mask;
    }

    static inline uint32_t bg_paired(const unsigned char *side) {
        uint32_t mask = 0;
        for (int n = 1; n < 27; n++) mask |= (uint32_t)(side[n] > 1) << n;
        return mask;
    }
    #endif

    static inline uint32_t bg_mirrored(uint32_t mask) {
        mask = (mask >> 1 & 0x55555555u) | (mask & 0x55555555u) << 1;
        mask = (mask >> 2 & 0x33333333u) | (mask & 0x33333333u) << 2;
        mask = (mask >> 4 & 0x0F0F0F0Fu) | (mask & 0x0F0F0F0Fu) << 4;
        mask = (mask >> 8 & 0x00FF00FFu) | (mask & 0x00FF00FFu) << 8;
        return (mask >> 16 | mask << 16) >> 6;
    }

    #define BG_NIBBLES(n) 1ull << n, 1ull << (n + 4), 1ull << (n + 8), 1ull << (n + 12)
    static const uint64_t BG_UNITS[64] = {
        0, BG_NIBBLES(0), BG_NIBBLES(16), BG_NIBBLES(32), BG_NIBBLES(48),
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        BG_NIBBLES(0), BG_NIBBLES(16), 1ull << 32, 1ull << 36,
    };
    """
    unsigned int BG_LITTLE(unsigned int word)
    unsigned long long UNITS "BG_UNITS"[64]
    int length "BG_LENGTH"(unsigned int mask)
    int ones "BG_ONES"(unsigned int mask)
    unsigned int bg_filled(const unsigned char* side)
    unsigned int bg_paired(const unsigned char* side)
    unsigned int mirrored "bg_mirrored"(unsigned int mask)

ctypedef unsigned short* Counts

cdef struct Entry:
    unsigned long long low
    unsigned long long high
    unsigned int play
    int worth

cdef struct Table:
    Entry* entries
    Py_ssize_t size
    Py_ssize_t room
    unsigned int* places

cdef struct Store:
    # plays, with the header of the answer before them
    unsigned int* out
    Py_ssize_t end
    Py_ssize_t room
    int best
    int failed
    unsigned short side[32]
    # the rules of the fast search, and a position with all its entering checkers on the bar
    int bar_steps
    unsigned int outside
    int exact
    unsigned int closed
    unsigned int until_entered
    unsigned int until_home
    int changes
    unsigned int mother
    unsigned int leaving
    int doubtful
    int order_counts
    int rose
    int number
    int most
    unsigned int path
    unsigned int fixed
    unsigned int watch
    unsigned int replies[32]
    unsigned char face[64]
    # random games
    unsigned char board[64]
    unsigned char dice[4]
    unsigned long long state
    # nodes of the general search, and plays of different positions
    Table nodes
    Table found
    # room for the plays of nearly every position
    unsigned int small[256]

ctypedef Store* Work


cdef inline unsigned int filled(const unsigned char* position, int at) noexcept nogil:
    return bg_filled(position + at)

cdef inline unsigned int paired(const unsigned char* position, int at) noexcept nogil:
    return bg_paired(position + at)

cdef inline unsigned int word(const unsigned char* buffer, Py_ssize_t start) noexcept nogil:
    cdef unsigned int value
    memcpy(&value, buffer + start, 4)
    return BG_LITTLE(value)

cdef inline unsigned int pins(const unsigned char* position, int at) noexcept nogil:
    return word(position, at + 28)

cdef inline void set_pins(unsigned char* position, int at, unsigned int mask) noexcept nogil:
    mask = BG_LITTLE(mask)
    memcpy(position + at + 28, &mask, 4)

cdef inline int total(const unsigned char* position, int at) noexcept nogil:
    cdef int checkers = 0
    cdef int n
    for n in range(27):
        checkers += position[at + n]
    return checkers


cdef inline void open_work(Work work) noexcept nogil:
    work.out = work.small
    work.end = 1
    work.room = 256
    work.failed = 0
    work.nodes.entries = work.found.entries = NULL
    work.nodes.places = work.found.places = NULL
    work.nodes.room = work.found.room = 0

cdef inline void close_work(Work work) noexcept nogil:
    if work.out != work.small:
        free(work.out)
    if work.found.entries != NULL:
        free(work.found.entries)
        free(work.found.places)
    if work.nodes.entries != NULL:
        free(work.nodes.entries)
        free(work.nodes.places)


# Plays.

cdef inline void reset(Work work) noexcept nogil:
    work.end = 1

cdef inline int more(Work work) noexcept nogil:
    # Twice the room for plays.
    cdef unsigned int* bigger
    if work.out == work.small:
        bigger = <unsigned int*> malloc(8 * work.room)
        if bigger != NULL:
            memcpy(bigger, work.small, 4 * work.room)
    else:
        bigger = <unsigned int*> realloc(work.out, 8 * work.room)
    if bigger == NULL:
        work.failed = 1
        return 0
    work.out = bigger
    work.room *= 2
    return 1

cdef inline void put(Work work, unsigned int play) noexcept nogil:
    if work.end == work.room and not more(work):
        return
    work.out[work.end] = BG_LITTLE(play)
    work.end += 1

cdef inline void put_each(
    Work work, unsigned int moves, int number, unsigned int play, int shift
) noexcept nogil:
    # A mask has fewer than 32 sources, and doubling gives room for more.
    cdef unsigned int source
    cdef unsigned int step
    cdef unsigned int* here
    if work.room - work.end < 32 and not more(work):
        return
    here = work.out + work.end
    while moves:
        source = length(moves) - 1
        moves ^= <unsigned int> 1 << source
        step = source << 3 | <unsigned int> number
        here[0] = BG_LITTLE(play | step << shift)
        here += 1
    work.end = here - work.out

cdef inline Py_ssize_t collected(Work work) noexcept nogil:
    return work.end - 1

cdef inline unsigned int chosen(Work work, Py_ssize_t index) noexcept nogil:
    return BG_LITTLE(work.out[index + 1])

cdef inline void put_at(Work work, Py_ssize_t index, unsigned int play) noexcept nogil:
    work.out[index + 1] = BG_LITTLE(play)

cdef inline bytes answer(Work work, int used):
    work.out[0] = BG_LITTLE(<unsigned int> used)
    return PyBytes_FromStringAndSize(<char*> work.out, 4 * work.end)

cdef inline void spill(Work work, unsigned char* buffer, Py_ssize_t index) noexcept nogil:
    memcpy(buffer + 4 * index, work.out + 1, 4 * (work.end - 1))

cdef inline Counts borrow(Work work, const unsigned char* position) noexcept nogil:
    cdef int n
    for n in range(32):
        work.side[n] = position[n]
    return work.side


cdef inline unsigned char* entering(Work work, const unsigned char* position) noexcept nogil:
    memcpy(work.face, position, 64)
    work.face[25] += work.face[26]
    work.face[26] = 0
    return work.face


# What the smaller of two numbers may do after the larger has left a point.

cdef inline void set_reply(Work work, int source, unsigned int moves) noexcept nogil:
    work.replies[source] = moves

cdef inline unsigned int reply(Work work, int source) noexcept nogil:
    return work.replies[source]


# Tables: places are one more than an index; four times as many as there may be entries, so that few collide.

cdef inline int grown(Work work, Table* table) noexcept nogil:
    # Room for twice as many entries, or for the first.
    cdef Py_ssize_t room = 2 * table.room if table.room else 256
    cdef Entry* entries = <Entry*> realloc(table.entries, room * sizeof(Entry))
    cdef unsigned int* places
    cdef Py_ssize_t index
    cdef Py_ssize_t at
    if entries == NULL:
        work.failed = 1
        return 0
    table.entries = entries
    places = <unsigned int*> calloc(4 * room, 4)
    if places == NULL:
        work.failed = 1
        return 0
    free(table.places)
    table.places = places
    table.room = room
    for index in range(table.size):
        at = free_place(table, entries[index].low, entries[index].high)
        places[at] = <unsigned int> (index + 1)
    return 1

cdef inline Py_ssize_t free_place(
    Table* table, unsigned long long low, unsigned long long high
) noexcept nogil:
    # Where an entry would be; -1 where there is one already.
    cdef unsigned long long hash = (low ^ (high * <unsigned long long> 0xD6E8FEB86659FD93))
    cdef Py_ssize_t mask = 4 * table.room - 1
    cdef Entry* entry
    cdef Py_ssize_t at
    hash *= <unsigned long long> 0x9E3779B97F4A7C15
    at = <Py_ssize_t> (hash >> 32) & mask
    while table.places[at]:
        entry = table.entries + (table.places[at] - 1)
        if entry.low == low and entry.high == high:
            return -1
        at = (at + 1) & mask
    return at

cdef inline void emptied(Work work, Table* table) noexcept nogil:
    table.size = 0
    if table.room:
        memset(table.places, 0, 16 * table.room)
    else:
        grown(work, table)

cdef inline void added(
    Work work, Table* table, unsigned long long low, unsigned long long high, unsigned int play
) noexcept nogil:
    cdef Py_ssize_t at
    cdef Entry* entry
    if work.failed or (table.size == table.room and not grown(work, table)):
        return
    at = free_place(table, low, high)
    if at < 0:
        return
    entry = table.entries + table.size
    entry.low = low
    entry.high = high
    entry.play = play
    entry.worth = 0
    table.size += 1
    table.places[at] = <unsigned int> table.size


# Nodes: steps in the order in which they were made, and what they count. The key is the steps sorted.

cdef inline void root(Work work) noexcept nogil:
    emptied(work, &work.nodes)
    added(work, &work.nodes, 0, 0, 0)

cdef inline Py_ssize_t nodes(Work work) noexcept nogil:
    return work.nodes.size

cdef inline unsigned int steps_of(Work work, Py_ssize_t index) noexcept nogil:
    return work.nodes.entries[index].play

cdef inline int worth_of(Work work, Py_ssize_t index) noexcept nogil:
    return work.nodes.entries[index].worth

cdef inline void set_worth(Work work, Py_ssize_t index, int worth) noexcept nogil:
    work.nodes.entries[index].worth = worth

cdef inline void branch(Work work, Py_ssize_t index, unsigned int step) noexcept nogil:
    cdef Entry* entry = work.nodes.entries + index
    cdef unsigned long long key = entry.low
    cdef unsigned long long one = 1
    cdef unsigned long long below
    cdef int shift = 0
    while (key >> shift & 255) > step:
        shift += 8
    below = key & ((one << shift) - 1)
    key = below | <unsigned long long> step << shift | (key ^ below) << 8
    added(
        work, &work.nodes, key, 0, entry.play | step << ((length(entry.play) + 7) & ~7)
    )

cdef inline unsigned char* scratch(Work work, const unsigned char* position) noexcept nogil:
    memcpy(work.face, position, 64)
    return work.face


# Plays of different positions. The key is what they change: the mover's counts, four bits a place (off
# follows from the others), and behind those of 17 to 26 the blots that are hit.

cdef inline void forget(Work work) noexcept nogil:
    emptied(work, &work.found)

cdef struct Change:
    unsigned long long low
    unsigned long long high
    unsigned long long hit

cdef inline Change stepped(
    Change change, unsigned int step, unsigned int blots
) noexcept nogil:
    cdef int source = step >> 3 & 31
    cdef int target = (25 if source == 26 else source) - <int> (step & 7)
    change.low -= UNITS[source]
    change.high -= UNITS[source + 32]
    if target > 0:
        change.low += UNITS[target]
        change.high += UNITS[target + 32]
        change.hit |= blots & <unsigned int> 1 << target
    return change

cdef inline Change changed(unsigned int play, unsigned int blots) noexcept nogil:
    cdef Change change
    change.low = change.high = change.hit = 0
    while play:
        change = stepped(change, play, blots)
        play >>= 8
    return change

cdef inline void kept(Work work, Change change, unsigned int play) noexcept nogil:
    added(work, &work.found, change.low, change.high + (change.hit << 39), play)

cdef inline void remember(Work work, unsigned int play, unsigned int blots) noexcept nogil:
    kept(work, changed(play, blots), play)

cdef inline void remember_each(
    Work work, unsigned int moves, int number, unsigned int play, int shift, unsigned int blots
) noexcept nogil:
    # What the steps before the last change is worked out once for all.
    cdef Change before = changed(play, blots)
    cdef unsigned int source
    cdef unsigned int step
    while moves:
        source = length(moves) - 1
        moves ^= <unsigned int> 1 << source
        step = source << 3 | <unsigned int> number
        kept(work, stepped(before, step, blots), play | step << shift)

cdef inline Py_ssize_t remembered(Work work) noexcept nogil:
    return work.found.size

cdef inline void recall(Work work) noexcept nogil:
    cdef Py_ssize_t index
    reset(work)
    for index in range(work.found.size):
        put(work, work.found.entries[index].play)


# Positions in larger buffers.

cdef inline unsigned char* part(unsigned char* buffer, Py_ssize_t start, int size) noexcept nogil:
    return buffer + start

cdef extern from "Python.h":
    ctypedef struct Py_buffer:
        void* buf
    Py_buffer* PyMemoryView_GET_BUFFER(object view)

cdef inline unsigned char* raw(object view):
    return <unsigned char*> PyMemoryView_GET_BUFFER(view).buf

cdef inline void write_offset(unsigned char* buffer, Py_ssize_t index, Py_ssize_t value) noexcept nogil:
    cdef unsigned int offset = <unsigned int> value
    memcpy(buffer + 4 * index, &offset, 4)

cdef inline unsigned long long read_context(const unsigned char* buffer, Py_ssize_t index) noexcept nogil:
    cdef unsigned long long context
    memcpy(&context, buffer + 8 * index, 8)
    return context

cdef inline bytes blank(Py_ssize_t count):
    return PyBytes_FromStringAndSize(NULL, 64 * count)

cdef inline unsigned char* slot(bytes boards, Py_ssize_t index, const unsigned char* position):
    cdef unsigned char* here = <unsigned char*> PyBytes_AS_STRING(boards) + 64 * index
    memcpy(here, position, 64)
    return here

cdef inline bytes sealed(bytes boards):
    return boards

cdef inline bytes frozen(const unsigned char* board):
    return PyBytes_FromStringAndSize(<const char*> board, 64)


# Random games.

cdef inline unsigned char* board_of(Work work, const unsigned char* position) noexcept nogil:
    memcpy(work.board, position, 64)
    return work.board

cdef inline void swap(unsigned char* board) noexcept nogil:
    cdef unsigned char mover[32]
    memcpy(mover, board, 32)
    memcpy(board, board + 32, 32)
    memcpy(board + 32, mover, 32)

cdef inline unsigned char* dice_of(Work work) noexcept nogil:
    return work.dice

cdef inline void throw(Work work, const unsigned char* numbers, int count) noexcept nogil:
    memcpy(work.dice, numbers, count)

cdef inline void sow(Work work, unsigned long long seed) noexcept nogil:
    work.state = seed

cdef inline unsigned int random(Work work, unsigned long long below) noexcept nogil:
    cdef unsigned long long bits
    work.state += <unsigned long long> 0x9E3779B97F4A7C15
    bits = work.state
    bits = (bits ^ (bits >> 30)) * <unsigned long long> 0xBF58476D1CE4E5B9
    bits = (bits ^ (bits >> 27)) * <unsigned long long> 0x94D049BB133111EB
    bits ^= bits >> 31
    return <unsigned int> ((bits >> 32) * below >> 32)
