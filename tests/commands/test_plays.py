from __future__ import annotations

import csv
import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgcore import Plays, Position, Registry, Rules, load
from bgcore.notation.board_json import read_board_json, write_board_json
from bgcore.notation.position_id import read_position_id, write_position_id
from bgcore.registry import Plugin
from bgcore.turn import Turn

from . import faulty
from .runner import Ran, bgcore, plays

DATA = Path(__file__).parent.parent / "data"
START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
OPENING = {"me": {"24": 2, "13": 5, "8": 3, "6": 5}, "opp": {"24": 2, "13": 5, "8": 3, "6": 5}}
ANSWERS = ("legal", "legal_includes", "legal_count", "dice_used", "illegal", "why")


def records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def examples() -> list[dict[str, Any]]:
    """Every example about plays."""
    files = sorted(DATA.glob("examples/*.jsonl"))
    return [one for file in files for one in records(f"examples/{file.name}")]


# -- the rules' examples and the vectors -------------------------------------------------------------


@pytest.mark.parametrize("example", examples(), ids=lambda example: example["id"])
def test_an_example_of_the_rule_book_is_answered_as_it_says(example: dict[str, Any]) -> None:
    checks = [*example.get("legal", example.get("legal_includes", [])), *example.get("illegal", [])]
    ran = plays([{**example, "check": checks}])
    [answer] = ran.objects
    assert ran.status == 0
    assert answer["id"] == example["id"]
    assert answer["dice_used"] == example["dice_used"]
    assert answer["legal_count"] == example["legal_count"]
    assert answer["legal_count"] == len(answer["legal"]) == len(answer["after"])
    assert answer["legal"] == sorted(answer["legal"])
    legal = len(checks) - len(example.get("illegal", []))
    assert [checked["legal"] for checked in answer["checked"]] == [
        index < legal for index in range(len(checks))
    ]
    reasons = [checked["reason"] for checked in answer["checked"][legal:]]
    assert reasons == example.get("why", [])
    if "legal" in example:
        assert results(example, example["legal"]) == {
            json.dumps(after) for after in answer["after"]
        }


def results(example: dict[str, Any], texts: list[str]) -> set[str]:
    """Where plays lead, as boards."""
    rules = load().rules(example["variant"], options=example.get("options", {}))
    dice = example["dice"]
    numbers = dice[:1] * 4 if len(dice) == 2 and dice[0] == dice[1] else dice
    turn = Turn(**example.get("turn", {}))
    listed = rules.plays_of(rules.position(read_board_json(example)), numbers, turn)
    return {json.dumps(write_board_json(listed.find(text).after)) for text in texts}


def test_there_are_examples_of_every_variant() -> None:
    assert {example["variant"] for example in examples()} == {entry.variant.id for entry in load()}


def test_a_play_of_an_answer_leads_to_the_board_beside_it() -> None:
    for example in examples():
        [answer] = plays([{key: example[key] for key in example if key not in ANSWERS}]).objects
        found = [results(example, [text]) for text in answer["legal"]]
        assert found == [{json.dumps(after)} for after in answer["after"]]


@pytest.mark.parametrize(
    ("variant", "name", "count"),
    [("western", "western", 3000), ("hypergammon", "hyper", 500), ("nackgammon", "nack", 500)],
)
def test_the_vectors_are_answered_in_full(variant: str, name: str, count: int) -> None:
    vectors = records(f"vectors/{name}-legal.jsonl")
    assert len(vectors) == count
    ran = plays({"variant": variant, "id": one["id"], "dice": one["dice"]} for one in vectors)
    assert ran.status == 0
    for answer, vector in zip(ran.objects, vectors, strict=True):
        assert answer == {key: vector[key] for key in ("id", "dice", "used", "n", "to")}


def faults() -> list[dict[str, Any]]:
    """The faults that others had with plays and Position IDs."""
    found = records("cases/faults.jsonl")
    return [case for case in found if "dice" in case or "position_id" in case]


@pytest.mark.parametrize("case", faults(), ids=lambda case: case["id"])
def test_a_fault_that_others_had_is_not_ours(case: dict[str, Any]) -> None:
    if "why" in case and "position_id" in case:
        [answer] = plays([{"id": case["position_id"], "dice": [3, 1]}]).objects
        assert answer["error"]["reason"] in ("TOO_MANY_CHECKERS", "POINT_SHARED")
        return
    if "position_id" in case:
        rules = load().rules(case["variant"])
        position = rules.position(read_position_id(case["position_id"], rules.variant))
        assert write_board_json(position).items() <= case.items()
        return
    question = {key: case[key] for key in case if key not in ("fault", "contact", "after")}
    [answer] = plays([{**question, "check": case["legal"] + case.get("illegal", [])}]).objects
    assert (answer["dice_used"], answer["legal_count"]) == (case["dice_used"], case["legal_count"])
    assert results(case, case["legal"]) == {json.dumps(after) for after in answer["after"]}
    refused = answer["checked"][len(case["legal"]) :]
    assert [checked["reason"] for checked in refused] == case.get("why", [])
    for text, after in case.get("after", {}).items():
        assert results(case, [text]) == {json.dumps(after)}


# -- real positions ----------------------------------------------------------------------------------


def table(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as rows:
        return list(csv.DictReader(rows, delimiter="\t"))


@pytest.mark.needs_real
def test_the_contact_positions_have_as_many_results_as_published(real: Path) -> None:
    rows = table(real / "positions/wildbg-contact.tsv")
    cells = [(row["position_id"], roll) for row in rows for roll in row if roll != "position_id"]
    assert len(cells) == 21_000
    ran = plays({"id": board, "dice": [int(roll[0]), int(roll[1])]} for board, roll in cells)
    totals: Counter[bool] = Counter()
    counts = (row[roll] for row in rows for roll in row if roll != "position_id")
    for answer, count in zip(ran.objects, counts, strict=True):
        results, used = map(int, count.split("/"))
        assert (answer["n"], answer["used"]) == (results or 1, used)
        totals[answer["dice"][0] == answer["dice"][1]] += answer["n"]
    assert totals == {True: 218_356, False: 185_957}


@pytest.mark.needs_real
def test_positions_of_analysed_matches_have_as_many_results_as_counted(real: Path) -> None:
    rows = [row for row in table(real / "positions/gnubg-ids.tsv") if row["n_results"]]
    assert len(rows) == 2452
    ran = plays({"id": row["position_id"], "dice": list(map(int, row["dice"]))} for row in rows)
    for answer, row in zip(ran.objects, rows, strict=True):
        assert answer["n"] == max(int(row["n_results"]), 1)
        assert answer["used"] == int(row["max_dice"])


# -- the contract ------------------------------------------------------------------------------------


def test_a_position_id_is_answered_with_position_ids() -> None:
    ran = plays([{"variant": "western", "id": "4HPwATDgc/ABMA", "dice": [3, 1]}])
    [answer] = ran.objects
    assert list(answer) == ["id", "dice", "used", "n", "to"]
    assert (answer["used"], answer["n"], len(answer["to"])) == (2, 16, 16)
    assert answer["to"] == sorted(answer["to"])
    assert ran.output.startswith(
        '{"id":"4HPwATDgc/ABMA","dice":[3,1],"used":2,"n":16,"to":["4HPwATCk'
    )


def test_where_nothing_can_be_played_the_unchanged_position_is_the_one_result() -> None:
    board = {"me": {"6": 14}, "me_bar": 1, "opp": {str(point): 2 for point in range(1, 7)}}
    [by_board] = plays([{**board, "dice": [6, 5]}]).objects
    assert by_board == {"dice_used": 0, "legal_count": 0, "legal": [], "after": []}
    rules = load().rules("western")
    start = write_position_id(rules.position(read_board_json(board)), rules.variant)
    [by_id] = plays([{"id": start, "dice": [6, 5]}]).objects
    assert by_id == {"id": start, "dice": [6, 5], "used": 0, "n": 1, "to": [start]}


def test_a_board_is_answered_with_plays_and_boards() -> None:
    [answer] = plays([{**OPENING, "dice": [6, 5]}]).objects
    assert list(answer) == ["dice_used", "legal_count", "legal", "after"]
    assert answer["legal"][:2] == ["13/7 13/8", "13/7 7/2"]
    assert answer["after"][0] == {
        "me": {"24": 2, "13": 3, "8": 4, "7": 1, "6": 5},
        "me_off": 0,
        "opp": {"24": 2, "13": 5, "8": 3, "6": 5},
        "opp_off": 0,
    }
    [by_text] = plays([{"board": START, "dice": [6, 5]}]).objects
    assert by_text == answer


def test_a_label_is_echoed_and_answers_in_the_line_are_ignored() -> None:
    answer_keys = dict.fromkeys(ANSWERS, "whatever")
    lines = [{"id": label, "board": START, "dice": [2, 1], **answer_keys} for label in ("a", 7, "")]
    assert [answer["id"] for answer in plays(lines).objects] == ["a", 7, ""]


def test_plays_are_checked_on_request() -> None:
    texts = ["24/13", "13/7 6/1", "", "zz"]
    [answer] = plays([{"board": START, "dice": [6, 5], "check": texts}]).objects
    assert answer["checked"] == [
        {"play": "24/13", "legal": True},
        {
            "play": "13/7 6/1",
            "legal": False,
            "reason": "POINT_CLOSED",
            "message": "6/1: 1 is closed by the opponent, expected an open point",
        },
        {
            "play": "",
            "legal": False,
            "reason": "MUST_USE_MORE_NUMBERS",
            "message": answer["checked"][2]["message"],
        },
        {
            "play": "zz",
            "legal": False,
            "reason": "BAD_PLAY_TEXT",
            "message": "column 1 zz: expected a point from 1 to 24, bar, in or off",
        },
    ]


def test_one_number_may_be_left_of_a_roll() -> None:
    [answer] = plays([{**OPENING, "dice": [6]}]).objects
    assert (answer["dice_used"], answer["legal"]) == (1, ["13/7", "24/18", "8/2"])


def test_what_a_line_says_beats_the_flags() -> None:
    line = {"board": "14:15 / 24:15", "dice": [2, 1]}
    flags = ("--variant", "gul-bara", "--option", "layout=contrary")
    here, there = plays([line, {**line, "options": {"layout": "parallel"}}], *flags).objects
    assert here["legal"] == ["14/12 12/11", "14/12 14/13"]
    assert there["legal"] == ["14/13 13/11"]  # his start is the mover's 12
    [tavla] = plays(
        [{"board": START, "dice": [1, 1], "variant": "tavla"}], "--variant", "plakoto"
    ).objects
    assert tavla["legal_count"] > 0


def test_a_preset_may_be_named_by_flag_or_line() -> None:
    line = {"variant": "tavla", "me": {"10": 2, "6": 2}, "opp": {"21": 1, "13": 10}, "dice": [6, 1]}
    home = {"me": {"10": 1, "6": 1}, "opp": {"21": 1, "1": 3}, "dice": [6, 3], "variant": "tavla"}
    for question in (line, home):
        by_flag = plays([question], "--variant", "tavla", "--preset", "traditional").objects
        by_line = plays([{**question, "preset": "traditional"}]).objects
        assert by_flag == by_line != []


def test_an_option_of_the_flags_does_not_change_what_a_lines_preset_sets() -> None:
    free = ("--variant", "tavla", "--option", "home_hit_and_run=true")
    line = {"me": {"10": 2, "6": 2}, "opp": {"21": 1, "13": 10}, "dice": [6, 1]}
    by_flag, by_preset, without = plays(
        [line, {**line, "preset": "traditional"}, {**line, "preset": ""}], *free
    ).objects
    [plain] = plays([{**line, "variant": "tavla", "preset": "traditional"}]).objects
    assert by_preset == plain != by_flag == without
    # What the preset does not set, the flags still do; what the line sets itself beats all.
    again = {**line, "preset": "traditional", "options": {"home_hit_and_run": True}}
    assert (
        plays([again], *free).objects == plays([{**again, "variant": "tavla"}]).objects == [by_flag]
    )


def test_a_line_of_another_variant_takes_from_the_flags_what_it_has() -> None:
    line = {"board": START, "dice": [1, 1], "variant": "tavla"}
    expected = plays([line]).objects
    for flags in (
        ("--variant", "gul-bara", "--option", "layout=contrary"),
        ("--variant", "gul-bara", "--preset", "bulgarian"),
        ("--preset", "money", "--option", "jacoby=true"),
    ):
        ran = plays([line], *flags)
        assert (ran.status, ran.objects) == (0, expected)
    hit = {"me": {"10": 2, "6": 2}, "opp": {"21": 1, "13": 10}, "dice": [6, 1], "variant": "tavla"}
    shared = plays([hit], "--variant", "plakoto", "--preset", "traditional").objects
    assert shared == plays([{**hit, "preset": "traditional"}]).objects != plays([hit]).objects


def test_a_mark_of_utf_8_may_stand_before_the_first_line() -> None:
    line = json.dumps({"board": START, "dice": [3, 1]}).encode() + b"\n"
    ran = bgcore("plays", given=b"\xef\xbb\xbf" + line + line)
    assert [answer["legal_count"] for answer in ran.objects] == [16, 16]
    assert bgcore("plays", given=b"\xef\xbb\xbf\n").objects == []
    later = bgcore("plays", given=line + b"\xef\xbb\xbf" + line).objects
    assert "error" in later[1]


@pytest.mark.parametrize("variant", ["faulty", "unmade"])
def test_a_variant_that_fails_does_not_stop_the_other_lines(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bgcore_server.commands.plays.load", faulty.registry)
    line = {"board": START, "dice": [3, 1]}
    ran = plays([{**line, "variant": variant, "preset": "tournament"}, line])
    assert ran.status == 1
    error = ran.objects[0]["error"]
    assert error["reason"] == "PLUGIN_FAILED"
    told = r"tests\.commands\.faulty\.\S+ raised LookupError: no such thing \(faulty\.py:\d+\)"
    assert re.fullmatch(told, error["message"])
    assert ran.objects[1]["legal_count"] == 16


def test_answers_keep_the_order_and_a_bad_line_does_not_stop_the_others() -> None:
    ran = plays([{"board": START, "dice": [6, 5]}, "[1]", {"board": START, "dice": [3, 1]}])
    first, bad, last = ran.objects
    assert (first["legal_count"], last["legal_count"]) == (7, 16)
    assert bad == {"line": 2, "error": {"reason": "BAD_JSON", "message": bad["error"]["message"]}}
    assert ran.status == 1


def test_an_error_says_which_line_it_is_of_and_which_question() -> None:
    wrong = {"id": "mine", "board": START, "dice": [7, 1]}
    ran = plays([{"board": START, "dice": [6, 5]}, "", wrong, {**wrong, "id": [1]}])
    assert [(one.get("id"), one.get("line")) for one in ran.objects[1:]] == [("mine", 3), (None, 4)]


def test_what_is_near_is_what_was_meant() -> None:
    ran = plays(
        [{"board": START, "dice": [6, 5], "leagl": 1}, {"board": START, "variant": "tavle"}]
    )
    first, second = (one["error"]["message"] for one in ran.objects)
    assert first == "field leagl: expected legal, most likely"
    assert second == "variant tavle: expected tavla, most likely"


def test_later_parts_of_a_roll_are_told_and_can_be_asked_about() -> None:
    start = "24:15 / 24:15"
    line = {"variant": "gioul", "board": start, "turn": {"own_roll": 9}, "dice": [5, 5]}
    first, plain = plays([line, {**line, "dice": [5, 4]}]).objects
    assert first["later"] == [{"kind": "rung", "numbers": [6, 6, 6, 6]}]
    assert "later" not in plain
    del line["dice"]
    later, both = plays(
        [{**line, "numbers": [6, 6, 6, 6]}, {**line, "numbers": [1], "dice": [1]}]
    ).objects
    assert later["dice_used"] > 0
    assert both["error"]["reason"] == "BAD_FIELD"


class Talks(Rules):
    """Prints what it is asked."""

    def keep(self, start: Position, plays: Plays) -> Plays:
        print("looking at", start)
        return plays


def test_what_a_variant_prints_is_not_among_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def registry() -> Registry:
        found = load().using(Plugin("talks"))
        found.add(replace(found.variant("western"), id="talks", aliases=()), Talks)
        return found

    monkeypatch.setattr("bgcore_server.commands.plays.load", registry)
    ran = plays([{"variant": "talks", "board": START, "dice": [3, 1]}])
    assert ran.objects[0]["legal_count"] == 16
    assert "looking at" in ran.errors


def test_where_a_variants_code_failed_is_shown_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgcore_server.commands.plays.load", faulty.registry)
    line = {"variant": "faulty", "board": START, "dice": [3, 1]}
    assert plays([line]).errors == ""
    assert 'raise LookupError("no such thing")' in plays([line], "--traceback").errors


LINES = [
    ("not json", "BAD_JSON"),
    ("[1]", "BAD_JSON"),
    ('"text"', "BAD_JSON"),
    ("null", "BAD_JSON"),
    ("{", "BAD_JSON"),
    ("{} {}", "BAD_JSON"),
    ('{"dice": NaN}', "BAD_JSON"),
    ('{"dice": [Infinity, 1]}', "BAD_JSON"),
    ('{"dice": [' + "9" * 5000 + ", 1]}", "BAD_JSON"),
    ("[" * 100_000, "BAD_JSON"),
    ('{"id": "4HPwATDgc/ABMA", "id": "4HPwATDgc/ABMA", "dice": [3, 1]}', "DUPLICATE_FIELD"),
    ('{"me": {"6": 1, "6": 2}, "dice": [3, 1]}', "DUPLICATE_FIELD"),
    ({"id": "4HPwATDgc/ABMA", "dice": [3, 1], "cat": "x"}, "UNKNOWN_FIELD"),
    ({"id": "4HPwATDgc/ABMA", "dice": [3, 1], "check": []}, "UNKNOWN_FIELD"),
    ({**OPENING, "dice": [3, 1], "to": []}, "UNKNOWN_FIELD"),
    ({"board": START, "dice": [3, 1], "me": {}}, "UNKNOWN_FIELD"),
    ({"dice": [3, 1]}, "MISSING_FIELD"),
    ({"id": "4HPwATDgc/ABMA"}, "MISSING_FIELD"),
    ({"id": 5, "dice": [3, 1]}, "BAD_FIELD"),
    ({"id": [], "board": START, "dice": [3, 1]}, "BAD_FIELD"),
    ({"board": START, "dice": [3, 1], "id": 1.5}, "BAD_FIELD"),
    ({"board": 5, "dice": [3, 1]}, "BAD_FIELD"),
    ({"board": START, "dice": [3, 1], "check": "8/5 6/5"}, "BAD_FIELD"),
    ({"board": START, "dice": [3, 1], "check": [1]}, "BAD_FIELD"),
    ({"board": START, "dice": [3, 1], "options": []}, "BAD_FIELD"),
    ({"board": START, "dice": [3, 1], "preset": 1}, "BAD_FIELD"),
    ({"board": START, "dice": [3, 1], "variant": "chess"}, "UNKNOWN_VARIANT"),
    ({"board": START, "dice": [3, 1], "preset": "none"}, "UNKNOWN_PRESET"),
    ({"board": START, "dice": [3, 1], "options": {"x": 1}}, "UNKNOWN_OPTION"),
    ({"board": START, "dice": [3, 1], "options": {"cube": []}}, "OPTION_OUT_OF_RANGE"),
    ({"board": START, "dice": [0, 1]}, "BAD_DICE"),
    ({"board": START, "dice": [7, 1]}, "BAD_DICE"),
    ({"board": START, "dice": [3, 1, 1]}, "BAD_DICE"),
    ({"board": START, "dice": "31"}, "BAD_DICE"),
    ({"id": "4HPwATDgc/ABMA", "dice": [3]}, "BAD_DICE"),
    ({"board": START, "dice": [3, 1], "turn": {"own_roll": 0}}, "BAD_FIELD"),
    ({"board": START, "dice": [3, 1], "turn": {"x": 0}}, "UNKNOWN_FIELD"),
    ({"board": "24:2", "dice": [3, 1]}, "BAD_BOARD_TEXT"),
    ({"me": {"24": 16}, "opp": {"1": 1}, "dice": [3, 1]}, "TOO_MANY_CHECKERS"),
    ({"me": {"0": 1}, "dice": [3, 1]}, "POINT_UNKNOWN"),
    ({"me": {"26": 1}, "dice": [3, 1]}, "POINT_UNKNOWN"),
    ({"me": {"1000000000": 1}, "dice": [3, 1]}, "POINT_UNKNOWN"),
    ({"me": {"24": 1}, "opp": {"1": 1}, "dice": [3, 1]}, "POINT_SHARED"),
    ({"id": "tooshort", "dice": [3, 1]}, "BAD_POSITION_ID"),
    ({"id": "4HPwATDgc/ABMA", "variant": "plakoto", "dice": [3, 1]}, "NOTATION_NOT_FOR_VARIANT"),
    ({"id": "4HPwATDgc/ABMA", "variant": "gul_bara", "dice": [3, 1]}, "NOTATION_NOT_FOR_VARIANT"),
]


@pytest.mark.parametrize(
    ("line", "reason"), LINES, ids=[f"{i}-{r}" for i, (_, r) in enumerate(LINES)]
)
def test_a_line_that_cannot_be_answered_gives_its_reason(line: object, reason: str) -> None:
    ran = plays([line])
    [answer] = ran.objects
    assert answer["error"]["reason"] == reason
    assert len(answer["error"]["message"]) < 600
    assert (ran.status, ran.errors) == (1, "")


def test_a_line_of_ten_megabytes_and_broken_utf_8_are_lines_like_others() -> None:
    good = json.dumps({"board": START, "dice": [3, 1]}).encode()
    given = b"\n".join([b'{"id": "' + b"A" * 10_000_000 + b'"}', b'{"id": "\xff"}', b"", good])
    ran = bgcore("plays", given=given)
    too_long, broken, answer = ran.objects
    assert too_long["error"]["reason"] == "LINE_TOO_LONG"
    assert broken["error"]["reason"] == "BAD_JSON"
    assert answer["legal_count"] == 16
    assert ran.status == 1


def test_lines_may_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text(json.dumps({"board": START, "dice": [3, 1]}))
    assert bgcore("plays", str(file)).objects[0]["legal_count"] == 16


@pytest.mark.parametrize(
    "arguments",
    [
        ("--variant", "chess"),
        ("--variant", "western", "--preset", "nothing"),
        ("--preset", "nothing"),
        ("--preset", "traditional"),
        ("--option", "nothing=1"),
        ("--option", "match_length=-1"),
        ("--variant", "western", "--option", "nothing=1"),
        ("--option", "nothing"),
        ("--nothing",),
        ("there-is-no-such-file.jsonl",),
    ],
)
def test_wrong_usage_is_status_2(arguments: tuple[str, ...]) -> None:
    ran = bgcore("plays", *arguments)
    assert (ran.status, ran.output) == (2, "")
    assert "Error" in ran.errors


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
QUESTIONS = st.dictionaries(
    st.sampled_from(
        [
            "id",
            "board",
            "me",
            "opp",
            "me_bar",
            "dice",
            "turn",
            "variant",
            "preset",
            "options",
            "check",
        ]
    ),
    JSON | st.just([3, 1]) | st.just(START) | st.just("western") | st.just({"6": 2}),
)


@given(st.lists(QUESTIONS.map(json.dumps) | st.text(max_size=20), max_size=4))
@settings(deadline=None)
def test_every_line_that_is_not_blank_gets_one_answer(lines: list[str]) -> None:
    given = "\n".join(lines).encode("utf-8", "surrogatepass")
    wanted = [line for line in given.split(b"\n") if line.strip()]
    ran: Ran = bgcore("plays", given=given)
    assert len(ran.objects) == len(wanted)
    assert ran.status == any("error" in answer for answer in ran.objects)
    assert not any(
        answer.get("error", {}).get("reason") == "PLUGIN_FAILED" for answer in ran.objects
    )


def test_a_column_is_counted_in_the_line_itself() -> None:
    ran = bgcore("plays", given='{"id":"x","dice":[3,1]\n')
    assert "at column 23" in ran.objects[0]["error"]["message"]


def test_an_example_may_carry_a_note_of_what_it_shows() -> None:
    example = {
        "note": "A 5 is closed.",
        "me": {"24": 1},
        "me_off": 14,
        "opp": {"6": 2},
        "dice": [5, 4],
    }
    [told] = plays([{**example, "opp_off": 13}]).objects
    assert told["legal"] == ["24/20 20/15"]
