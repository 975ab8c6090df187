"""``ridgeline simulate --compare A.toml B.toml``: the same requests through several deployments, in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ridgeline.cli.arguments import json_option
from ridgeline.cli.option_file import asked_by, keys_of, read_options
from ridgeline.cli.output import console, print_json, print_table, print_text, show
from ridgeline.cli.progress import clocked
from ridgeline.cli.simulate_play import Begin, played
from ridgeline.cli.simulate_setup import Setup, setup_of
from ridgeline.cli.simulate_text import LATENCIES, TOKENS_OF_PRICES, fleet_words, simulation_document
from ridgeline.errors import RidgelineError
from ridgeline.simulator.outcome import Simulation

__all__ = ["SIMULATE", "compare_files"]

SIMULATE = "ridgeline.simulate"
"""Where a context has the command whose options files name."""

OF_REQUESTS = ("trace", "prompt", "output", "rate", "users", "requests", "rate-scale", "seed", "classes")
OF_LIMITS = ("ttft", "tpot")
SHARED = (*OF_REQUESTS, *OF_LIMITS)
"""Keys that are the first file's for all."""

OF_ONE = ("run", "compare", "find-rate", "share", "no-bands", "out", "figure", "picture", "theme", "json")
"""Options of a single simulation."""

PARTS = {"mean": "mean", "p50": "50 %", "p90": "90 %", "p99": "99 %"}
"""Of latencies, by field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What a file asks for, played.

    Attributes:
        path: of the file.
        shown: what was found.
        document: the same, as ``ridgeline simulate --json`` has it.
    """

    path: Path
    shown: Simulation
    document: dict[str, Any]


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
    """What files ask for, of the requests of the first."""
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
            setups.append(setup_of(one))
    return setups


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Refusals of what a file asks for, with its name."""
    try:
        yield
    except click.UsageError as error:
        raise RidgelineError(f"{path}: {error.format_message()}") from None
    except RidgelineError as error:
        raise RidgelineError(f"{path}: {error}") from None


def _played(path: Path, setup: Setup, begin: Begin) -> Compared:
    """What becomes of the requests."""
    with _named(path):
        shown, tally = played(setup.player, setup.limits, lambda _: begin(f"Playing {path}"), has_bands=False, out=None)
    document = {"inputs": setup.inputs(shown), **simulation_document(shown, tally, **setup.limits)}
    return Compared(path=path, shown=shown, document=document)


Named = dict[tuple[str, ...], float | None]
"""Numbers by the names that lead to them in a document; None where there is none."""


def _quantities(document: Mapping[str, Any]) -> Named:
    """What is compared of a simulation."""
    latencies = {(field, part): document[field][part] for field in LATENCIES.values() for part in PARTS}
    return latencies | {(name,): document[name] for name in FIGURES}


def _dollars(usd: float) -> str:
    """Of a token, as they are said of a million."""
    return f"{TOKENS_OF_PRICES * usd:.3g}"


def _seconds(value: float) -> str:
    return show(value, "s")


FIGURES: dict[str, tuple[str, Callable[[float], str]]] = {
    "requests_per_s": ("requests/s", "{:.4g}".format),
    "goodput_requests_per_s": ("within limits, requests/s", "{:.4g}".format),
    "within_fraction": ("within limits", "{:.1%}".format),
    "output_tokens_per_s": ("output tokens/s", "{:,.0f}".format),
    "usd_per_output_token": ("$/Mtok of output", _dollars),
    "usd_per_input_token": ("$/Mtok of input", _dollars),
    "usd_per_request": ("$/1,000 requests", lambda usd: f"{1000 * usd:.3g}"),
    "chip_busy_fraction": ("chips busy", "{:.1%}".format),
    "kv_used_fraction": ("KV cache in use while busy", "{:.1%}".format),
    "preemptions": ("preemptions", "{:,}".format),
    "refused": ("refused", "{:,}".format),
}
"""Fields beside the latencies: what they are called, and how they are written."""


def _ratio(other: float | None, first: float | None) -> float | None:
    """One over the other; None where either is not there, or the first is nothing."""
    return None if other is None or not first else other / first


def _ratios(one: Compared, first: Compared) -> Named:
    ours, theirs = _quantities(one.document), _quantities(first.document)
    return {name: _ratio(ours[name], theirs[name]) for name in ours}


def _ratio_document(one: Compared, first: Compared) -> dict[str, Any]:
    """The same, by the names that a simulation's document has."""
    ratios = _ratios(one, first)
    latencies = {field: {part: ratios[field, part] for part in PARTS} for field in LATENCIES.values()}
    return {"file": str(one.path), **latencies, **{name: ratios[name,] for name in FIGURES}}


def _document(found: Sequence[Compared]) -> dict[str, Any]:
    """All of them, and what each is over the first."""
    return {
        "inputs": {"files": [str(one.path) for one in found]},
        "simulations": [{"file": str(one.path), **one.document} for one in found],
        "ratios": [_ratio_document(one, found[0]) for one in found[1:]],
    }


def _show(found: Sequence[Compared]) -> None:
    """What each is, then the table."""
    out, stems = console(), [one.path.stem for one in found]
    names = stems if len(set(stems)) == len(stems) else [str(one.path) for one in found]
    for name, one in zip(names, found, strict=True):
        print_text(out, f" {fleet_words(one.shown)}", head=name)
    out.print()
    headers = ["", names[0], *(head for name in names[1:] for head in (name, f"over {names[0]}"))]
    print_table(out, headers, _rows(found), left=(0,))


def _rows(found: Sequence[Compared]) -> list[list[str]]:
    """A row for every quantity that any of them has."""
    latencies = {
        (field, part): (f"{head}, {of}", _seconds) for head, field in LATENCIES.items() for part, of in PARTS.items()
    }
    columns, ratios = [_quantities(one.document) for one in found], [_ratios(one, found[0]) for one in found]
    rows = []
    for name, (head, written) in (latencies | {(name,): said for name, said in FIGURES.items()}).items():
        values = [column[name] for column in columns]
        if not any(values):
            continue
        cells = ["-" if value is None else written(value) for value in values]
        over = ["-" if (ratio := of[name]) is None else f"{ratio:.3f}" for of in ratios]
        rows.append([head, cells[0], *(cell for pair in zip(cells[1:], over[1:], strict=True) for cell in pair)])
    return rows
