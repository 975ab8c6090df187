from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from ridgeline.calibration.cases import CaseError, read_cases
from ridgeline.calibration.cases.model_table import model_row, read_model_table
from ridgeline.calibration.judge.validate import spearman, validate
from ridgeline.calibration.kinds.kind import KINDS
from ridgeline.catalog import load_machine, load_model
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.specs.fidelity import ROOFLINE
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import decode, prefill

COLUMNS = (
    "case,kind,model,machine,chips,tp,weight_dtype,activation_dtype,kv_dtype,batch,prompt_tokens,output_tokens,"
    "context_tokens,m,n,k,engine,quantity,measured,overrides,notes"
)


def written(folder: Path, *rows: dict[str, object], header: str = COLUMNS) -> Path:
    path = folder / "family.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, header.split(","), extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return path


GEMM = {
    "case": "g",
    "kind": "gemm",
    "machine": "h100-sxm",
    "weight_dtype": "bf16",
    "activation_dtype": "bf16",
    "m": 4096,
    "n": 4096,
    "k": 4096,
    "quantity": "latency_s",
    "measured": 2e-4,
}
DECODE = {
    "case": "d",
    "kind": "decode_step",
    "model": "llama-3.1-70b",
    "machine": "h100-sxm",
    "chips": 8,
    "tp": 8,
    "weight_dtype": "bf16",
    "kv_dtype": "bf16",
    "batch": 64,
    "context_tokens": 2000,
    "quantity": "latency_s",
    "measured": 1e-2,
}


def test_a_product_takes_its_roofline(tmp_path: Path) -> None:
    found = validate(read_cases(written(tmp_path, GEMM)), fidelity=ROOFLINE)
    (row,) = found.rows
    assert row.predicted == pytest.approx(2 * 4096**3 / 989e12)
    (group,) = found.groups
    assert group.scored == 1
    assert group.median_ratio == pytest.approx(row.predicted / 2e-4)
    assert group.median_abs_log_error == pytest.approx(abs(np.log(row.predicted / 2e-4)))
    assert group.spearman is None


def test_a_rate_is_the_work_over_the_time(tmp_path: Path) -> None:
    rate = {**GEMM, "quantity": "flop_per_s", "measured": 7e14}
    (row,) = validate(read_cases(written(tmp_path, rate)), fidelity=ROOFLINE).rows
    assert row.predicted == pytest.approx(989e12)
    assert row.low <= row.predicted <= row.high


def test_a_step_is_the_estimates(tmp_path: Path) -> None:
    (row,) = validate(read_cases(written(tmp_path, DECODE))).rows
    step = decode(batch=64, context_tokens=2000)
    found = estimate(deploy(load_model("llama-3.1-70b"), load_machine("h100-sxm"), Layout(tp=8)), step)
    assert row.predicted == pytest.approx(found.step_time_s, rel=1e-12)  # one sum, in two orders


def test_a_static_batch_is_a_prefill_and_a_step_for_each_further_token(tmp_path: Path) -> None:
    model, machine, layout = load_model("llama-3.1-70b"), load_machine("h100-sxm"), Layout(tp=8)
    case = {**DECODE, "kind": "generate", "prompt_tokens": 100, "output_tokens": 4, "context_tokens": ""}
    (row,) = validate(read_cases(written(tmp_path, case))).rows
    steps = sum(
        estimate(deploy(model, machine, layout), decode(batch=64, context_tokens=context)).step_time_s
        for context in (101, 102, 103)
    )
    reading = estimate(deploy(model, machine, layout), prefill(batch=64, prompt_tokens=100)).step_time_s
    assert row.predicted == pytest.approx(steps + reading)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"kind": "eval_step"}, "kind 'eval_step' is not predicted"),
        ({"kind": "closed_loop"}, "quantity 'latency_s' of closed_loop is not predicted"),
        ({"kind": "closed_loop", "quantity": "tpot_s"}, "closed_loop rows need prompt_tokens, which is empty"),
        ({"machine": "h101"}, "machine 'h101' is not in the catalog"),
        ({"model": "llama-9"}, "neither in the catalog nor in the model table"),
        ({"quantity": "joules"}, "quantity 'joules' of decode_step is not predicted"),
        ({"tp": 3, "chips": 3}, "tp=3 does not divide query_heads=64"),
        ({"tp": 4}, "but the run has 8 chips"),
        ({"weight_dtype": "int3"}, "number format 'int3' is not modelled"),
        ({"batch": ""}, "need batch, which is empty"),
        # 810 GB of weights on one chip, and KV of a batch that no eight chips hold.
        ({"model": "llama-3.1-405b", "tp": 1, "chips": 1}, "does not fit: a chip of h100-sxm has"),
        ({"batch": 100_000}, "does not fit: a chip of h100-sxm has"),
        ({"kind": "generate", "batch": 5000, "prompt_tokens": 100, "output_tokens": 2000}, "does not fit"),
        ({"kind": "prefill", "batch": 5000, "prompt_tokens": 2000}, "does not fit"),
        ({"overrides": '{"case": {"padded_heads": 60}}'}, "query_heads=60 is not a multiple of kv_heads=8"),
        ({"overrides": '{"case": {"padded_heads": "many"}}'}, "need case.padded_heads as a whole number"),
    ],
)
def test_what_is_not_modelled_is_counted_with_its_reason(
    tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    found = validate(read_cases(written(tmp_path, {**DECODE, **change})))
    (one,) = found.unsupported
    assert reason in one.reason
    (group,) = found.groups
    assert (group.scored, group.unsupported) == (0, 1)


def test_an_attribute_without_a_meaning_here_is_a_warning(tmp_path: Path) -> None:
    found = validate(read_cases(written(tmp_path, {**DECODE, "overrides": '{"case": {"colour": "red"}, "volts": 12}'})))
    assert found.warnings == (
        "decode_step: case.colour is not modelled (1 rows)",
        "override volts is not modelled (1 rows)",
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kv_heads": "lots"}, "kv_heads='lots' is not a whole number"),
        ({"kv_heads": "5"}, "is not a multiple of kv_heads=5"),
        ({"ffn_hidden": ""}, "ffn_hidden='' is not a whole number"),
        ({"hidden": "3"}, "hidden=3 is outside"),
    ],
)
def test_a_table_that_does_not_read_is_refused_by_model(tmp_path: Path, change: dict[str, str], said: str) -> None:
    cells = {"model": "mine", "layers": "4", "hidden": "1024", "query_heads": "8", "kv_heads": "8", "head_dim": "128"}
    cells |= {"ffn_hidden": "4096", "gated": "1", "vocab": "32000", "tied_embeddings": "0", "attention": "mha"}
    case = {**DECODE, "model": "mine", "tp": 1, "chips": 1}
    assert validate(read_cases(written(tmp_path, case)), models={"mine": model_row(cells)}).rows
    with pytest.raises(CaseError, match=said):
        validate(read_cases(written(tmp_path, case)), models={"mine": model_row({**cells, **change})})


def test_an_override_changes_the_machine(tmp_path: Path) -> None:
    slow = {**DECODE, "overrides": '{"hbm_bytes_per_s": 1e12}'}
    (before,) = validate(read_cases(written(tmp_path, DECODE))).rows
    (after,) = validate(read_cases(written(tmp_path, slow))).rows
    assert after.predicted > 2 * before.predicted


@pytest.mark.parametrize(
    ("row", "header", "said"),
    [
        ({**GEMM, "m": "many"}, COLUMNS, r"family\.csv:2: m='many' is not a number"),
        ({**GEMM, "m": -1}, COLUMNS, "must be finite and above 0"),
        ({**GEMM, "measured": "inf"}, COLUMNS, "must be finite"),
        ({**GEMM, "measured": "nan"}, COLUMNS, "must be finite"),
        ({**GEMM, "measured": 0}, COLUMNS, "measured='0' must be finite and above 0"),
        ({**GEMM, "measured": -1e-3}, COLUMNS, "must be finite and above 0"),
        ({**GEMM, "m": 0}, COLUMNS, "m='0' must be finite and above 0"),
        ({**GEMM, "overrides": "{"}, COLUMNS, "overrides is not JSON"),
        ({**GEMM, "overrides": "[1]"}, COLUMNS, "overrides is not an object"),
        ({**GEMM, "overrides": '{"case": 5}'}, COLUMNS, "case is not an object"),
        ({**GEMM, "overrides": '{"hbm_bytes_per_s": "fast"}'}, COLUMNS, "is not a number above 0"),
        ({**DECODE, "tp": 2.5}, COLUMNS, "tp='2.5' must be a whole number"),
        ({**DECODE, "batch": 0}, COLUMNS, "batch='0' must be finite and above 0"),
        ({**GEMM, "n": 2.5}, COLUMNS, "n='2.5' must be a whole number"),
        (GEMM, f"{COLUMNS},batch", "column batch stands twice; keep one"),
        (GEMM, "case,kind", "has no column machine, quantity, measured"),
    ],
)
def test_a_file_that_does_not_read_is_refused_by_line(
    tmp_path: Path, row: dict[str, object], header: str, said: str
) -> None:
    with pytest.raises(CaseError, match=said):
        read_cases(written(tmp_path, row, header=header))


def test_a_cell_without_a_column_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, GEMM)
    path.write_text(path.read_text().rstrip() + ",0,5\n")
    with pytest.raises(CaseError, match=r"family\.csv:2: has more cells than the header has columns"):
        read_cases(path)


def test_scores_of_five_known_rows(tmp_path: Path) -> None:
    """Measured at 1, 1/2, 2, 4 and 10 times the prediction: errors 0, ln 2, ln 2, ln 4 and ln 10."""
    (row,) = validate(read_cases(written(tmp_path, GEMM))).rows
    times = (1, 0.5, 2, 4, 10)
    cases = [{**GEMM, "case": str(factor), "measured": factor * row.predicted} for factor in times]
    (group,) = validate(read_cases(written(tmp_path, *cases))).groups
    assert group.median_abs_log_error == pytest.approx(np.log(2))
    # Between the fourth of five, ln 4, and the last: 90 % lies 0.6 of the way.
    assert group.p90_abs_log_error == pytest.approx(np.log(4) + 0.6 * np.log(10 / 4))
    assert group.median_ratio == pytest.approx(0.5)
    inside = [factor for factor in times if row.low <= factor * row.predicted <= row.high]
    assert group.interval_80_coverage == len(inside) / 5 == 1 / 5


def test_a_cache_whose_format_is_not_said_is_guessed_aloud(tmp_path: Path) -> None:
    """TensorRT-LLM's 8-bit recipes keep it in 8 bits; others keep the model's own."""
    silent = {**DECODE, "weight_dtype": "fp8", "kv_dtype": "", "context_tokens": 50_000, "batch": 16}
    said = {engine: {**silent, "engine": engine} for engine in ("trtllm-v0.9", "vllm")}
    times = {}
    for engine, case in said.items():
        found = validate(read_cases(written(tmp_path, case)), fidelity=ROOFLINE)
        times[engine] = found.rows[0].predicted
        assert any("kv_dtype is empty: taken as" in warning for warning in found.warnings)
    saved = 16 * 50_000 * 327_680 / 2 / 8 / 3.35e12
    assert times["vllm"] - times["trtllm-v0.9"] == pytest.approx(saved)


def test_a_finer_group_of_4_bit_weights_reads_more_scales(tmp_path: Path) -> None:
    """A scale and a zero point, 16 bits each, for 32 values add a bit a value to four; alone, an eighth."""
    coarse = {**GEMM, "kind": "decode_step", "model": "llama-3.1-70b", "batch": 1, "context_tokens": 1}
    coarse |= {"weight_dtype": "int4", "activation_dtype": "bf16", "chips": 1, "m": "", "n": "", "k": ""}
    fine = {**coarse, "overrides": '{"case": {"weight_group": 32}}'}
    (one,) = validate(read_cases(written(tmp_path, coarse)), fidelity=ROOFLINE).rows
    (two,) = validate(read_cases(written(tmp_path, fine)), fidelity=ROOFLINE).rows
    layers = 70_552_387_584 - 2 * 128_256 * 8192
    assert two.predicted - one.predicted == pytest.approx(layers * (1 - 16 / 128) / 8 / 3.35e12)


def test_ranks_share_ties_and_are_none_where_they_say_nothing() -> None:
    assert spearman(np.array([1.0, 1.0, 2.0]), np.array([5.0, 5.0, 9.0])) == pytest.approx(1)
    assert spearman(np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0])) == pytest.approx(-1)
    assert spearman(np.array([1.0, 2.0]), np.array([1.0, 2.0])) is None
    assert spearman(np.array([1.0, 1.0, 1.0]), np.array([1.0, 2.0, 3.0])) is None


def test_last_bits_break_no_tie() -> None:
    tied, measured = np.array([2.0, 1.0, 1.0, 3.0]), np.array([6.0, 4.0, 5.0, 7.0])
    for last_bits in ([0, 0, 1e-12, 0], [0, 1e-12, 0, -1e-12]):
        assert spearman(tied * (1 + np.array(last_bits)), measured) == spearman(tied, measured)


SENT = [
    (kind, quantity)
    for kind, how in KINDS.items()
    if "all_" in kind or "scatter" in kind
    for quantity in how.quantities
]


@pytest.mark.parametrize(("kind", "quantity"), SENT)
@pytest.mark.parametrize("routed", ["", '{"case": {"experts": 8, "top_k": 2, "hidden": 64}}'])
def test_a_rank_alone_sends_nothing(tmp_path: Path, kind: str, quantity: str, routed: str) -> None:
    case = {**GEMM, "kind": kind, "quantity": quantity, "message_bytes": 2**20, "batch": 8, "ranks": 1}
    path = written(tmp_path, {**case, "overrides": routed}, header=f"{COLUMNS},message_bytes,ranks")
    (one,) = validate(read_cases(path)).unsupported
    assert "ranks=1: a rank alone sends nothing" in one.reason


def test_a_case_that_just_fits_is_predicted(tmp_path: Path) -> None:
    """Weights in 16 bits on eight chips leave room for so many sequences of 2,000 tokens, and for no more."""
    chip = load_machine("h100-sxm").chip
    kv_bytes, weights = 2000 * 327_680 / 8, 70_553_706_496 * 2 / 8
    most = int((chip.hbm_bytes - weights) / kv_bytes)
    for batch, is_predicted in ((most * 0.99, True), (most * 1.01, False)):
        found = validate(read_cases(written(tmp_path, {**DECODE, "batch": int(batch)})))
        assert bool(found.rows) is is_predicted


def test_a_spreadsheets_mark_before_the_header_is_no_part_of_it(tmp_path: Path) -> None:
    path = written(tmp_path, GEMM)
    path.write_text("\ufeff" + path.read_text(), encoding="utf-8")
    assert len(validate(read_cases(path)).rows) == 1


def test_an_unknown_column_is_a_warning_where_something_stands_in_it(tmp_path: Path) -> None:
    header = f"{COLUMNS},bacth,colour"
    found = validate(read_cases(written(tmp_path, {**GEMM, "bacth": 8}, GEMM, header=header)))
    assert found.warnings == ("family: column 'bacth' is not known, and not read (1 rows)",)


def test_level_and_shape_of_a_sweep_are_told_apart(tmp_path: Path) -> None:
    """One sweep twice as long throughout; one right in the middle that grows too steeply; one row by itself."""
    sweep = [{**DECODE, "case": f"b{batch}", "batch": batch} for batch in (1, 8, 64)]
    longer = [{**one, "context_tokens": 1000} for one in sweep]
    alone = {**DECODE, "context_tokens": 500}
    rows = validate(read_cases(written(tmp_path, *sweep, *longer, alone))).rows
    factors = [2, 2, 2, 0.5, 1, 2, 1]
    measured = [
        {**one, "measured": factor * row.predicted}
        for one, factor, row in zip([*sweep, *longer, alone], factors, rows, strict=True)
    ]
    (group,) = validate(read_cases(written(tmp_path, *measured))).groups
    assert group.series == 2
    # Levels ln 2 and 0, and shapes 0 and, of -ln 2, 0 and ln 2, ln 2.
    assert group.median_abs_level_log_error == pytest.approx(np.log(2) / 2)
    assert group.median_shape_log_error == pytest.approx(np.log(2) / 2)
    # Four rows at half of what was measured, one at twice, two right.
    assert group.mean_abs_percent_error == pytest.approx(100 * (4 * 0.5 + 1) / 7)


def test_sweeps_of_kernels_run_over_rows_and_of_messages_over_bytes(tmp_path: Path) -> None:
    products = [{**GEMM, "m": m, "n": n} for n in (1024, 4096) for m in (1, 16, 256)]
    (group,) = validate(read_cases(written(tmp_path, *products))).groups
    assert group.series == 2
    sent = [
        {**GEMM, "kind": "all_reduce", "message_bytes": size, "ranks": ranks}
        for ranks in (2, 4, 8)
        for size in (2**20, 2**24)
    ]
    (group,) = validate(read_cases(written(tmp_path, *sent, header=f"{COLUMNS},message_bytes,ranks"))).groups
    assert group.series == 3


UNDER_LOAD = "closed_loop_token_position", "saturated_mlperf", "disaggregated_silicon"


@pytest.mark.slow
def test_predictions_do_not_look_at_what_was_measured(evidence: Path, tmp_path: Path) -> None:
    """Blanking the measurement, the names and the notes changes no prediction."""
    models = read_model_table(evidence / "models.csv")
    for family in ("gemm_aiconfigurator_b200", "decode_gptfast", "generate_trtllm", "decode_pope", *UNDER_LOAD):
        source = evidence / "open" / f"{family}.csv"
        with source.open(newline="") as file:
            rows = list(csv.DictReader(file))
        hidden = [{**row, **dict.fromkeys(("measured", "case", "source", "locator", "notes"), "")} for row in rows]
        seen = validate(read_cases(source), models=models)
        blind = validate(read_cases(written(tmp_path, *hidden, header=",".join(rows[0]))), models=models)
        assert [row.predicted for row in seen.rows] == [row.predicted for row in blind.rows]
        assert all(row.measured is None for row in blind.rows)


@pytest.mark.slow
def test_every_row_of_the_evidence_is_scored_or_says_why_not(evidence: Path) -> None:
    cases = [case for path in sorted((evidence / "open").glob("*.csv")) for case in read_cases(path)]
    found = validate(cases, models=read_model_table(evidence / "models.csv"))
    assert len(found.rows) + len(found.unsupported) == len(cases)
    assert sum(group.scored + group.unsupported for group in found.groups) == len(cases)
    for row in found.rows:
        assert 0 < row.low <= row.predicted <= row.high < np.inf
    kinds = {row.kind for row in found.rows}
    # Every kernel and message, passes of a whole model, loads, and training.
    assert kinds == KINDS.keys() - {"all_to_all"}
    assert {one.kind for one in found.unsupported} == {"rl_step"}
