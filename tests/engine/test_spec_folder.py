"""Folders of house rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from bgcore import SpecError, load
from bgcore.spec_folder import with_folder


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    return folder


def broken(folder: Path) -> dict[str, str]:
    found = with_folder(load(), folder)
    return {
        plugin.name.rpartition("/")[2]: plugin.fault for plugin in found.plugins if plugin.fault
    }


def test_every_file_is_a_variant_named_after_it(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        exact_tavla='parent = "tavla"\nbear_off = "exact"\n',
        other='parent = "western"\nid = "nack"\n[start]\n24 = 2\n23 = 2\n13 = 4\n8 = 3\n6 = 4\n',
    )
    found = with_folder(load(), folder)
    assert found.rules("exact-tavla").variant.bear_off == "exact"
    assert found.rules("nack").start.mover[23] == 2
    assert found.entry("nack").plugin.name == f"{tmp_path.name}/other.toml"
    assert "nack" not in {entry.variant.id for entry in load()}


def test_a_parent_may_be_in_another_file(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        a='parent = "b"\nhigher_die_rule = false\n',
        b='parent = "c"\nbear_off = "exact"\n',
        c='parent = "western"\ncube = false\n',
    )
    variant = with_folder(load(), folder).variant("a")
    assert (variant.higher_die_rule, variant.bear_off, variant.cube) == (False, "exact", False)


def test_a_broken_file_is_listed_with_all_its_faults_and_hurts_no_other(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        bad='parent = "western"\ncontcat = "pin"\ngammon_value = 7\n',
        good='parent = "western"\n',
        torn="parent = [",
        western='parent = "tavla"\n',
        dated="parent = 2020-01-01\n",
    )
    (folder / "binary.toml").write_bytes(b"\xff\xfe\x00")
    (folder / "folder.toml").mkdir()
    (folder / "huge.toml").write_text("#" * 100_000)
    found = broken(folder)
    assert found.keys() == {
        *("bad.toml", "torn.toml", "western.toml", "dated.toml"),
        *("binary.toml", "folder.toml", "huge.toml"),
    }
    assert "contcat pin: expected contact" in found["bad.toml"]
    assert "gammon_value 7: expected a number from 1 to 3" in found["bad.toml"]
    assert "expected an id that western does not use" in found["western.toml"]
    assert with_folder(load(), folder).variant("good").id == "good"


def test_files_that_are_each_others_parents_are_told_so(tmp_path: Path) -> None:
    folder = write(tmp_path, a='parent = "b"\n', b='parent = "a"\n', c='parent = "c"\n')
    found = broken(folder)
    assert found.keys() == {"a.toml", "b.toml", "c.toml"}
    assert "a -> b -> a" in found["a.toml"]
    assert "c -> c" in found["c.toml"]


def test_two_files_cannot_have_one_id(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        a='parent = "western"\nid = "same"\ncube = false\n',
        b='parent = "western"\nid = "same"\n',
    )
    assert broken(folder).keys() == {"b.toml"}


def test_strictly_a_broken_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    folder = write(tmp_path, bad='parent = "western"\ncontcat = "pin"\n')
    with pytest.raises(SpecError, match=r"bad\.toml: spec contcat pin"):
        with_folder(load(), folder, strict=True)
