"""``ridgeline catalog``: the facts, with their sources, and the numbers that they imply."""

from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path
from typing import Any

import click

from ridgeline.catalog import (
    CatalogError,
    MachineEntry,
    ModelEntry,
    machine_entry,
    machine_ids,
    model_entry,
    model_ids,
)
from ridgeline.catalog.facts import YOURS
from ridgeline.catalog.kernels import numbers_of
from ridgeline.cli.arguments import MODEL, ignore_unknown_option, ignores_unknown, json_option
from ridgeline.cli.completion import completes
from ridgeline.cli.facts import fact_document, found, print_facts
from ridgeline.cli.kernels import kernels_option, say_kernels
from ridgeline.cli.listings import prices
from ridgeline.cli.memory_wall import memory
from ridgeline.cli.offers import acceptance, storage
from ridgeline.cli.output import console, counted, percent, print_json, print_table, print_text, show
from ridgeline.equations import roofline
from ridgeline.estimator.bounds import bounds_of, largest_params
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.parameters import (
    active_params,
    kv_bytes_per_first_token,
    kv_bytes_per_token,
    main_format,
    multiplied_params,
    total_params,
    weight_bytes,
)
from ridgeline.specs.efficiency import Efficiency
from ridgeline.specs.model import Model
from ridgeline.specs.passes import decode
from ridgeline.specs.precision import Component
from ridgeline.specs.provenance import Grade


@click.group("catalog")
def command() -> None:
    """Show what is known of models, machines, storage, list prices and drafts, with sources and dates."""


command.add_command(storage)
command.add_command(prices)
command.add_command(acceptance)
command.add_command(memory)


@command.command("models")
@click.argument("name", required=False, metavar="[ID]", shell_complete=completes(model_ids, or_files=True))
@ignore_unknown_option
@json_option
def models(name: str | None, as_json: bool) -> None:  # noqa: FBT001  a flag
    """List models, or show one with its source."""
    read = partial(model_entry, ignore_unknown=ignores_unknown())
    entries = [found(read, one) for one in (model_ids() if name is None else [name])]
    if as_json:
        print_json({"inputs": {"id": name}, "models": [_model_document(entry) for entry in entries]})
    elif name:
        _show_model(entries[0])
    else:
        rows = [
            (
                entry.model.id,
                entry.model.name,
                show(total_params(entry.model), "count", 4),
                show(multiplied_params(entry.model), "count", 3),
                str(entry.model.layers),
                main_format(entry.model, entry.model.precision),
                *_cache_columns(entry.model),
            )
            for entry in entries
        ]
        headers = ("id", "name", "params", "active", "layers", "weights", "KV a token", "beyond windows")
        print_table(console(), headers, rows, left=(0, 1, 5), optional=(1, 5))
        print_text(
            console(),
            "active: parameters that a token is multiplied with; the input embedding is looked up, and models are often"
            " published with it",
            style="dim",
        )
        for model in (entry.model for entry in entries):
            if why := _why_no_growth(model):
                print_text(console(), f"{model.id}{why}", style="dim")


@command.command("machines")
@click.argument("name", required=False, metavar="[ID]", shell_complete=completes(machine_ids, or_files=True))
@click.option("--model", type=MODEL, help="Show what the machine's numbers imply for this model.")
@ignore_unknown_option
@kernels_option
@click.option("--details", is_flag=True, help="Show a machine's fitted numbers, too: each kernel's, with its spread.")
@json_option
def machines(
    name: str | None,
    model: Model | None,
    kernels: Path | None,
    details: bool,  # noqa: FBT001  a flag
    as_json: bool,  # noqa: FBT001  a flag
) -> None:
    """List machines, or show one with its sources and the three numbers that the lecture starts from."""
    entries = [found(machine_entry, one) for one in (machine_ids() if name is None else [name])]
    if kernels is not None:
        entries = [_with_own(entry, kernels) for entry in entries]
    if as_json:
        inputs = {"id": name, "model": None if model is None else model.id, "kernels": kernels}
        print_json({"inputs": inputs, "machines": [_machine_document(entry, model) for entry in entries]})
    elif name:
        _show_machine(entries[0], model, details=details or kernels is not None)
        say_kernels(kernels, entries[0].machine)
    else:
        say_kernels(kernels)
        rows: list[tuple[str, ...]] = []
        for entry in entries:
            machine, numbers = entry.machine, _three_numbers(entry)
            tariff = machine.tariff
            rows.append(
                (
                    machine.id,
                    machine.name,
                    show(machine.chip.flop_per_s["bf16"], "flop_per_s"),
                    show(machine.chip.hbm_bytes, "bytes"),
                    show(machine.chip.hbm_bytes_per_s, "bytes_per_s"),
                    f"{numbers['flop_per_byte']:.0f}",
                    show(numbers["memory_sweep_time_s"], "s"),
                    f"{machine.scale_up_chips:,}",
                    show(machine.fabric[0].bytes_per_s, "bytes_per_s"),
                    "-" if tariff is None else show(tariff.usd_per_chip_s, "usd_per_s"),
                )
            )
        columns = ["id", "name", "bf16", "HBM", "bandwidth", "FLOP/B", "HBM sweep", "scale-up", "links", "price"]
        if model is not None:
            columns += ["balance batch", "floor", "largest model"]
            rows = [(*row, *_implied_cells(entry, model)) for row, entry in zip(rows, entries, strict=True)]
        print_table(console(), columns, rows, left=(0, 1), optional=(1, 8, 6, 9, 3, 4))
        print_text(
            console(),
            "price: the newest known of a chip, of different dates and sellers; ridgeline catalog machines ID names"
            " them",
            style="dim",
        )
        announced = ", ".join(entry.machine.id for entry in entries if entry.facts.announced)
        print_text(console(), f"announced, and not shipping when their sources were read: {announced}", style="dim")
        if model is not None:
            print_text(
                console(),
                f"balance batch, floor (every weight once) and largest model for {model.name}, over one"
                " scale-up domain; a dash where its weights do not fit",
                style="dim",
            )
            for caveat in model.caveats:
                print_text(console(), caveat, style="dim")


def _with_own(entry: MachineEntry, kernels: Path) -> MachineEntry:
    try:
        return entry.with_own_kernels(kernels)
    except CatalogError as error:
        raise click.BadParameter(str(error), param_hint="--kernels") from None


def _model_document(entry: ModelEntry) -> dict[str, Any]:
    model, facts = entry.model, entry.facts
    said = {} if facts is None else {"also": facts.also, "source": facts.source, "date": facts.date.isoformat()}
    published = None if facts is None or facts.published_params is None else facts.published_params.value
    return {
        "id": model.id,
        "name": model.name,
        **said,
        "total_params": total_params(model),
        "active_params": active_params(model),
        "multiplied_params": multiplied_params(model),
        "published_params": published,
        "weight_bytes": weight_bytes(model, model.precision),
        "kv_bytes_per_token": kv_bytes_per_token(model, model.precision),
        "kv_bytes_per_first_token": kv_bytes_per_first_token(model, model.precision),
        "hidden": model.hidden,
        "vocab": model.vocab,
        "layers": model.layers,
        "tied_embeddings": model.tied_embeddings,
        "max_context_tokens": model.max_context_tokens,
        "checkpoint": model.checkpoint,
        "trained_tokens": model.trained_tokens,
        "groups": [
            {
                "layers": group.layers,
                "attention": {"kind": type(group.attention).__name__, **dataclasses.asdict(group.attention)},
                "feed_forward": {"kind": type(group.feed_forward).__name__, **dataclasses.asdict(group.feed_forward)},
            }
            for group in model.groups
        ],
        "formats": {component.value: model.precision.of(component).weight.name for component in Component},
        "kv": model.precision.kv.name,
        "unmodelled": model.unmodelled,
        "remarks": model.remarks,
    }


def _show_model(entry: ModelEntry) -> None:
    out, one, facts = console(), _model_document(entry), entry.facts
    also = f", also {', '.join(facts.also)}" if facts and facts.also else ""
    print_text(out, f" ({one['id']}){also}", head=one["name"])
    rows = [
        ("parameters", f"{one['total_params']:,}", "counted from the shape; norms and biases left out"),
        ("active for a token", f"{one['multiplied_params']:,}", "multiplied; the input embedding is looked up"),
        ("", f"{one['active_params']:,}", "with the embedding, as some publish it"),
        ("weights", show(one["weight_bytes"], "bytes", 4), ", ".join(dict.fromkeys(one["formats"].values()))),
        *_cache_rows(entry.model),
        ("hidden, vocabulary", f"{one['hidden']:,}, {one['vocab']:,}", "tied" if one["tied_embeddings"] else "untied"),
    ]
    if facts is not None and facts.published_params is not None:
        published = facts.published_params
        rows.insert(1, ("as published", published.written, f"{published.source}, {published.date}"))
    if facts is not None and (beside := facts.formats.eight_bits) is not None:
        doubt = ", unverified" if beside.unverified else ""
        rows.append(("weights in 8 bits", beside.value, f"{beside.source}, {beside.date}{doubt}"))
    if one["max_context_tokens"]:
        rows.append(("made for", f"{one['max_context_tokens']:,} tokens", ""))
    if facts is not None and facts.trained_tokens is not None and one["trained_tokens"]:
        trained = facts.trained_tokens
        note = f", {trained.note}" if trained.note else ""
        rows.append(("pre-trained on", f"{trained.written} tokens", f"{trained.source}, {trained.date}{note}"))
    for group in one["groups"]:
        rows.append((f"{group['layers']} layers", group["attention"]["kind"], _listed(group["attention"])))
        rows.append(("", group["feed_forward"]["kind"], _listed(group["feed_forward"])))
    print_table(out, ("", "", ""), rows, left=(0, 1, 2))
    if one["checkpoint"]:
        print_text(out, f"checkpoint {one['checkpoint']}", style="dim")
    if facts is None:
        print_text(out, "imported from a configuration")
    else:
        print_text(out, f"shape from {'your file' if facts.source == YOURS else facts.source}, {facts.date}")
    for caveat in entry.model.caveats:
        print_text(out, caveat)


def _cache_columns(model: Model) -> tuple[str, str]:
    """Cache of a first token, and that of a further one where windows or states keep it from growing as much."""
    first, further = (
        f"{bytes_of(model, model.precision):,.0f} B" for bytes_of in (kv_bytes_per_first_token, kv_bytes_per_token)
    )
    return first, "" if further == first else further


def _cache_rows(model: Model) -> list[tuple[str, str, str]]:
    """Cache of a token, in two lines where a further one takes less than a first."""
    kv, (first, further) = model.precision.kv.name, _cache_columns(model)
    if not further:
        return [("KV of a token", first, kv)]
    return [("KV of a first token", first, kv), ("KV of a further token", further, kv + _why_no_growth(model))]


def _why_no_growth(model: Model) -> str:
    """Reason why a further token adds nothing to the cache; empty where it does."""
    if kv_bytes_per_token(model, model.precision):
        return ""
    windows = [getattr(group.attention, "window", 0) for group in model.groups]
    beyond = f" beyond {max(windows):,} tokens" if any(windows) else ""
    return f": every layer has a window or a state, so that the cache grows no more{beyond}"


def _listed(record: dict[str, Any]) -> str:
    """Fields of a record that are set, in one line; those of a base among them."""
    parts = []
    for name, value in record.items():
        if isinstance(value, dict):
            parts.append(_listed(value))
        elif name != "kind" and value not in (False, 0, None):
            written = f"{value:,}" if isinstance(value, int | float) else value
            parts.append(name.replace("_", " ") + ("" if value is True else f" {written}"))
    return ", ".join(parts)


def _three_numbers(entry: MachineEntry) -> dict[str, Any]:
    """Numbers that the lecture starts from: arithmetic against memory, the memory's sweep, the scale-up domain."""
    chip = entry.machine.chip
    return {
        "flop_per_byte": float(
            roofline.flop_per_byte(flop_per_s=chip.flop_per_s["bf16"], hbm_bytes_per_s=chip.hbm_bytes_per_s)
        ),
        "memory_sweep_time_s": float(
            roofline.memory_sweep_time_s(hbm_bytes=chip.hbm_bytes, hbm_bytes_per_s=chip.hbm_bytes_per_s)
        ),
        "scale_up_chips": entry.machine.scale_up_chips,
    }


def _implied(entry: MachineEntry, model: Model) -> dict[str, Any]:
    """Numbers that a machine implies for a model, over one scale-up domain."""
    machine = entry.machine
    deployment = deploy(model, machine)
    precision = deployment.precision
    numbers = bounds_of(
        deployment,
        decode(batch=1, context_tokens=1),
        chips=machine.scale_up_chips,
        held_tokens=1,
        usd_per_chip_s=None,
    )
    mean_bytes = weight_bytes(model, precision) / total_params(model)
    return {
        "model": model.id,
        "balance_batch": numbers.balance_batch,
        "floor_step_time_s": numbers.floor_step_time_s,
        "largest_params": largest_params(machine.chip, chips=machine.scale_up_chips, bytes_per_param=mean_bytes),
        "fits": weight_bytes(model, precision) <= machine.scale_up_chips * machine.chip.hbm_bytes,
        "notes": (*deployment.notes, *model.caveats),
    }


def _machine_document(entry: MachineEntry, model: Model | None) -> dict[str, Any]:
    facts = entry.facts
    document = {
        "id": facts.id,
        "name": facts.name,
        "family": facts.family,
        "released": facts.released,
        "announced": facts.announced,
        **_three_numbers(entry),
        "facts": {name: fact_document(fact) for name, fact in entry.values().items()},
        "fabric": [
            {
                "name": level.name,
                "technology": level.technology,
                "topology": level.topology,
                "torus": level.torus,
                "wraps_every": None if level.wraps_every is None else level.wraps_every.value,
            }
            for level in facts.fabric
        ],
        "rental": [{"kind": rental.kind, **fact_document(rental.usd_per_chip_s)} for rental in facts.rental],
        "efficiency": dataclasses.asdict(entry.machine.efficiency),
        "bands_by": dict(entry.bands_by),
    }
    return document if model is None else {**document, "implied": _implied(entry, model)}


def _show_machine(entry: MachineEntry, model: Model | None, *, details: bool) -> None:
    out, facts, machine = console(), entry.facts, entry.machine
    announced = ", announced and not shipping when its sources were read" if facts.announced else ""
    print_text(out, f" ({facts.id}), {facts.family}, {facts.released}{announced}", head=facts.name)
    numbers = _three_numbers(entry)
    domain = counted(numbers["scale_up_chips"], "chip")
    print_text(
        out,
        f"the lecture's three numbers: {numbers['flop_per_byte']:.0f} FLOP per byte (16 bits); memory swept in"
        f" {show(numbers['memory_sweep_time_s'], 's')}; {domain} in a scale-up domain",
    )
    if model is not None:
        _show_implied(out, entry, model)
    rentals = [(f"price, {rental.kind}", rental.usd_per_chip_s) for rental in facts.rental]
    print_facts(out, [*entry.values().items(), *rentals])
    if not facts.rental:
        print_text(out, "price: none is listed; give one to plan with --price '$2/h'")
    for level in facts.fabric:
        sides = f" of {' x '.join(map(str, level.torus))}" if level.torus else ""
        print_text(out, f"{level.name}: {level.technology}; {level.topology}{sides}")
    is_fitted = machine.efficiency.kernels is not None
    more = "; --details lists them" if is_fitted and not details else ""
    print_text(out, f"efficiencies: {machine.efficiency.status}{more}")
    if is_fitted and details:
        _show_kernels(out, machine.efficiency)


def _show_kernels(out: Any, efficiency: Efficiency) -> None:  # noqa: ANN401  a rich console
    """Print fitted numbers with their uncertainties and sources."""
    rows = []
    for place, value in numbers_of(efficiency.fitted).items():
        block, _, name = place.partition(".")
        source = efficiency.source_of(place)
        sure = "" if source.log_sd is None else percent(source.log_sd)
        whose = {Grade.MEASURED: "this chip", Grade.FAMILY: "family"}.get(source.grade, source.machine or "all chips")
        count = f"{source.rows:,}" if source.rows else ""
        rows.append((block, name, f"{value:.4g}", sure, count, whose if source.rows else "assumed"))
    print_table(out, ("kernel", "number", "value", "+-", "rows", "of"), rows, left=(0, 1, 5))
    print_text(
        out,
        "value: in the unit that its name ends with (_s: seconds); fraction, hbm_fraction: of the spec sheet's FLOP/s"
        " and HBM bandwidth; +-: standard deviation of the fitted value, if rows err by themselves; rows: measurements"
        " that it was fitted on, of this chip, its family, or all chips",
        style="dim",
    )


def _implied_cells(entry: MachineEntry, model: Model) -> tuple[str, str, str]:
    implied = _implied(entry, model)
    largest = show(implied["largest_params"], "count")
    if not implied["fits"]:
        return "-", "-", largest
    return f"{implied['balance_batch']:,.0f}", show(implied["floor_step_time_s"], "s"), largest


def _show_implied(out: Any, entry: MachineEntry, model: Model) -> None:  # noqa: ANN401  a rich console
    implied = _implied(entry, model)
    fits = "" if implied["fits"] else f"; its weights do not fit the {entry.machine.scale_up_chips} chips of one domain"
    print_text(
        out,
        f"for {model.name} over one domain: balance batch {implied['balance_batch']:,.0f};"
        f" latency floor {show(implied['floor_step_time_s'], 's')} (every weight once);"
        f" largest model {show(implied['largest_params'], 'count')} parameters in its formats{fits}",
    )
    for note in implied["notes"]:
        print_text(out, f"note: {note}", style="dim")
