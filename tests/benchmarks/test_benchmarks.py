"""The benchmarks run. With so few calls their figures mean nothing, missed or not; what they check is checked."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.benchmarks.processes import no_trace
from tests.needs import ROOT


def output(name: str, *arguments: str, **environment: str) -> str:
    command = (sys.executable, "-m", f"tests.benchmarks.{name}", *arguments)
    done = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )
    missed = done.returncode == 1 and "missed: " in done.stderr.splitlines()[-1]
    assert missed == ("MISSED" in done.stdout)
    assert missed or done.returncode == 0, done.stderr
    return done.stdout


def status(*good: bool) -> tuple[int, str]:
    """The status of a benchmark with such figures, and what it says at the end."""
    program = (
        "from tests.benchmarks import verdicts; "
        f"verdicts.run(lambda: print(*(verdicts.verdict('a ratio', one) for one in {good})))"
    )
    command = (sys.executable, "-c", program)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_figure_that_is_missed_is_told_by_the_status() -> None:
    assert status() == (0, "\n")
    assert status(True, True) == (0, "OK OK\n")
    assert status(True, False) == (1, "OK MISSED\nmissed: a ratio\n")


@pytest.mark.slow
@pytest.mark.needs_bench
def test_the_kernel_is_measured_beside_other_libraries() -> None:
    shown = output("bench_kernel", "--positions", "60", "--rounds", "1")
    assert "faster than OpenSpiel" in shown and "faster than bgsage" in shown


@pytest.mark.slow
def test_every_variant_and_axis_is_measured_beside_western() -> None:
    shown = output("bench_variants", "--positions", "20", "--rounds", "1")
    assert "axis: runner pass_start" in shown and "plays_of, may_leave" in shown


def test_the_public_call_is_measured_beside_the_kernels() -> None:
    shown = output("bench_rules", "--positions", "60", "--rounds", "1")
    assert "rules.plays against kernel.plays" in shown


@pytest.mark.needs_engine_kit
def test_position_ids_are_read_beside_another_program() -> None:
    shown = output("bench_position_id", "--positions", "60", "--rounds", "1")
    assert "read against the kit" in shown


@pytest.mark.slow
def test_match_files_are_read_beside_what_is_inside_it() -> None:
    # Our own samples do; the real files are read, checked and written by other tests.
    shown = output("bench_match_text", "--rounds", "1", BGCORE_REAL="none")
    assert "read and checked" in shown and "against bare kernel calls" in shown


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads other processes' time in Linux's way")
def test_the_server_is_measured_beside_a_bare_one() -> None:
    shown = output("bench_server", "--calls", "16", "--starts", "1", "--rounds", "1")
    assert "ListPlays, 16 callers" in shown and "Act, 16 tables" in shown
    if reason := no_trace():
        pytest.skip(f"flushes to the disk are not counted: {reason}")
    assert "flushes an act, 16 tables" in shown


@pytest.mark.slow
def test_batches_are_measured_beside_the_kernels() -> None:
    shown = output("bench_batch", "--messages", "1", "--rounds", "1")
    assert "share of the kernel's batch" in shown and "4,096 positions answered" in shown


@pytest.mark.slow
@pytest.mark.needs_postgres
@pytest.mark.skipif(sys.platform != "linux", reason="reads other processes' time in Linux's way")
def test_an_act_on_postgresql_is_measured_beside_its_statements() -> None:
    shown = output("bench_postgres", "--calls", "16", "--starts", "1", "--rounds", "1")
    assert "Act, 1 table" in shown and "Act, 16 tables" in shown


@pytest.mark.slow
@pytest.mark.needs_postgres
@pytest.mark.skipif(sys.platform != "linux", reason="reads other processes' time in Linux's way")
def test_many_watchers_see_every_event() -> None:
    shown = output("bench_watchers", "--watchers", "60", "--tables", "6", "--acts", "5")
    assert shown.count("60 watchers,     300 events, all gapless") == 3


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads other processes' memory in Linux's way")
def test_what_tables_and_watches_take_of_memory_is_measured() -> None:
    shown = output("bench_memory", "--tables", "64", "--watches", "64", "--acts", "5")
    assert "an open watch" in shown and "an idle table that has left memory" in shown
