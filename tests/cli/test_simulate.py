from __future__ import annotations

import dataclasses
import json
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner, Result

from ridgeline import load_machine
from ridgeline.cli import commands, simulate_setup
from ridgeline.cli.arguments import Operated
from ridgeline.cli.simulate import command as simulate
from ridgeline.cli.simulate_asked import AskedSimulation
from ridgeline.simulator.find_rate import LONG_ENOUGH

RUN = "simulate llama-3.1-8b --on h100-sxm --layout tp1 --prompt 1000 --output 200 --rate 8/s --requests 400"


QUICK = f"{RUN} --no-bands"
"""Played once."""

FOR_LONG = QUICK.replace("--requests 400", "--requests 4000")
"""For so long that a rate that is looked for lasts."""


def run(line: str) -> Result:
    return CliRunner().invoke(commands, line.split())


def document(line: str) -> dict[str, Any]:
    result = run(f"{line} --json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def test_as_json() -> None:
    found = document(RUN)
    for latency in ("ttft_s", "tpot_s", "e2e_s"):
        assert set(found[latency]) == {"mean", "p50", "p90", "p99"}
    assert found["requests"] == found["completed"] == 400
    assert found["simulated_s"] > 40
    assert found["output_tokens_per_s"] == pytest.approx(400 * 200 / found["simulated_s"])
    assert found["kv_capacity_tokens"] == found["kv_blocks"] * found["block_tokens"]
    assert found["inputs"]["policy"] == "continuous"
    assert found["wall_s"] > 0


@pytest.mark.parametrize(("rate", "is_overload"), [("2/s", False), ("15/s", False), ("60/s", True), ("400/s", True)])
def test_more_than_is_served_is_said_to_be(rate: str, *, is_overload: bool) -> None:
    """One H100 reads 1,000 tokens of an 8B model in some 30 ms, so that about 30 requests a second are the most."""
    shown = " ".join(run(f"{RUN.replace('8/s', rate)} --no-bands").stdout.split())
    assert ("requests/s came, more than are served" in shown) is is_overload


def test_a_queue_that_grows_a_little_throughout_is_seen_and_so_is_what_is_served() -> None:
    """One in twelve too many; what is served is what the whole of a much larger load was served at."""
    line = RUN.replace("--requests 400", "--requests 6000")
    flood = document(f"{line.replace('8/s', '400/s')} --no-bands")
    assert flood["is_overloaded"]
    most = flood["requests_per_s"]
    found = document(f"{line.replace('8/s', f'{1.08 * most:.1f}/s')} --no-bands")
    assert found["is_overloaded"]
    assert found["ttft_s"]["p99"] < 0.1 * 6000 / most  # no request is late by a tenth of the time in which they come
    shown = " ".join(run(f"{line.replace('8/s', f'{1.08 * most:.1f}/s')} --no-bands").stdout.split())
    told = re.search(r"more than are served: ([\d.]+) a second got", shown)
    assert told is not None
    assert float(told[1]) == pytest.approx(
        most, rel=0.05
    )  # the whole has the last requests in it, which decode in ever smaller batches
    assert not document(f"{line.replace('8/s', f'{0.95 * most:.1f}/s')} --no-bands")["is_overloaded"]


def test_a_steady_load_is_told_apart_from_ramp_up_and_drain() -> None:
    """As many come, twenty times as long: the whole of that run has a twentieth of the ramp-up and drain in it."""
    line = f"{RUN.replace('--output 200', '--output 1000').replace('8/s', '5/s')} --price $2/h --ttft 1s --no-bands"
    short, long = (document(line.replace("--requests 400", f"--requests {count}")) for count in (500, 10000))
    steady = short["steady"]
    assert steady["usd_per_output_token"] == pytest.approx(long["usd_per_output_token"], rel=0.03)
    assert steady["usd_per_input_token"] == pytest.approx(long["usd_per_input_token"], rel=0.1)
    assert short["usd_per_output_token"] > 1.08 * steady["usd_per_output_token"]
    assert steady["output_tokens_per_s"] == pytest.approx(1000 * steady["requests_per_s"])
    assert steady["goodput_requests_per_s"] == pytest.approx(steady["requests_per_s"])
    # Too short for it, too many, and none that come by themselves.
    assert document(line.replace("--requests 400", "--requests 60"))["steady"] is None
    assert document(line.replace("5/s", "100/s"))["steady"] is None
    assert document(line.replace("--rate 5/s", "--users 8"))["steady"] is None


def test_dollars_of_input_and_output_are_all_that_chips_cost() -> None:
    found = document(f"{RUN} --price $2/h --replicas 2")
    paid = found["usd_per_output_token"] * 400 * 200 + found["usd_per_input_token"] * 400 * 1000
    assert paid == pytest.approx(2 * 2 / 3600 * found["simulated_s"])
    at_work = found["at_work_usd_per_output_token"] * 400 * 200 + found["at_work_usd_per_input_token"] * 400 * 1000
    assert at_work == pytest.approx(found["chip_busy_fraction"] * paid)
    # Few idle: 8 requests a second of 200 tokens keep both replicas at work.
    assert "all chips are paid" not in run(QUICK).stdout
    shown = " ".join(run(f"{RUN.replace('8/s', '0.1/s')} --no-bands").stdout.split())
    assert re.search(r"all chips are paid, and 8\d % of their time is idle; without idle time \$", shown)


def test_the_same_seed_gives_the_same_bytes_and_another_one_does_not() -> None:
    first, again, other = (document(f"{RUN} --seed {seed}") for seed in (3, 3, 4))
    for found in (first, again, other):
        found.pop("wall_s")
    assert json.dumps(first) == json.dumps(again)
    assert first["ttft_s"] != other["ttft_s"]


@pytest.mark.parametrize("fidelity", ["napkin", "roofline", "measured"])
def test_every_fidelity(fidelity: str) -> None:
    found = document(f"{RUN} --fidelity {fidelity}")
    assert found["completed"] == 400
    assert found["inputs"]["fidelity"] == fidelity


@pytest.mark.slow
def test_peaks_are_faster_than_what_was_measured() -> None:
    times = [document(f"{QUICK} --fidelity {name}")["tpot_s"]["mean"] for name in ("napkin", "roofline", "measured")]
    assert times == sorted(times)


@pytest.mark.parametrize(
    ("line", "times"),
    [
        ("deepseek-v3 --on h200-sxm --layout dp8,ep8 --users 8 --start-together", 1),
        ("deepseek-v3 --on h200-sxm --layout dp8,ep8 --users 8", 0),
        ("deepseek-v3 --on h200-sxm --layout dp8,ep8 --rate 1/s", 0),
        ("deepseek-v3 --on h200-sxm --layout tp8,ep8 --users 8 --start-together", 0),
    ],
)
def test_users_of_groups_that_read_alone_are_said_to_stay_in_waves(line: str, times: int) -> None:
    said = run(f"simulate {line} --prompt 1000 --output 20 --requests 16 --no-bands").stdout
    assert " ".join(said.split()).count("stay in waves") == times


def test_users_ask_again_when_they_are_answered() -> None:
    asked = QUICK.replace("--rate 8/s", "--users 16")
    found, spread = document(asked), document(f"{asked} --replicas 2")
    # Little's law: requests under way are rate times the time of each, and at the end some users have none left.
    assert found["requests_per_s"] * found["e2e_s"]["mean"] == pytest.approx(16, rel=0.05)
    assert spread["e2e_s"]["mean"] < found["e2e_s"]["mean"]


def test_memory_stands_first_and_follows_from_its_parts() -> None:
    text = " ".join(run(QUICK).stdout.split())
    found = document(QUICK)
    assert re.search(
        r"KV cache [\d,]+ tokens a replica, [\d,]+ blocks of 16: of each chip .* \(memory .* - weights", text
    )
    assert text.index("KV cache") < text.index("first token")
    memory = found["memory"]
    parts = [memory[name] for name in ("weights_bytes", "activation_bytes", "reserved_bytes", "free_bytes")]
    assert sum(parts) == pytest.approx(load_machine("h100-sxm").chip.hbm_bytes)
    assert found["kv_blocks"] == int(memory["free_bytes"] / found["kv_token_bytes"]) // 16
    stated = run(f"{QUICK} --kv-blocks 1000").stdout
    assert "KV cache 16,000 tokens a replica, 1,000 blocks of 16, as stated" in " ".join(stated.split())


def test_time_is_all_decoding_prompts_or_idle_and_each_replica_has_its_part() -> None:
    text = " ".join(run(f"{QUICK} --replicas 3").stdout.split())
    parts = re.search(r"decoding ([\d.]+) %, prompts ([\d.]+) %, idle ([\d.]+) %", text)
    assert parts is not None
    assert sum(map(float, parts.groups())) == pytest.approx(100, abs=0.2)  # each is rounded to a tenth
    found = document(f"{QUICK} --replicas 3")
    each = found["by_replica"]
    assert [one["completed"] for one in each] == [134, 133, 133]
    assert sum(one["busy_fraction"] for one in each) / 3 == pytest.approx(found["busy_fraction"])


def test_what_carries_the_times_is_said() -> None:
    assert "carried by 100 % measured on h100-sxm" in run(QUICK).stdout
    carried = document(QUICK.replace("h100-sxm", "h200-sxm"))["carried_by"]
    assert sum(one["time_fraction"] for one in carried) == pytest.approx(1)


def test_goodput_counts_who_stays_within_both_limits() -> None:
    found = document(f"{QUICK} --ttft 1000s --tpot 1000s")
    assert found["within_fraction"] == 1
    assert found["goodput_requests_per_s"] == found["requests_per_s"]
    assert document(f"{QUICK} --ttft 1us")["within_fraction"] == 0


@pytest.mark.slow
def test_the_rate_that_is_found_keeps_the_limits_and_a_higher_one_does_not() -> None:
    limits = "--ttft 300ms --tpot 15ms --share 0.9"
    found = document(f"{FOR_LONG.replace('--no-bands', '')} {limits} --find-rate")
    best = found["found_rate"]["best"]
    assert best["within_fraction"] >= 0.9
    failing = [one["scale"] for one in found["found_rate"]["tried"] if one["within_fraction"] < 0.9]
    assert best["scale"] < min(scale for scale in failing if scale > best["scale"]) <= 1.011 * best["scale"]
    assert document(f"{FOR_LONG} {limits} --rate-scale {best['scale']}")["within_fraction"] == best["within_fraction"]


@pytest.mark.slow
def test_the_rate_that_is_found_is_said_as_the_option_that_draws_it() -> None:
    """Of made-up requests by their rate, of a log by its scale.

    0.01: with a rate to five digits steps fall otherwise, which moves 40 of 4,000 requests over a limit at most.
    """
    line = f"{FOR_LONG} --ttft 300ms --tpot 15ms --share 0.9 --find-rate"
    said = re.search(r"--rate ([\d.]+)/s plays it again", " ".join(run(line).stdout.split()))
    assert said is not None
    again = document(line.replace("--rate 8/s", f"--rate {said[1]}/s").replace(" --find-rate", ""))
    # One rate is found; that of the option differs by chance, which is said, and the table has no third.
    best = document(line)["found_rate"]["best"]
    found, asked = f"{best['requests_per_s']:.4g}", f"{float(said[1]):.4g}"
    drawn = f"drawn at random, and of these {found} a second come where {asked} are asked for"
    shown = " ".join(run(line).stdout.split())
    assert f"rate {found} requests/s is the highest" in shown
    tried = document(line)["found_rate"]["tried"]
    missed = min(one["requests_per_s"] for one in tried if one["scale"] > best["scale"])
    assert f"keep the limits, and {missed:.4g} is too many; all above is at that rate" in shown
    assert "--tpot is each request's limit here, and that of the mean of all in a plan" in shown
    assert (drawn in shown) is (found != asked)
    assert "rate scale" not in shown
    assert again["within_fraction"] == pytest.approx(document(line)["within_fraction"], abs=0.01)
    log = line.replace("--ttft 300ms", "--ttft 1s").replace(
        "--prompt 1000 --output 200 --rate 8/s", "--trace docs/example_trace.jsonl"
    )
    of_log = " ".join(run(log).stdout.split())
    assert re.search(r"--rate-scale [\d.]+ plays it again rate scale requests/s within limits", of_log)


@pytest.mark.parametrize("more", ["", "--start-together"])
def test_equal_users_are_said_to_meet_seldom_or_in_every_round(more: str) -> None:
    line = "simulate llama-3.1-8b --on h100-sxm --layout tp1 --users 4 --prompt 500 --output 20 --requests 40"
    shown = " ".join(run(f"{line} --no-bands {more}").stdout.split())
    assert (
        "equal requests that begin apart seldom wait for each other here, and such as begin together do so in every"
        " round; plan and expect give the waits of measured loops"
    ) in shown
    assert re.search(r"simulating took [\d.]+ .?s of this machine's time: [\d,]+ requests a second", shown)


@pytest.mark.slow
def test_a_rate_that_is_found_is_that_of_requests_who_come_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of so few requests as are usual here, replicas would fill for most of the time.

    0.05: rates are found to 1 %, and a run that is four times as long has rarer bursts, worth up to 4 %.
    """
    monkeypatch.setattr(simulate_setup, "REQUESTS", 300)
    line = f"{QUICK} --tpot 15ms --find-rate"
    found = document(line.replace(" --requests 400", ""))
    best, count = found["found_rate"]["best"], found["inputs"]["count"]
    assert count > 300
    assert best["request_times"] >= LONG_ENOUGH
    longer = document(line.replace("--requests 400", f"--requests {4 * count}"))["found_rate"]["best"]
    assert best["requests_per_s"] == pytest.approx(longer["requests_per_s"], rel=0.05)


def test_a_log_that_ends_soon_says_so_beside_its_rate() -> None:
    line = f"{QUICK} --ttft 1s --share 0.9 --find-rate"
    said = run(line.replace("--prompt 1000 --output 200 --rate 8/s --requests 400", "--trace docs/example_trace.jsonl"))
    assert "request times after it began" in " ".join(said.stdout.split())


def test_requests_as_a_file(tmp_path: Path) -> None:
    path = tmp_path / "requests.parquet"
    assert run(f"{RUN} --out {path}").exit_code == 0
    asked = f"SELECT number, ttft_s, tpot_s, e2e_s, output_tokens FROM '{path}'"  # noqa: S608  ours
    rows = duckdb.connect().execute(asked).fetchall()
    assert [row[0] for row in rows] == list(range(400))
    for _, ttft_s, tpot_s, e2e_s, tokens in rows:
        assert e2e_s == pytest.approx(ttft_s + (tokens - 1) * tpot_s)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_run_that_fails_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "requests.parquet"
    assert run(f"{RUN} --kv-blocks 1 --out {path}").exit_code != 0
    assert not list(tmp_path.iterdir())


def test_the_same_seed_gives_the_same_rows(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.parquet" for number in range(3)]
    for path, seed in zip(paths, (3, 3, 4), strict=True):
        assert run(f"{QUICK} --seed {seed} --out {path}").exit_code == 0
    first, again, other = (path.read_bytes() for path in paths)
    assert first == again != other


VIDUR = "arrived_at,num_prefill_tokens,num_decode_tokens"
LOGS = {
    "zero.csv": (f"{VIDUR}\n0,100,0\n1,100,5\n2,100,0\n", "1 came, 1 served; 2 without output left out"),
    "none.csv": (f"{VIDUR}\n0,100,0\n", "has no requests with an output: 1 failed"),
    "unsorted.csv": (
        f"{VIDUR}\n5,100,3\n1,100,2\n",
        "comes before the request above it; sort the log: ridgeline trace",
    ),
    "long.csv": (f"{VIDUR}\n0,190000,10\n1,100,5\n", "2 came, 1 served, 1 refused: no replica has memory"),
    "short.csv": (f"{VIDUR}\n0,100,7\n1,10", "has 2 values, and its header has 3 columns"),
    "short.jsonl": (
        '{"timestamp": 0, "input_length": 5, "output_length": 2, "hash_ids": [0]}\n{"timestamp": 1, "inp',
        "is no JSON: Unterminated string",
    ),
    "binary.csv": ("PAR1\0\1", "no trace that is known"),
}
"""Logs that are not as one would wish, and what is said of them."""


@pytest.mark.parametrize("layout", ["tp1", "tp1/tp1"])
@pytest.mark.parametrize("name", LOGS)
def test_bad_logs_have_a_defined_answer_and_leave_no_file(name: str, layout: str, tmp_path: Path) -> None:
    log, path = tmp_path / name, tmp_path / "requests.parquet"
    text, said = LOGS[name]
    log.write_text(text)
    line = (
        f"simulate llama-3.1-8b --on h100-sxm --layout {layout} --kv-blocks 2000 --no-bands --trace {log} --out {path}"
    )
    result = run(line)
    assert said in " ".join((result.stdout + result.stderr).split())
    assert path.is_file() is (result.exit_code == 0)
    assert {one.name for one in tmp_path.iterdir()} <= {name, path.name}
    assert "Traceback" not in result.stderr


LONG = f"{RUN.replace('--requests 400', '--requests 500000')} --no-bands"
"""What takes long enough to be stopped under way."""


ROWS_BYTES = 100_000
"""More than a file of rows that has a table and nothing in it."""


def ridgeline(line: str) -> list[str]:
    return [sys.executable, "-m", "ridgeline", *line.split()]


@pytest.mark.slow
@pytest.mark.parametrize("stopped", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_run_that_is_stopped_leaves_the_file_that_was_there(tmp_path: Path, stopped: signal.Signals) -> None:
    path = tmp_path / "requests.parquet"
    path.write_bytes(b"of an earlier run")
    process = subprocess.Popen(  # noqa: S603  ours
        ridgeline(f"{LONG} --out {path}"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # What a shell starts in the background passes Ctrl-C over.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  there are no threads yet
    )
    # Until rows are written, besides the first of them while the table is made.
    while process.poll() is None and not any(one.stat().st_size > ROWS_BYTES for one in tmp_path.glob(".*/rows*")):
        time.sleep(0.001)
    assert process.poll() is None
    process.send_signal(stopped)
    process.communicate()
    assert process.returncode != 0
    assert path.read_bytes() == b"of an earlier run"
    if stopped is signal.SIGINT:
        assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
def test_a_disk_without_room_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "requests.parquet"
    done = subprocess.run(  # noqa: S603  ours
        ridgeline(f"{LONG} --out {path}"),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)),
    )
    assert done.returncode != 0
    assert f"{path}: cannot be written" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("picture", "words"),
    [
        ("latencies", ("how long requests take", "first token", "per token", "end to end", "99 %", "limit 100 ms")),
        ("timeline", ("batch, memory and queue", "sequences that decode", "KV cache in use", "requests that wait")),
        ("departures", ("steps as departures", "steps: sequences in each", "its prompt is read", "1,000 in, 200 out")),
    ],
)
def test_a_picture(picture: str, words: tuple[str, ...], theme: str, tmp_path: Path) -> None:
    path = tmp_path / "picture.svg"
    result = run(f"{QUICK} --replicas 2 --ttft 100ms --picture {picture} --figure {path} --theme {theme}")
    assert result.exit_code == 0, result.output
    drawn = path.read_text()
    for said in words:
        assert said in drawn


def test_a_picture_changes_no_number(tmp_path: Path) -> None:
    plain = document(QUICK)
    for picture in ("timeline", "departures"):
        drawn = document(f"{QUICK} --picture {picture} --figure {tmp_path / 'one.svg'}")
        assert drawn | {"wall_s": 0} == plain | {"wall_s": 0}


@pytest.mark.slow
def test_every_rate_that_was_tried_is_shown_and_fewer_keep_the_limits_at_higher_ones() -> None:
    asked = f"{FOR_LONG} --ttft 300ms --tpot 15ms --share 0.9 --find-rate"
    found, text = document(asked)["found_rate"], run(asked).stdout
    for one in found["tried"]:
        assert f"{100 * one['within_fraction']:.2f} %" in text
    parts = [one["within_fraction"] for one in sorted(found["tried"], key=lambda one: one["scale"])]
    assert parts == sorted(parts, reverse=True)
    assert text.count("found") == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("--rate 8/s", ""), "say when requests come: --rate 5/s, or --users 64"),
        (("--rate 8/s", "--rate 0/s"), "0 requests a second are none; write 5/s"),
        (("--prompt 1000", ""), "say what comes: --trace FILE, or --prompt and --output"),
        (("--requests 400", "--users 4"), "leave one out"),
        (("tp1", "tp3"), "tp=3 does not divide"),
        (("--requests 400", "--chips 2"), "leave --chips out"),
        (("--requests 400", "--policy fifo"), "is none of continuous, prompts-first, static, departures:20ms"),
        (("--requests 400", "--policy departures:0ms0"), "write departures:20ms"),
        (("--requests 400", "--find-rate"), "give --ttft 2s, --tpot 50ms, or both"),
        (("--requests 400", "--find-rate --ttft 300ms --requests 300"), "300 requests are too few. At"),
        (("--requests 400", "--find-rate --ttft 1us --requests 20"), "ms even so, beyond 1 µs: write --ttft"),
        (("--requests 400", "--kv-blocks 1"), "none of 10,000 requests fits into a cache of 16 tokens"),
        (("--requests 400", "--weights auto"), "'auto' is for plan"),
        (("--requests 400", "--speculate mtp:3"), "drafted tokens are not simulated; leave it out"),
        (("--requests 400", "--picture timeline"), "add --figure FILE"),
        (("--requests 400", "--out here.csv"), "does not end in .parquet; write 'here.parquet'"),
        (("llama-3.1-8b", "llama-3.1-405b"), "give --layout tp8,pp2, or narrower formats"),
    ],
)
def test_refusals(change: tuple[str, str], said: str) -> None:
    result = run(RUN.replace(*change))
    assert result.exit_code != 0
    assert said in " ".join(result.stderr.replace("│", " ").split())
    assert not result.stdout


def test_every_option_but_those_on_the_result_is_a_field_of_what_is_asked() -> None:
    result = {"out", "figure", "picture", "theme", "as_json"}
    options = {one.name for one in simulate.params if one.expose_value} - result
    operated = {one.name for one in dataclasses.fields(Operated)}
    assert operated <= options
    assert {one.name for one in dataclasses.fields(AskedSimulation)} == options - operated | {"operated"}


def test_arrivals_that_a_router_evens_are_said_to_be_no_plans() -> None:
    """Why first tokens of several replicas come sooner here than in a plan: those of one agree."""
    asked = "llama-3.1-8b --on h100-sxm --prompt 1000 --output 200"
    plans = [document(f"plan {asked} --rate {rate}/s --chips {chips} --top 1") for rate, chips in ((12, 1), (48, 4))]
    one, several = (
        document(f"simulate {asked} --layout tp1 --rate {rate}/s --replicas {replicas} --requests 4000 --no-bands")
        for rate, replicas in ((12, 1), (48, 4))
    )
    first_s = [found["plans"][0]["ttft_s"] for found in plans]
    # 0.1: a run of 4,000 requests is off by some percent itself.
    assert one["ttft_s"]["p90"] == pytest.approx(first_s[0], rel=0.1)
    assert several["ttft_s"]["p90"] < 0.9 * first_s[1]
    said = "dealt out to 4 replicas (round-robin), which evens them; a plan takes them at random at each replica"
    line = f"simulate {asked} --layout tp1 --rate 48/s --requests 400 --no-bands --replicas"
    assert said in " ".join(run(f"{line} 4").stdout.split())
    assert "which evens them" not in run(f"{line} 1").stdout
    planned = " ".join(run(f"plan {asked} --rate 48/s --chips 4 --top 1").stdout.split())
    assert "a router that deals them out in turn, as simulate's does, evens them" in planned


def test_throughput_says_what_it_is_over_and_how_fast_requests_came() -> None:
    shown = " ".join(run(QUICK).stdout.split())
    assert re.search(
        r"from the first arrival to the last token(, ramp-up and drain in it; requests came at|: ramp-up)", shown
    )
    of_users = " ".join(run(QUICK.replace("--rate 8/s", "--users 8")).stdout.split())
    assert "from the first arrival to the last token, ramp-up and drain in it cost" in of_users


def test_requests_come_at_one_rate_wherever_it_is_told() -> None:
    line = "simulate llama-3.1-8b --on h100-sxm --layout tp1 --rate 8/s --prompt 500 --output 100 --no-bands"
    shown = " ".join(run(f"{line} --requests 2000").stdout.split())
    steady = document(f"{line} --requests 2000")["steady"]
    assert f"requests came at {steady['requests_per_s']:.4g}/s from the first to the last" in shown


def test_intervals_are_named_and_said_to_be_wider_than_a_plans() -> None:
    shown = run(RUN).stdout
    said = " ".join(shown.split())
    assert "mean 80 % interval p50 p90 p99 80 % interval" in said
    assert "80 % intervals: of the mean, and of p99" in said
    assert "wider than a plan's, whose batch is fixed" in said
    assert "80 % interval" not in run(f"{RUN} --no-bands").stdout
