from __future__ import annotations

import dataclasses
import datetime as dt
import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from tests.any_text import any_text
from tests.each import of_each

from ridgeline.calibration.cases.model_table import read_model_table
from ridgeline.catalog import CatalogError, load_machine, load_model, machine_entry, machine_ids, model_entry, model_ids
from ridgeline.catalog.fact_files import sources
from ridgeline.catalog.machines import MACHINES
from ridgeline.estimator.parameters import active_params, total_params
from ridgeline.specs.provenance import Grade


@of_each("machine_id", machine_ids())
def test_every_fact_of_a_machine_has_a_known_source_and_a_date_in_the_past(machine_id: str) -> None:
    entry = machine_entry(machine_id)
    assert entry.machine.id == machine_id
    facts = [*entry.values().values(), *(rental.usd_per_chip_s for rental in entry.facts.rental)]
    for fact in facts:
        assert fact.source in sources()
        assert fact.date <= dt.datetime.now(tz=dt.UTC).date()
        assert fact.unverified or fact.source != "memory"


@of_each("machine_id", machine_ids())
def test_arithmetic_is_dense_and_grows_as_numbers_narrow(machine_id: str) -> None:
    """A rate with structured sparsity put in by mistake would break the ladder of doublings."""
    peaks = load_machine(machine_id).chip.flop_per_s
    ladder = [peaks[name] for name in ("bf16", "fp8", "fp4") if name in peaks]
    for wide, narrow in itertools.pairwise(ladder):
        # 1: TPU v6 and Gaudi 3 gain nothing by 8 bits. 4.5: Rubin's 17.5 PFLOP/s in 8 bits against 4 in 16.
        assert 0.99 <= narrow / wide <= 4.5


PUBLISHED = [one for one in model_ids() if (facts := model_entry(one).facts) and facts.published_params]


@of_each("model_id", PUBLISHED)
def test_parameters_agree_with_what_was_published(model_id: str) -> None:
    """Within 1 %, or within what the published number was rounded to; ours leave out norms and biases."""
    entry = model_entry(model_id)
    assert entry.model.id == model_id
    assert entry.facts is not None
    assert entry.facts.published_params is not None
    published = entry.facts.published_params
    digits = re.sub(r"[^0-9.]", "", published.written)
    decimals = len(digits.partition(".")[2])
    rounding = 0.5 * 10**-decimals / float(digits)
    # A vision tower, which published counts include, is about 1 % of a model.
    tower = 0.01 if "tower" in published.note else 0
    assert total_params(entry.model) == pytest.approx(published.value, rel=max(0.01, rounding) + tower)


def test_all_but_two_models_say_how_many_parameters_were_published() -> None:
    assert set(model_ids()) - set(PUBLISHED) == {"nemotron-8b", "nemotron-22b"}  # their names alone, to one digit


def test_the_models_that_case_files_name_are_there(evidence: Path) -> None:
    """Those with a public name of their own; research shapes and parts of models come with the table."""
    research = re.compile(r"(zb|maxtext|mpt|gpt)-\d+(\.\d+)?[mb]|megatron-22b|mlm-.*|.*-l\d+")
    table = read_model_table(evidence / "models.csv")
    public = {name for name in table if not research.fullmatch(name)}
    assert public <= set(model_ids())


def test_an_unknown_name_lists_the_nearest() -> None:
    with pytest.raises(CatalogError, match=r"may be any of deepseek-v2, deepseek-v3, .*write one of them"):
        load_model("deepseek")
    with pytest.raises(CatalogError, match=r"nearest: h100-sxm"):
        load_machine("H100sxm")
    with pytest.raises(CatalogError, match=r"nearest: h100-sxm\."):
        load_machine("h1000")
    with pytest.raises(CatalogError, match=r"nearest: h200-sxm, gh200"):
        load_machine("h200-")
    with pytest.raises(CatalogError, match=r"nearest: llama-3\.1-8b"):
        load_model("lama-3.1-8b")


def test_the_beginning_of_one_id_alone_is_enough() -> None:
    """Up to a hyphen, and of ids: a shape that goes by other names is not taken for one of them."""
    assert load_machine("H100").id == "h100-sxm"
    assert load_machine("b200").id == "b200-sxm"
    with pytest.raises(CatalogError, match="a100-40-sxm, a100-80-pcie, a100-80-sxm"):
        load_machine("a100")
    with pytest.raises(CatalogError, match="no machine 'h1'"):
        load_machine("h1")


def test_what_is_there_and_describes_no_machine_is_refused_as_that(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"describes no machine; give a catalog id or a path.*\.toml"):
        load_machine(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nope", r"no model 'nope' in the catalog\. All: ridgeline catalog models\. A path to a config\.json"),
        ("a", r"no model 'a' in the catalog\. All"),
        ("./nothere", r"no file or folder '\./nothere'"),
        ("there/config.json", r"no file or folder 'there/config\.json'"),
        ("config.json", r"no file or folder 'config\.json'"),
        ("", "a model has a name, and this is empty"),
        (" ", "a model has a name, and this is empty"),
        ("Qwen/Qwen2.5-7B-Instruct", r"write hf:Qwen/Qwen2\.5-7B-Instruct, or qwen2\.5-7b, which the catalog has"),
        ("deepseek-ai/DeepSeek-V3", "write hf:deepseek-ai/DeepSeek-V3, or deepseek-v3, which"),
        ("deepseek-ai/DeepSeek-V3-0324", "write hf:deepseek-ai/DeepSeek-V3-0324, or deepseek-v3, which"),
        ("deepseek-ai/DeepSeek-R1", "write hf:deepseek-ai/DeepSeek-R1, or deepseek-v3, which"),
        ("deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", "write hf:deepseek-ai/DeepSeek-R1-Distill-Qwen-32B$"),
    ],
)
def test_a_name_that_is_not_there_is_answered_by_what_it_looks_like(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CatalogError, match=said) as refused:
        load_model(name)
    assert "nearest" not in str(refused.value)


def test_an_empty_name_is_no_machine() -> None:
    with pytest.raises(CatalogError, match="a machine has a name, and this is empty"):
        load_machine("")


def test_tokens_trained_on_are_facts_with_a_source_and_a_date() -> None:
    entries = [entry for name in model_ids() if (entry := model_entry(name)).model.trained_tokens is not None]
    assert len(entries) > 20  # enough to compare models
    for entry in entries:
        assert entry.facts is not None
        fact = entry.facts.trained_tokens
        assert fact is not None
        assert entry.model.trained_tokens == fact.value
        assert fact.source
        assert fact.date > dt.date(2018, 1, 1)


def test_other_names_of_one_shape_lead_to_it() -> None:
    asked, shape = load_model("deepseek-r1"), load_model("deepseek-v3")
    assert asked.name == "DeepSeek-R1 (of the shape of DeepSeek-V3)"
    # Of one shape is not trained alike: what it was trained on is not known from the other.
    assert asked.trained_tokens is None
    assert dataclasses.replace(asked, name=shape.name, trained_tokens=shape.trained_tokens) == shape
    assert load_model("Llama-3.3-70B").id == "llama-3.1-70b"
    assert load_machine("GB200-NVL72").id == "gb200-nvl72"


def test_a_missing_path_is_said() -> None:
    with pytest.raises(CatalogError, match=r"no file or folder 'mine\.toml'"):
        load_model("mine.toml")


HAND_WRITTEN = """
id = "mine"
name = "Mine"
source = "my notebook"
date = 2026-11-20
hidden = 1024
vocab = 32000
tied_embeddings = true
[formats]
layers = "bf16"
[attention.full]
kind = "grouped_query"
query_heads = 16
kv_heads = 4
head_dim = 64
[feed_forward.dense]
kind = "dense"
ffn_hidden = 4096
[[groups]]
layers = 12
attention = "full"
feed_forward = "dense"
"""


def test_a_model_written_by_hand_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HAND_WRITTEN)
    model = load_model(str(path))
    per_layer = 1024 * (16 * 64 * 2 + 2 * 4 * 64) + 3 * 1024 * 4096
    assert total_params(model) == 12 * per_layer + 32000 * 1024


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("hidden = 1024", "", "hidden: is missing"),
        ("hidden = 1024", "hiden = 1024\nhidden = 1024", "hiden: is no key here"),
        ("hidden = 1024", "hidden = 1", "hidden=1 is outside"),
        ("kv_heads = 4", "kv_heads = 4\nheads = 3", "heads"),
        ("kv_heads = 4", "kv_heads = 5", "query_heads=16 is not a multiple of kv_heads=5"),
        ("kv_heads = 4", "kv_hed = 4", "no field 'kv_hed'; did you mean 'kv_heads'?"),
        ("kv_heads = 4", "", "kv_heads is missing"),
        ('attention = "full"', 'attention = "half"', "attention 'half' has no table"),
        ('layers = "bf16"', 'layers = "bf17"', "number format 'bf17' is not known"),
        ("layers = 12", "layers = 0", "layers=0 must be at least 1"),
        ('kind = "dense"', 'kind = "thick"', "thick"),
        ("date = 2026-11-20", "date = ", "is not TOML"),
        ("hidden = 1024", f"hidden = 1{'0' * 5000}", "a number of thousands of digits"),
    ],
)
def test_a_faulty_file_is_refused_by_file_and_field(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HAND_WRITTEN.replace(old, new))
    with pytest.raises(CatalogError) as refused:
        load_model(str(path))
    assert str(path) in str(refused.value)
    assert said in str(refused.value)


def test_a_file_of_ones_own_needs_no_source_and_is_marked(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HAND_WRITTEN.replace('source = "my notebook"', "").replace("date = 2026-11-20", ""))
    said = model_entry(str(path)).facts
    assert said is not None
    assert (said.source, said.unverified) == ("yours", True)
    assert said.date == dt.datetime.now(tz=dt.UTC).date()
    assert load_model(str(path)).remarks == ("mine, not verified: its file names no source",)
    path.write_text(HAND_WRITTEN)
    assert load_model(str(path)).remarks == ()


def own_machine(path: Path, old: str = "", new: str = "") -> Path:
    """The catalog's H100 as a file of one's own whose HBM bandwidth is another and names no source."""
    text = Path(MACHINES / "h100-sxm.toml").read_text().replace('"h100-sxm"', '"my-h100"', 1)
    fact = re.search(r"^hbm_bytes_per_s = .*$", text, re.MULTILINE)
    assert fact is not None
    path.write_text(text.replace(fact[0], 'hbm_bytes_per_s = { value = "3 TB/s" }').replace(old, new))
    return path


def test_facts_of_ones_own_machine_need_no_source_and_are_doubted(tmp_path: Path) -> None:
    entry = machine_entry(str(own_machine(tmp_path / "mine.toml")))
    fact = entry.values()["hbm_bytes_per_s"]
    assert (fact.value, fact.source, fact.unverified) == (3e12, "yours", True)
    assert any("not verified" in caveat and "hbm_bytes_per_s" in caveat for caveat in entry.machine.caveats)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '{ value = "3 TB/s" }',
            "3",
            "hbm_bytes_per_s: 3 has no unit; write a quantity above 0 with its unit, such as",
        ),
        ('{ value = "3 TB/s" }', "-6", "hbm_bytes_per_s: -6 is negative and has no unit; write a quantity above 0"),
        ('{ value = "3 TB/s" }', '{ value = "3 TB" }', "hbm_bytes_per_s: value '3 TB': 'TB' is a unit of bytes"),
        ('{ value = "3 TB/s" }', "{ value = [] }", "hbm_bytes_per_s: value [] is no number"),
        ('topology    = "switch"', 'topology    = "ring"', "topology: should be 'switch'"),
        ("power_w         = ", 'power_w = "0 W"\nother = ', "chip.other: is no key here"),
        ("compute_units   = ", "compute_units = 1.5\nother = ", "compute_units: 1.5 is no fact; write { value = 1.5,"),
    ],
)
def test_a_faulty_fact_is_refused_with_one_of_its_own_kind(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = own_machine(tmp_path / "mine.toml", old, new)
    with pytest.raises(CatalogError) as refused:
        load_machine(str(path))
    assert said in str(refused.value)


def test_a_quantity_alone_is_a_fact_of_ones_own_file(tmp_path: Path) -> None:
    entry = machine_entry(str(own_machine(tmp_path / "mine.toml", '{ value = "3 TB/s" }', '"3 TB/s"')))
    fact = entry.values()["hbm_bytes_per_s"]
    assert (fact.value, fact.written, fact.source, fact.unverified) == (3e12, "3 TB/s", "yours", True)


def test_a_count_alone_is_one_too(tmp_path: Path) -> None:
    text = own_machine(tmp_path / "mine.toml").read_text()
    own = re.sub(r"^compute_units( *)= .*$", "compute_units = 131", text, flags=re.MULTILINE)
    assert own != text
    (tmp_path / "mine.toml").write_text(own)
    fact = machine_entry(str(tmp_path / "mine.toml")).values()["compute_units"]
    assert (fact.value, fact.source, fact.unverified) == (131, "yours", True)


@pytest.mark.parametrize("written", ["3 PB/s", "15 GB/s", "30 TB/s", "90 GB/s"])
def test_a_fact_that_no_machine_is_near_is_doubted(tmp_path: Path, written: str) -> None:
    """Over ten times the largest of the catalog, or under a tenth of its smallest."""
    known = [load_machine(one).chip.hbm_bytes_per_s for one in machine_ids()]
    own = load_machine(str(own_machine(tmp_path / "mine.toml", "3 TB/s", written)))
    doubts = [one for one in own.unit_doubts if "check its unit" in one]
    value = own.chip.hbm_bytes_per_s
    if value > 10 * max(known):
        said = f"{value / max(known):.3g} times that of "
    elif value < min(known) / 10:
        said = f"1/{min(known) / value:.3g} of that of "
    else:
        assert doubts == []
        return
    assert [one.startswith(f"hbm_bytes_per_s = {written} of my-h100 is {said}") for one in doubts] == [True]


def test_what_was_measured_on_a_machine_was_not_on_another_of_its_id(tmp_path: Path) -> None:
    path = own_machine(tmp_path / "mine.toml", '"my-h100"', '"h100-sxm"')
    with pytest.raises(CatalogError, match='another hbm_bytes_per_s; give yours an id of its own, such as id = "my-h1'):
        load_machine(str(path))
    # Of the same chip another price, say, is no other machine.
    path.write_text(Path(MACHINES / "h100-sxm.toml").read_text())
    assert load_machine(str(path)) == load_machine("h100-sxm")
    grades = {one.grade for one in load_machine(str(own_machine(path))).efficiency.sources.values()}
    assert Grade.MEASURED not in grades


def test_an_empty_file_is_refused_as_that(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("")
    for load in (load_machine, load_model):
        with pytest.raises(CatalogError, match="is empty; docs/extending"):
            load(str(tmp_path / "mine.toml"))


def test_a_changed_machine_is_read_again(tmp_path: Path) -> None:
    path = own_machine(tmp_path / "mine.toml")
    assert load_machine(str(path)).chip.hbm_bytes_per_s == 3e12
    own_machine(path, "3 TB/s", "4 TB/s")
    assert load_machine(str(path)).chip.hbm_bytes_per_s == 4e12


def test_files_of_the_catalog_need_a_source_and_a_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ridgeline.catalog.fact_files.CATALOG", tmp_path)
    for line, field in (('source = "my notebook"', "source"), ("date = 2026-11-20", "date")):
        path = tmp_path / "mine.toml"
        path.write_text(HAND_WRITTEN.replace(line, ""))
        with pytest.raises(CatalogError, match=f"{field}: is missing"):
            load_model(str(path))
    with pytest.raises(CatalogError, match=r"hbm_bytes_per_s\.source: is missing"):
        load_machine(str(own_machine(tmp_path / "machine.toml")))


@given(any_text(max_size=200))
def test_text_that_is_no_model_is_refused_and_nothing_else_happens(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.mktemp("models") / "noise.toml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(CatalogError):
        load_model(str(path))


def test_shapes_agree_with_the_tables_of_the_evidence(evidence: Path) -> None:
    """Another count of the same shapes, parameter by parameter."""
    table = read_model_table(evidence / "models.csv")
    for model_id in model_ids():
        if model_id in table:
            model = load_model(model_id)
            # 0.1 %: some rows count learned positions, output gates or indexers otherwise.
            assert total_params(model) == pytest.approx(table[model_id].total_params, rel=1e-3)
            assert active_params(model) == pytest.approx(table[model_id].active_params, rel=1e-3)


def test_no_other_name_of_a_model_is_the_id_of_one() -> None:
    """An id is looked up first, and would hide it."""
    known = [model_entry(model_id).facts for model_id in model_ids()]
    named = [alias for facts in known if facts for alias in facts.also]
    assert named
    assert not {name.lower().replace(" ", "-") for name in named} & set(model_ids())


def test_a_plan_reads_the_files_of_its_own_model_and_machine_alone() -> None:
    """In a process of its own, since what was read is kept: a catalog that grows makes no start slower."""
    program = (
        "import pathlib\n"
        "read, files = pathlib.Path.read_text, []\n"
        "pathlib.Path.read_text = lambda path, **how: files.append(path) or read(path, **how)\n"
        "import ridgeline\n"
        "ridgeline.plan('llama-3.1-8b', 'h100-sxm', prompt_tokens=100, output_tokens=10, chips=1)\n"
        "print(*(f'{path.parent.name}/{path.name}' for path in files))\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603  our own
    files = found.stdout.split()
    assert [file for file in files if file.startswith("models/")] == ["models/llama-3.1-8b.toml"]
    # Those that engines were measured on are read for their families.
    assert len([file for file in files if file.startswith("machines/")]) < len(machine_ids()) / 4
    assert len([file for file in files if file.startswith("kernels/")]) <= 2
