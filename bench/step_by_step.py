"""A replica one step at a time, in objects: what the simulator's runs of steps in closed form are held against.

It follows what the policies say, asks ``StepSurface.ragged_step_s`` for the time of every step, and knows nothing of
``simulator/play.py``. It is slow on purpose: all that it does can be read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ridgeline.serving.surface import StepSurface
from ridgeline.simulator.limits import ReplicaLimits
from ridgeline.simulator.stretches import Stretches
from ridgeline.traces.requests import Requests

__all__ = ["Request", "Scheduler", "attended"]

Entries = Callable[[int], Sequence[float]]
"""What a sequence attends to in each kind of attention, by its context."""


@dataclass(eq=False, slots=True, kw_only=True)
class Request:
    """On its way through a replica.

    Attributes:
        number: place in the order of arrival.
        rank: which of those that wait goes first.
        arrival_s: when it came, s.
        prompt: input tokens.
        output: output tokens.
        made: output tokens so far.
        read: tokens of ``to_read`` that are in the cache.
        blocks: that it holds.
        on_host: whether its cache was moved to the host.
        first_s: when its first token was there, s.
        done_s: when its last one was, s.
    """

    number: int
    rank: int
    arrival_s: float
    prompt: int
    output: int
    made: int = 0
    read: int = 0
    blocks: int = 0
    on_host: bool = False
    first_s: float = -1.0
    done_s: float = -1.0

    @property
    def to_read(self) -> int:
        """Tokens without those that the next step makes: the prompt, and what was made before memory was given up."""
        return self.prompt + self.made


def attended(curves: Sequence[Stretches]) -> Entries:
    """Entries as the simulator's stretches have them."""

    def of_one(curve: Stretches, context: int) -> float:
        place = max(at for at, begins in enumerate(curve.contexts) if begins <= context)
        return curve.entries[place] + curve.slopes[place] * (context - curve.contexts[place])

    return lambda context: [of_one(curve, context) for curve in curves]


class Scheduler:
    """A replica that serves a trace to its end."""

    def __init__(self, surface: StepSurface, entries: Entries, limits: ReplicaLimits, requests: Requests) -> None:
        self.surface, self.entries, self.limits, self.policy = surface, entries, limits, limits.policy
        columns = zip(
            limits.policy.order(requests).tolist(),
            requests.arrivals_s.tolist(),
            requests.prompt_tokens.tolist(),
            requests.output_tokens.tolist(),
            strict=True,
        )
        self.requests = [
            Request(number=number, rank=rank, arrival_s=arrival_s, prompt=prompt, output=output)
            for number, (rank, arrival_s, prompt, output) in enumerate(columns)
        ]
        self.upcoming = list(self.requests)
        self.waiting: list[Request] = []
        self.running: list[Request] = []
        """In the order of admission."""
        self.decoding: set[Request] = set()
        self.free = limits.blocks
        self.now_s = 0.0
        self.steps = 0
        self.preemptions = 0
        self.decoded_since_reading = math.inf

    def run(self) -> None:
        """Serve all requests."""
        while self.upcoming or self.waiting or self.running:
            if not self.waiting and not self.running and self.upcoming[0].arrival_s > self.now_s:
                self._wait_for(self.upcoming[0].arrival_s)
            while self.upcoming and self.upcoming[0].arrival_s <= self.now_s:
                self.waiting.append(self.upcoming.pop(0))
            self._step()

    def _wait_for(self, arrival_s: float) -> None:
        """Stand idle until somebody comes, and then until the next departure."""
        period_s = self.policy.period_s
        self.now_s = max(math.ceil(arrival_s / period_s) * period_s, arrival_s) if period_s else arrival_s

    def _step(self) -> None:
        moved_s, is_short = self._make_room()
        chunks = self._read(is_short=is_short)
        if back := [one for one in chunks if one.on_host]:
            self._bring_back(back)
            return
        tokens = sum(chunks.values())
        decoding = [] if tokens and self.policy.reads_alone else list(self.decoding)
        time_s = 0.0
        if tokens or decoding:
            entries = [sum(kind) for kind in zip(*(self.entries(one.to_read) for one in decoding), strict=True)]
            parts = [(take, one.read) for one, take in chunks.items()]
            time_s = self.surface.ragged_step_s(len(decoding), entries, parts)
        self.now_s += max(time_s, self.policy.period_s) + moved_s
        self.steps += 1
        self.decoded_since_reading = 0 if tokens else self.decoded_since_reading + 1
        for one in decoding:
            self._make_token(one)
        for one, take in chunks.items():
            one.read += take
            if one.read == one.to_read:
                self.decoding.add(one)
                self._make_token(one)

    def _bring_back(self, requests: list[Request]) -> None:
        """Move caches back from the host: who has all of it there decodes with the next step, and reads nothing."""
        for one in requests:
            one.on_host = False
            self.now_s += (one.to_read - 1) * self.limits.swap_token_s
            self.decoding.add(one)

    def _make_room(self) -> tuple[float, bool]:
        """Let the last that were admitted give up their memory, until those that decode have room for a token each."""
        moved_s, is_short = 0.0, False
        while self.decoding and self._wanted() > self.free:
            is_short = True
            moved_s += self._give_up(self.running.pop())
        return moved_s, is_short

    def _wanted(self) -> int:
        """Blocks that those that decode need for the next token."""
        return sum(max(self._blocks(one.to_read) - one.blocks, 0) for one in self.decoding)

    def _blocks(self, tokens: int) -> int:
        return math.ceil(tokens / self.limits.block_tokens)

    def _give_up(self, one: Request) -> float:
        """Free a request's blocks, and let it wait again; what moving its cache to the host takes, s."""
        self.preemptions += 1
        self.free += one.blocks
        one.blocks = 0
        self.waiting.append(one)
        one.on_host = one in self.decoding and self.limits.swap_token_s > 0
        self.decoding.discard(one)
        if one.on_host:
            return (one.to_read - 1) * self.limits.swap_token_s
        one.read = 0
        return 0.0

    def _read(self, *, is_short: bool) -> dict[Request, int]:
        """Tokens that this step reads of each prompt; those that come back from the host are among them with none."""
        limits, policy = self.limits, self.policy
        if self.decoding and self.decoded_since_reading < limits.gap_steps:
            return {}
        left = limits.pass_tokens * limits.groups - (0 if policy.reads_alone else len(self.decoding))
        chunks: dict[Request, int] = {}
        for one in self.running:
            if one not in self.decoding:
                chunks[one] = max(min(one.to_read - one.read, limits.pass_tokens, left), 0)
                left -= chunks[one]
        if is_short or (self.running and not policy.is_joined):
            return chunks
        self.waiting.sort(key=lambda one: (one.rank, one.number))
        while self.waiting and left > 0 and len(self.running) < limits.sequences:
            one = self.waiting[0]
            held = one.prompt + one.output if limits.is_reserved else one.to_read - one.on_host
            # Who comes back from the host decodes at once, and needs room for that token, too.
            if self._blocks(max(held, one.to_read)) > self.free - self._wanted():
                break
            self.waiting.pop(0)
            self.running.append(one)
            one.blocks = self._blocks(held)
            self.free -= one.blocks
            chunks[one] = 0 if one.on_host else min(one.to_read, limits.pass_tokens, left)
            left -= chunks[one]
        return chunks

    def _make_token(self, one: Request) -> None:
        """The next token of a request, and with the last one its end."""
        needed = max(self._blocks(one.to_read) - one.blocks, 0)
        self.free -= needed
        one.blocks += needed
        one.made += 1
        one.read = one.to_read - 1
        if one.made == 1:
            one.first_s = self.now_s
        if one.made == one.output:
            one.done_s = self.now_s
            self.free += one.blocks
            self.running.remove(one)
            self.decoding.remove(one)
