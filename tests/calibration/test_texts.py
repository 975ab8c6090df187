"""Files of the catalog are written from rows of all kinds, or not at all."""

from __future__ import annotations

import dataclasses
import tomllib

import pytest

from ridgeline.calibration.calibrate import Calibration
from ridgeline.calibration.fit.blocks import BLOCKS, START
from ridgeline.calibration.fit.chip_fit import Fitted, Parameter
from ridgeline.calibration.texts import calibration_texts
from ridgeline.catalog.engines import engine_ids
from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.kernels import KERNELS, KernelFile, written
from ridgeline.catalog.lookup import ids
from ridgeline.specs.band import STEP, Band
from ridgeline.specs.evidence import Evidence
from ridgeline.specs.kernels import Kernels

BANDS = {kind: Band(below=0.1, above=0.1) for kind in (*BLOCKS, STEP)}
SHARED = Fitted(
    kernels=START,
    parameters=(Parameter(name="gemm.split_k_s", value=3.3e-6, log_sd=0.1, rows=7),),
    rows=dict.fromkeys(BLOCKS, 10),
    bands=BANDS,
    band_rows=dict.fromkeys(BANDS, "9 rows"),
)
FOUND = Calibration(
    shared=SHARED,
    chips={"h100-sxm": dataclasses.replace(SHARED, rows={"gemm": 12})},
    engines={},
    loads=(),
    cases=[],
    held=[],
    steps={},
    under_load={},
    spreads={},
    news={},
    novelty={},
    reach=Evidence(),
)


def test_the_catalogs_files_hold_all_kinds() -> None:
    texts = calibration_texts(FOUND)
    assert set(texts) == {"shared.toml", "h100-sxm.toml", "engines.toml"}
    read = {name: tomllib.loads(text) for name, text in texts.items()}
    for name in ("shared.toml", "h100-sxm.toml"):
        assert set(read[name]) == {"status", "bands", *BLOCKS}
        assert set(read[name]["bands"]) == set(BANDS)
    assert "split_k_s = { value = 3.3e-06, log_sd = 0.1, rows = 7 }" in texts["shared.toml"]
    assert read["shared.toml"]["bands"]["gemm"]["by"] == "9 rows"
    assert read["shared.toml"]["status"] == "fitted on 80 measured kernels and messages of all chips together"
    assert "12 measured kernels and messages of h100-sxm (gemm; the rest" in read["h100-sxm.toml"]["status"]
    assert {*read["engines.toml"]["engines"], "ideal"} == set(engine_ids())


@pytest.mark.parametrize("lacking", [STEP, "collectives"])
def test_rows_that_do_not_tell_of_all_write_nothing(lacking: str) -> None:
    bands = {kind: band for kind, band in BANDS.items() if kind != lacking}
    found = dataclasses.replace(FOUND, shared=dataclasses.replace(SHARED, bands=bands))
    with pytest.raises(ValueError, match=f"too few of: {lacking}"):
        calibration_texts(found)


@pytest.mark.parametrize("name", ids(KERNELS))
def test_a_file_of_kernels_is_what_is_written_of_it(name: str) -> None:
    """Nothing is lost by reading and writing."""
    path = KERNELS / f"{name}.toml"
    file = read_toml(path, KernelFile)
    text = written(file.status, file.sureness(), Kernels(**file.blocks()), file.band_specs())
    assert text == path.read_text()
