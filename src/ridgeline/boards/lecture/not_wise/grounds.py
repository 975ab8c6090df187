"""Known numbers beside what the chapter's questions ask for."""

from __future__ import annotations

from ridgeline.boards.exercise import shown
from ridgeline.boards.grounds import Follows, Grounds
from ridgeline.boards.lecture.residual_stream import VALUE_BYTES
from ridgeline.boards.note import DIGITS
from ridgeline.boards.walk import Seen, along, height, mark_named, upright

__all__ = ["all_ports", "larger_rack"]


def all_ports(seen: Seen) -> Grounds:
    """A hop through one port, and what each of several carries."""
    values, single, every = seen.values[seen.mode], mark_named(seen, "one port"), mark_named(seen, "ports")
    sent = values["batch"] * values["hidden"] * VALUE_BYTES

    def carried(ports: float) -> str:
        return shown(sent / ports, "bytes", DIGITS)

    return Grounds(
        columns=("ports", "each carries", "the hop takes"),
        rows=(
            (f"{single.x:g}", carried(single.x), upright(seen, single.y)),
            ("any", "nothing (latency)", upright(seen, values["latency_s"])),
        ),
        asked=(f"{every.x:g}", carried(every.x), Follows(dimension="s")),
    )


def larger_rack(seen: Seen) -> Grounds:
    """Weights of each chip, and how fast it reads them."""
    weights = seen.values[seen.mode]["weight_bytes"]

    def known(name: str) -> tuple[str, ...]:
        domain = mark_named(seen, f"domain of {name}")
        each = weights / domain.x
        bandwidth = weights / (domain.x * height(seen, name, domain.x))
        return f"{along(seen, domain.x)} {name}", shown(each, "bytes", DIGITS), shown(bandwidth, "bytes_per_s", DIGITS)

    small = mark_named(seen, "domain of H100")
    return Grounds(
        columns=("chips", "each reads", "at", "which takes"),
        rows=((*known("H100"), upright(seen, small.y)),),
        asked=(*known("GB200"), Follows(dimension="s")),
    )
