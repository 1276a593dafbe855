"""`bgcore verify-dice` of records, of records that were changed, and of files that are none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bgcore.dice import CommittedDice
from bgcore.dice_proof import DiceProof

from .runner import Ran, bgcore

Line = dict[str, Any]
SERVER_SEED = bytes(range(32))


def dice() -> CommittedDice:
    return CommittedDice(SERVER_SEED, "ann's own", "Zoë ⚅")


def record(throws: int = 6) -> list[Line]:
    """A record's lines: an opening throw on the second, then a roll on every other one."""
    source = dice()
    header = {"bgcore": 1, "variant": "western", "dice": DiceProof.of(source).to_json()}
    lines: list[Line] = [header, {"kind": "throw", "dice": list(source.throw(2))}]
    for number in range(1, throws):
        seat = ("white", "black")[number % 2]
        lines.append({"kind": "play", "seat": seat, "play": "8/5 6/5"})
        lines.append({"kind": "roll", "seat": seat, "dice": list(source.throw(2))})
    return lines


def text(lines: list[Line]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


@pytest.fixture
def verified(tmp_path: Path) -> Callable[..., Ran]:
    """`bgcore verify-dice` of a file `record` with these lines, texts or bytes; FILE stands for its path."""
    file = tmp_path / "record"

    def run(given: list[Line] | str | bytes, *flags: str) -> Ran:
        content = given if isinstance(given, str | bytes) else text(given)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        ran = bgcore("verify-dice", *flags, str(file))
        return Ran(
            ran.status,
            ran.output.replace(str(file), "FILE"),
            ran.errors.replace(str(file), "FILE"),
        )

    return run


Verified = Callable[..., Ran]


# -- a record that is in order -----------------------------------------------------------------------


def test_a_record_whose_throws_follow_is_one_line_and_status_0(verified: Verified) -> None:
    assert verified(record()) == (0, "FILE: all 6 throws follow from the seeds\n", "")
    assert verified(record(1)) == (0, "FILE: the one throw follows from the seeds\n", "")
    assert verified(record()[:1]) == (
        0,
        "FILE: no throw yet, and the commitment is that of the server seed\n",
        "",
    )


def test_it_is_one_json_line(verified: Verified) -> None:
    ran = verified(record(), "--json")
    assert (ran.status, ran.errors) == (0, "")
    assert ran.objects == [
        {"file": "FILE", "verified": True, "mode": "committed", "throws": 6, "faults": []}
    ]


def test_several_files_are_a_line_each_and_the_worst_counts(tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text(text(record()))
    bad.write_text("hello")
    ran = bgcore("verify-dice", str(bad), str(good))
    assert ran.status == 1
    assert ran.output.splitlines() == [
        f"{bad}: not verified",
        f"{good}: all 6 throws follow from the seeds",
    ]
    assert bgcore("verify-dice", str(good), str(good)).status == 0


def test_lines_and_keys_that_are_nothing_of_dice_are_passed_over(verified: Verified) -> None:
    lines = record()
    lines[0]["names"] = ["ann", {"dice": [9, 9]}]
    lines[2:2] = [{"comment": "well thrown", "dice": [7]}, {"kind": "undo_nothing"}, {}]
    lines[1]["at"] = "2024-02-30"
    ran = verified("\ufeff\n" + text(lines).replace("\n", "\r\n\r\n"))
    assert ran == (0, "FILE: all 6 throws follow from the seeds\n", "")


def test_whatever_action_has_dice_is_a_throw(verified: Verified) -> None:
    lines = record()
    lines[3]["kind"] = "a kind of later days"
    assert verified(lines).status == 0
    lines[3]["dice"].reverse()
    assert verified(lines).errors.startswith("FILE:4: throw 1 ")


def test_three_dice_are_verified_too(verified: Verified) -> None:
    source = dice()
    lines: list[Line] = [{"bgcore": 1, "dice": DiceProof.of(source).to_json()}]
    lines += [{"kind": "throw", "dice": source.throw(2)}]
    lines += [{"kind": "roll", "seat": "white", "dice": source.throw(3)} for _ in range(9)]
    assert verified(lines).output == "FILE: all 10 throws follow from the seeds\n"


# -- one that was changed ----------------------------------------------------------------------------


def test_a_roll_that_was_changed_is_named_by_file_and_line(verified: Verified) -> None:
    lines = record()
    assert lines[3]["dice"] == [4, 3]
    lines[3]["dice"] = [6, 6]
    ran = verified(lines)
    assert ran == (
        1,
        "FILE: 1 of 6 throws does not follow from the seeds\n",
        "FILE:4: throw 1 (the first is 0) was 6-6: expected 4-3, which the seeds give\n",
    )
    [found] = verified(lines, "--json").objects
    assert found["verified"] is False
    assert found["faults"] == [
        {
            "line": 4,
            "reason": "THROW_NOT_DERIVED",
            "message": "throw 1 (the first is 0) was 6-6: expected 4-3, which the seeds give",
        }
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(throw=st.integers(0, 5), die=st.integers(0, 1), more=st.integers(1, 5))
def test_any_single_die_that_was_changed_is_named(
    verified: Verified, throw: int, die: int, more: int
) -> None:
    lines = record()
    row = 2 * throw + 1
    lines[row]["dice"][die] = (lines[row]["dice"][die] - 1 + more) % 6 + 1
    ran = verified(lines)
    assert ran.status == 1
    [error] = ran.errors.splitlines()
    assert error.startswith(f"FILE:{row + 1}: throw {throw} (the first is 0) was ")


def test_a_server_seed_that_was_changed_is_noticed_twice(verified: Verified) -> None:
    lines = record()
    lines[0]["dice"]["server_seed"] = "ff" + SERVER_SEED.hex()[2:]
    ran = verified(lines)
    first, *throws = ran.errors.splitlines()
    assert (ran.status, ran.output) == (1, "FILE: not verified\n")
    assert first.startswith("FILE:1: commitment 630dcd29")
    assert first.endswith(", which is SHA-256 of the server seed")
    assert throws


def test_a_seed_that_was_changed_is_noticed(verified: Verified) -> None:
    lines = record()
    lines[0]["dice"]["seeds"].reverse()
    ran = verified(lines)
    assert ran.status == 1
    assert "6 throws do not follow from the seeds" in ran.output


def test_a_commitment_that_was_changed_is_noticed(verified: Verified) -> None:
    lines = record()
    lines[0]["dice"]["commitment"] = "0" * 64
    ran = verified(lines)
    [error] = ran.errors.splitlines()
    assert ran.status == 1
    assert error.startswith(f"FILE:1: commitment {'0' * 64}: expected 630dcd29")


def test_a_throw_that_was_left_out_is_noticed_and_not_all_that_follow_are_told(
    verified: Verified,
) -> None:
    lines = record(200)
    del lines[3]
    ran = verified(lines)
    *errors, last = ran.errors.splitlines()
    assert ran.status == 1
    assert errors[0].startswith("FILE:5: throw 1 ")
    assert len(errors) == 20
    assert last.startswith("FILE: … and 1")
    [found] = verified(lines, "--json").objects
    assert len(found["faults"]) > 180


@pytest.mark.parametrize("secret", [None, "left out"])
def test_a_server_seed_that_is_not_revealed_yet_is_said(
    verified: Verified, secret: str | None
) -> None:
    lines = record()
    lines[0]["dice"]["server_seed"] = None
    if secret:
        del lines[0]["dice"]["server_seed"]
    assert verified(lines) == (
        1,
        "FILE: not verified\n",
        "FILE:1: server_seed: expected it to be revealed, as it is when the match is over\n",
    )


@pytest.mark.parametrize("mode", ["system", "manual", "seeded"])
def test_of_other_modes_nothing_is_verified_and_it_is_no_success(
    verified: Verified, mode: str
) -> None:
    lines = record()
    lines[0]["dice"]["mode"] = mode
    ran = verified(lines)
    assert (ran.status, ran.output) == (1, "FILE: not verified\n")
    assert ran.errors.startswith(f"FILE:1: dice mode {mode}: the ")
    assert ran.errors.endswith(", expected committed\n")


# -- files that are no records -----------------------------------------------------------------------

HEADER = text(record()[:1])


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("", 1, "file without a line: expected a record"),
        ("\n\n", 1, "file without a line: expected a record"),
        ("7 point match", 1, "expected a JSON object in each line of a record"),
        ("[]", 1, "expected a JSON object in each line of a record"),
        ("{}", 1, "bgcore missing: expected a record"),
        ('{"bgcore":2}', 1, "bgcore 2: expected 1"),
        ('{"bgcore":true}', 1, "bgcore true: expected 1"),
        ('{"bgcore":1}', 1, "dice missing: expected an object"),
        ('\n{"bgcore":1,"dice":7}', 2, "dice 7: expected an object"),
        ('{"bgcore":1,"dice":{"mode":"fair"}}', 1, "mode fair: expected system, committed"),
        (HEADER + "\n{", 3, "expected a JSON object (Expecting property name"),
        (HEADER + '{"kind":"roll"}', 2, "dice missing: expected two or three numbers"),
        (HEADER + '{"kind":"throw","dice":[]}', 2, "dice []: expected a list of 2 to 3 numbers"),
        (HEADER + '{"kind":"throw","dice":[0,1]}', 2, "die 0: expected 1 to 6"),
        (HEADER + '{"kind":"throw","dice":[1.0,1]}', 2, "die 1.0: expected 1 to 6"),
        (HEADER + '{"kind":"throw","dice":[true,1]}', 2, "die true: expected 1 to 6"),
        (HEADER + '{"kind":"roll","dice":"31"}', 2, "dice 31: expected a list"),
        (HEADER + '{"kind":"roll","dice":[3,1],"dice":[4,3]}', 2, "field dice: expected each key"),
        (HEADER + HEADER, 2, "another record begins: expected one a file"),
        (HEADER.encode() + b'{"a":"\xff"}', 2, "expected UTF-8, not byte 7"),
        (b"\xff\xfe{\x00", 1, "expected a JSON object in each line"),
        (HEADER + '{"a":' * 100_000, 2, "expected a JSON object"),
        (HEADER + '{"a":' + "9" * 10_000 + "}", 2, "number 9999"),
        (HEADER + '{"a":NaN}', 2, "value NaN: expected a number"),
        (HEADER + '{"a":"' + "x" * 2_000_000, 2, "expected a line of at most 1048576 bytes"),
        ('{"bgcore":1,"dice":"\x1b[2J"}', 1, "expected a JSON object (Invalid control character"),
        ('{"bgcore":1,"dice":"\\u001b[2J"}', 1, "dice '\\x1b[2J': expected an object"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(
    verified: Verified, content: str | bytes, line: int, message: str
) -> None:
    ran = verified(content)
    assert (ran.status, ran.output) == (1, "FILE: not verified\n")
    assert ran.errors.startswith(f"FILE:{line}: {message}")
    assert ran.errors.count("\n") == 1
    assert len(ran.errors) < 1000
    [found] = verified(content, "--json").objects
    assert (found["verified"], found["throws"], found["mode"]) == (False, None, None)
    assert [fault["line"] for fault in found["faults"]] == [line]


def mangled(content: bytes, at: int, cut: int, put: bytes) -> bytes:
    at %= len(content)
    return content[:at] + put + content[at + cut :]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10_000), st.integers(0, 40), st.binary(max_size=20))
@example(0, 0, b"")
def test_whatever_happened_to_a_record_there_is_an_answer(
    verified: Verified, at: int, cut: int, put: bytes
) -> None:
    ran = verified(mangled(text(record()).encode(), at, cut, put))
    assert ran.status in (0, 1)
    assert ran.output.startswith("FILE: ")
    assert bool(ran.errors) == bool(ran.status)
    assert all(error.startswith("FILE:") for error in ran.errors.splitlines())


def test_wrong_usage_is_status_2(tmp_path: Path) -> None:
    assert bgcore("verify-dice").status == 2
    assert bgcore("verify-dice", "--fast", str(tmp_path)).status == 2


def test_a_file_that_cannot_be_read_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, good = tmp_path / "gone", tmp_path / "good"
    gone.touch()
    good.write_text(text(record()))
    opened = Path.open

    def refusing(file: Path, *arguments: Any) -> Any:
        if file == gone:
            raise PermissionError(13, "Permission denied", str(file))
        return opened(file, *arguments)

    monkeypatch.setattr(Path, "open", refusing)
    ran = bgcore("verify-dice", str(gone), str(good))
    assert ran.status == 1
    assert ran.errors == f"{gone}: Permission denied: expected a file that can be read\n"
    assert ran.output.endswith(f"{good}: all 6 throws follow from the seeds\n")


def test_a_file_that_is_not_there_does_not_stop_the_others(tmp_path: Path) -> None:
    nothing, good = tmp_path / "nothing", tmp_path / "good"
    good.write_text(text(record()))
    ran = bgcore("verify-dice", str(nothing), str(tmp_path), str(good))
    assert ran.status == 1
    assert ran.errors.splitlines() == [
        f"{nothing}: No such file or directory: expected a file that can be read",
        f"{tmp_path}: Is a directory: expected a file that can be read",
    ]
    assert ran.output.endswith(f"{good}: all 6 throws follow from the seeds\n")
    [found] = bgcore("verify-dice", "--json", str(nothing)).objects
    assert [fault["line"] for fault in found["faults"]] == [None]


def test_a_record_that_tells_of_no_dice_says_what_that_means(verified: Verified) -> None:
    ran = verified('{"bgcore":1}')
    assert "played on from a record, or converted from another notation" in ran.errors
    assert "docs/dice.md" in ran.errors


def test_help_says_what_it_does() -> None:
    assert "Verify that the throws of a record follow from its seeds." in bgcore("--help").output
    ran = bgcore("verify-dice", "--help")
    assert ran.status == 0
    assert "FILE…" in ran.output
    assert "--json" in ran.output
