"""Warning on number formats that an engine is not known to run on the chips that a plan is for."""

from __future__ import annotations

from rich.console import Console

from ridgeline.catalog.engines import load_engine
from ridgeline.cli.output import listed, print_text
from ridgeline.estimator.engine_support import format_faults
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine

__all__ = ["SERVERS", "show_unknown_formats"]

SERVERS = ("vllm", "sglang", "tensorrt-llm")
"""Engines that a plan is for, by their names in the catalog."""


def show_unknown_formats(out: Console, deployment: Deployment) -> None:
    """Print a line where the engine is not known to run a format, with the engines that are; nothing elsewhere."""
    faults = format_faults(deployment.engine, deployment.machine, deployment.precision)
    if not faults:
        return
    able = [name for name in SERVERS if _runs(load_engine(name), deployment)]
    others = f"{listed(able)} {'do' if len(able) > 1 else 'does'} (--engine {able[0]}); or" if able else "To be sure,"
    print_text(
        out,
        f" {'; '.join(faults)}. Times are as if it did. {others} take other --weights or --kv",
        head="Warning:",
    )


def _runs(engine: Engine, deployment: Deployment) -> bool:
    machine = deployment.machine
    has_chips = engine.support is not None and engine.support.chips.get(machine.family, False)
    return has_chips and not format_faults(engine, machine, deployment.precision)
