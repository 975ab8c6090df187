from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest

import ridgeline
from ridgeline.cli import commands

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def json_page() -> ModuleType:
    """The script, which is no package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "bench"))
        return importlib.import_module("json_page")


def leaves(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command that is no group, by its words."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from leaves(found, f"{before}{name} ")
        else:
            yield f"{before}{name}", found


def test_every_command_prints_a_document(json_page: ModuleType) -> None:
    printing = {name for name, one in leaves(commands) if any("--json" in option.opts for option in one.params)}
    assert set(json_page.EXAMPLES) == printing == {name for name, _ in leaves(commands)}


@pytest.mark.slow
def test_the_page_is_what_commands_print_and_documents_repeat_what_they_were_made_from(json_page: ModuleType) -> None:
    """In one test, which runs all commands once."""
    assert json_page.page() == json_page.PAGE.read_text(encoding="utf-8"), "run: just json"
    for command in json_page.EXAMPLES:
        for document in json_page.documents(command):
            assert document["inputs"]["ridgeline"] == ridgeline.__version__, command


def test_a_field_that_nothing_describes_is_refused(json_page: ModuleType) -> None:
    with pytest.raises(SystemExit, match="nothing says what plans\\[\\]\\.surprise means"):
        json_page.row("plan", json_page.Field(place="plans[].surprise", types={"number"}))


def test_counts_are_integers(json_page: ModuleType) -> None:
    (document, *_) = json_page.documents("estimate")
    assert {type(document["inputs"][name]) for name in ("batch", "context_tokens", "chips")} == {int}
