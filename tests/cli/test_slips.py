"""Slips of the pen are said with what was meant: a unit that was left out, a family or a key that is misspelt."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from ridgeline.catalog.facts import CatalogError
from ridgeline.catalog.machine_file import machine_text
from ridgeline.catalog.machines import family_of, load_machine, machine_entry, machine_ids
from ridgeline.cli import commands

PLAN = "plan llama-3.1-70b --on h100 --prompt 2k --output 500"
TRAIN = "train llama-3.1-8b --on h100 --tokens 1T --batch-tokens 4M"


def run(line: str) -> tuple[int, str]:
    said = CliRunner().invoke(commands, line.split())
    return said.exit_code, " ".join(said.output.split())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("budget --served 200", "'200' is fewer than 1M; write 200T"),
        ("train llama-3.1-8b --on h100-sxm --chips 8 --tokens 15.6 --batch-tokens 4M", "such as 15.6T"),
        ("estimate llama-3.1-8b --on h100-sxm --layout tp1 --batch 6.5", "'6.5' is not a whole number; write 6 or 7"),
        ("estimate llama-3.1-8b --on h100-sxm --layout tp1 --batch 0.5", "'0.5' is not a whole number; write 1"),
        ("board latancy", "'latancy' is not a board; nearest: latency. All: ridgeline boards"),
        ("claims --set A10=250", "--set changes a number that claims start from, --graph shows what follows"),
        ("claims --graph --set batch=4", "claims start from; nearest: balance_batch, micro_batches"),
        ("plan llama-3.1-8b --on gb --prompt 1000 --output 100", "nearest: gb200-nvl72, gb300-nvl72"),
        ("claims --bridge A99", "near it are A9"),
        ("price llama-3.1-8b --on h100-sxm --price 2/kg", "accepted"),
        (f"{TRAIN} --chips 8,16 --layout dp8", "training layout dp8 has 8 chips, not 16; give that one number"),
        ("train llama-3.1-8b --on h100 --chips 8 --tokens 15 --batch-tokens 4M", "'15' is fewer than 1k; write 15T"),
        (f"{TRAIN} --chips 1000000000", "'1000000000' is over 10,000,000, the most that is taken"),
        (TRAIN, "Missing option '--chips': give those of the run, such as 1024, or a --layout"),
        (f"{TRAIN} --layout dp32 --figure x.png", "layout dp32 has one stage and no pipeline to draw"),
        (f"{PLAN} --memory-fraction 1.5", "write 0.9 or 90%"),
        (f"{PLAN} --tpot 50tokens/s", "'50tokens/s' is a rate, and this is a time: a token each 20ms"),
        (f"{PLAN} --budget $100", "'$100' is an amount, and this is one an hour: write '$100/h'"),
        (f"{PLAN} --budget $1234.56", "and this is one an hour: write '$1234.56/h'"),
        (f"{PLAN} --budget $1/h --users 4", "rents no chip of h100-sxm at $2.95/h; give more"),
        (f"{PLAN} --budget $1/h", "rents no chip of h100-sxm at $2.95/h; --budget '$5.90/h' rents 2 chips, which are"),
        (f"{PLAN} --trace docs/figures/page-dark.png", "leave --prompt and --output out"),
        (
            "plan llama-3.1-70b --on h100 --trace docs/figures/page-dark.png",
            "page-dark.png: is no UTF-8 text; a log of",
        ),
        ("validate docs/figures/page-dark.png", "page-dark.png: is no UTF-8 text; give a CSV file"),
        ("simulate --compare docs/figures/page-dark.png README.md", "is no UTF-8 text; give a TOML file of options"),
        ("plan llama-3.1-70b --on h100,h200 --prompt 1k --output 100", "repeat the option: --on h100 --on h200"),
        ("expect llama-3.1-70b --on h100,h200 --layout tp8", "this command takes one; run it for each"),
        ("trace READM.md", "File 'READM.md' does not exist: nearest in this folder: README.md"),
        ("trace nowhere/log.csv", "File 'nowhere/log.csv' does not exist: there is no folder nowhere"),
        ("plan llama-3.1-70b --prompt 1k --output 100", "Missing option '--on'. Machine: a catalog id"),
        ("infer", "Missing argument 'LISTING'. Name a model of a provider"),
        ("lab dtt", "No such experiment 'dtt'. Did you mean 'ddt'?"),
        ("lab nope", "No such experiment 'nope'. There are feistel, reversible, ddt"),
        ("budget --rate 50Mtok/s", "takes a life, too; give it: --life 60d"),
    ],
)
def test_a_slip_is_refused_with_what_was_meant(line: str, said: str) -> None:
    code, output = run(line)
    assert code == 2
    assert said in output
    assert "write 1 or 1" not in output


def test_a_price_by_the_hour_needs_no_dollar_sign() -> None:
    (code, plain), (_, signed) = (
        run(f"plan llama-3.1-8b --on h100-sxm --prompt 1000 --output 100 --price {price}") for price in ("2/h", "$2/h")
    )
    assert code == 0
    assert plain == signed


def own(folder: Path, family: str, **changes: str) -> Path:
    """File of a machine of one's own, like an H100 of another family or with other text."""
    text = machine_text(machine_entry("h100-sxm").facts)
    text = text.replace('id = "h100-sxm"', 'id = "mine"').replace('family = "hopper"', f'family = "{family}"')
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    path = folder / "mine.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize("family", ["hoper", "Hopper", "blackwel", "ampere2x"])
def test_a_misspelt_family_is_refused(tmp_path: Path, family: str) -> None:
    with pytest.raises(CatalogError, match=r"did you mean .*of none of them has family = .other."):
        load_machine(str(own(tmp_path, family)))


@pytest.mark.parametrize("family", [*sorted({family_of(one) for one in machine_ids()}), "other", "cdna7", "mine"])
def test_a_family_that_is_known_or_new_is_read(tmp_path: Path, family: str) -> None:
    assert load_machine(str(own(tmp_path, family))).family == family


def test_a_misspelt_key_is_named_where_one_is_missing(tmp_path: Path) -> None:
    path = own(tmp_path, "hopper", hbm_bytes_per_s="hbm_byte_per_s")
    with pytest.raises(CatalogError, match="hbm_byte_per_s: is no key here; did you mean 'hbm_bytes_per_s'") as refused:
        load_machine(str(path))
    assert str(refused.value).count("hbm_byte") == 2


def test_a_doubtful_unit_is_said_before_all_numbers_and_once(tmp_path: Path) -> None:
    path = own(tmp_path, "hopper", hbm_bytes_per_s="hbm_bytes_per_s")
    text = path.read_text()
    (line,) = re.findall(r"hbm_bytes_per_s *= .*", text)
    path.write_text(text.replace(line, 'hbm_bytes_per_s = "4000 TB/s"'))
    (tmp_path / "other.toml").write_text(text.replace('id = "mine"', 'id = "other"'))
    for line in (
        f"plan llama-3.1-8b --on {path} --prompt 1000 --output 100",
        f"plan llama-3.1-8b --on {path} --on {path.parent / 'other.toml'} --prompt 1000 --output 100",
        f"plan llama-3.1-8b --on {path} --pools 2 --chips 4 --details --prompt 1000 --output 100",
        f"price llama-3.1-8b --on {path} --details --prompt 1000 --output 100",
        f"train llama-3.1-8b --on {path} --layout dp64 --tokens 1T --batch-tokens 4Mi",
    ):
        said = CliRunner().invoke(commands, line.split()).stdout
        assert said.startswith("A slip of a unit? hbm_bytes_per_s = 4000 TB/s of ")
        assert said.count("check its unit") == 1


def test_what_is_shown_for_a_machine_without_anything_is_a_machine(tmp_path: Path) -> None:
    """Each part of the refusal, written into the file, makes one that is read."""
    path = tmp_path / "bare.toml"
    path.write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(CatalogError) as refused:
        load_machine(str(path))
    shown = re.findall(r"(\w+): is missing; write (.+?)(?=; \w+: is |$)", str(refused.value))
    assert {name for name, _ in shown} == {"id", "name", "family", "released", "chip", "fabric"}
    lines = []
    for _, text in shown:
        table, _, fields = text.partition(" (")[0].partition(" with ")
        lines += [table, *re.split(r", | and ", fields)]
    path.write_text("\n".join(lines), encoding="utf-8")
    machine = load_machine(str(path))
    assert machine.scale_up_chips == 8
    assert machine.family not in {family_of(one) for one in machine_ids()}, "what is shown lends no chip's measurements"


def test_what_lies_out_of_range_is_said_as_it_was_written(tmp_path: Path) -> None:
    path = own(tmp_path, "hopper")
    path.write_text(path.read_text().replace("value = 3350000000000", 'value = "-4 TB/s"'))
    with pytest.raises(CatalogError, match=r"hbm_bytes_per_s: '-4 TB/s' is outside 10 GB/s to 10 PB/s"):
        load_machine(str(path))


def test_a_key_that_is_missing_is_shown_as_it_is_written(tmp_path: Path) -> None:
    path = own(tmp_path, "hopper", hbm_bytes_per_s="other")
    with pytest.raises(CatalogError, match=r'hbm_bytes_per_s: is missing; write hbm_bytes_per_s = "3\.35 TB/s"'):
        load_machine(str(path))


def test_a_folder_that_nobody_may_read_has_no_nearest_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(folder: Path) -> None:
        raise PermissionError(folder)

    monkeypatch.setattr(Path, "iterdir", refused)
    code, said = run("trace READM.md")
    assert code == 2
    assert "File 'READM.md' does not exist" in said


def test_a_number_with_its_unit_is_not_asked_for_in_base_units(tmp_path: Path) -> None:
    path = own(tmp_path, "hopper")
    path.write_text(
        path.read_text().replace("hbm_bytes_per_s = { value = 3350000000000", 'hbm_bytes_per_s = { value = "4 GB/s"')
    )
    with pytest.raises(CatalogError, match=r"is outside .*; check the number and its unit") as refused:
        load_machine(str(path))
    assert "base units" not in str(refused.value)


def test_a_price_is_rounded_once() -> None:
    _, output = run("price llama-3.1-8b --on h100-sxm")
    assert "prices of 2026: $2.35/h (contract) to $6.16/h (list)" in output
    assert "chips for $2.35/h to $6.16/h, by the prices of that year" in output


@pytest.mark.parametrize(
    "line",
    [
        "plan llama-3.1-70b --on h100-sxm --chips 1 --prompt 200 --output 5",
        "estimate llama-3.1-70b --on h100-sxm --layout tp1 --batch 1 --context 205",
        "simulate llama-3.1-70b --on h100-sxm --layout tp1 --prompt 200 --output 5 --rate 1/s",
    ],
)
def test_memory_beyond_an_engines_default_is_said_wherever_a_model_does_not_fit(line: str) -> None:
    code, said = run(line)
    assert code
    assert re.search(r"81\.2 GB(?: usable of 85\.5 GB)?, 3\.64 GB of it beyond vllm's default", said)
