from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bgcore import load
from bgcore.notation.formats import FORMATS
from bgcore.notation.text_file import decode
from bgcore.record import Record
from bgcore.replay import matches_in
from bgcore.replay_record import replayed_records
from tests.notation.samples import SAMPLE
from tests.notation.test_record_text import PLACED, SMALL

from . import faulty
from .runner import Ran, bgcore

START_ID, START = "4HPwATDgc/ABMA", "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
XGID = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:52:0:3:0:7:10"


def convert(*arguments: str, given: str | bytes = "") -> Ran:
    return bgcore("convert", *arguments, given=given)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    file = tmp_path / "sample.mat"
    file.write_text(SAMPLE)
    return file


# -- matches -----------------------------------------------------------------------------------------


def test_a_match_text_becomes_a_record_that_replays(sample: Path) -> None:
    ran = convert("--to", "record", str(sample))
    assert (ran.status, ran.errors) == (0, "")
    [match] = replayed_records(ran.output)
    assert match.report.faults == ()
    assert (match.report.names, match.report.score) == (("ann", "bob"), (0, 3))
    sample.write_text(ran.output)
    assert bgcore("replay", str(sample)).output.splitlines()[0].endswith("0-3, bob won")
    assert convert("--to", "record", str(sample)).output == ran.output


def test_matches_of_several_files_stand_one_behind_another(sample: Path, tmp_path: Path) -> None:
    other = tmp_path / "two.jsonl"
    other.write_text(SMALL + PLACED)
    ran = convert("--to", "record", str(sample), str(other))
    assert [match.record.variant for match in replayed_records(ran.output)] == [
        "western",
        "western",
        "tavla",
    ]


def test_a_match_becomes_the_position_in_which_it_ends() -> None:
    ran = convert("--to", "text", given=PLACED)
    assert ran.output == "6:1 off:14 / 13:1 off:14\n"
    ran = convert("--to", "json", given=SMALL + PLACED)
    assert [board["me_off"] for board in ran.objects] == [0, 14]


def test_a_match_becomes_an_earlier_position_by_the_number_of_its_actions(sample: Path) -> None:
    def at(number: int) -> str:
        ran = convert("--to", "xgid", f"--at={number}", str(sample))
        assert (ran.status, ran.errors) == (0, "")
        return ran.output

    actions = convert("--to", "record", str(sample)).output.splitlines()[1:-1]
    assert at(1) == at(1 - len(actions))
    assert at(1).split(":")[4] == "31"
    assert at(2).split(":")[3:5] == ["1", "00"]


def test_a_match_ends_earlier_in_another_match_form_too() -> None:
    ran = convert("--to", "record", "--at", "3", given=SMALL)
    assert ran.output.splitlines()[1:-1] == SMALL.splitlines()[1:4]
    assert ran.output.endswith('{"score":[0,0],"winner":null}\n')
    [match] = replayed_records(ran.output)
    assert match.report.faults == ()


def test_a_game_that_has_ended_says_how_to_get_an_earlier_position() -> None:
    ran = convert("--to", "xgid", given=SMALL)
    assert ran.status == 1
    assert ran.errors.endswith("; --at N takes another position of the match, such as --at=-2\n")
    assert convert("--to", "xgid", "--at=-2", given=SMALL).status == 0


@pytest.mark.parametrize("number", ["100", "-100"])
def test_there_are_only_so_many_actions(number: str) -> None:
    ran = convert("--to", "text", f"--at={number}", given=SMALL)
    assert (ran.status, ran.output) == (1, "")
    says = f"--at {number}: the match has no such action, expected -7 to 7"
    assert ran.errors == f"-:1: {says}\n"


def test_a_position_has_no_actions_to_count() -> None:
    ran = convert("--to", "text", "--at", "1", given=START)
    assert ran.errors == "-:1: --at 1: expected a match, as this is a position\n"


def test_a_file_that_is_not_there_does_not_stop_the_others(sample: Path) -> None:
    ran = convert("--to", "record", "there-is-no-such-file", str(sample))
    assert ran.status == 1
    says = "there-is-no-such-file: No such file or directory: expected a file that can be read"
    assert ran.errors == f"{says}\n"
    assert len(list(replayed_records(ran.output))) == 1


def test_a_match_that_breaks_a_rule_is_reported_by_line_and_not_written(sample: Path) -> None:
    sample.write_text(SAMPLE.replace("8/5 6/5", "8/5 6/4"))
    ran = convert("--to", "record", str(sample))
    assert (ran.status, ran.output) == (1, "")
    assert ran.errors.startswith(f"{sample}:9: 31: 6/4: 2 is not left to play")


def test_a_line_that_cannot_be_read_leaves_the_matches_before_and_behind_it() -> None:
    ran = convert("--to", "record", given=SMALL + "{}\n" + PLACED)
    assert ran.status == 1
    [says] = ran.errors.splitlines()
    assert says.startswith("-:10: field {}: expected a first line such as")
    assert [one.record.variant for one in replayed_records(ran.output)] == ["western", "tavla"]


def test_a_match_text_that_breaks_off_is_converted_as_far_as_it_goes() -> None:
    text = SAMPLE[: SAMPLE.index("                                  Wins 1 point")]
    ran = convert("--to", "record", given=text)
    assert (ran.status, ran.errors) == (0, "")
    [match] = replayed_records(ran.output)
    assert (match.report.score, match.report.games[1].ended_by) == ((0, 2), "unfinished")


LATER = """
 Game 3
 ann : 0                         bob : 2
  1) 31: 8/5 6/5                    Wins 1 point
"""


@pytest.mark.parametrize("to", ["record", "mat", "sgf", "text"])
def test_a_game_without_an_end_loses_no_game_behind_it_in_silence(to: str, sample: Path) -> None:
    text = SAMPLE[: SAMPLE.index("                                  Wins 1 point")] + LATER
    sample.write_text(text + "\n" + SAMPLE)
    ran = convert("--to", to, str(sample), "--at=-2")
    says = "game 2 has no result: expected a line such as Wins 1 point"
    assert (ran.status, ran.errors) == (1, f"{sample}:18: {says}\n")
    assert ran.output == convert("--to", to, "--at=-2", given=SAMPLE).output  # the second match


def test_an_sgf_game_without_an_end_loses_no_game_behind_it_in_silence() -> None:
    first = "(;GM[6]MI[length:3][game:0][ws:0][bs:0];W[31hefe])\n"
    second = "(;GM[6]MI[length:3][game:1][ws:0][bs:0]RE[B+1R];W[31hefe])\n"
    ran = convert("--to", "record", given=first + second)
    assert (ran.status, ran.output) == (1, "")
    assert ran.errors == "-:1: game 1 has no result: expected a line such as Wins 1 point\n"
    assert convert("--to", "record", given=first).status == 0


def test_a_game_behind_the_end_of_the_match_is_not_left_out_in_silence() -> None:
    capped = SAMPLE.replace(
        "0                         bob : 0", "0                         bob : 1"
    )
    capped = capped.replace("Wins 2 points", "Wins 1 point and the match")
    ran = convert("--to", "record", given=capped)
    assert (ran.status, ran.output) == (1, "")
    assert "-:16: game 2 follows the end of the match: expected no more games\n" in ran.errors


# -- positions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "to", "gives"),
    [
        (START_ID, "text", START),
        (START, "position-id", START_ID),
        (START, "xgid", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:6"),
        (XGID, "position-id", START_ID),
        (XGID, "match-id", f"{START_ID}:QYnqADAAAAAE"),
        (XGID, "xgid", XGID),
        (f"{START_ID}:QYnqADAAAAAE", "xgid", XGID),
        ('{"me": {"6": 1}, "opp": {"6": 1}, "dice": [3, 1]}', "text", "6:1 off:14 / 6:1 off:14"),
    ],
)
def test_positions_go_one_a_line(line: str, to: str, gives: str) -> None:
    ran = convert("--to", to, given=f"{line}\n\n{line}\r\n")
    assert (ran.status, ran.errors) == (0, "")
    assert ran.output == f"{gives}\n{gives}\n"


@pytest.mark.parametrize(
    ("variant", "line"),
    [
        ("western", "bar:15 / 24:2 13:5 8:3 6:5"),
        ("western", "bar:3 off:12 / 6:15"),
        ("western", "6:15 / bar:4 off:11"),
        ("plakoto", "5:1 off:14 / pin:20 off:14"),
        ("plakoto", "pin:20 off:14 / 5:1 off:14"),
    ],
)
def test_a_board_of_which_a_side_has_no_point_goes_through_json(variant: str, line: str) -> None:
    flags = ("--variant", variant)
    ran = convert("--to", "json", *flags, given=line)
    assert (ran.status, ran.errors) == (0, "")
    back = convert("--from", "json", "--to", "text", *flags, given=ran.output)
    assert (back.status, back.errors) == (0, "")
    assert back.output == convert("--to", "text", *flags, given=line).output


def test_a_side_that_is_left_out_must_be_counted() -> None:
    ran = convert("--from", "json", "--to", "text", given='{"opp": {"6": 2}, "me_bar": 1}')
    assert (ran.status, ran.errors) == (1, "-:1: field me missing: expected it to be there\n")
    ran = convert("--from", "json", "--to", "text", given='{"opp": {"6": 2}, "me_off": 7}')
    assert (ran.status, ran.output) == (1, "")
    assert "expected" in ran.errors


def test_the_flags_say_what_match_a_board_is_in() -> None:
    def length(*flags: str) -> str:
        return convert("--to", "xgid", *flags, given=START).output.split(":")[8]

    assert length() == "7"
    assert length("--option", "match_length=3") == "3"
    assert length("--preset", "money") == "0"


def test_boards_of_every_variant_are_converted() -> None:
    ran = convert("--to", "json", "--variant", "plakoto", given="20:1 24:14 / 5:1 pin:5 24:13")
    assert ran.status == 1  # the pinned checker needs one on top
    ran = convert(
        "--to", "json", "--variant", "plakoto", given="20:1 24:14 / 5:1 24:13 pin:5\n24:15 / 24:15"
    )
    assert ran.status == 1
    assert ran.objects == [{"me": {"24": 15}, "me_off": 0, "opp": {"24": 15}, "opp_off": 0}]


def test_a_position_becomes_the_match_that_goes_on_from_there() -> None:
    ran = convert("--to", "record", given=XGID)
    [first] = replayed_records(ran.output)
    [second] = replayed_records(convert("--to", "record", given=START).output)
    assert (first.record.start.score, first.record.start.dice) == ((3, 0), (5, 2))
    assert first.record.start.cube.value == 2
    assert second.record.start.position == load().rules("western").start
    assert convert("--to", "xgid", given=ran.output).output == f"{XGID}\n"


def test_a_line_that_cannot_be_converted_is_reported_and_the_others_are() -> None:
    given = f"{START}\n24:16 / 6:1\nhello\n{START}\n"
    ran = convert("--to", "position-id", given=given)
    assert (ran.status, ran.output) == (1, f"{START_ID}\n{START_ID}\n")
    first, second = ran.errors.splitlines()
    assert first == "-:2: mover checkers 16: expected 15"
    assert second.startswith("-:3: column 6 the end: expected two sides")


@pytest.mark.parametrize("to", ["position-id", "match-id", "xgid"])
def test_ids_are_not_for_pinning_games(to: str) -> None:
    ran = convert("--to", to, "--variant", "plakoto", given="24:15 / 24:15")
    assert (ran.status, ran.output) == (1, "")
    assert ran.errors.startswith("-:1: variant plakoto: expected one with contrary layout, hits")


def test_drawings_are_written_and_not_read() -> None:
    ran = convert("--to", "ascii", given=f"{START_ID}\n{XGID}")
    assert ran.status == 1  # an XGID among Position IDs
    ran = convert("--to", "ascii", given=f"{START_ID}\n{START_ID}")
    assert ran.output.count("+-13--14") == 2
    assert "\n\n+-13" in ran.output
    picture = convert("--to", "svg", given=XGID)
    assert ElementTree.fromstring(picture.output).tag.endswith("svg")
    assert convert("--from", "svg", "--to", "text", given=picture.output).status == 2


def test_a_picture_holds_one_board() -> None:
    ran = convert("--to", "svg", given=f"{START_ID}\n{START_ID}")
    assert (ran.status, ran.output) == (1, "")
    assert "2 positions: expected one, as a file of svg holds one" in ran.errors


# -- files -------------------------------------------------------------------------------------------


def test_the_output_goes_to_a_file(sample: Path, tmp_path: Path) -> None:
    file = tmp_path / "new" / "out.jsonl"
    ran = convert("--to", "record", str(sample), "--output", str(file))
    assert (ran.status, ran.output) == (0, "")
    assert len(list(replayed_records(file.read_text()))) == 1


def test_a_file_for_each_goes_to_a_folder(sample: Path, tmp_path: Path) -> None:
    lines, folder = tmp_path / "boards.txt", tmp_path / "out"
    lines.write_text(f"{START_ID}\n{START_ID}\n")
    assert (
        convert("--to", "svg", str(sample), str(lines), "--output-folder", str(folder)).status == 0
    )
    assert sorted(file.name for file in folder.iterdir()) == [
        "boards-1.svg",
        "boards-2.svg",
        "sample.svg",
    ]


def test_nothing_is_written_where_nothing_could_be_converted(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    file.write_text("before")
    assert convert("--to", "text", "--output", str(file), given="hello").status == 1
    assert file.read_text() == "before"


def test_a_text_of_no_format_is_reported() -> None:
    for given in ("hello", "", b"\x00\xff\xfe"):
        ran = convert("--to", "text", given=given)
        assert ran.status == 1
        assert ran.errors.startswith(
            "-:1: no known format: expected the beginning of one of record"
        )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
@pytest.mark.parametrize("text", [SAMPLE, SMALL, START])
def test_a_file_of_another_encoding_is_told_so(encoding: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "file.txt"
    file.write_bytes(text.encode(encoding))
    says = f"{file}:1: {encoding[:6].upper()}: expected UTF-8\n"
    for ran in (convert("--to", "text", str(file)), bgcore("replay", str(file))):
        assert (ran.status, ran.output, ran.errors) == (1, "", says)


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"])
@pytest.mark.parametrize(
    "text", [SAMPLE, SMALL, PLACED, f"{START}\n{START}\n", f"{START_ID}\n{START_ID}\n"]
)
def test_lines_may_end_in_any_way(text: str, end: str) -> None:
    ran = convert("--to", "record", given=text.replace("\n", end).encode())
    assert (ran.status, ran.errors) == (0, "")
    assert ran.output == convert("--to", "record", given=text).output


def test_what_match_text_cannot_say_names_what_it_can_and_what_says_it() -> None:
    ran = convert("--to", "mat", given=PLACED)
    says = "start: match text cannot say it: a start from a position, expected a match from its beginning"
    assert ran.errors == f"-:1: {says}; `record` can say it\n"


def test_match_text_holds_no_control_characters_and_says_nothing_of_it() -> None:
    """As docs/notations.md tells; the record keeps them."""
    given = SMALL.replace('"ann"', '"a\\u001b\\tn:n"')
    ran = convert("--to", "mat", given=given)
    assert (ran.status, ran.errors) == (0, "")
    assert "\n a n.n : 0 " in ran.output
    [match] = replayed_records(convert("--to", "record", given=given).output)
    assert match.record.names[0] == "a\x1b\tn:n"


def test_what_the_format_is_can_be_said() -> None:
    ran = convert("--from", "mat", "--to", "text", given="hello")
    assert ran.errors.startswith("-:1: hello: expected")
    ran = convert("--from", "position-id", "--to", "text", given=START)
    assert ran.errors.startswith("-:1: position ID")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--to", "pgn"],
        ["--to", "text", "--from", "pgn"],
        ["--to", "text", "--variant", "chess"],
        ["--to", "text", "--option", "cube=maybe"],
        ["--to", "text", "--output", "a", "--output-folder", "b"],
        ["--to", "text", "--output-folder", "b", "{sample}", "{twin}"],
    ],
)
def test_wrong_usage_has_status_2(sample: Path, tmp_path: Path, arguments: list[str]) -> None:
    twin = tmp_path / "sample.txt"
    twin.write_text(SAMPLE)
    named = [one.format(sample=sample, twin=twin) for one in arguments]
    assert convert(*named).status == 2


@pytest.mark.parametrize("to", ["text", "ascii", "json"])
def test_a_variant_that_fails_is_a_message(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgcore_server.commands.convert.load", faulty.registry)
    text = SMALL.replace("western", "faulty")
    ran = convert("--to", to, given=text)
    assert ran.status == 1
    assert "PLUGIN_FAILED: " in ran.errors
    assert "LookupError: no such thing" in ran.errors


def test_what_a_terminal_would_obey_is_shown_escaped() -> None:
    ran = convert("--from", "text", "--to", "text", given="6:1\x1b[2J / 6:1")
    assert "\x1b" not in ran.errors
    assert "\\x1b[2J" in ran.errors


def test_every_format_is_named_in_the_help() -> None:
    told = bgcore("convert", "--help").output
    assert all(name in told for name in FORMATS)
    assert "\\" not in told


# -- real matches ------------------------------------------------------------------------------------


@pytest.mark.needs_real
def test_real_matches_go_to_records_and_to_positions(real: Path, tmp_path: Path) -> None:
    files = sorted((real / "western").glob("*.txt"))
    ran = convert("--to", "record", *map(str, files), "--output-folder", str(tmp_path))
    assert (ran.status, ran.errors) == (0, "")
    for file in files:
        [text] = matches_in(decode(file.read_bytes()))
        [match] = replayed_records((tmp_path / f"{file.stem}.jsonl").read_text())
        assert text.match is not None
        assert match.record == Record.of(text.match, text.record.names, text.record.headers)
    ran = convert("--to", "match-id", *map(str, files))
    assert len(ran.output.splitlines()) == len(files)
    assert json.loads(convert("--to", "json", str(files[0])).output)["me"]
