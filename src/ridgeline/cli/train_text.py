"""Text of ``ridgeline train``."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from ridgeline.cli.output import chance, console, counted, listed, print_table, print_text, show
from ridgeline.cli.plan_changes import RAISED
from ridgeline.cli.window import show_doubtful_units
from ridgeline.quantity_text import format_number
from ridgeline.training.asked import FAILURES_GIVEN
from ridgeline.training.flop import peak_format
from ridgeline.training.job import TrainingJob
from ridgeline.training.outcome import Expected, FasterWay, Training, straggling_chips
from ridgeline.training.plan import TrainingPlan
from ridgeline.training.recipe import DISPATCHERS
from ridgeline.training.run import TrainingRun
from ridgeline.training.search import Found

__all__ = ["show_training"]

MILLION = 1e6
WORTH_NAMING = 0.02
"""Part of the chip-hours from which on it is said that fewer chips save them."""
HEADERS = ("chips", "layout", "schedule", "recompute", "step", "MFU", "bubble", "messages", "memory", "days", "cost")


def show_training(found: Training, *, chips_asked: Sequence[int], details: bool) -> None:
    """Print the step and its setting, a line a layout, then the run by the first of them."""
    out, best = console(), found.plans[0]
    job = best.job
    tokens = job.batch * job.sequence_tokens
    members = sorted(set(chips_asked))
    several = len(members) > 1
    chips = f"{listed(f'{one:,}' for one in members)} chips" if several else counted(job.layout.chips, "chip")
    show_doubtful_units(out, job.machine)
    print_text(
        out,
        f" on {chips} of {job.machine.name}: {show(found.tokens, 'count')} tokens,"
        f" {show(tokens, 'count')} a step in {counted(job.batch, 'sequence')} of {job.sequence_tokens:,}",
        head=job.model.name,
    )
    formats = f"{job.recipe.compute}{f' ({job.recipe.scaling} scaling)' if job.recipe.scaling else ''}"
    print_text(
        out,
        f"multiplies in {formats}, gradients {job.recipe.gradients};{_dispatch(job)} framework {job.trainer.name}"
        f" ({job.trainer.status}), fidelity {job.fidelity.name}",
    )
    out.print()
    rows = [_row(plan, run, several=several) for plan, run in zip(found.plans, found.runs, strict=True)]
    print_table(out, HEADERS, rows, left=(1, 2, 3), optional=(7, 6, 2))
    _show_tight(out, found)
    out.print()
    _show_fit(out, found)
    if several:
        _show_more_chips(out, found)
        print_text(out, f"On {counted(job.layout.chips, 'chip')}:")
    if best.fits:
        _show_run(out, best, found.runs[0])
    if found.fewer is not None:
        _show_fewer_chips(out, found, *found.fewer)
    _show_faster(out, found)
    if found.expected is not None:
        _show_measured(out, found.expected, found.explanation)
    if found.why_not:
        print_text(out, f" {found.why_not}", head="Why not:")
    if found.found:
        _show_search(out, found.found)
    if details:
        _show_details(out, found)
    of_site = [note for note in found.notes if note.startswith(OF_A_SITE) and note != FAILURES_GIVEN]
    unsaid = [one for one in found.notes if one not in job.machine.unit_doubts]
    for note in unsaid if details else [one for one in unsaid if one not in of_site]:
        print_text(out, f"note: {note}", style="dim")
    if of_site and not details:
        named = listed(note.partition(":")[0] for note in of_site)
        print_text(out, f"note: {named}: of published runs, not of this cluster; --details says whose", style="dim")


OF_A_SITE = ("failures: ", "restart: ", "checkpoints: ", "stragglers: ")
"""Beginnings of the notes on what stands for a cluster's own reliability."""


def _dispatch(job: TrainingJob) -> str:
    """Sentence on how tokens travel to their experts, and how to change that; empty without experts."""
    if not job.model.is_routed:
        return ""
    recipe = job.recipe
    hidden = "hidden" if recipe.hides_dispatch else "not hidden"
    ways = ["--dispatcher deepep"] if recipe.dispatcher == DISPATCHERS[0] else []
    ways += [] if recipe.hides_dispatch else ["--hide-dispatch"]
    others = f" ({' '.join(ways)} for another way)" if ways else ""
    return f" tokens go to experts by {recipe.dispatcher}, {hidden} behind computing{others};"


def _chip_days(plan: TrainingPlan, run: TrainingRun) -> float:
    return plan.job.layout.chips * run.days


def _show_more_chips(out: Console, found: Training) -> None:
    """Print what the fastest number of chips costs beside the cheapest, and which numbers are too many."""
    if len(found.found) == 1:  # nothing fits on the others
        return
    both = list(zip(found.plans, found.runs, strict=True))
    cheapest, fastest = min(both, key=lambda one: _chip_days(*one)), min(both, key=lambda one: one[1].days)
    chips, most = fastest[0].job.layout.chips, max(plan.job.layout.chips for plan in found.plans)
    said = f" {counted(cheapest[0].job.layout.chips, 'chip')}"
    if cheapest is not fastest:
        sooner = cheapest[1].days / fastest[1].days
        dearer = _chip_days(*fastest) / _chip_days(*cheapest)
        said += (
            f"; the fastest, {chips:,}, are done {sooner:.3g} times as soon for {dearer:.3g} times the chip-hours,"
            f" since the batch stays {counted(found.plans[0].job.batch, 'sequence')} and each chip has less to do"
        )
    said += f"; more than {chips:,} are slower" if most > chips else ""
    print_text(out, said, head="Cheapest:")


def _show_fewer_chips(out: Console, found: Training, half: TrainingPlan, run: TrainingRun) -> None:
    """Print what half of the chips would take, where that saves chip-hours worth naming."""
    best, longer = found.plans[0], found.runs[0]
    saved = 1 - _chip_days(half, run) / _chip_days(best, longer)
    if saved < WORTH_NAMING:
        return
    cost = f" and {_money(run)}" if run.usd else ""
    print_text(
        out,
        f" half of them take {format_number(run.days)} days{cost}, {show(saved, 'fraction', 2)} fewer chip-hours, in"
        f" {half.job.layout}: of the batch's {counted(best.job.batch, 'sequence')} a replica then has"
        f" {counted(half.job.micro_batches, 'micro-batch')}, not {best.job.micro_batches:,}",
        head="Fewer chips are cheaper:",
    )


def _show_measured(out: Console, expected: Expected, explanation: FasterWay | None) -> None:
    said = ""
    if expected.probability is not None:
        said = f"; chance that a prediction is off by as much: {chance(expected.probability)}"
    if explanation is not None:
        other_s = explanation.plan.time.step_time_s
        said += (
            f"; with {explanation.option} {show(other_s, 's')} are predicted, and the measured step is"
            f" {expected.measured_s / other_s:.2f} times that: was it run so?"
        )
    print_text(
        out, f" {show(expected.measured_s, 's')}, {expected.ratio:.2f} times the predicted{said}", head="Measured"
    )


def _show_search(out: Console, searches: Sequence[Found]) -> None:
    layouts = sum(one.layouts for one in searches)
    too_large, uneven, timed = (
        sum(one.too_large for one in searches),
        sum(one.uneven for one in searches),
        sum(one.timed for one in searches),
    )
    apart = f" {uneven:,} do not lie evenly over domains," if uneven else ""
    print_text(
        out,
        f" {layouts:,} ways; {too_large:,} do not fit,{apart} {timed:,} were timed; the rest is slower than these by a"
        " bound",
        head="Searched",
    )


def _row(plan: TrainingPlan, run: TrainingRun, *, several: bool) -> tuple[str, ...]:
    return (
        f"{plan.job.layout.chips:,}" if several else "",
        str(plan.job.layout),
        _schedule(plan),
        str(plan.job.recipe.recompute).removeprefix("selective:").replace("+", ", "),
        show(plan.time.step_time_s, "s"),
        show(plan.mfu_fraction, "fraction"),
        show(plan.time.bubble_fraction, "fraction"),
        show(plan.exposed_s / plan.time.step_time_s, "fraction"),
        show(plan.memory.total_bytes, "bytes") + (NEARLY_FULL if plan.is_tight else ""),
        format_number(run.days) if plan.fits else "-",
        _money(run) if plan.fits else "",
    )


def _show_tight(out: Console, found: Training) -> None:
    """Print what the mark of nearly full memory means, and the fastest layout with room to spare."""
    tight = next((plan for plan in found.plans if plan.is_tight), None)
    if tight is None:
        return
    print_text(
        out,
        f"memory {NEARLY_FULL}: nearly all of the {show(tight.room_bytes, 'bytes')} that a chip has room for, closer"
        " than memory is predicted; it may not fit",
        style="dim",
    )
    if found.roomier is None:
        if found.found and found.plans[0].is_tight:
            chips = counted(found.plans[0].job.layout.chips, "chip")
            print_text(out, f" no layout on {chips}; try more", head="With room to spare:")
        return
    (roomy, run), best = found.roomier, found.plans[0]
    longer = roomy.time.step_time_s / best.time.step_time_s - 1
    cost = f", {_money(run)}" if run.usd else ""
    print_text(
        out,
        f" {roomy.job.layout} with recompute {roomy.job.recipe.recompute} fills"
        f" {show(roomy.memory.total_bytes / roomy.room_bytes, 'fraction', 2)} of the memory: a step of"
        f" {show(roomy.time.step_time_s, 's')}, {show(longer, 'fraction', 2)} longer;"
        f" {format_number(run.days)} days{cost}",
        head="With room to spare:",
    )


NEARLY_FULL = "!"
"""Mark of a layout that may not fit."""


def _schedule(plan: TrainingPlan) -> str:
    """Name of the pipeline's schedule; empty without stages."""
    return plan.job.pipeline.id if plan.job.layout.layout.pp > 1 else ""


def _show_faster(out: Console, found: Training) -> None:
    """Print options that would make the step faster in the same layout: the fastest way, and each option alone."""
    best, fewest = found.plans[0], min((len(way.options) for way in found.faster), default=0)
    shown = [way for number, way in enumerate(found.faster) if number == 0 or len(way.options) == fewest]
    for number, way in enumerate(shown):
        if number == 0:
            print_text(out, f" {best.job.layout} with other options", head="Faster:")
        saved = 1 - 1 / way.times_faster
        own = way.plan.job.recipe.recompute
        changed = "" if own == best.job.recipe.recompute else f", recompute {own}"
        if len(way.options) == 1 and way.plan.job.recipe.scaling != best.job.recipe.scaling:
            changed += "; the model's published weights are in this format, too"
        print_text(
            out,
            f"{way.option}: {show(way.plan.time.step_time_s, 's')}, {show(saved, 'fraction', 2)} less{changed}",
            indent=2,
            hang=2,
        )


def _show_fit(out: Console, found: Training) -> None:
    best = found.plans[0]
    if best.fits:
        return
    print_text(
        out,
        f" {show(best.memory.total_bytes, 'bytes')} of {show(best.room_bytes, 'bytes')} that a chip has room for;"
        f"{' what fits:' if found.ways else ''}",
        head="Does not fit as given:",
    )
    for way in found.ways:
        plan = way.plan
        print_text(
            out,
            f"{way.option}: {show(plan.memory.total_bytes, 'bytes')}, a step of {show(plan.time.step_time_s, 's')},"
            f" {format_number(way.days)} days",
            indent=2,
            hang=2,
        )
    if not found.ways:
        print_text(out, "no single change of it fits; leave out --layout to search them all", indent=2)


def _counted(plan: TrainingPlan) -> str:
    """Sentence on what MFU and HFU count of attention and of recomputing."""
    recompute = plan.job.recipe.recompute
    again = "; HFU counts what is computed again as well" if recompute.is_full or recompute.modules else ""
    over = ", so that it can exceed 100 % where masked work is skipped" if plan.mfu_fraction > 1 else ""
    return f"MFU and HFU count attention without its causal mask, as PaLM does{over}{again}"


def _show_run(out: Console, plan: TrainingPlan, run: TrainingRun) -> None:
    interval = plan.interval_s
    lasts = "" if interval is None else f" (80 % interval {show(interval[0], 's')} to {show(interval[1], 's')})"
    energy = (
        ""
        if run.kwh is None
        else f", {show(run.kwh, 'count')} kWh (chips times --pue; count hosts and switches in --pue)"
    )
    print_text(
        out,
        f" {show(plan.time.step_time_s, 's')}{lasts}, {show(plan.tokens_per_s, 'count')} tokens/s, MFU"
        f" {show(plan.mfu_fraction, 'fraction')} and HFU {show(plan.hfu_fraction, 'fraction')} of the chip's"
        f" {peak_format(plan.job)} peak. {_counted(plan)}",
        head="Step",
    )
    print_text(
        out,
        f" {format_number(run.days)} days{', ' if run.usd else ''}{_money(run)}{energy}; {run.steps:,} steps, goodput"
        f" {show(run.goodput_fraction, 'fraction')} with {format_number(run.failures)} failures, one in"
        f" {show(run.mtbf_s, 'duration')}, and a checkpoint every {show(run.checkpoint_interval_s, 'duration')}",
        head="Run",
    )


def _money(run: TrainingRun) -> str:
    if run.usd is None:
        return ""
    return f"${run.usd / MILLION:,.3g}M" if run.usd >= MILLION else f"${format_number(run.usd)}"


def _show_details(out: Console, found: Training) -> None:
    best, run = found.plans[0], found.runs[0]
    out.print()
    parts = sorted(best.time.parts_s.items(), key=lambda one: -one[1])
    _shares(out, "part of the step", parts, "s")
    memory = best.memory
    held = [
        ("weights", memory.weights_bytes),
        ("gradients", memory.gradients_bytes),
        ("optimizer", memory.optimizer_bytes),
        ("activations", memory.activations_bytes),
        ("one layer or the loss", memory.transient_bytes),
        ("framework", memory.framework_bytes),
    ]
    _shares(out, "the fullest chip holds", held, "bytes")
    lost = {
        "checkpoints": run.lost.checkpoints_fraction,
        "work done twice": run.lost.lost_work_fraction,
        "restarts": run.lost.restarts_fraction,
        _slowest(best.job): run.lost.stragglers_fraction,
    }
    _table(out, "time lost to", [(name, "", show(part, "fraction")) for name, part in lost.items()])
    _table(
        out,
        "what 1 % more changes of a step's time",
        [
            (RAISED.get(field := name.partition(":")[2], field), f"{change:+.2f} %", "")
            for name, change in found.elasticities.items()
        ],
    )


def _slowest(job: TrainingJob) -> str:
    """Chips whose slowest a run waits for; what it takes to wait for more is loss at scale, a part of the step."""
    chips = straggling_chips(job)
    return "the slowest chip" if chips == job.layout.chips else f"the slowest of {chips:,} chips"


def _shares(out: Console, title: str, parts: Sequence[tuple[str, float]], dimension: str) -> None:
    """Print a line for each part, with its fraction of the whole."""
    whole = sum(part for _, part in parts)
    _table(out, title, [(name, show(part, dimension), show(part / whole, "fraction")) for name, part in parts])


def _table(out: Console, title: str, rows: Sequence[tuple[str, str, str]]) -> None:
    print_table(out, (title, "", ""), rows)
    out.print()
