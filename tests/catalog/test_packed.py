"""The catalog as one file, in place of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ridgeline.catalog import fact_files, packed
from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, CatalogError, Source
from ridgeline.catalog.lookup import find, ids
from ridgeline.catalog.machines import MachineFacts
from ridgeline.catalog.models import ModelFacts
from ridgeline.catalog.packing import FILES, FOLDERS, packed_catalog


@pytest.fixture
def contents(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """Files of the catalog as TOML has them; meanwhile only the one file is there."""
    read = {
        CATALOG / folder / f"{one}.toml": read_toml(CATALOG / folder / f"{one}.toml", kind)
        for folder, kind in FOLDERS.items()
        for one in ids(CATALOG / folder)
    }
    read |= {CATALOG / name: read_toml(CATALOG / name, kind) for name, kind in FILES.items()}
    (tmp_path / "packed.pickle").write_bytes(packed_catalog())
    monkeypatch.setattr(packed, "PACKED", tmp_path / "packed.pickle")
    monkeypatch.setattr("ridgeline.catalog.fact_files.tomllib.loads", lambda _: pytest.fail("a file of TOML was read"))
    packed._files.cache_clear()  # noqa: SLF001  what is there has changed
    yield read
    packed._files.cache_clear()  # noqa: SLF001


def test_every_file_is_there_as_it_was_read(contents: dict[Path, Any]) -> None:
    for path, wanted in contents.items():
        assert packed.is_file(path)
        assert read_toml(path, object) == wanted
    assert len(contents) > 100


def test_names_and_refusals_stay(contents: dict[Path, Any]) -> None:
    named = {path.stem for path in contents if path.parent.name == "models"}
    assert set(packed.stems(CATALOG / "models")) == set(ids(CATALOG / "models")) == named
    assert (
        find("machine", CATALOG / "machines", "h100-sxm", lambda path: read_toml(path, MachineFacts)).id == "h100-sxm"
    )
    with pytest.raises(CatalogError, match="nearest: h100-sxm"):
        find("machine", CATALOG / "machines", "h100-smx", lambda path: read_toml(path, MachineFacts))


def test_ones_own_files_are_read_all_the_same(contents: dict[Path, Any], tmp_path: Path) -> None:
    assert contents
    assert not packed.is_packed(tmp_path / "mine.toml")
    with pytest.raises(pytest.fail.Exception, match="a file of TOML was read"):
        read_toml(Path(__file__), ModelFacts)


def test_without_the_one_file_the_others_are_read() -> None:
    assert not packed.is_packed(fact_files.SOURCES)
    assert packed.is_file(fact_files.SOURCES)
    assert isinstance(next(iter(read_toml(fact_files.SOURCES, dict[str, Source]).values())), Source)
