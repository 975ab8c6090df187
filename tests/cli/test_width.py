"""What is printed comes into its width, in a pipe and on a terminal, and no word is broken."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from ridgeline.boards.lecture import BOARDS
from ridgeline.caching.cache import cache
from ridgeline.caching.found import Asked, Caching
from ridgeline.catalog import machine_ids, model_ids
from ridgeline.catalog.acceptance import acceptances
from ridgeline.cli import commands
from ridgeline.cli.output import console, print_table, print_text

WIDTHS = (40, 60, 80, 100, 120, 200)
UNBROKEN_FROM = 80
"""Columns from which on no word breaks; on narrower pages the longest of a table may."""
UNBROKEN = 10_000
"""Columns in which nothing wraps."""

LAYOUTS = "tp2,dp4,ep8,redundant32", "pp2,ep36,dp36,redundant32", "tp16,pp2,cp2,tp_rows4,kv_dp2"
COMMANDS = (
    "plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1000 --tpot 50ms",
    "plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1000 --tpot 50ms --details --why-not tp2,dp36,ep72",
    "plan deepseek-v3 --on h200-sxm --chips 32 --prompt 4000 --output 1000 --weights auto",
    "plan llama-3.1-70b --on h100-sxm --chips 9 --prompt 1000 --output 1000 --tpot 30ms",
    "plan llama-3.1-70b --on tpu-v5e --chips 64 --prompt 100k --output 1000 --details",
    "plan qwen3-32b --on l40s --chips 4 --prompt 2000 --output 500 --tpot 60ms --price $1/h",
    "plan llama-3.1-70b --on h100-sxm --prompt 4000 --output 1000 --users 300 --details",
    "plan qwen3-32b --on h100-sxm --prompt 2000 --output 500 --rate 20/s --ttft 2s --why-not tp4,pp2",
    "plan deepseek-v3 --on h200-sxm --prompt 4000 --output 1000 --tpot 50ms --speculate auto --details",
    "plan deepseek-v3 --on h200-sxm --on gb200-nvl72 --prompt 4000 --output 1000 --tpot 50ms --speculate auto",
    "plan llama-3.1-70b --on h100-sxm --pools 2 --prompt 4000 --output 1000 --tpot 50ms",
    "plan deepseek-v3 --on h200-sxm --on b200-sxm --pools 2 --chips 64 --prompt 4000 --output 1000 --users 900",
    "plan llama-3.1-8b --on h100-sxm --prompt 1000 --output 1000 --power 20kW --pue 1.2 --price $1/h",
    "estimate deepseek-v3 --on gb200-nvl72 --layout dp144,ep72,redundant32 --batch 1440 --context 8k",
    "estimate llama-3.1-405b --on h100-sxm --layout tp8,pp2 --phase prefill --batch 4 --context 20k",
    "estimate qwen3.5-122b-a10b --on h100-sxm --layout tp4 --batch 64 --context 8k",
    "estimate llama-3.1-8b --on h100-sxm --layout tp1 --batch 8 --context 8k --fidelity napkin",
    *("boards", "claims", "catalog models", "catalog machines", "catalog machines --model deepseek-v3"),
    "cache deepseek-v3 --on gb200-nvl72 --hold 1h --reuse 1 --context 100k --pools 2 --prices --details",
    "catalog memory",
    *("catalog storage", "catalog storage disk-30tb", "catalog prices", "catalog prices gemini-3-1-pro"),
    *(f"board {board.name} --mode careful" for board in BOARDS),
    *(f"catalog models {name}" for name in model_ids()),
    *(f"catalog machines {name} --model llama-3.1-8b" for name in machine_ids()),
)


def printed(line: str, width: int | None, monkeypatch: pytest.MonkeyPatch) -> str:
    if width is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", str(width))
    result = CliRunner().invoke(commands, line.split(), input="")
    assert result.exit_code == 0, result.output
    return result.stdout


def words(text: str) -> set[str]:
    """Words; of layouts, which wrap after a comma, the parts."""
    return set(re.split(r"\s+|(?<=,)(?=[a-z])", text))


@pytest.fixture
def _cached_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a cache costs does not depend on the width, and a test computes it once."""
    found: dict[str, Caching] = {}

    def cached(asked: Asked) -> Caching:
        key = repr(asked)  # it has fields without a hash
        if key not in found:
            found[key] = cache(asked)
        return found[key]

    monkeypatch.setattr("ridgeline.caching.cache.cache", cached)


@pytest.mark.slow
@pytest.mark.usefixtures("_cached_once")
@pytest.mark.parametrize(
    ("line", "widths"), [pytest.param(line, WIDTHS[at % 2 :: 2], id=line) for at, line in enumerate(COMMANDS)]
)
def test_lines_come_into_the_width_and_break_between_words(
    line: str, widths: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boards, models and machines have one form each: every other of a kind has the other half of the widths."""
    whole = words(printed(line, UNBROKEN, monkeypatch))
    for width in widths:
        said = printed(line, width, monkeypatch)
        # A path or the name of a checkpoint stays whole on a line of its own, to be copied.
        assert max((len(row) for row in said.splitlines() if " " in row.strip()), default=0) <= width
        if width < UNBROKEN_FROM:
            continue
        kept = [row for row in said.splitlines() if "─" not in row]
        # What was left out for the width names the width.
        text = re.sub(rf"left out\s+at\s+{width}\s+columns:[^─]*?(?=\n\S|\Z)", "", "\n".join(kept))
        assert words(text) <= whole | {""}


def test_a_pipe_is_as_wide_as_is_asked_and_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    job = "estimate llama-3.1-8b --on h100-sxm --layout tp1 --batch 8 --context 8k"
    assert printed(job, None, monkeypatch) == printed(job, 80, monkeypatch)
    assert "\x1b" not in printed(job, None, monkeypatch)
    monkeypatch.setenv("COLUMNS", "wide")
    assert console().width == 80


def test_a_quiz_wraps_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = CliRunner().invoke(commands, ["quiz", "--seed", "1", "--count", "60"], input="1\n\nx\n" * 20).stdout
    assert len(said.splitlines()) > 200
    assert max(map(len, said.splitlines())) <= 80


def table(width: int, *layouts: str) -> list[str]:
    out = Console(width=width, soft_wrap=True, highlight=False)
    with out.capture() as captured:
        rows = [(str(place), layout, "1,234", "49.8 ms", "") for place, layout in enumerate(layouts)]
        print_table(out, ("#", "layout", "batch of it", "time", "empty"), rows, left=(1,), optional=(3,))
    return captured.get().splitlines()


def test_a_table_gives_up_headers_first_then_columns_and_then_wraps_text() -> None:
    wide = table(80, *LAYOUTS)
    assert wide[0].split() == ["#", "layout", "batch", "of", "it", "time"]  # nothing in the last column
    assert len(wide) == 2 + len(LAYOUTS)
    headers = table(51, *LAYOUTS)
    assert "left out" not in " ".join(headers)
    assert len(headers) == 3 + len(LAYOUTS)
    fewer = table(46, *LAYOUTS)
    assert fewer[-1] == "left out at 46 columns: time"
    assert any(row.split()[1:] == ["tp16,pp2,cp2,tp_rows4,kv_dp2", "1,234"] for row in fewer)
    narrow = table(20, *LAYOUTS)
    assert max(map(len, narrow)) <= 20
    assert " ".join(narrow).endswith("columns: batch   of it, time")
    wrapped = table(30, *LAYOUTS)
    assert max(map(len, wrapped)) <= 30
    # Each layout is whole again where its lines are put together, and each number on its first.
    cells = "".join(row[3:22].strip() for row in wrapped[3:] if "left out" not in row)
    assert cells == "".join(LAYOUTS)
    assert sum("1,234" in row for row in wrapped) == len(LAYOUTS)


def test_prose_hangs_and_keeps_a_number_with_its_unit(capsys: pytest.CaptureFixture[str]) -> None:
    out = Console(width=20, soft_wrap=True, highlight=False)
    print_text(out, "waits for step 2 of 24.8 ms [/b]", head="Decode ", indent=1, hang=3)
    assert capsys.readouterr().out.splitlines() == [
        " Decode waits for",
        "    step 2 of",
        "    24.8 ms [/b]",
    ]


def test_validation_comes_into_the_width(evidence: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = f"validate {evidence / 'open' / 'decode_gptfast.csv'} --models {evidence / 'models.csv'}"
    for width in WIDTHS:
        assert max(map(len, printed(line, width, monkeypatch).splitlines())) <= width


def test_a_limit_that_was_asked_for_keeps_its_column(monkeypatch: pytest.MonkeyPatch) -> None:
    """First tokens go before prices on a narrow page, unless they are limited."""
    line = "plan llama-3.1-70b --on h100-sxm --on b200-sxm --chips 8 --prompt 4000 --output 1000"
    assert "left out at 80 columns: batch, 80 %, $/Mtok in" in printed(line, 80, monkeypatch)
    limited = printed(f"{line} --ttft 2s", 80, monkeypatch)
    assert "left out at 80 columns: batch, 80 %, $/Mtok in" in limited
    assert "TTFT" in limited.split("─")[0].rpartition("\n\n")[2]


def test_several_machines_keep_chips_and_the_cost_of_a_request_and_write_large_numbers_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = "plan llama-3.1-70b --on h100-sxm --on h200-sxm --prompt 4000 --output 1000 --rate 200/s"
    said = printed(line, 80, monkeypatch)
    assert "left out at 80 columns: batch, 80 %, req/s" in said
    assert "e+0" not in said
    heads = said.split("─")[0].rpartition("\n\n")[2]
    assert "chips" in heads
    assert "$/k" in heads
    assert re.search(r"p90 s\b", heads)  # of first tokens that take many seconds


def test_a_column_that_is_left_out_is_named_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 'left out at 80 columns: "ours, careful"' in printed("claims", 80, monkeypatch)


@pytest.mark.parametrize(
    ("line", "said", "never"),
    [
        ("catalog models deepseek-v3", "ffn hidden 18,432", "None"),
        ("plan llama-3.1-8b --on h100-sxm --chips 2000 --prompt 100 --output 10", "2,000, of 1 chip each", "2000"),
        (
            "train llama-3.1-8b --on h100-sxm --tokens 1T --batch-tokens 8192 --layout tp8 --recompute full",
            "1 sequence of",
            "1 sequences",
        ),
    ],
)
def test_counts_read_well(line: str, said: str, never: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = " ".join(printed(line, 80, monkeypatch).split())
    assert said in text
    assert never not in text


def test_a_narrow_list_of_drafts_keeps_what_cites_its_sources_and_tells_rows_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = printed("catalog acceptance", 80, monkeypatch)
    rows = [line for line in said.splitlines() if re.match(r"[a-z0-9.-]+ +\[\d\]", line)]
    assert len(rows) == len(acceptances())
    names = [re.split(r" +\d\.\d\d", row)[0] for row in rows]
    assert len(set(names)) == len(names)
    assert {cited for row in rows for cited in re.findall(r"\[\d\]", row)} == set(
        re.findall(r"^\[\d\]", said, re.MULTILINE)
    )
