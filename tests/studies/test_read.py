from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.each import of_each

from ridgeline.catalog.machines import machine_entry
from ridgeline.specs.layout import Layout
from ridgeline.studies.axis import StudyError
from ridgeline.studies.hypothetical import Hypothetical
from ridgeline.studies.read import read_study, study_of
from ridgeline.studies.study import Study

SMALL = (Path(__file__).parent / "small.toml").read_text()
TRAINING = """
kind = "training"
models = ["llama-3.1-8b"]
machines = ["h100-sxm"]
tokens = "1T"
chips = [64, 128]
batch_tokens = "4Mi"
"""


def test_axes_are_those_of_the_file(small: Callable[[str], Study]) -> None:
    study = small("roofline")
    sizes = {axis.name: axis.size for axis in study.axes if axis.size > 1}
    assert sizes == {"model": 2, "machine": 7, "phase": 2, "layout": 3, "batch": 4, "context_tokens": 2}
    assert study.points == 2 * 7 * 2 * 3 * 4 * 2
    varied = ("flop_per_s", "hbm_bytes_per_s", "scale_up_bytes_per_s", "area_mm2", "hbm_bytes", "usd_per_chip_s")
    assert set(study.machine_columns) == set(varied)


def test_a_hypothetical_machine_is_as_its_table_says(small: Callable[[str], Study]) -> None:
    chip = small("roofline").candidates[1]
    assert isinstance(chip, Hypothetical)
    assert chip.variants == 6
    values = chip.values(4)  # the last of its axes runs fastest: 4 PFLOP/s and 10 TB/s
    assert (values["flop_per_s"], values["hbm_bytes_per_s"], values["hbm_bytes"]) == (4e15, 10e12, 240e9)
    area = 120 + 4 * 320 + 1.8 * 12
    assert values["area_mm2"] == pytest.approx(area, rel=1e-12)  # but for rounding
    assert values["usd_per_chip_s"] * 3600 == pytest.approx(0.5 + 0.001 * area + 1.5, rel=1e-12)
    machine = chip.machine(4)
    assert machine.chip.flop_per_s["bf16"] == 4e15
    assert machine.chip.flop_per_s["fp8"] == 8e15  # in proportion
    assert machine.fabric[0].bytes_per_s == 1.8e12
    assert machine.tariff is not None
    assert machine.tariff.usd_per_chip_s == values["usd_per_chip_s"]
    assert chip.over(values) is None
    assert chip.over(chip.values(5)) == "next: hbm_bytes is over at_most 3e+11"


def test_one_peak_may_be_said_beside_all_in_proportion() -> None:
    text = SMALL.replace(
        'flop_per_s = ["1 PFLOP/s", "4 PFLOP/s"]', '"flop_per_s.fp8" = "6 PFLOP/s"\nflop_per_s = "3 PFLOP/s"'
    )
    chip = study_of(
        text.replace("per PFLOP/s of flop_per_s", "per PFLOP/s of flop_per_s.fp4"), "small.toml"
    ).candidates[1]
    assert isinstance(chip, Hypothetical)
    like = machine_entry("b200-sxm").machine.chip.flop_per_s
    peaks = chip.machine(0).chip.flop_per_s
    assert (peaks["bf16"], peaks["fp8"]) == (3e15, 6e15)
    assert peaks["fp4"] == pytest.approx(3e15 * like["fp4"] / like["bf16"], rel=1e-12)  # but for rounding
    area = 120 + 320 * peaks["fp4"] / 1e15 + 1.8 * 12
    assert chip.values(0)["area_mm2"] == pytest.approx(area, rel=1e-12)


def test_all_layouts_of_so_many_chips_are_found() -> None:
    listed = 'layouts = ["tp1", "tp8", "tp8,ep8"]'
    study = study_of(SMALL.replace(listed, "layouts = { chips = [8] }"), "small.toml")
    (layouts,) = (axis.values for axis in study.axes if axis.name == "layout")
    assert Layout(tp=8, ep=8) in layouts
    assert {layout.chips for layout in layouts} == {8}


@of_each(
    ("was", "now", "said"),
    [
        ('name = "small"', 'nam = "small"', "small.toml: nam: no key here; there are name, kind"),
        (
            'name = "small"',
            'kind = "serve"',
            "small.toml: kind: 'serve' is none; there are serving, planning, training",
        ),
        ("llama-3.1-8b", "llama-3.1-9b", "small.toml: models[0]: no model 'llama-3.1-9b'"),
        ('["h100-sxm", "next"]', '["h100-sxn", "next"]', "small.toml: machines[0]: no machine 'h100-sxn'"),
        ('["h100-sxm", "next"]', '["h100-sxm"]', "small.toml: machine.next: is not among machines"),
        (
            '["h100-sxm", "next"]',
            "[]",
            'small.toml: machines: must be a list of names, such as machines = ["h100-sxm"]',
        ),
        ('"prefill"]', '"prefil"]', "small.toml: phases: 'prefil' is neither decode nor prefill"),
        ('"tp8,ep8"', '"tp8,xp8"', "small.toml: layouts[2]: layout 'tp8,xp8'"),
        ('"roofline"', "[]", "small.toml: fidelity: [] is none; there are napkin, roofline, measured"),
        ('name = "small"', 'kind = ["serving"]', "small.toml: kind: ['serving'] is none; there are serving"),
        ('name = "small"', "name = 5", "small.toml: name: 5 is no text; put it in quotes"),
        ('name = "small"', "market = 5", "small.toml: market: 5 is no text; put it in quotes"),
        ('"roofline"', '"fine"', "small.toml: fidelity: 'fine' is none; there are napkin, roofline, measured"),
        ("batch = {", "batc = {", "small.toml: batc: no key here"),
        ('["1k", "8k"]', '["1k", "8 kB"]', "small.toml: context_tokens[1]: '8 kB'"),
        ("from = 1,", "from = 0,", "small.toml: batch.spacing: 'log' is neither"),
        ('like = "b200-sxm"', 'like = "b201"', "small.toml: machine.next.like: no machine 'b201'"),
        ('like = "b200-sxm"', "", "small.toml: machine.next.like: names the machine"),
        ("scale_up.bytes_per_s", "scale_up.speed", "small.toml: machine.next: scale_up.speed: no number of a machine"),
        ('"4 TB/s", to', '"4 GB/s", to', "small.toml: machine.next.hbm_bytes_per_s: 4e+09 is outside"),
        ('"4 TB/s", to', '"4 TB", to', "small.toml: machine.next.hbm_bytes_per_s.from: '4 TB'"),
        ("GB per TB/s of hbm_bytes_per_s", "GB per TB of hbm_bytes_per_s", "hbm_bytes.sum[0]: per TB: '1 TB'"),
        ("of flop_per_s", "of flops", "quantities.area_mm2.sum[1]: 'flops' is no field of the chip; there are"),
        ('"24 GB per', '"24 per', "small.toml: machine.next.hbm_bytes.sum[0]: '24' has no unit"),
        ('["120", ', '["1 per $1/h of usd_per_chip_s", ', "small.toml: machine.next: rules go in a circle"),
        ('hbm_bytes = "300 GB"', 'hbm = "300 GB"', "small.toml: machine.next.at_most: hbm: not known"),
        ('hbm_bytes = "300 GB"', 'hbm_bytes = "30 GB"', "small.toml: machine.next: no machine is left of 6"),
        ("area_mm2 = {", '"area mm2" = {', "machine.next.quantities: area mm2: no name of a column"),
        (
            "area_mm2 = {",
            "batch = 3\narea_mm2 = {",
            "small.toml: machine: quantities: batch is a column of every study",
        ),
        (
            'machines = ["h100-sxm", "next"]',
            'machines = ["next", "../up"]\nmachine."../up".like = "b200-sxm"',
            "is no name of a",
        ),
        ("area_mm2 = {", "hbm_bytes_per_s = {", "machine.next.quantities: hbm_bytes_per_s: fields of the machine"),
    ],
)
def test_what_is_wrong_is_said_with_its_field(was: str, now: str, said: str) -> None:
    assert was in SMALL
    with pytest.raises(StudyError, match=re.escape(said)):
        study_of(SMALL.replace(was, now, 1), "small.toml")


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ('tokens = "1T"', "", "t.toml: tokens: is missing; give what a run is trained on"),
        ("chips = [64, 128]", "", "t.toml: chips: is missing; give a number, a list or a range"),
        ("chips = [64, 128]", 'chips = 64\nphases = ["decode"]', "t.toml: phases: no key here"),
        ("chips = [64, 128]", 'chips = 64\nlayouts = ["tp8,zz"]', "t.toml: layouts[0]: "),
        ("chips = [64, 128]", 'chips = 64\nnumber_formats = ["int3"]', "t.toml: number_formats: 'int3' is none"),
        ("chips = [64, 128]", 'chips = 64\nfidelity = "napkin"', "t.toml: fidelity: napkin times no step of training"),
    ],
)
def test_what_is_wrong_with_a_study_of_training_is_said(was: str, now: str, said: str) -> None:
    with pytest.raises(StudyError, match=re.escape(said)):
        study_of(TRAINING.replace(was, now, 1), "t.toml")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="No such file"):
        read_study(tmp_path / "none.toml")
    (tmp_path / "half.toml").write_text("models = [")
    with pytest.raises(StudyError, match=r"half\.toml: is not TOML"):
        read_study(tmp_path / "half.toml")
