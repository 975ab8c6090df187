"""A calibration of one's own: written beside the installation, whole or not at all, and read back by what estimates."""

from __future__ import annotations

import csv
import dataclasses
import hashlib
import itertools
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import ridgeline
from ridgeline.calibration.cases import read_cases
from ridgeline.calibration.fit.blocks import BLOCKS
from ridgeline.calibration.kinds.predict import predict
from ridgeline.catalog import CatalogError, load_machine
from ridgeline.catalog.engines import load_engine
from ridgeline.catalog.profiles import profile_ids, write_folder
from ridgeline.cli import commands
from ridgeline.specs.fidelity import MEASURED, ROOFLINE

PACKAGE = Path(ridgeline.__file__).parent
MACHINE = "h100-sxm"
GEMM = {"kind": "gemm", "weight_dtype": "bf16", "activation_dtype": "bf16"}
ATTENTION = {"query_heads": 32, "kv_heads": 8, "head_dim": 128, "kv_dtype": "bf16"}
LATENT = {"query_heads": 128, "head_dim": 576, "overrides": '{"case": {"v_head_dim": 512}}'}
EXPERTS = '{"case": {"fused_moe": true, "rows": %d, "local_experts": 8}}'
STREAMED = '{"case": {"streams": 3, "op": "%s"}}'
SENT = '{"case": {"experts": 256, "top_k": 8, "hidden": 7168}}'


def _grid(facts: dict[str, Any], **columns: Iterable[Any]) -> list[dict[str, Any]]:
    return [facts | dict(zip(columns, cells, strict=True)) for cells in itertools.product(*columns.values())]


ROWS: dict[str, list[dict[str, Any]]] = {
    "gemm": _grid(GEMM, m=(1, 64, 4096), n=(1024, 8192), k=(1024, 8192)),
    "decode_attention": _grid(
        {"kind": "attention_decode"} | ATTENTION, batch=(1, 8, 64), context_tokens=(256, 4096, 32768, 65536)
    ),
    "latent_attention": _grid(
        {"kind": "mla_decode"} | LATENT, batch=(1, 8, 64), context_tokens=(256, 1024, 4096, 32768)
    ),
    "prefill_attention": _grid(
        {"kind": "attention_prefill"} | ATTENTION, batch=(1, 2, 4), prompt_tokens=(256, 1024, 4096, 8192)
    ),
    "experts": [
        GEMM | {"kind": "grouped_gemm", "m": rows / 8, "n": 2048, "k": hidden, "groups": 8, "overrides": EXPERTS % rows}
        for rows in (8, 64, 512, 4096, 16384, 65536)
        for hidden in (4096, 7168)
    ],
    "collectives": _grid(
        {"kind": "all_reduce"}, message_bytes=(2**10, 2**16, 2**20, 2**24, 2**28, 2**30), ranks=(4, 8)
    ),
    "expert_all_to_all": _grid(
        {"kind": "all_to_all_dispatch", "activation_dtype": "bf16", "overrides": SENT},
        batch=(1, 16, 128, 1024, 4096, 8192),
        ranks=(4, 8),
    ),
    "elementwise": [
        {"kind": "elementwise", "m": rows, "n": width, "overrides": STREAMED % ("norm" if width == 4096 else "add")}
        for rows in (1, 64, 1024, 8192, 65536, 2**18)
        for width in (4096, 8192)
    ],
}
"""Rows of each block's kinds."""


def cases_file(path: Path, blocks: Iterable[str], noise: float = 0.1, scale: float = 1.5) -> Path:
    """Rows that take what the spec sheet says times a number, plus what a launch takes, and some noise."""
    rng = np.random.default_rng(5)
    rows = [{"machine": MACHINE, "quantity": "latency_s"} | facts for block in blocks for facts in ROWS[block]]
    for row, case in zip(rows, read_cases(written(path, rows)), strict=True):
        at_peak_s = predict(case, {}, ROOFLINE).value
        row["measured"] = (scale * at_peak_s + 5e-6) * math.exp(noise * rng.standard_normal())
    return written(path, rows)


def written(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """A case file; rows without a name or a measurement get some."""
    rows = [{"case": str(place), "measured": 1.0} | row for place, row in enumerate(rows)]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(itertools.chain.from_iterable(rows))))
        writer.writeheader()
        writer.writerows(rows)
    return path


def error_of(cases: Path, *words: object) -> float:
    """The median size of errors of ``validate``."""
    rows = json.loads(run("validate", cases, *words, "--json").stdout)["rows"]
    return float(np.median([abs(math.log(row["predicted"] / row["measured"])) for row in rows]))


def run(*words: object) -> Any:  # noqa: ANN401  click's result
    return CliRunner().invoke(commands, [str(word) for word in words])


def calibrated(path: Path, *words: object) -> Any:  # noqa: ANN401
    return run("calibrate", path, "--jobs", 1, *words)


def package_files() -> dict[str, str]:
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


@pytest.fixture(autouse=True, scope="module")
def _installation() -> Iterator[None]:
    """Whatever the tests here write, the installation stays as it was."""
    before = package_files()
    yield
    assert package_files() == before


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for profiles."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "ridgeline" / "kernels"


ALL = tuple(BLOCKS)
PAIRS = [pytest.param(pair, id="+".join(pair)) for pair in itertools.pairwise(ALL)]


@pytest.mark.slow
@pytest.mark.parametrize("blocks", [*((name,) for name in ALL), pytest.param(ALL, id="all"), *PAIRS], ids="+".join)
def test_what_is_written_of_any_kinds_is_read_back(tmp_path: Path, blocks: tuple[str, ...]) -> None:
    cases = cases_file(tmp_path / "mine.csv", blocks)
    result = calibrated(cases, "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    (of_machine,) = document["machines"].values()
    assert set(of_machine["rows"]) == set(blocks)
    known, own = load_machine(MACHINE), load_machine(MACHINE, kernels="mine")
    for block in BLOCKS:
        mine, theirs = (getattr(machine.efficiency.kernels, block) for machine in (own, known))
        assert (mine != theirs) is (block in blocks)
    for name, number in of_machine["numbers"].items():
        block, field, *key = name.split(".")
        read = getattr(getattr(own.efficiency.kernels, block), field)
        # Four digits are written.
        assert (read[key[0]] if key else read) == pytest.approx(number["value"], rel=1e-3), name
        assert number["log_sd"] > 0
        assert 0 < number["rows"] <= of_machine["rows"][block]
        if field.endswith("fraction"):
            assert 0 < number["value"] <= 1
    for kind, band in of_machine["bands"].items():
        assert own.efficiency.bands[kind].below == pytest.approx(band["below"], rel=1e-3)
    assert set(own.efficiency.bands) == set(known.efficiency.bands)
    # Rows that were fitted are nearer than by the catalog's numbers, of which none was.
    assert error_of(cases, "--kernels", "mine") < error_of(cases)


@pytest.mark.slow
@pytest.mark.parametrize("blocks", [("gemm",), ALL], ids=["one", "all"])
def test_kernels_faster_than_the_chip_reach_no_more_than_all_of_it(tmp_path: Path, blocks: tuple[str, ...]) -> None:
    """Rows in half the time that the spec sheet allows, as of a wrong unit or a sparse peak."""
    cases = cases_file(tmp_path / "mine.csv", blocks, scale=0.5)
    assert calibrated(cases).exit_code == 0
    kernels = load_machine(MACHINE, kernels="mine").efficiency.kernels
    assert kernels is not None
    assert kernels.gemm.fraction["bf16"] == 1
    assert kernels.gemm.hbm_fraction == 1


def test_the_same_cases_give_the_same_files_where_it_is_said(tmp_path: Path) -> None:
    cases = cases_file(tmp_path / "mine.csv", ["gemm"])
    texts = []
    for folder in ("first", "second"):
        result = calibrated(cases, "--to", tmp_path / folder)
        assert result.exit_code == 0, result.output
        texts.append({path.name: path.read_text() for path in (tmp_path / folder).iterdir()})
    assert texts[0] == texts[1]
    assert set(texts[0]) == {f"{MACHINE}.toml"}
    assert "own: fitted on 12 measured kernels and messages" in texts[0][f"{MACHINE}.toml"]
    assert "gemm.launch_s" in result.stdout
    assert profile_ids() == []


ESTIMATE = ("estimate", "llama-3.1-8b", "--on", MACHINE, "--layout", "tp1", "--batch", 8, "--context", "2k")
PLAN = ("plan", "llama-3.1-8b", "--on", MACHINE, "--prompt", 1000, "--output", 100, "--chips", 1)
SHOWN = ("catalog", "machines", MACHINE)


@pytest.mark.slow
@pytest.mark.parametrize("words", [ESTIMATE, PLAN, SHOWN], ids=lambda words: words[0])
def test_each_command_says_whose_numbers_it_takes(tmp_path: Path, data_folder: Path, words: tuple[object, ...]) -> None:
    cases = cases_file(tmp_path / "mine.csv", ["gemm", "decode_attention"], scale=2.0)
    assert calibrated(cases, "--profile", "slow").exit_code == 0
    folder = data_folder / "slow"
    # The option is read first, wherever it stands.
    for asked in ((*words, "--kernels", "slow"), (words[0], *words[1:2], "--kernels", folder, *words[2:])):
        result = run(*asked)
        assert result.exit_code == 0, result.output
        assert f"kernels of {folder}: own numbers of {MACHINE}" in " ".join(result.stdout.split())
        document = json.loads(run(*asked, "--json").stdout)
        assert document["inputs"]["kernels"] == str(folder)
    assert "own numbers" not in run(*words).stdout
    assert json.loads(run(*words, "--json").stdout)["inputs"]["kernels"] is None


def test_estimates_take_the_own_numbers(tmp_path: Path) -> None:
    cases = cases_file(tmp_path / "mine.csv", ["gemm", "decode_attention"], scale=2.0)
    assert calibrated(cases).exit_code == 0
    times = [
        json.loads(run(*ESTIMATE, *kernels, "--json").stdout)["step_time_s"] for kernels in ((), ("--kernels", "mine"))
    ]
    model, step = ridgeline.load_model("llama-3.1-8b"), ridgeline.decode(batch=8, context_tokens=2000)
    found = [
        ridgeline.estimate(
            model,
            ridgeline.load_machine(MACHINE, kernels=kernels),
            ridgeline.Layout(tp=1),
            step,
            engine=ridgeline.load_engine("vllm", kernels=kernels),
        ).step_time_s
        for kernels in (None, "mine")
    ]
    assert times == found
    # Rows that take twice the spec sheet's time, where the catalog's are at some 0.85 of it.
    assert times[1] > 1.3 * times[0]
    far = run(*ESTIMATE[:3], "l40s", *ESTIMATE[4:], "--kernels", "mine")
    assert "nothing of l40s, vllm, which are the catalog's" in far.stdout


def test_an_unknown_profile_lists_those_there_are(tmp_path: Path) -> None:
    cases = cases_file(tmp_path / "mine.csv", ["gemm"])
    assert calibrated(cases, "--profile", "one").exit_code == 0
    assert calibrated(cases, "--profile", "two").exit_code == 0
    result = run(*ESTIMATE, "--kernels", "three")
    assert result.exit_code == 2
    assert "there are: one, two" in " ".join(result.stderr.split())
    with pytest.raises(CatalogError, match="there are: one, two"):
        load_engine("vllm", kernels="three")


def test_own_kernels_have_no_part_in_the_spec_sheets_peaks(tmp_path: Path) -> None:
    assert calibrated(cases_file(tmp_path / "mine.csv", ["gemm"])).exit_code == 0
    for words in (ESTIMATE, PLAN, ("validate", tmp_path / "mine.csv")):
        result = run(*words, "--kernels", "mine", "--fidelity", "roofline")
        assert result.exit_code == 2
        assert "leave --kernels out" in " ".join(result.stderr.split())


@pytest.mark.slow
def test_rows_may_be_of_a_machine_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that the column names by its path; what is written has the file's id, and is read back for it."""
    page = Path(__file__).parents[2] / "docs" / "extending.md"
    (box,) = re.findall(r"`box.toml`:\n\n```toml\n(.*?)```", page.read_text(), re.DOTALL)
    (tmp_path / "box.toml").write_text(box)
    monkeypatch.chdir(tmp_path)
    text = cases_file(tmp_path / "mine.csv", ["gemm"]).read_text()
    rows = list(csv.DictReader(text.splitlines()))
    result = calibrated(written(tmp_path / "mine.csv", [row | {"machine": "box.toml"} for row in rows]), "--to", "own")
    assert result.exit_code == 0, result.output
    own, known = load_machine("box.toml", kernels="own/"), load_machine("box.toml")
    assert own.efficiency.fitted.gemm != known.efficiency.fitted.gemm
    assert own.efficiency.bands["gemm"] != known.efficiency.bands["gemm"]


def test_too_few_rows_are_left_out_with_how_many_are_needed(tmp_path: Path, data_folder: Path) -> None:
    lines = cases_file(tmp_path / "mine.csv", ["gemm", "collectives"]).read_text().splitlines()
    some = tmp_path / "some.csv"
    some.write_text("\n".join(lines[:-3]) + "\n")
    result = calibrated(some)
    assert result.exit_code == 0, result.output
    assert "not fitted: 9 rows, collectives of h100-sxm: 9 shapes; a fit needs 10" in result.stdout
    assert "[collectives]" not in (data_folder / "mine" / f"{MACHINE}.toml").read_text()
    # Rows of one shape, however many, are one.
    few = tmp_path / "few.csv"
    few.write_text("\n".join([lines[0], *[lines[1]] * 40, *lines[-9:]]) + "\n")
    result = calibrated(few, "--profile", "few")
    assert result.exit_code == 1
    assert "nothing is written" in result.stderr
    assert "40 rows, gemm of h100-sxm: 1 shape; a fit needs 10" in result.stderr
    assert profile_ids() == ["mine"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"machine": "h101"}, "'h101' is not in the catalog"),
        ({"machine": "tpu-v5e"}, "no kernels of these kinds are fitted on tpu-v5e"),
        ({"kind": "eval_step"}, "kind 'eval_step' is not predicted"),
        ({"measured": ""}, "nothing was measured"),
    ],
)
def test_rows_that_tell_nothing_say_why(tmp_path: Path, change: dict[str, str], reason: str) -> None:
    cases = cases_file(tmp_path / "mine.csv", ["gemm"])
    with cases.open(newline="") as file:
        rows = [row | change for row in csv.DictReader(file)]
    result = calibrated(written(cases, rows))
    assert result.exit_code == 1
    assert reason in result.stderr
    assert profile_ids() == []


@pytest.mark.slow
def test_what_is_printed_comes_into_the_width(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = written(
        tmp_path / "few.csv", _grid(GEMM | {"machine": "l40s", "quantity": "latency_s"}, m=(1, 64), n=(64,), k=(64,))
    )
    cases = cases_file(tmp_path / "mine.csv", ["gemm"])
    for width in (80, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        printed = run("calibrate", cases, few, "--jobs", 1, "--to", tmp_path / "own", "--replace").stdout
        assert max(len(line) for line in printed.splitlines() if str(tmp_path) not in line) <= width
        assert "not fitted: 2 rows, gemm of l40s: 2 shapes; a fit needs" in " ".join(printed.split())


def test_rows_of_an_unknown_machine_are_left_out_and_the_others_written(tmp_path: Path, data_folder: Path) -> None:
    few = _grid(GEMM | {"machine": "nope-9000", "quantity": "latency_s"}, m=(1, 64), n=(64,), k=(64,))
    result = calibrated(cases_file(tmp_path / "mine.csv", ["gemm"]), written(tmp_path / "few.csv", few))
    assert result.exit_code == 0, result.output
    assert "not fitted: 2 rows, gemm on nope-9000: machine 'nope-9000' is not in the catalog" in " ".join(
        result.stdout.split()
    )
    assert [one.name for one in (data_folder / "mine").iterdir()] == [f"{MACHINE}.toml"]


def test_files_and_tables_named_for_nothing_are_refused_with_what_is_near(tmp_path: Path) -> None:
    (tmp_path / "h10-sxm.toml").write_text("status = 'own'\n")
    result = run(*ESTIMATE, "--kernels", tmp_path)
    assert result.exit_code == 2
    said = " ".join(result.stderr.split())
    assert "h10-sxm.toml is named for no machine; nearest: h100-sxm" in said
    # A machine of one's own is in no catalog, and like none of it.
    (tmp_path / "h10-sxm.toml").rename(tmp_path / "my-chip.toml")
    assert run(*ESTIMATE, "--kernels", tmp_path).exit_code == 0
    (tmp_path / "engines.toml").write_text("[engines.vlm]\nstatus = 'own'\nruns = []\n")
    result = run(*ESTIMATE, "--kernels", tmp_path)
    assert result.exit_code == 2
    assert "no engine 'vlm' in the catalog; nearest: vllm" in " ".join(result.stderr.split())


@pytest.mark.parametrize("width", ["nan", "inf", "-1"])
def test_a_width_of_an_own_engine_is_a_number(tmp_path: Path, width: str) -> None:
    text = f"[engines.vllm]\nstatus = 'own'\nruns = []\nwidths = {{ step = {width} }}\n"
    (tmp_path / "engines.toml").write_text(text)
    result = run(*ESTIMATE, "--kernels", tmp_path)
    assert result.exit_code == 2
    assert "widths['step']" in result.stderr


def test_a_machine_without_rows_is_refused_by_name(tmp_path: Path) -> None:
    result = calibrated(cases_file(tmp_path / "mine.csv", ["gemm"]), "--machine", "mi300x")
    assert result.exit_code == 2
    assert "no row is of 'mi300x'; there are rows of h100-sxm" in " ".join(result.stderr.split())


def test_nothing_is_written_into_the_installation_or_over_other_files(tmp_path: Path) -> None:
    cases = cases_file(tmp_path / "mine.csv", ["gemm"])
    for folder in (PACKAGE / "catalog" / "kernels", PACKAGE / "mine"):
        result = calibrated(cases, "--to", folder, "--replace")
        assert result.exit_code == 2
        assert "belongs to the installation" in " ".join(result.stderr.split())
    result = calibrated(cases, "--to", tmp_path, "--replace")
    assert "holds other files" in " ".join(result.stderr.split())
    assert calibrated(cases, "--profile", "../up").exit_code == 2


def test_a_calibration_is_replaced_whole_and_only_when_asked(tmp_path: Path, data_folder: Path) -> None:
    assert calibrated(cases_file(tmp_path / "a.csv", ["gemm"])).exit_code == 0
    (data_folder / "mine" / "l40s.toml").write_text('status = "own"\n')
    other = cases_file(tmp_path / "b.csv", ["decode_attention"])
    result = calibrated(other)
    assert result.exit_code == 2
    assert "holds a calibration already (h100-sxm.toml, l40s.toml)" in " ".join(result.stderr.split())
    assert calibrated(other, "--replace").exit_code == 0
    assert [path.name for path in (data_folder / "mine").iterdir()] == [f"{MACHINE}.toml"]
    assert [path.name for path in data_folder.iterdir()] == ["mine"]
    kernels = load_machine(MACHINE, kernels="mine").efficiency.kernels
    known = load_machine(MACHINE).efficiency.kernels
    assert kernels is not None
    assert known is not None
    assert kernels.gemm == known.gemm
    assert kernels.decode_attention != known.decode_attention


@pytest.mark.parametrize("fails", ["check", "write"])
def test_a_folder_is_written_whole_or_stays_as_it_was(tmp_path: Path, fails: str) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "a.toml").write_text("before")

    def refuse(_: Path) -> None:
        if fails == "check":
            raise CatalogError("does not read")

    texts = {"a.toml": "after", ("b.toml" if fails == "check" else "no/folder.toml"): "after"}
    with pytest.raises((CatalogError, OSError)):
        write_folder(folder, texts, refuse)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"a.toml": "before"}
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


ELEMENTWISE = "status = 'own'\n[elementwise]\nisolated_launch_s = 1e-6\nrow_value_s = 1e-9\nrow_hbm_fraction = 0.5"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("status = 'own'\n[gemm]\nlaunch_s = 1", "h100-sxm.toml"),
        # As written before fitted numbers were data.
        ("status = 'own'\n[products]\nlaunch_s = 1e-6  # +- 4.5%, 327 rows", "calibrate again: ridgeline calibrate"),
        ("status = 'own'\n[experts]\nunpack_flop_per_value = 3  # shared", "calibrate again: ridgeline calibrate"),
        (
            f"{ELEMENTWISE}\nhbm_fraction = 2.2",
            "at most 1",
        ),
        (
            f"{ELEMENTWISE}\nhbm_fraction = 'x'",
            "number",
        ),
        ("status = 'own'\n[nothing]\na = 1", "nothing"),
        ("status = 'own'\n[gemm]\nlaunch_s = { value = 1e-6, log_sd = -0.1, rows = 3 }", "gemm.launch_s.log_sd"),
        ("status = 'own'\n[gemm]\nlaunch_s = { value = 1e-6, sd = 0.1 }", "gemm.launch_s.sd"),
        ("status = 'own'\n[uncertainty.x]\nlog_sd = 0.1\nrows = 3", "it stands with each number"),
        ("status", "is not TOML"),
    ],
)
def test_a_file_that_does_not_read_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / f"{MACHINE}.toml").write_text(text)
    result = run(*ESTIMATE, "--kernels", tmp_path)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_an_engine_as_written_before_is_refused_with_what_to_do(tmp_path: Path) -> None:
    text = "[replay]\ncore_launch_fraction = 0.6  # +- 23.5%, 1,370 rows\n[engines.vllm]\nstatus = 'own'\nruns = []\n"
    (tmp_path / "engines.toml").write_text(text)
    with pytest.raises(CatalogError, match=r"core_launch_fraction.*calibrate again: ridgeline calibrate"):
        load_engine("vllm", kernels=tmp_path)
    (tmp_path / "engines.toml").write_text(
        "[engines.vllm]\nstatus = 'own'\nruns = []\n[engines.vllm.scheduling]\nwave_fraction = 0.5\n"
    )
    with pytest.raises(CatalogError, match=r"wave_fraction.*calibrate again: ridgeline calibrate"):
        load_engine("vllm", kernels=tmp_path)


def test_the_catalog_shows_how_sure_ones_own_numbers_are(tmp_path: Path) -> None:
    assert calibrated(cases_file(tmp_path / "mine.csv", ["gemm"])).exit_code == 0
    (known,), (own,) = (
        json.loads(run("catalog", "machines", MACHINE, "--json", *words).stdout)["machines"]
        for words in ((), ("--kernels", "mine"))
    )
    place = "gemm.hbm_fraction"
    before, after = (one["efficiency"]["sources"] for one in (known, own))
    assert before[place] == {"grade": "measured", "machine": MACHINE, "rows": 327, "log_sd": 0.018, "note": ""}
    assert (after[place]["grade"], after[place]["rows"] <= 12) == ("measured", True)
    assert {name: one for name, one in after.items() if not name.startswith("gemm.")} == {
        name: one for name, one in before.items() if not name.startswith("gemm.")
    }
    assert known["bands_by"]["gemm"] == "327 rows of other shapes"
    shown = run("catalog", "machines", MACHINE, "--details").stdout
    assert "hbm_fraction" not in run("catalog", "machines", MACHINE).stdout
    assert "hbm_fraction" in shown
    assert "1.8 %" in shown
    assert "all chips" in shown


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    cases = cases_file(tmp_path / "mine.csv", ["gemm"])
    assert calibrated(cases, "--to", tmp_path / "own").exit_code == 0
    path = tmp_path / "own" / f"{MACHINE}.toml"
    found = load_machine(MACHINE, kernels=tmp_path / "own").efficiency.kernels
    path.write_text(path.read_text().replace("split_k_s = ", "split_k_s = 1"))
    again = load_machine(MACHINE, kernels=tmp_path / "own").efficiency.kernels
    assert found is not None
    assert again is not None
    assert again.gemm.split_k_s > found.gemm.split_k_s


@pytest.mark.slow
def test_loads_of_an_engine_are_numbers_of_that_engine_alone(tmp_path: Path, data_folder: Path) -> None:
    deployed = {"kind": "closed_loop", "model": "llama-3.1-8b", "machine": MACHINE, "chips": 1, "tp": 1}
    deployed |= {"weight_dtype": "bf16", "kv_dtype": "bf16", "output_tokens": 300, "engine": "vllm-0.12"}
    users, prompts, quantities = (1, 4, 16, 64), (200, 1000, 3000), ("tpot_s", "ttft_s")
    rows = _grid(deployed, batch=users, prompt_tokens=prompts, quantity=quantities)
    path = written(tmp_path / "mine.csv", rows)
    known = load_engine("vllm")
    slow = dataclasses.replace(known, layer_s=3 * known.layer_s)
    for row, case in zip(rows, read_cases(path), strict=True):
        row["measured"] = predict(case, {}, MEASURED, engine=slow).value
    result = calibrated(written(path, rows))
    assert result.exit_code == 0, result.output
    assert [one.name for one in (data_folder / "mine").iterdir()] == ["engines.toml"]
    own = load_engine("vllm", kernels="mine")
    assert own.layer_s > known.layer_s
    assert load_engine("sglang", kernels="mine") == load_engine("sglang")
    assert load_machine(MACHINE, kernels="mine") == load_machine(MACHINE)
    # Rows of one series count together as about one, and what holds the numbers where they were as much.
    assert error_of(path, "--kernels", "mine") < 0.75 * error_of(path)
    assert "own numbers of vllm" in run(*ESTIMATE, "--kernels", "mine").stdout
