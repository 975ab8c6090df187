from collections.abc import Iterator

import click
import pytest

from ridgeline.cli import commands
from ridgeline.cli.number_range import NumberRange


def options(group: click.Group, above: str = "") -> Iterator[tuple[str, click.Parameter]]:
    """Every parameter of every command, beneath groups too."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        where = f"{above}{name}"
        if isinstance(command, click.Group):
            yield from options(command, f"{where} ")
        for one in command.params:
            yield where, one


def test_no_option_takes_a_number_that_is_none() -> None:
    ranges = {
        f"{where} {one.name}": type(one.type)
        for where, one in options(commands)
        if isinstance(one.type, click.FloatRange) or one.type is click.FLOAT
    }
    assert len(ranges) > 5
    assert {name: kind for name, kind in ranges.items() if kind is not NumberRange} == {}


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1.5", "x"])
def test_what_is_no_number_in_the_range_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        NumberRange(min=0, max=1).convert(text, None, None)
    assert NumberRange(min=0, max=1).convert("0.5", None, None) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("bounds", "text"),
    [
        (NumberRange(0.5, 1, max_open=True), "0.3"),
        (NumberRange(0.5, 1, max_open=True), "40%"),
        (NumberRange(0.5, 1, max_open=True), "99"),
        (NumberRange(0, 1, min_open=True), "0"),
        (NumberRange(0, 1, min_open=True), "99"),
        (NumberRange(0, 1, min_open=True), "90"),
        (NumberRange(0, 1, min_open=True), "250"),
        (NumberRange(0, 1, min_open=True), "x"),
    ],
)
def test_what_is_to_be_written_instead_is_taken(bounds: NumberRange, text: str) -> None:
    with pytest.raises(click.BadParameter) as refused:
        bounds.convert(text, None, None)
    offered = refused.value.message.rpartition("; write ")[2].split(" or ")
    numbers = [bounds.convert(one, None, None) for one in offered]
    assert max(numbers) == min(numbers)
    # A percent that was typed without its sign is what was meant.
    assert (offered == [f"{text}%"]) is (text in {"99", "90"})
