"""Both pools played through, with the result of each request beside the sums."""

from __future__ import annotations

from ridgeline.simulator.outcome import Simulation
from ridgeline.simulator.served import ServedRequests, joined
from ridgeline.simulator.side import Side
from ridgeline.simulator.two_pools import play_two_pools
from ridgeline.traces.requests import Requests


def simulate_two_pools(prefill: Side, decode: Side, requests: Requests) -> tuple[Simulation, ServedRequests]:
    parts: list[ServedRequests] = []
    found = play_two_pools(prefill, decode, [requests], each=parts.append)
    return found, joined(parts)
