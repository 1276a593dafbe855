from __future__ import annotations

import csv
from pathlib import Path

import pytest

from bgcore import load
from bgcore.notation.match_text_reader import read_matches
from bgcore.notation.match_text_writer import write_match_text
from bgcore.notation.text_file import decode
from bgcore.replay import ReplayedMatch, matches_in
from tests.notation.samples import SAMPLE
from tests.notation.test_record_text import SMALL

from . import faulty
from .runner import bgcore


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    file = tmp_path / "sample.txt"
    file.write_text(SAMPLE)
    return file


def test_a_match_is_one_line_of_json(sample: Path) -> None:
    ran = bgcore("replay", "--json", str(sample))
    [match] = ran.objects
    assert (ran.status, ran.errors) == (0, "")
    assert list(match) == ["file", "length", "winner", "score", "games"]
    assert (match["file"], match["length"], match["winner"]) == (str(sample), 3, 2)
    assert match["score"] == [0, 3]
    assert match["games"][0] == {
        "winner": 2,
        "points": 2,
        "points_by_rule": 2,
        "ended_by": "drop",
        "cube": 2,
        "rolls": 5,
        "flags": [],
    }
    assert match["games"][1]["points_by_rule"] is None


def test_a_summary_is_for_people(sample: Path) -> None:
    ran = bgcore("replay", str(sample))
    assert ran.output.splitlines() == [
        f"{sample}: 3 point match, ann against bob: 0-3, bob won",
        "  game 1 at 0-0: bob won 2 (single, cube 2) by a drop, 5 rolls",
        "  game 2 at 0-2: bob won 1 (single, cube 1) by resignation, 3 rolls",
    ]


def test_an_illegal_row_is_named_by_file_and_line(sample: Path) -> None:
    sample.write_text(SAMPLE.replace("8/5 6/5", "8/5 6/4"))
    ran = bgcore("replay", "--json", str(sample))
    assert ran.status == 1
    assert ran.objects[0]["games"][0]["ended_by"] == "broken"
    [line] = ran.errors.splitlines()
    assert line.startswith(
        f"{sample}:9: 31: 6/4: 2 is not left to play, expected one of 1; 24/21 24/23 is one of 16 legal plays"
    )


def test_a_line_that_cannot_be_read_does_not_stop_the_other_files(
    sample: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.txt"
    broken.write_text(SAMPLE + " hello")
    ran = bgcore("replay", "--json", str(broken), str(sample))
    assert [match["file"] for match in ran.objects] == [str(sample)]
    assert ran.errors.startswith(f"{broken}:20: column 2 hello: expected a row such as 1)")
    assert ran.status == 1


@pytest.mark.parametrize(
    "data", [b"", b"\x00\xff\xfe", b"\xef\xbb\xbf", b"hello", b"7 point match"]
)
def test_a_file_that_is_no_match_is_reported(sample: Path, data: bytes) -> None:
    sample.write_bytes(data)
    ran = bgcore("replay", str(sample))
    assert ran.status == 1
    assert ran.errors.startswith(f"{sample}:1: ")
    assert "expected" in ran.errors


@pytest.mark.parametrize("name", ["", "bob"])
def test_players_without_names_of_their_own_are_told_by_number(sample: Path, name: str) -> None:
    sample.write_text(SAMPLE.replace("ann", f"{name:3}").replace("bob", f"{name:3}"))
    ran = bgcore("replay", str(sample))
    assert "player 1 against player 2: 0-3, player 2 won" in ran.output
    assert "player 2 won 2 (single, cube 2)" in ran.output


def test_no_file_is_wrong_usage() -> None:
    assert bgcore("replay").status == 2


def test_a_file_that_is_not_there_does_not_stop_the_others(sample: Path, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.txt"
    ran = bgcore("replay", "--json", str(nothing), str(sample), str(tmp_path))
    assert ran.status == 1
    assert [match["file"] for match in ran.objects] == [str(sample)]
    assert ran.errors.splitlines() == [
        f"{nothing}: No such file or directory: expected a file that can be read",
        f"{tmp_path}: Is a directory: expected a file that can be read",
    ]


def test_a_match_whose_rules_are_not_known_is_no_money_session(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text(SMALL.replace('"match_length"', '"length"'))
    ran = bgcore("replay", str(file))
    assert (ran.status, ran.output) == (1, f"{file}: ann against bob: not replayed\n")
    assert ran.errors.startswith(f"{file}:1: option length: expected an option of western: ")
    [match] = bgcore("replay", "--json", str(file)).objects
    assert (match["length"], match["games"]) == (None, [])


def test_the_help_names_every_kind_of_file() -> None:
    told = bgcore("replay", "--help").output
    assert all(kind in told for kind in (".mat", ".txt", ".sgf", ".jsonl"))


@pytest.mark.parametrize(
    ("variant", "method", "lines"),
    [("faulty", "FailsAtWork.plays_of", [10, 18]), ("unmade", "FailsLater.__init__", [6])],
)
def test_a_variant_that_fails_does_not_stop_the_other_files(
    sample: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variant: str,
    method: str,
    lines: list[int],
) -> None:
    monkeypatch.setattr("bgcore_server.commands.replay.load", faulty.registry)
    failing = tmp_path / "failing.txt"
    failing.write_text(f'; [Variation "{variant}"]\n{SAMPLE}')
    ran = bgcore("replay", "--json", str(failing), str(sample))
    assert ran.status == 1
    assert [match["file"] for match in ran.objects] == [str(failing), str(sample)]
    says = f"PLUGIN_FAILED: tests.commands.faulty.{method} raised LookupError: no such thing"
    assert ran.errors.splitlines() == [f"{failing}:{line}: {says}" for line in lines]


def test_what_a_terminal_would_obey_is_shown_escaped(sample: Path) -> None:
    sample.write_bytes(b"\x1b[2J\x07\x00\xc2\x9b hello")
    ran = bgcore("replay", str(sample))
    assert ran.errors.startswith(f"{sample}:1: \\x1b[2J\\x07\\x00\\x9b hello: expected")
    sample.write_text(SAMPLE.replace("ann", "a\x1bn").replace("31: 8/5 6/5", "31: 8/5 6/\x9b5"))
    ran = bgcore("replay", str(sample))
    assert "match, a\\x1bn against bob" in ran.output
    assert ran.errors.startswith(f"{sample}:9: 31: column 7 \\x9b5: expected")
    assert all(one.isprintable() for one in (ran.output + ran.errors).replace("\n", ""))


DATA = Path(__file__).parent.parent / "data" / "matches"


def test_the_command_reads_every_dialect() -> None:
    files = [str(file) for file in sorted(DATA.glob("*.txt"))]
    ran = bgcore("replay", "--json", *files)
    assert (ran.status, ran.errors) == (0, "")
    assert [match["file"] for match in ran.objects] == files
    for match in ran.objects:
        money = "money-" in match["file"]
        assert match["score"] == ([99, 1] if money else [7, 1])
        assert (match["length"], match["winner"]) == ((0, None) if money else (5, 1))
        assert [game["cube"] for game in match["games"]] == ([2, 32, 1, 1] if money else [1, 1, 2])


def test_a_beaver_out_of_place_is_named_by_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "match.mat"
    file.write_bytes((DATA / "money-xg.txt").read_bytes().replace(b"Beavers => 4", b"Beavers => 6"))
    ran = bgcore("replay", str(file))
    assert ran.status == 1
    [line] = ran.errors.splitlines()
    assert line.startswith(f"{file}:")
    assert line.endswith(": Doubles => 6: expected Doubles => 4")


# -- real matches ------------------------------------------------------------------------------------


def table(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as rows:
        return list(csv.DictReader(rows, delimiter="\t"))


@pytest.fixture(scope="module")
def replays(real: Path) -> dict[str, ReplayedMatch]:
    """The 101 matches, by file."""
    files = sorted((real / "western").glob("*.txt"))
    return {file.name: one(file) for file in files}


def one(file: Path) -> ReplayedMatch:
    [match] = matches_in(decode(file.read_bytes()))
    return match


@pytest.mark.needs_real
def test_every_roll_play_and_cube_action_of_101_real_matches_is_legal(
    replays: dict[str, ReplayedMatch],
) -> None:
    assert len(replays) == 101
    assert {
        name: found.report.faults for name, found in replays.items() if found.report.faults
    } == {}


@pytest.mark.needs_real
def test_every_game_comes_out_as_recorded(real: Path, replays: dict[str, ReplayedMatch]) -> None:
    rows = table(real / "western-games.tsv")
    games = [(name, game) for name, found in replays.items() for game in found.report.games]
    assert len(rows) == len(games) == 447
    by_game = {(row["file"], row["game"]): row for row in rows}
    for name, game in games:
        row = by_game[name, str(game.number)]
        assert row == row | {
            "p1_before": str(game.score[0]),
            "p2_before": str(game.score[1]),
            "dice_rolls": str(game.rolls),
            "doubles_offered": str(game.doubles),
            "cube_at_end": str(game.cube),
            "ended_by": game.ended_by,
            "winner": str(game.to_json()["winner"]),
            "result": game.level,
            "points_recorded": str(game.points),
            "points_by_rule": "" if game.points_by_rule is None else str(game.points_by_rule),
            "flags": ",".join(game.flags),
        }


@pytest.mark.needs_real
def test_every_match_comes_out_as_recorded(real: Path, replays: dict[str, ReplayedMatch]) -> None:
    rows = table(real / "western-matches.tsv")
    assert {row["file"] for row in rows} == replays.keys()
    for row in rows:
        report = replays[row["file"]].report
        assert row == row | {
            "length_in_header": str(report.length),
            "games": str(len(report.games)),
            "dice_rolls": str(sum(game.rolls for game in report.games)),
            "final_score_as_recorded": "-".join(map(str, report.score)),
            "match_winner": str(report.winner + 1) if report.winner is not None else "",
            "length_reached": "yes" if report.winner is not None else "no",
        }


@pytest.mark.needs_real
def test_the_elo_headers_of_galaxy_are_the_final_score(
    real: Path, replays: dict[str, ReplayedMatch]
) -> None:
    for file in sorted((real / "western").glob("galaxy-*.txt")):
        [text] = read_matches(decode(file.read_bytes()))
        told = [text.header(f"Player {n} Elo").split(",")[0] for n in (1, 2)]
        score = replays[file.name].report.score
        assert told == [str(min(points, text.length)) for points in score]


@pytest.mark.needs_real
def test_the_actions_of_a_real_match_alone_replay_it(replays: dict[str, ReplayedMatch]) -> None:
    for found in replays.values():
        assert found.record.match(load()) == found.match


@pytest.mark.needs_real
def test_every_real_match_reads_the_same_in_our_own_form(
    replays: dict[str, ReplayedMatch],
) -> None:
    """But for points that no rule explains, those of a cap and of an absurd number: the rules' are written."""
    other = {"capped-at-length", "absurd-points"}
    for found in replays.values():
        [again] = matches_in(write_match_text([found.record], load()))
        assert again.report.faults == ()
        for game, same in zip(found.report.games, again.report.games, strict=True):
            assert (same.winner, same.ended_by) == (game.winner, game.ended_by)
            assert (same.cube, same.rolls, same.doubles) == (game.cube, game.rolls, game.doubles)
            if not other & set(game.flags) and game.level != "?":
                assert (same.points, same.level) == (game.points, game.level)
        if not any("money-single-game" in game.flags for game in found.report.games):
            assert again.report.winner is found.report.winner


@pytest.mark.needs_real
def test_the_command_reads_all_real_matches(real: Path) -> None:
    files = [str(file) for file in sorted((real / "western").glob("*.txt"))]
    ran = bgcore("replay", "--json", *files)
    assert (ran.status, ran.errors) == (0, "")
    assert [match["file"] for match in ran.objects] == files
