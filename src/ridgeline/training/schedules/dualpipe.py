"""DualPipe: micro-batches enter at both ends, over two copies of the parameters, and fill each other's bubbles."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.training.schedules.letters import spelled
from ridgeline.training.schedules.schedule import Schedule, Shape, folded
from ridgeline.training.schedules.task import Task

__all__ = ["DUALPIPE"]


def _tasks(device: int, shape: Shape) -> Iterator[Task]:
    """Eight phases, each repeated by the device's distance from the middle, or from its end.

    Capital letters are micro-batches from the nearer end, small ones those from the farther end.
    """
    from_end = min(device, shape.stages - 1 - device)
    from_middle = shape.stages // 2 - 1 - from_end
    letters = "FF" * from_middle + "Ff" * (from_end + 1) + "iWf" * from_middle
    # A forward and a backward pass run as one, but for the first two of the devices in the middle.
    pairs = "PbpB" * (shape.micro_batches // 2 - shape.stages + from_end + 1) + "bpB" * from_middle
    letters += pairs if from_middle else pairs.replace("P", "F", 1)
    # Of the passes that are left some are whole; weight gradients of the others fill the end.
    whole = "bB" * (from_end + 1)
    letters += whole[: from_end + 1] + whole[from_end + 1 :].translate({ord("b"): "i", ord("B"): "I"})
    letters += "WI" * from_middle + "W" * (from_end + 1)
    down, up = device, 2 * shape.stages - 1 - device
    near, far = (down, up) if device < shape.stages // 2 else (up, down)
    return spelled(letters, capital=near, small=far)


def _turn(stages: int) -> int:
    """Turn of one micro-batch from either end."""
    return 2


def _refusal(shape: Shape) -> str:
    stages, micro_batches = shape.stages, shape.micro_batches
    if stages % 2:
        nearest = f"{stages - 1} or {stages + 1}" if stages > 1 else "2"
        return f"comes from both ends, for which {stages} stages are odd; give {nearest}"
    if micro_batches < 2 * stages:
        return (
            f"takes at least twice as many micro-batches as its {stages} stages, not {micro_batches}; give {2 * stages}"
        )
    if micro_batches % 2:
        return (
            f"takes as many micro-batches from either end, and {micro_batches} are odd;"
            f" give {micro_batches - 1} or {micro_batches + 1}"
        )
    return ""


DUALPIPE = Schedule(
    id="dualpipe",
    name="DualPipe",
    aliases=("dual-pipe",),
    source='DeepSeek-AI 2024, "DeepSeek-V3 Technical Report" (arXiv 2412.19437), section 3.2.1, and their DualPipe',
    tasks=_tasks,
    place=folded,
    virtual_stages=2,
    is_split=True,
    directions=2,
    turn=_turn,
    refusal=_refusal,
)
