"""Our own record: what is written is read back as the same match, and what is not one is refused in words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bgcore import (
    Action,
    Crawford,
    Cube,
    Kind,
    Level,
    Match,
    NotationError,
    Rules,
    Seat,
    Start,
    load,
)
from bgcore.dice import CommittedDice
from bgcore.dice_proof import DiceMode, DiceProof
from bgcore.match import NEW
from bgcore.notation.record_text import (
    HEADER_KEYS,
    MOST_ACTIONS,
    ROTATING_KEYS,
    VERSIONS,
    is_record,
    read_records,
    write_record,
)
from bgcore.notation.rotation_json import GAME_KEYS
from bgcore.notation.rotation_json import KEYS as ROTATION_KEYS
from bgcore.notation.start_json import KEYS as START_KEYS
from bgcore.notation.start_json import read_start, write_start
from bgcore.notation.text_file import decode, wide_encoding
from bgcore.record import Record
from bgcore.replay import ReplayedMatch, matches_in
from bgcore.replay_record import replayed_records, report_of

from .samples import SAMPLE

MATCHES = sorted((Path(__file__).parents[1] / "data/matches").glob("*.jsonl"))
VARIANTS = tuple(entry.variant.id for entry in load())
WHITE, BLACK = Seat.WHITE, Seat.BLACK

SMALL = """\
{"bgcore":1,"variant":"western","options":{"match_length":1},"names":["ann","bob"],"headers":{"event":"Zoë's"}}
{"kind":"throw","dice":[2,2]}
{"kind":"throw","dice":[3,1]}
{"kind":"play","seat":"white","play":"8/5 6/5"}
{"kind":"roll","seat":"black","dice":[6,4]}
{"kind":"play","seat":"black","steps":[[24,6],[18,4]]}
{"kind":"resign","seat":"white","level":"single"}
{"kind":"answer_resignation","seat":"black","accept":true}
{"score":[0,1],"winner":"black"}
"""
PLACED = """\
{"bgcore":1,"variant":"tavla","start":{"position":"24:1 off:14 / 6:1 off:14","seat":"black","dice":[6,5]}}
{"kind":"play","seat":"black","play":"24/18 18/13"}
{"score":[0,0],"winner":null}
"""


def one(text: str) -> ReplayedMatch:
    [match] = replayed_records(text, load())
    return match


def says_where(error: NotationError) -> bool:
    return error.faults[0].field.startswith("line ") and len(str(error)) < 2000


def refused(text: str) -> str:
    with pytest.raises(NotationError) as error:
        list(replayed_records(text, load()))
    assert says_where(error.value)
    return str(error.value)


def faults(text: str) -> list[str]:
    return [str(fault) for match in replayed_records(text, load()) for fault in match.report.faults]


# -- there and back ----------------------------------------------------------------------------------


def random_match(rules: Rules, seed: int, start: Start = NEW, most: int = 600) -> Match:
    """A match in which both seats do anything that is legal, most often a play."""
    random = Random(seed)
    match = Match.new(rules, start)
    for _ in range(most):
        kinds = [kind for kind in match.decision.kinds if kind in CHOICES]
        if not kinds:
            break
        weights = [RARE.get(kind, 1) for kind in kinds]
        [kind] = random.choices(kinds, weights)
        seat = random.choice((WHITE, BLACK)) if match.decision.seat is None else match.decision.seat
        match = match.after(CHOICES[kind](match, seat, random))
    return match


def play(match: Match, seat: Seat, random: Random) -> Action:
    chosen = random.choice(match.game.plays)
    steps = tuple((step.origin, step.number) for step in chosen.steps)
    return random.choice((Action.play(seat, str(chosen)), Action.play_steps(seat, steps)))


RARE = {Kind.RESIGN_MATCH: 0.001, Kind.RESIGN: 0.02, Kind.DOUBLE: 0.2, Kind.END_SESSION: 0.3}

CHOICES: dict[Kind, Callable[[Match, Seat, Random], Action]] = {
    Kind.THROW: lambda _, seat, random: Action.throw(random.randint(1, 6), random.randint(1, 6)),
    Kind.ROLL: lambda match, seat, random: Action.roll(
        seat, *(random.randint(1, 6) for _ in range(match.rules.variant.dice))
    ),
    Kind.NAME_DOUBLE: lambda _, seat, random: Action.name_double(seat, random.randint(1, 6)),
    Kind.PLAY: play,
    Kind.DOUBLE: lambda _, seat, random: Action.double(seat),
    Kind.TAKE: lambda _, seat, random: Action.take(seat),
    Kind.DROP: lambda _, seat, random: Action.drop(seat),
    Kind.RESIGN: lambda match, seat, random: (
        Action.resign(seat, random.choice(levels))
        if (levels := match.game.levels(seat))
        else Action.resign_points(seat, match.game.points_to_resign(seat) or 0)
    ),
    Kind.ANSWER_RESIGNATION: lambda _, seat, random: Action.answer_resignation(
        seat, accept=random.random() < 0.4
    ),
    Kind.NEXT_GAME: lambda _, seat, random: Action.next_game(),
    Kind.ANIMAL: lambda _, seat, random: Action.animal(seat),
    Kind.RESIGN_MATCH: lambda _, seat, random: Action.resign_match(seat),
    Kind.END_SESSION: lambda _, seat, random: Action.end_session(),
}

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


PROOFS = [
    None,
    DiceProof(DiceMode.SYSTEM),
    DiceProof.of(CommittedDice(bytes(range(32)), "ann's own", "Zoë ⚅")),
    DiceProof(DiceMode.COMMITTED, "0f" * 32, ("ann's own", None)),
]


@st.composite
def chosen_rules(draw: st.DrawFn) -> Rules:
    """Rules of any variant under any preset, or in a match of some length."""
    registry = load()
    variant = draw(st.sampled_from(VARIANTS))
    if preset := draw(st.sampled_from(["", *registry.presets_of(registry.variant(variant))])):
        return registry.rules(variant, preset)
    length, auto = draw(st.sampled_from([1, 2, 3, None])), draw(st.booleans())
    return registry.rules(variant, "", {"match_length": length, "resign_auto_accept": auto})


@settings(max_examples=60)
@given(
    rules=chosen_rules(),
    seed=st.integers(0, 10**6),
    names=st.tuples(TEXTS, TEXTS),
    headers=st.dictionaries(TEXTS, TEXTS, max_size=3),
    dice=st.sampled_from(PROOFS),
)
def test_any_match_is_written_and_read_as_the_same_record(
    rules: Rules,
    seed: int,
    names: tuple[str, str],
    headers: dict[str, str],
    dice: DiceProof | None,
) -> None:
    match = random_match(rules, seed)
    record = Record.of(match, names, headers, dice)
    read = one(write_record(record, load()))
    assert read.report.faults == ()
    assert read.record == record
    assert read.record.match(load()) == read.match
    assert same(read.match, match)


def same(read: Match | None, match: Match) -> bool:
    """Whether two matches stand alike, under rules that were made apart."""
    return (
        read is not None
        and replace(read, cycle=match.cycle, game=match.game) == match
        and (replace(read.game, rules=match.rules, terms=match.game.terms) == match.game)
    )


@settings(max_examples=30)
@given(
    variant=st.sampled_from(VARIANTS),
    seed=st.integers(0, 10**6),
    seat=st.sampled_from(Seat),
    dice=st.sampled_from([(), (3, 1), (5, 5)]),
    score=st.sampled_from([(0, 0), (1, 2), (4, 0), (3, 4)]),
    been=st.booleans(),
    power=st.integers(0, 3),
    owner=st.sampled_from([None, *Seat]),
)
def test_a_match_may_begin_at_any_position_and_score(
    variant: str,
    seed: int,
    seat: Seat,
    dice: tuple[int, ...],
    score: tuple[int, int],
    been: bool,
    power: int,
    owner: Seat | None,
) -> None:
    rules = load().rules(variant, options={"match_length": 5})
    before = random_match(rules, seed, most=40).game
    cube = (
        Cube(1 << power, owner, turned=owner is not None) if rules.options.get("cube") else Cube()
    )
    crawford = Crawford.AFTER if been or cube != Cube() else Crawford.BEFORE
    dice += dice[-1:] * (rules.variant.dice - 2)
    start = Start(before.position, seat, cube, dice, score, crawford)
    if rules.outcome(before.position):
        return
    match = random_match(rules, seed + 1, start, most=60)
    record = Record.of(match)
    assert one(write_record(record, load())).record == record
    assert read_start(write_start(start), rules) == start


OPENED = (Action.throw(3, 1),)
CORRECTED = (*OPENED, Action.play(WHITE, "8/5"), Action.correct(WHITE, "8/5 6/5"))
DROPPED = (
    *OPENED,
    Action.play(WHITE, "8/5 6/5"),
    Action.double(BLACK),
    Action.animal(WHITE),
    Action.drop(BLACK),
    Action.end_session(),
)
MONEY: dict[str, object] = {"match_length": None, "animals": 1}
CLOCK: dict[str, object] = {"clock": "fischer"}


@pytest.mark.parametrize(
    ("options", "actions", "ended_by"),
    [
        ({}, (*OPENED, Action.resign_match(BLACK)), "resign"),
        (CLOCK, (*OPENED, Action.flag(WHITE)), "flagged"),
        ({**CLOCK, "flag_loses": "game"}, (*OPENED, Action.flag(WHITE)), "flagged"),
        ({"illegal_moves": "until_next_roll"}, CORRECTED, "unfinished"),
        (MONEY, DROPPED, "drop"),
    ],
)
def test_what_ends_a_match_otherwise_is_in_the_record(
    options: dict[str, object], actions: tuple[Action, ...], ended_by: str
) -> None:
    match = Match.replay(load().rules("western", options=options), actions)
    read = one(write_record(Record.of(match), load()))
    assert read.report.faults == ()
    assert read.record.actions == actions
    assert read.report.winner is match.winner
    assert [game.ended_by for game in read.report.games] == [ended_by]


def test_a_record_of_chosen_options_is_written_with_all_of_them() -> None:
    [match] = matches_in(SAMPLE)
    assert match.match is not None
    read = one(write_record(match.record, load())).record
    assert read.options == match.match.rules.options
    assert read.actions == match.record.actions
    assert read.headers == match.record.headers


@pytest.mark.parametrize("file", MATCHES, ids=[file.stem for file in MATCHES])
def test_records_that_were_written_once_stay_readable(file: Path) -> None:
    text = file.read_text()
    matches = list(replayed_records(text, load()))
    assert [match.report.faults for match in matches] == [()] * len(matches)
    # Options may have come since; the actions and the last lines are written as they were.
    again = "".join(write_record(match.record, load()) for match in matches)
    lines, written = text.splitlines(), again.splitlines()
    assert len(lines) == len(written)
    for before, now in zip(lines, written, strict=True):
        if "bgcore" not in before:
            assert now == before
            continue
        old, new = json.loads(before), json.loads(now)
        pairs = [(old, new)]
        pairs += zip(*(one.get("rotation", {}).get("games", []) for one in (old, new)), strict=True)
        for was, is_now in pairs:
            assert was.pop("options").items() <= is_now.pop("options").items()
        assert old == new


def test_there_are_samples_of_every_version_of_the_form() -> None:
    versions = {json.loads(file.read_text().splitlines()[0])["bgcore"] for file in MATCHES}
    assert versions == set(VERSIONS)


def test_several_matches_stand_in_one_text_one_after_another() -> None:
    first, second = replayed_records(SMALL + "\n" + PLACED, load())
    assert (first.record.variant, second.record.variant) == ("western", "tavla")
    assert second.record.start.seat is BLACK
    assert [record.line for record in read_records(SMALL + "\n" + PLACED)] == [1, 11]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\n\n"),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace(":", " : ").replace(",", " , "),
        lambda text: text.replace("ë", "\\u00eb"),
    ],
)
def test_what_differs_only_in_writing_is_the_same_record(change: Callable[[str], str]) -> None:
    read = one(change(SMALL).replace("Zoë 's", "Zoë's"))
    assert read.report.faults == ()
    assert read.record == one(SMALL).record
    assert is_record(change(SMALL))


# -- what a record comes to --------------------------------------------------------------------------


def test_the_report_is_that_of_a_match_text() -> None:
    [text] = matches_in(SAMPLE)
    read = one(write_record(text.record, load()))
    told = [replace(game, points_by_rule=game.points) for game in text.report.games]
    assert list(read.report.games) == told
    assert read.report == replace(text.report, games=tuple(told))
    assert text.match is not None
    assert report_of(text.match, ("ann", "bob")) == read.report


def test_a_game_that_still_runs_is_told_as_such() -> None:
    [game] = one(PLACED).report.games
    assert (game.ended_by, game.flags, game.winner, game.rolls) == (
        "unfinished",
        ("unfinished",),
        None,
        1,
    )
    assert one(SMALL).report.games[0].flags == ()


def test_jacoby_and_the_mother_are_told_by_their_points() -> None:
    rules = load().rules("western", options={"match_length": None, "resign_auto_accept": False})
    match = Match.new(rules).after(Action.throw(3, 1)).after(Action.resign(WHITE, Level.GAMMON))
    match = match.after(Action.answer_resignation(BLACK, accept=True))
    [game] = report_of(match).games
    assert (game.points, game.points_by_rule, game.level, game.flags) == (
        1,
        2,
        "gammon",
        ("jacoby",),
    )


# -- what is refused ---------------------------------------------------------------------------------


def changed(line: int, **values: Any) -> str:
    """SMALL with keys of one line set, or taken out where the value is `...`."""
    lines = SMALL.splitlines()
    form = {**json.loads(lines[line - 1]), **values}
    form = {key: value for key, value in form.items() if value is not ...}
    lines[line - 1] = json.dumps(form)
    return "\n".join(lines)


def without(line: int) -> str:
    lines = SMALL.splitlines()
    return "\n".join(lines[: line - 1] + lines[line:])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1 nothing: expected a record"),
        (" \n\n", "line 1 nothing: expected a record"),
        (changed(1, bgcore=5), "line 1 bgcore 5: expected version 1, 2, 3 or 4 of the form"),
        (changed(1, bgcore=True), "line 1 bgcore true: expected version 1, 2, 3 or 4 of the form"),
        (changed(1, bgcore="1.0"), "line 1 bgcore 1.0: expected version 1"),
        (changed(1, variant=...), "line 1 field variant missing: expected it to be there"),
        (changed(1, length=3), "line 1 field length: expected one of bgcore, "),
        (changed(1, names=["ann"]), 'line 1 names ["ann"]: expected two texts'),
        (changed(1, names=["ann", 3]), "line 1 names 3: expected a text"),
        (changed(1, headers={"round": 3}), "line 1 headers.round 3: expected a text"),
        (changed(1, dice={"mode": "loaded"}), "line 1 mode loaded: expected system, committed"),
        (changed(1, dice=[6, 6]), "line 1 dice [6, 6]: expected an object"),
        (changed(1, options=[]), "line 1 options []: expected an object"),
        (changed(1, options={"cube": 0.5}), "line 1 options.cube 0.5: expected true, false"),
        (changed(1, start={"colour": 1}), "line 1 start field colour: expected one of crawford"),
        (changed(1, start={"dice": [3, 1]}), "line 1 start.dice [3, 1]: expected a position"),
        (changed(1, start={"position": "6:1"}), "line 1 column 4 the end: expected two sides"),
        (changed(1, start={"score": [1]}), "line 1 start.score [1]: expected two numbers"),
        (changed(1, start={"score": [1, True]}), "line 1 start.score [1, true]: expected two"),
        (changed(1, start={"crawford": "soon"}), 'line 1 start.crawford "soon": expected before'),
        (without(1), "line 1 field kind: expected a first line such as"),
        (without(9), "line 8 the end: expected the score"),
        (without(9) + "\n" + SMALL, "line 9 bgcore 1: expected the score, as the record is not"),
        (SMALL + '{"kind":"next_game"}', "line 10 field kind: expected a first line"),
        (changed(2, kind="move"), "line 2 kind move: expected throw"),
        (changed(2, dice=[0, 7]), "line 2 dice [0, 7]: expected two or three numbers"),
        (changed(4, who="me"), "line 4 play action who there: expected"),
        (changed(9, winner=...), "line 9 field winner missing: expected it to be there"),
        (changed(9, winner="ann"), 'line 9 winner "ann": expected white, black or null'),
        (changed(9, score="0-1"), 'line 9 score "0-1": expected two numbers'),
        (changed(9, points=1), "line 9 field points: expected one of score, winner"),
        (SMALL.replace('{"kind":"throw"', '{"kind":"throw"', 1) + "{", "line 10: expected a JSON obj"),
        (SMALL.replace('"dice":[2,2]', '"dice":[2,NaN]'), "line 2 value NaN: expected a number"),
        (SMALL.replace('"dice":[2,2]', '"dice":' + 9999 * "["), "line 2: expected a JSON object"),
        (SMALL.replace("[2,2]", 99 * "[" + 99 * "]"), "line 2: expected a JSON object that is not"),
        (SMALL.replace("[2,2]", "[2," + 99 * "2" + "]"), "line 2 number 2222222222"),
        (SMALL.replace("[2,2]", '[2,2],"dice":[3,1]'), "line 2 field dice: expected each key once"),
        (SMALL.replace('"ann"', '"\\ud800"'), "line 1 character '\\ud800': expected a character"),
        (SMALL.replace('"ann"', '"\ud800"'), "line 1 character '\\ud800': expected a character"),
        (SMALL.replace("ann", "a" * (1 << 20)), "line 1: expected a line of at most 1048576"),
        (
            '{"bgcore":1,"variant":"western"}\n' + '{"kind":"throw","dice":[1,1]}\n' * (MOST_ACTIONS + 1),
            f"line {MOST_ACTIONS + 2} action {MOST_ACTIONS + 1}: expected at most {MOST_ACTIONS} a game",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_by_line(text: str, says: str) -> None:
    assert refused(text).startswith(says)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (changed(1, variant="chess"), "line 1: variant chess: expected one of western"),
        (changed(1, options={"jacoby": 3}), "line 1: option jacoby 3: expected true or false"),
        (changed(1, options={"match_length": 0}), "line 1: option match_length 0: expected a number"),
        (changed(1, options={"x": ["y"]}), "line 1: option x: expected an option of western"),
        (changed(1, start={"score": [1, 0]}), "line 1: [1, 0]: the match is over, expected below"),
        (changed(1, start={"position": "6:16 / 6:1"}), "line 1: mover checkers 16: expected 15"),
        (changed(3, dice=[1, 3]), "line 4: white: it is not white's turn to decide (play)"),
        (changed(4, play="8/5 6/4"), "line 4: 6/4: 2 is not left to play, expected one of 1"),
        (changed(4, play="hello"), "line 4: column 1 hello: expected"),
        (changed(6, steps=[[24, 6], [18, 5]]), "line 6: 18/13: 5 is not left to play"),
        (without(5), "line 5: play: not now, expected"),
        (changed(8, accept=False), "line 9: score 0-1: expected 0-0, as the games came out"),
        (changed(9, score=[1, 0]), "line 9: score 1-0: expected 0-1, as the games came out"),
        (changed(9, winner=None), "line 9: winner nobody: expected black"),
        (changed(7, kind="double", level=...), "line 7: double: a one-point match has no cube"),
    ],
)  # fmt: skip
def test_what_breaks_a_rule_is_a_fault_with_its_line(text: str, says: str) -> None:
    found = faults(text)
    assert found[0].startswith(says)


def test_a_fault_leaves_the_record_before_it_and_the_matches_behind_it() -> None:
    broken, whole = replayed_records(changed(4, play="8/5 6/4") + "\n" + SMALL, load())
    assert [action.kind for action in broken.record.actions] == [Kind.THROW, Kind.THROW]
    assert broken.record.match(load()) == broken.match
    assert broken.report.games[0].ended_by == "broken"
    assert whole.report.faults == ()


def test_a_fault_tells_of_rules_that_have_changed_since() -> None:
    text = changed(1, rules_version="0.1").replace("8/5 6/5", "8/5 6/4")
    assert faults(text)[0].endswith(f"; recorded under rules 0.1, these are {version('western')}")
    assert faults(changed(1, rules_version="0.1")) == []


def version(variant: str) -> str:
    return load().variant(variant).rules_version


def test_a_name_that_is_half_a_character_is_not_written() -> None:
    with pytest.raises(NotationError, match="expected a character, not half"):
        write_record(Record("western", names=("\ud800", "")), load())


def test_the_page_tells_of_every_key_and_action() -> None:
    page = (Path(__file__).parents[2] / "docs/record.md").read_text()
    first = {
        key
        for row in re.findall(r"^\| ([^|]*`[^|]*) \|", page, re.MULTILINE)
        for key in WORD_IN.findall(row)
    }
    assert first - {"kind"} == {
        *HEADER_KEYS,
        "spec",
        *ROTATING_KEYS,
        *ROTATION_KEYS,
        *GAME_KEYS,
        *START_KEYS,
        *Kind,
    }


WORD_IN = re.compile(r"`([a-z_]+)`")


# -- anything ----------------------------------------------------------------------------------------

SCRAPS = (
    '"', "{", "}", "[", "]", ",", ":", "null", "true", "NaN", "-1", "1e999", "9" * 30, "\\ud800", "\ud800",
    "\x00", "\n", '"kind"', '"score"', '"bgcore"', '"play"', '"steps"', '"seat"', "white", "[[25,6]]", "25",
    '"start"', '"position"', "6:1 / 6:1", '"cube"', '"match_length"', "plakoto", "gul-bara", "double", "next_game",
)  # fmt: skip
SOURCES = (SMALL, PLACED, SMALL + PLACED)
DIGIT, WORD = re.compile(r"\d"), re.compile(r"[a-z_]{4,}")
WORDS = sorted(
    {*Kind, *Level, *VARIANTS, "white", "black", "null", "seat", "dice", "play", "steps"}
)


def swapped(text: str, pattern: re.Pattern[str], random: Random, others: Sequence[str]) -> str:
    """The text with one place that the pattern finds replaced."""
    places = list(pattern.finditer(text))
    if not places:
        return text
    place = random.choice(places)
    return text[: place.start()] + random.choice(others) + text[place.end() :]


def damaged(random: Random) -> str:
    """A record in which something was changed, doubled, left out or put elsewhere; or none at all."""
    if random.random() < 0.05:
        return "".join(random.choices(SCRAPS, k=random.randint(0, 20)))
    text = random.choice(SOURCES)
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        lines = text.split("\n")
        at, until = sorted(random.choices(range(len(text) + 1), k=2))
        until = min(until, at + random.choice((0, 1, 1, 2, 8, 40)))
        match random.randrange(9):
            case 0:
                text = text[:at] + random.choice(SCRAPS) + text[until:]
            case 1:
                text = (
                    text[:at] + chr(random.choice((32, 48, 57, 127, 255, 0x1F600))) + text[until:]
                )
            case 2:
                text = text[:at] + text[until:]
            case 3:
                text = text[:until] + text[at:]
            case 4:
                random.shuffle(lines)
                text = "\n".join(lines)
            case 5:  # another number
                text = swapped(text, DIGIT, random, "0123456789")
            case 6 | 7:  # another word
                text = swapped(text, WORD, random, WORDS)
            case _:
                lines.insert(random.randrange(len(lines)), random.choice(lines))
                text = "\n".join(lines)
    return text


def read_or_refused(text: str) -> list[ReplayedMatch] | None:
    """The matches of a text; `None` where it cannot be read, which must name a line."""
    try:
        return list(replayed_records(text, load()))
    except NotationError as error:
        refusal = error
    except Exception as problem:
        raise AssertionError(ascii(text)) from problem
    assert says_where(refusal), ascii(text)
    return None


def fuzz(count: int, seed: int) -> tuple[int, int, int]:
    """Reads so many damaged records; how many texts were refused, and matches faulty and whole."""
    random = Random(seed)
    refusals = faulty = whole = 0
    for _ in range(count):
        text = damaged(random)
        matches = read_or_refused(text)
        refusals += matches is None
        for match in matches or ():
            reasons = {fault.reason for fault in match.report.faults}
            assert "PLUGIN_FAILED" not in reasons, ascii(text)
            faulty, whole = faulty + bool(reasons), whole + (not reasons)
            if not reasons:
                assert one(write_record(match.record, load())).record == match.record, ascii(text)
    return refusals, faulty, whole


def test_a_damaged_record_is_refused_or_faulty_and_nothing_else() -> None:
    refusals, faulty, whole = fuzz(1500, seed=1)
    assert min(refusals, faulty, whole) > 20


@given(
    st.binary(max_size=80) | st.text(max_size=80).map(lambda text: text.encode(errors="replace"))
)
def test_any_bytes_are_refused_by_line(data: bytes) -> None:
    assume(not wide_encoding(data))
    assert refused(decode(data))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = (
    "bgcore", "variant", "rules_version", "options", "names", "start", "headers", "dice", "kind", "seat",
    "play", "steps", "level", "accept", "score", "winner",
)  # fmt: skip


@given(
    st.lists(
        st.integers(0, 8) | st.dictionaries(st.sampled_from(KEYS), JSON, max_size=4), max_size=12
    )
)
def test_objects_of_our_keys_with_any_values_are_refused_or_faulty(
    forms: list[int | dict[str, Any]],
) -> None:
    lines = SMALL.splitlines()
    text = "\n".join(lines[form] if isinstance(form, int) else json.dumps(form) for form in forms)
    assert read_or_refused(text) != []


# -- real matches ------------------------------------------------------------------------------------


@pytest.mark.needs_real
def test_every_real_match_goes_through_a_record_unchanged(real: Path) -> None:
    registry = load()
    for file in sorted((real / "western").glob("*.txt")):
        [text] = matches_in(decode(file.read_bytes()), registry)
        assert text.match is not None
        record = Record.of(text.match, text.record.names, text.record.headers)
        read = one(write_record(record, registry))
        assert read.record == record, file.name
        assert read.report.faults == ()
        assert same(read.match, text.match), file.name
