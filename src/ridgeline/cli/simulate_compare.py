"""``ridgeline simulate --compare A.toml B.toml``: the same requests through several deployments, in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ridgeline.cli.arguments import json_option
from ridgeline.cli.option_file import asked_by, keys_of, read_options
from ridgeline.cli.output import console, percent, print_json, print_table, print_text, show
from ridgeline.cli.progress import clocked
from ridgeline.cli.simulate_asked import simulation_asked
from ridgeline.cli.simulate_play import Begin, played
from ridgeline.cli.simulate_setup import Setup, setup_of
from ridgeline.cli.simulate_text import LATENCIES, fleet_words, simulation_document
from ridgeline.errors import RidgelineError
from ridgeline.quantity_text import format_dollars
from ridgeline.simulator.outcome import Simulation

__all__ = ["SIMULATE", "compare_files"]

SIMULATE = "ridgeline.simulate"
"""Key of a context that holds the command whose options files name."""

SHARED = ("trace", "prompt", "output", "rate", "users", "requests", "rate-scale", "seed", "classes", "ttft", "tpot")
"""Keys of requests and their limits, which the first file sets for all."""

OF_ONE = ("run", "compare", "find-rate", "share", "no-bands", "out", "figure", "picture", "theme", "json")
"""Options that hold for a single simulation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Simulation of one file of options.

    Attributes:
        path: path of the file.
        shown: result of the simulation.
        document: result as ``ridgeline simulate --json`` has it.
        notes: notes on the numbers.
    """

    path: Path
    shown: Simulation
    document: dict[str, Any]
    notes: list[str]


@click.command("simulate")
@click.option("--compare", is_flag=True, expose_value=False, help="Compare what several files ask for.")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@json_option
@click.pass_context
def compare_files(context: click.Context, *, files: tuple[Path, ...], as_json: bool) -> None:
    """Play the same requests through what each of several .toml files asks for: one table of differences.

    A file names the options of ridgeline simulate without dashes: model = "llama-3.1-8b", on = "h100-sxm", layout =
    "tp1". Paths count from its folder. Requests, their seed and their limits are those of the first file.
    """
    if len(files) < 2:  # noqa: PLR2004  a difference is of two
        raise click.UsageError("a comparison is of two files or more: --compare A.toml B.toml")
    setups = _setups(context.meta[SIMULATE], files)
    with clocked(setups[0].total) as begin:
        found = [_played(path, setup, begin) for path, setup in zip(files, setups, strict=True)]
    if as_json:
        print_json(_document(found))
    else:
        _show(found)


def _setups(simulate: click.Command, files: Sequence[Path]) -> list[Setup]:
    """Setups of the files, with the requests of the first.

    Raises:
        RidgelineError: a file does not read, asks for other requests, or for what cannot run.
    """
    keys = [read_options(path, simulate, OF_ONE) for path in files]
    shared = {key: keys[0][key] for key in SHARED if key in keys[0]}
    asked = [asked_by(path, simulate, shared | own) for path, own in zip(files, keys, strict=True)]
    fields = keys_of(simulate)
    for path, one in zip(files, asked, strict=True):
        for key in SHARED:
            name = fields[key].name or ""
            if one[name] != asked[0][name]:
                raise RidgelineError(
                    f"{path}: {key} is not that of {files[0]}, and all are played the same requests and held against"
                    " the same limits; leave it out"
                )
    setups = []
    for path, one in zip(files, asked, strict=True):
        with _named(path):
            setups.append(setup_of(simulation_asked(one)))
    return setups


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Name the file in refusals of what it asks for."""
    try:
        yield
    except click.UsageError as error:
        raise RidgelineError(f"{path}: {error.format_message()}") from None
    except RidgelineError as error:
        raise RidgelineError(f"{path}: {error}") from None


def _played(path: Path, setup: Setup, begin: Begin) -> Compared:
    """Play a setup, and keep its result."""
    with _named(path):
        shown, tally = played(setup.player, setup.limits, lambda _: begin(f"Playing {path}"), has_bands=False, out=None)
    document = {"inputs": setup.inputs(shown), **simulation_document(shown, tally, **setup.limits)}
    return Compared(path=path, shown=shown, document=document, notes=setup.notes(shown, tally))


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """Quantity to compare.

    Attributes:
        place: path of its field in a simulation's document, joined by points.
        head: name of the quantity in the table.
        written: function that writes its number.
    """

    place: str
    head: str
    written: Callable[[float], str]

    def values(self, found: Sequence[Compared]) -> list[float | None]:
        """Values of the quantity in each simulation; None where one has none."""
        return [self._value(one.document) for one in found]

    def _value(self, document: Any) -> float | None:  # noqa: ANN401  a document, and what is in it
        for name in self.place.split("."):
            document = document[name]
        return None if document is None else float(document)


def _seconds(value: float) -> str:
    return show(value, "s")


def _dollars(usd: float) -> str:
    """Price of a token as text, in dollars a million tokens."""
    return format_dollars(usd).removeprefix("$")


PARTS = {"mean": "mean", "p50": "50 %", "p90": "90 %", "p99": "99 %"}
"""Names of a latency's mean and quantiles, by field."""

QUANTITIES = (
    *(
        Quantity(place=f"{field}.{part}", head=f"{head}, {of}", written=_seconds)
        for head, field in LATENCIES.items()
        for part, of in PARTS.items()
    ),
    Quantity(place="requests_per_s", head="requests/s", written="{:.4g}".format),
    Quantity(place="goodput_requests_per_s", head="within limits, requests/s", written="{:.4g}".format),
    Quantity(place="within_fraction", head="within limits", written=percent),
    Quantity(place="output_tokens_per_s", head="output tokens/s", written="{:,.0f}".format),
    Quantity(place="usd_per_output_token", head="$/Mtok of output", written=_dollars),
    Quantity(place="usd_per_input_token", head="$/Mtok of input", written=_dollars),
    Quantity(place="usd_per_request", head="$ a request", written="{:.3g}".format),
    Quantity(place="chip_busy_fraction", head="chips busy", written=percent),
    Quantity(place="kv_used_fraction", head="KV cache in use while busy", written=percent),
    Quantity(place="cached_fraction", head="prompt tokens from the prefix cache", written=percent),
    Quantity(place="preemptions", head="preemptions", written="{:,.0f}".format),
    Quantity(place="refused", head="refused", written="{:,.0f}".format),
)


def _ratios(values: Sequence[float | None]) -> list[float | None]:
    """Ratios of the others to the first; None where either is missing, or the first is 0."""
    first, *others = values
    return [None if one is None or not first else one / first for one in others]


def _document(found: Sequence[Compared]) -> dict[str, Any]:
    """JSON document of all simulations, and the table."""
    table = [(one.place, one.values(found)) for one in QUANTITIES]
    return {
        "inputs": {"files": [str(one.path) for one in found]},
        "simulations": [{"file": str(one.path), **one.document} for one in found],
        "differences": [{"quantity": name, "values": values, "ratios": _ratios(values)} for name, values in table],
    }


def _show(found: Sequence[Compared]) -> None:
    """Print the fleets, then the table of quantities that any of them has."""
    out, stems = console(), [one.path.stem for one in found]
    names = stems if len(set(stems)) == len(stems) else [str(one.path) for one in found]
    for name, one in zip(names, found, strict=True):
        print_text(out, f" {fleet_words(one.shown)}", head=name)
    out.print()
    headers = ["", names[0], *(head for name in names[1:] for head in (name, f"over {names[0]}"))]
    rows = [_row(one, values) for one in QUANTITIES if any(values := one.values(found))]
    print_table(out, headers, rows, left=(0,))
    for note in dict.fromkeys(note for one in found for note in one.notes):
        print_text(out, f"note: {note}", style="dim")


def _row(one: Quantity, values: Sequence[float | None]) -> list[str]:
    """Row of a quantity: its name, the first value, and the others, each with its ratio."""
    first, *others = ["-" if value is None else one.written(value) for value in values]
    over = ["-" if ratio is None else f"{ratio:.3f}" for ratio in _ratios(values)]
    return [one.head, first, *(cell for pair in zip(others, over, strict=True) for cell in pair)]
