from __future__ import annotations

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_the_page_is_what_the_glossary_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    script = importlib.import_module("nomenclature")
    assert script.page() == script.PAGE.read_text(encoding="utf-8"), "run: just nomenclature"
    for name, quantity in script.GLOSSARY.items():
        assert quantity.name == name
        assert f"| `{name}` |" in script.page()
