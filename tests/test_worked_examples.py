"""The page of worked examples says what its commands and its Python print now."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def worked() -> Iterator[ModuleType]:
    """The script, which is no package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "bench"))
        yield importlib.import_module("worked")


@pytest.mark.slow
def test_the_page_is_what_its_blocks_print(worked: ModuleType) -> None:
    page = worked.PAGE.read_text(encoding="utf-8")
    now, names = worked.run(page)
    assert worked.differences(page, now) == [], "run: just worked"
    # Every block of code has what it prints below it, so that none is left out.
    assert len(worked.BLOCK.findall(page)) == len(re.findall(r"^```(?:python|sh)$", page, re.MULTILINE))
    assert {1, 18} <= set(names["swept"])


def test_pictures_of_the_page_are_there(worked: ModuleType) -> None:
    named = re.findall(r'"(figures/[^"]+)"', worked.PAGE.read_text(encoding="utf-8"))
    assert len(named) == 2
    assert all((worked.PAGE.parent / name).is_file() for name in named)


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("16 chips  2,183", "16 chips  2,184", 0),  # another machine's last bits
        ("16 chips  2,183", "16 chips   2,183", 0),
        ("16 chips  2,183", "16 chips  2,383", 2),
        ("tp8,ep8 2,183", "tp8 2,183", 2),
        ("one", "one\ntwo", 1),
    ],
)
def test_what_a_page_says_otherwise_is_shown(worked: ModuleType, old: str, new: str, wrong: int) -> None:
    assert len(worked.differences(old, new)) == wrong
