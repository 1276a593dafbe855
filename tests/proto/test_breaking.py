"""A change of the contract that would break clients of the released one is found."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2

from tests.clients.programs import no_buf, paths
from tests.conftest import insist
from tests.needs import ROOT, Need

RELEASED = ROOT / "proto/bgcore-0.1.0.binpb"


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    """A copy of the contract, to be changed."""
    insist(Need("buf", no_buf))
    shutil.copy(ROOT / "buf.yaml", tmp_path)
    shutil.copytree(ROOT / "proto/bgcore", tmp_path / "proto/bgcore")
    return tmp_path


def breaking(contract: Path) -> str:
    """What buf has against it; empty when nothing is."""
    buf = shutil.which("buf", path=paths())
    assert buf
    done = subprocess.run(
        [buf, "breaking", "--against", str(RELEASED)],
        cwd=contract,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr, done.stderr
    assert bool(done.returncode) == bool(done.stdout)
    return done.stdout


def change(contract: Path, file: str, old: str, new: str) -> None:
    path = contract / "proto/bgcore/v1" / file
    text, changes = re.subn(old, new, path.read_text(encoding="utf-8"), count=1)
    assert changes == 1, f"{file} has no {old}"
    path.write_text(text, encoding="utf-8")


def test_the_contract_breaks_nothing_of_the_released_one(contract: Path) -> None:
    assert breaking(contract) == ""


@pytest.mark.parametrize(
    ("file", "old", "new", "found"),
    [
        ("rules_service.proto", r"  rpc ListPlays\(.*\n", "", "ListPlays"),
        ("table_service.proto", r"\(stream Watch", "(Watch", "WatchTable"),
        (
            "table_service.proto",
            r"string request_id = \d+;",
            "string request_id = 99;",
            "request_id",
        ),
        ("table_service.proto", "string request_id", "string id_of_request", "request_id"),
        ("table_service.proto", "string request_id", "bytes request_id", "request_id"),
        ("common.proto", "SEAT_WHITE =", "SEAT_OF_WHITE =", "SEAT_WHITE"),
        ("common.proto", r'go_package = "[^"]+"', 'go_package = "elsewhere"', "go_package"),
    ],
    ids=["rpc", "stream", "number", "name", "type", "word", "package"],
)
def test_a_breaking_change_is_found(
    contract: Path, file: str, old: str, new: str, found: str
) -> None:
    change(contract, file, old, new)
    assert found in breaking(contract)


def test_what_is_added_breaks_nothing(contract: Path) -> None:
    change(
        contract,
        "rules_service.proto",
        r"message ListPlaysRequest \{\n",
        "message ListPlaysRequest {\n  // New.\n  string added_later = 5000;\n",
    )
    assert breaking(contract) == ""


def test_the_image_is_of_our_files_and_no_more() -> None:
    image = descriptor_pb2.FileDescriptorSet.FromString(RELEASED.read_bytes())
    ours = [file.name for file in image.file if file.package == "bgcore.v1"]
    assert ours
    assert all((ROOT / "proto" / name).is_file() for name in ours)
    assert not any(file.HasField("source_code_info") for file in image.file)
