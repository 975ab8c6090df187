"""Layout of a training run: a layout of one replica, and what training adds to it."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.specs.layout import Layout, LayoutError

__all__ = ["ZERO_WEIGHTS", "TrainingLayout"]

ZERO_GRADIENTS, ZERO_WEIGHTS = 2, 3
"""Stages of ZeRO from which gradients, and from which weights, are sharded over replicas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingLayout:
    """Layout of a training run on ``layout.chips * replicas`` chips.

    Chips are numbered so that those of a ``tp`` group are neighbours, then those of ``cp``, then replicas; stages lie
    farthest apart. Experts are spread over the chips of a stage, regardless of these degrees.

    Attributes:
        layout: ``tp``, ``pp`` and ``cp`` of one replica.
        replicas: copies of the model that read their own sequences (data parallelism, ``dp``).
        ep: groups of chips among which experts are spread.
        expert_tp: chips that share one expert.
        zero_stage: ZeRO stage: 0 shards nothing over replicas, 1 optimizer states, 2 also gradients, 3 also weights
            (FSDP).
        shards: chips that they are sharded over; None for all that hold the same weights.
        virtual_stages: separate parts of the layers that each stage holds.
        sequence_parallel: whether activations between products are split over ``tp`` by tokens.
        micro_batch: sequences of a micro-batch of a replica.
    """

    layout: Layout
    replicas: int = 1
    ep: int = 1
    expert_tp: int = 1
    zero_stage: int = 1
    shards: int | None = None
    virtual_stages: int = 1
    sequence_parallel: bool = False
    micro_batch: int = 1

    def __post_init__(self) -> None:
        layout = self.layout
        if layout != Layout(tp=layout.tp, pp=layout.pp, cp=layout.cp):
            raise LayoutError(
                f"layout {layout} of a training replica has tp, pp and cp alone; experts and replicas are given"
                " beside it: TrainingLayout(layout=Layout(tp=2), replicas=8, ep=8)"
            )
        counts = ("replicas", "ep", "expert_tp", "virtual_stages", "micro_batch")
        for name in counts:
            if getattr(self, name) < 1:
                raise LayoutError(f"training layout: {name}={getattr(self, name)} must be at least 1")
        if self.zero_stage not in range(ZERO_WEIGHTS + 1):
            raise LayoutError(f"training layout: zero_stage={self.zero_stage} must be 0, 1, 2 or 3")
        if self.stage_chips % (self.ep * self.expert_tp):
            raise LayoutError(
                f"training layout {self}: ep*etp={self.ep * self.expert_tp} does not divide the"
                f" tp*cp*dp={self.stage_chips} chips of a stage, over which experts lie;"
                f" {_nearest(self.stage_chips, self.ep * self.expert_tp)}"
            )
        if self.shards is not None and (self.shards < 1 or self.state_chips % self.shards):
            raise LayoutError(
                f"training layout {self}: shards={self.shards} does not divide the cp*dp={self.state_chips} chips that"
                f" hold the same weights; {_nearest(self.state_chips, self.shards)}"
            )
        if self.shards is not None and self.zero_stage == 0:
            raise LayoutError(
                f"training layout {self}: shards={self.shards} of nothing, since zero0 spreads nothing over replicas;"
                " write zero1 or more, or leave out one of them"
            )
        if layout.pp == 1 and self.virtual_stages > 1:
            raise LayoutError(f"training layout {self}: vpp={self.virtual_stages} needs stages; write pp4,vpp2")

    def __str__(self) -> str:
        words = [
            *([] if self.layout == Layout() else [str(self.layout)]),
            *(f"{name}{degree}" for name, degree in (("dp", self.replicas), ("ep", self.ep)) if degree > 1),
            *([f"etp{self.expert_tp}"] if self.expert_tp != _usual_expert_tp(self.layout.tp, self.ep) else []),
            *([f"vpp{self.virtual_stages}"] if self.virtual_stages > 1 else []),
            *([f"zero{self.zero_stage}"] if self.zero_stage != 1 else []),
            *([f"shards{self.shards}"] if self.shards else []),
            *(["nosp"] if self.layout.tp > 1 and not self.sequence_parallel else []),
            *([f"mb{self.micro_batch}"] if self.micro_batch > 1 else []),
        ]
        return ",".join(words) or "dp1"

    @property
    def chips(self) -> int:
        """Chips of all replicas."""
        return self.layout.chips * self.replicas

    @property
    def stage_chips(self) -> int:
        """Chips of one stage in all replicas."""
        return self.chips // self.layout.pp

    @property
    def state_chips(self) -> int:
        """Chips that hold the same part of the dense weights."""
        return self.layout.cp * self.replicas

    @property
    def spreads_gradients(self) -> bool:
        """Whether each chip keeps only its shard of the reduced gradients."""
        return self.zero_stage >= ZERO_GRADIENTS

    @property
    def spreads_weights(self) -> bool:
        """Whether weights are sharded until their layer runs (FSDP)."""
        return self.zero_stage >= ZERO_WEIGHTS

    @property
    def sharded_chips(self) -> int:
        """Chips of ``state_chips`` over which states are sharded."""
        return 1 if self.zero_stage == 0 else self.shards or self.state_chips

    @property
    def expert_replicas(self) -> int:
        """Chips that hold the same part of the same experts."""
        return self.stage_chips // (self.ep * self.expert_tp)

    @property
    def sharded_expert_chips(self) -> int:
        """Chips of ``expert_replicas`` over which states of experts are sharded."""
        return 1 if self.zero_stage == 0 else min(self.expert_replicas, self.shards or self.expert_replicas)

    def doubled(self, degree: str) -> TrainingLayout:
        """Layout with twice the ``tp``, ``pp`` or ``cp``, and half the replicas; the rest as usual with that.

        Raises:
            LayoutError: the layout contradicts itself.
        """
        within = dataclasses.replace(self.layout, **{degree: 2 * getattr(self.layout, degree)})
        is_usual = self.expert_tp == _usual_expert_tp(self.layout.tp, self.ep)
        return dataclasses.replace(
            self,
            layout=within,
            replicas=self.replicas // 2,
            expert_tp=_usual_expert_tp(within.tp, self.ep) if is_usual else self.expert_tp,
            sequence_parallel=within.tp > 1 if self.layout.tp == 1 else self.sequence_parallel,
        )

    @classmethod
    def from_text(cls, text: str) -> TrainingLayout:
        """A layout from text such as "tp8,pp16,dp64,vpp8"; degrees left out are 1.

        Defaults: ``etp`` is 1 where experts are spread (``ep``), else ``tp``; ``zero`` is 1 (optimizer states); ``mb``
        is one sequence. Activations between products are split by tokens where ``tp`` is above 1, unless ``nosp`` is
        given.

        Raises:
            LayoutError: the text does not parse, names a degree twice, or contradicts itself.

        >>> layout = TrainingLayout.from_text("tp2,pp4,dp8,ep8,vpp2,mb2")
        >>> layout.chips, layout.expert_replicas
        (64, 2)
        """
        found: dict[str, int] = {}
        for part in re.split(r"[,\s·]+|(?<=\d)x(?=[a-z])", text.strip().lower()):
            match = re.fullmatch(r"([a-z_]+)=?(\d{0,9})", part)
            name = match[1] if match else ""
            if match is None or name not in WORDS or (match[2] == "") != (name in ALONE):
                raise LayoutError(
                    f"training layout {text!r}: {part!r} is not one of {', '.join(WORDS)} with a number"
                    f" ({' and '.join(ALONE)} alone): tp8,pp16,dp64"
                )
            if name in found:
                raise LayoutError(f"training layout {text!r}: {name} is given twice")
            found[name] = int(match[2] or 1)
        if found.keys() >= {"sp", "nosp"}:
            raise LayoutError(f"training layout {text!r}: sp and nosp contradict each other; write one of them")
        tp, ep = found.get("tp", 1), found.get("ep", 1)
        try:
            layout = Layout(tp=tp, pp=found.get("pp", 1), cp=found.get("cp", 1))
        except RidgelineError as error:
            raise LayoutError(f"training {error}") from None
        return cls(
            layout=layout,
            replicas=found.get("dp", 1),
            ep=ep,
            expert_tp=found.get("etp", _usual_expert_tp(tp, ep)),
            zero_stage=found.get("zero", 1),
            shards=found.get("shards"),
            virtual_stages=found.get("vpp", 1),
            sequence_parallel=tp > 1 and "nosp" not in found,
            micro_batch=found.get("mb", 1),
        )


def _nearest(number: int, degree: int) -> str:
    """Clause on the divisors next to a number that does not divide."""
    divisors = [one for one in range(1, number + 1) if number % one == 0]
    below, above = ([one for one in divisors if (one > degree) == is_above] for is_above in (False, True))
    near = [str(one) for one in (*below[-1:], *above[:1])]
    return f"{' and '.join(near)} {'do' if len(near) > 1 else 'does'}"


def _usual_expert_tp(tp: int, ep: int) -> int:
    """Usual number of chips that share an expert."""
    return tp if ep == 1 else 1


WORDS = ("tp", "pp", "cp", "dp", "ep", "etp", "vpp", "zero", "shards", "mb", "sp", "nosp")
"""Words of a layout's text."""

ALONE = ("sp", "nosp")
"""Words without a number."""
