from __future__ import annotations

import doctest
import importlib
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.walk import walk_document
from ridgeline.calibration.cases import read_cases
from ridgeline.calibration.judge.validate import validate
from ridgeline.calibration.kinds.kind import KINDS
from ridgeline.catalog import machine_ids, model_ids
from ridgeline.cli import COMMANDS, commands
from ridgeline.studies.read import read_study, study_of
from ridgeline.traces.formats import FORMATS

ROOT = Path(__file__).parents[1]

PAGES = sorted((ROOT / "docs").glob("*.md"))

SUFFIXES = (".py", ".toml", ".md", ".ts", ".csv", ".json")


def test_the_readmes_python_runs() -> None:
    for page in ("README.md", "docs/what_numbers_rest_on.md", "docs/choosing.md"):
        failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
        assert (failed, tried > 0) == (0, True)


def test_models_and_machines_of_ones_own_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "docs" / "extending.md"
    files = re.findall(r"`(\w+\.toml)`:\n\n```toml\n(.*?)```", page.read_text(), re.DOTALL)
    assert [name for name, _ in files] == ["mine.toml", "box.toml"]
    for name, text in files:
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert (failed, tried > 0) == (0, True)


def test_the_readmes_sample_is_what_its_command_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    script = importlib.import_module("readme_sample")
    (sample,) = script.SAMPLE.findall(script.PAGE.read_text(encoding="utf-8"))
    assert sample == script.sample(), "run: just readme"
    assert max(map(len, sample.splitlines())) <= 80
    named = re.findall(r"^  ([A-Za-z]+(?: \w+)?)  ", sample, re.MULTILINE)
    assert named == ["TPOT", "TTFT", "loaded TTFT", "bound by", "replicas", "batch", "KV cache", "carried by"]


def test_the_readme_names_every_command_and_no_other() -> None:
    named = set(re.findall(r"ridgeline ([a-z]+)[ `]", (ROOT / "README.md").read_text()))
    assert named == set(COMMANDS)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", *(f"docs/{one.name}" for one in PAGES)])
def test_paths_that_pages_name_exist(page: str) -> None:
    """A path is from the clone's root, from ``src`` or from the package; capital NAME and ``<name>`` stand for any."""
    prose = re.sub(r"```.*?```", "", (ROOT / page).read_text(), flags=re.DOTALL)
    roots = (ROOT, ROOT / "src", ROOT / "src" / "ridgeline")
    for path in re.findall(r"`([\w.-][\w.<>-]*/[\w./<>-]*)`", prose):
        is_path = path.endswith(("/", *SUFFIXES)) or any((root / path.split("/")[0]).is_dir() for root in roots)
        pattern = re.sub(r"NAME|<\w+>", "*", path)
        assert not is_path or any(any(root.glob(pattern)) for root in roots), path
    for name in re.findall(r"`(\w+\.py)`", prose):
        assert any(one for root in ("src", "bench", "tests") for one in (ROOT / root).rglob(name)), name


@pytest.mark.parametrize("command", ["uv run ridgeline plan", "uv run pytest"])
def test_ci_runs_the_readmes_own_commands(command: str) -> None:
    """CI takes the line from the README, so that the two cannot part."""
    assert f"pip install uv && {command}" in (ROOT / "README.md").read_text()
    assert f"grep -m1 '{command}' README.md" in (ROOT / ".ci" / "run").read_text()


def test_the_example_of_the_case_files_is_predicted(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "cases.md").read_text()
    (example,) = re.findall(r"```csv\n(.*?)```", text, re.DOTALL)
    path = tmp_path / "mine.csv"
    path.write_text(example)
    found = validate(read_cases(path))
    assert len(found.rows) == 1
    assert found.warnings == ()


def test_the_example_file_runs_as_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the clone's folder; what is written goes to a folder of its own."""
    text = (ROOT / "docs" / "cases.md").read_text()
    (block,) = re.findall(r"```\n(uv run ridgeline .*?)```", text, re.DOTALL)
    lines = [line.removeprefix("uv run ridgeline ") for line in block.strip().splitlines()]
    assert "`ridgeline validate docs/example_cases.csv`" in (ROOT / "README.md").read_text()
    monkeypatch.chdir(ROOT)
    outputs = []
    for line in lines:
        words = [word.replace("mine/", str(tmp_path / "mine")) for word in line.split()]
        result = CliRunner().invoke(commands, [*words, *(["--jobs", "1"] if words[0] == "calibrate" else [])])
        assert result.exit_code == 0, result.output
        outputs.append(result.stdout)
    assert "warning" not in outputs[0]
    assert "Unsupported" not in outputs[0]
    assert "[gemm]" in (tmp_path / "mine" / "h100-sxm.toml").read_text()
    assert "own numbers of h100-sxm" in outputs[2]


@pytest.mark.parametrize(
    "name", ["budget", "caching", "hit_rates", "inversion", "laboratory", "loads", "prices", "schedules", "simulating"]
)
@pytest.mark.slow
def test_pages_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their commands and their Python, from the clone's folder."""
    monkeypatch.chdir(ROOT)
    page = ROOT / "docs" / f"{name}.md"
    lines = re.findall(r"^uv run ridgeline (.*)$", page.read_text(), re.MULTILINE)
    assert lines
    for line in lines:
        result = CliRunner().invoke(commands, shlex.split(line))
        assert result.exit_code == 0, result.output
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert (failed, tried > 0) == (0, True)


def test_the_page_on_logs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its commands and its Python, from a folder with the example; its table has every format."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "example_trace.jsonl").write_bytes((ROOT / "docs" / "example_trace.jsonl").read_bytes())
    page = ROOT / "docs" / "traces.md"
    lines = re.findall(r"^uv run ridgeline (.*)$", page.read_text(), re.MULTILINE)
    assert lines
    for line in lines:
        result = CliRunner().invoke(commands, shlex.split(line))
        assert result.exit_code == 0, result.output
    assert len((tmp_path / "mine.jsonl").read_text().splitlines()) == 10
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert (failed, tried > 0) == (0, True)
    assert all(f"| {one.name.partition(',')[0]}" in page.read_text() for one in FORMATS)


def test_the_table_of_kinds_is_the_codes() -> None:
    text = (ROOT / "docs" / "cases.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| [^|]* \| ((?:`\w+`(?:, )?)+) \|$", text, re.MULTILINE)
    found = {kind: re.findall(r"\w+", quantities) for kind, quantities in rows}
    assert found == {kind: list(how.quantities) for kind, how in KINDS.items()}


def test_what_is_counted_in_prose_is_what_the_catalog_holds() -> None:
    models, machines = len(model_ids()), len(machine_ids())
    assert f"{models} models and {machines} machines" in (ROOT / "CHANGELOG.md").read_text()
    readme = (ROOT / "README.md").read_text()
    assert f"the catalog's {models} (" in readme
    assert f"the catalog's {machines}, " in readme


@pytest.mark.slow
def test_the_page_on_studies_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its commands and its Python, on its own example with fewer values along each axis; its file is a study."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").mkdir()
    example = (ROOT / "examples" / "best_chip.toml").read_text()
    fewer = re.sub(r"count = (13|31|160)", lambda count: f"count = {FEWER[count[1]]}", example)
    (tmp_path / "examples" / "best_chip.toml").write_text(fewer)
    page = ROOT / "docs" / "studies.md"
    lines = re.findall(r"^uv run ridgeline (.*)$", page.read_text(), re.MULTILINE)
    assert lines
    for line in lines:
        result = CliRunner().invoke(commands, shlex.split(line))
        assert result.exit_code == 0, result.output
        assert result.output.strip()
    for name in ("chips.svg", "fronts.svg", "front.csv"):
        assert (tmp_path / name).stat().st_size > 1000
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert (failed, tried > 0) == (0, True)


FEWER = {"13": "3", "31": "7", "160": "12"}


def test_examples_of_studies_read() -> None:
    """And the one that the page shows."""
    (shown,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "studies.md").read_text(), re.DOTALL)
    assert study_of(shown, "studies.md").points == 2 * 40 * 2 * 2 * 50 * 3
    listed = re.findall(r"\]\((\w+\.toml)\)", (ROOT / "examples" / "README.md").read_text())
    assert sorted(listed) == sorted(path.name for path in (ROOT / "examples").glob("*.toml"))
    for name in listed:
        assert read_study(ROOT / "examples" / name).points > 0


def test_the_readme_opens_with_the_page_and_says_how_much_there_is() -> None:
    text = (ROOT / "README.md").read_text()
    head = text[: text.index("uv run ridgeline plan")]
    assert "ridgeline blackboard" in head
    for scheme in ("light", "dark"):
        place = f"docs/figures/page-{scheme}.png"
        assert place in head
        assert (ROOT / place).stat().st_size < 300_000  # a newcomer waits for it
    assert f"each of his {len(CLAIMS)}\nclaims" in head
    assert f"{len(walk_document()['steps'])} steps" in head
