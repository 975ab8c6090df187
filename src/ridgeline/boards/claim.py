"""A claim of the lecture, what the equations say of it, and the way from its number to the careful one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from operator import or_
from typing import Any

from ridgeline.boards.answer import numbers_of, pieces
from ridgeline.boards.constant import Constant, Origin, filled_in, values_of
from ridgeline.boards.note import Measure, Note, gives, span_text, stated
from ridgeline.boards.verdict import BEGINS, Contradicted, Verdict

__all__ = ["Claim", "Step", "Verdict", "claim", "statement", "step"]

EXACT = 1e-12
"""Relative rounding error of floating point in a claim that holds exactly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One assumption that is changed on the way from the lecture's number to the careful one.

    Attributes:
        change: changed assumption in a few words.
        inputs: new values of the claim's inputs, by name.
    """

    change: str
    inputs: Mapping[str, Any]


def step(change: str, **inputs: Any) -> Step:  # noqa: ANN401  of an equation
    """A step that gives the named inputs new values."""
    return Step(change=change, inputs=inputs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One row of the ledger.

    Attributes:
        id: id such as "A11".
        time_stamp: time stamp in the recording, such as "0:19:22"; for a claim that was not made there, the passage
            that it bears on.
        claim: claim in our own words.
        computed: name of our number, in a few words; empty where it is the number that the claim states.
        answer: sentence of the verdict line, without its first word and its full stop: what comes out, with places
            for numbers (``numbers_of``). Of a claim that needs an assumption it begins with that assumption, since it
            follows "Only if".
        given: premises of our number where they may differ from a picture beside it: a machine, a model, formats; they
            stand behind the verdict line in small.
        lecture: number of the lecture, with its origin and hedge; None where the lecture gives none.
        inputs: arguments of the equation with the lecture's constants, by name.
        compute: the equation, or a few of them composed, called on the inputs alone; None where nothing is computed.
        equation: name of the function behind it, from ``ridgeline.equations`` on, or from ``ridgeline`` on where it is
            an algorithm; empty where there is none.
        careful_steps: the assumptions to change, one after another, up to the careful number; they read the catalog.
            None where the catalog adds nothing.
        further_steps: assumptions that lead beyond the careful number, told by the bridge alone.
        careful_of: subject of the careful number, in a few words: a model on a machine, a day's report.
        contrast: subject of a careful number that is no better estimate but another case beside the claim; empty for an
            estimate.
        verdict: verdict of the comparison.
        why: reason for the verdict, in one line.
        unit: unit of the numbers, one of ``UNITS``; empty for ratios and for counts.
        what: words that follow a number and its unit: the thing counted, or the base of a ratio.
        exactly: words for the few numbers that have better ones: no saving, twice the cables.
        headline: correction of a claim that does not reproduce, in one plain sentence; ``{ours}`` and ``{his}`` stand
            for the numbers, ``{factor}`` for the larger over the smaller.
        tolerance: part by which the computed number may differ from the lecture's where no hedge gives a range.
        published: a number that others measured, where no equation gives one; it stands as the careful number.
    """

    id: str
    time_stamp: str
    claim: str
    computed: str
    lecture: Constant | None
    inputs: Mapping[str, Constant] = field(default_factory=dict)
    compute: Callable[..., Any] | None = None
    equation: str = ""
    careful_steps: Callable[[], Iterable[Step]] | None = None
    further_steps: Callable[[], Iterable[Step]] | None = None
    careful_of: str = ""
    contrast: str = ""
    verdict: Verdict
    why: str
    unit: str = ""
    tolerance: float = 0.0
    published: Callable[[], float] | None = None
    what: str = ""
    exactly: Mapping[float, str] = field(default_factory=dict)
    headline: str = ""
    answer: str = ""
    given: str = ""

    def measure(self) -> Measure:
        """Noun and form of the claim's numbers."""
        return Measure(unit=self.unit, what=self.what, exactly=self.exactly)

    def text(self, value: float | None) -> str:
        """Text of one of its numbers, with the noun."""
        return self.measure().text(value)

    def stated(self) -> str:
        """Text of the lecture's number, with the noun; "-" where it gives none."""
        return "-" if self.lecture is None else stated(self.measure(), self.lecture)

    def note(self) -> Note:
        """The verdict line, and the lecture's number and ours; a published one where no equation gives ours."""
        measure, his, ours = self.measure(), self.lecture, self.lecture_mode()
        numbers = self._numbers(measure, his, ours)
        # What is of another case is no number of the claim.
        published = self.careful() if ours is None and not self.contrast else None
        value = None if his is None else float(his)
        word, mark = BEGINS[self.verdict]
        speaker = "" if his is None or his.speaker == "he" else f"{his.origin} by {his.speaker}"
        return Note(
            his="" if his is None else span_text(measure, his),
            his_by="" if his is None else gives(his),
            ours="" if ours is None else measure.number(ours, beside=value),
            published="" if published is None else measure.number(published, beside=value),
            of="" if his is None and ours is None and published is None else measure.noun(),
            word=word,
            line=pieces(f"{mark}{self.answer}.", numbers),
            given="; ".join(filter(None, (self.given, speaker))),
        )

    def correction(self) -> str:
        """Correction in a sentence; empty unless the claim does not reproduce."""
        his, ours = self.lecture, self.lecture_mode()
        if not self.headline or his is None or ours is None:
            return ""
        # In as many digits as the verdict line has.
        return "".join(pieces(self.headline, self._numbers(self.measure(), his, ours)))

    def _numbers(self, measure: Measure, his: Constant | None, ours: float | None) -> dict[str, Callable[[], object]]:
        return numbers_of(
            measure,
            his=None if his is None else float(his),
            ours=ours,
            careful=self.careful,
            bridge=self.bridge,
            inputs=values_of(self.inputs),
        )

    def told(self) -> str:
        """Text of the claim, with the name of our number."""
        computed = ", ".join(filter(None, (self.computed, self.given)))
        return f"{self.claim} Computed: {computed}." if computed else self.claim

    def value(self, inputs: Mapping[str, Any] | None = None) -> float | None:
        """Result of the equation on the lecture's inputs, some of them changed; None where nothing is computed."""
        return None if self.compute is None else float(self.compute(**(values_of(self.inputs) | dict(inputs or {}))))

    def lecture_mode(self) -> float | None:
        """Result with the lecture's constants; None where nothing is computed."""
        return self.value()

    def careful_inputs(self) -> dict[str, Any]:
        """Inputs after all steps to the careful number."""
        steps = self.careful_steps() if self.careful_steps else ()
        return _taken(values_of(self.inputs), steps)[-1]

    def careful(self) -> float | None:
        """Result with the catalog's facts and real units; None where the catalog adds nothing."""
        if self.published is not None:
            return self.published()
        return None if self.careful_steps is None else self.value(self.careful_inputs())

    def bridge(self) -> tuple[tuple[str, float], ...]:
        """Steps from the lecture's constants on, one changed assumption each, with the number after it."""
        if self.compute is None:
            return ()
        steps = [Step(change="the lecture's constants", inputs={})]
        for more in (self.careful_steps, self.further_steps):
            steps += more() if more else ()
        inputs = _taken(values_of(self.inputs), steps)[1:]
        return tuple((one.change, float(self.compute(**at))) for one, at in zip(steps, inputs, strict=True))

    def told_bridge(self) -> tuple[tuple[str, float], ...]:
        """The bridge from the lecture's own number on, where its constants give another."""
        steps, measure = self.bridge(), self.measure()
        if self.lecture is None or len(steps) <= 1:
            return steps
        his, (change, ours), *rest = float(self.lecture), *steps
        if measure.number(his) == measure.number(ours, beside=his):
            return steps
        computed = f"computed {self.given}" if self.given else f"computed from {change}"
        return (("the lecture's number", his), (computed, ours), *rest)

    def contradicts(self) -> Contradicted | None:
        """Facts that a claim which does not reproduce contradicts; None for claims of another verdict.

        His own inputs, where they alone give our number; published facts, where what was filled in moves it.
        """
        if self.verdict is not Verdict.DOES_NOT_REPRODUCE:
            return None
        filled = {name: one.value for name, one in self.inputs.items() if one.origin is Origin.FILLED_IN}
        is_moved = any(self._is_moved_by(name, value) for name, value in filled.items())
        return Contradicted.PUBLISHED if is_moved else Contradicted.OWN

    def _is_moved_by(self, name: str, value: Any) -> bool:  # noqa: ANN401  a number, or what stands for one
        """Whether our number is another one with twice an input; what is no number always counts."""
        if not isinstance(value, int | float):
            return True
        before, after = self.value(), self.value({name: 2 * value})
        return before is None or after is None or not math.isclose(before, after, rel_tol=EXACT)

    def is_near(self, value: float) -> bool:
        """Whether a computed number is what the lecture says, within its hedge or the claim's tolerance."""
        if self.lecture is None:
            return True
        stated, low, high = float(self.lecture), self.lecture.low, self.lecture.high
        if low is None or high is None:
            return abs(value - stated) <= (self.tolerance + EXACT) * (abs(stated) or 1.0)
        return low * (1 - EXACT) <= value <= high * (1 + EXACT)


def _taken(start: dict[str, Any], steps: Iterable[Step]) -> list[dict[str, Any]]:
    """Inputs before the first step and after each."""
    return list(accumulate((dict(one.inputs) for one in steps), or_, initial=start))


def claim(
    name: str,
    time_stamp: str,
    text: str,
    *,
    computed: str = "",
    equation: Callable[..., Any],
    inputs: Mapping[str, Constant | float],
    verdict: Verdict,
    why: str,
    lecture: Constant | None = None,
    compute: Callable[..., Any] | None = None,
    careful: Callable[[], Iterable[Step]] | None = None,
    further: Callable[[], Iterable[Step]] | None = None,
    careful_of: str = "",
    contrast: str = "",
    unit: str = "",
    what: str = "",
    exactly: Mapping[float, str] | None = None,
    headline: str = "",
    answer: str,
    given: str = "",
    tolerance: float = 0.0,
) -> Claim:
    """A claim that calls its equation on the inputs that it shows.

    Arguments are the fields of ``Claim``; ``careful`` and ``further`` are its steps. ``equation`` is what the number
    rests on; where the number takes more of the inputs, ``compute`` is the function of them. A bare number among the
    inputs is one that was filled in.
    """
    module = equation.__module__.removeprefix("ridgeline.").removeprefix("equations.")
    return Claim(
        id=name,
        time_stamp=time_stamp,
        claim=text,
        computed=computed,
        lecture=lecture,
        inputs={key: one if isinstance(one, Constant) else filled_in(one) for key, one in inputs.items()},
        compute=compute or equation,
        equation=f"{module}.{equation.__name__}",
        careful_steps=careful,
        further_steps=further,
        careful_of=careful_of,
        contrast=contrast,
        verdict=verdict,
        why=why,
        unit=unit,
        what=what,
        exactly=exactly or {},
        headline=headline,
        answer=answer,
        given=given,
        tolerance=tolerance,
    )


def statement(
    name: str,
    time_stamp: str,
    text: str,
    *,
    computed: str = "",
    why: str,
    lecture: Constant | None = None,
    unit: str = "",
    what: str = "",
    exactly: Mapping[float, str] | None = None,
    published: Callable[[], float] | None = None,
    careful_of: str = "",
    answer: str,
    given: str = "",
) -> Claim:
    """A claim that no equation gives: a price, a practice, a number of somebody's product.

    Arguments are the fields of ``Claim``: ``why`` says why nothing is computed, ``published`` is what others measured,
    and ``careful_of`` its source and date.
    """
    return Claim(
        id=name,
        time_stamp=time_stamp,
        claim=text,
        computed=computed,
        lecture=lecture,
        careful_of=careful_of,
        verdict=Verdict.NOT_DERIVABLE,
        why=why,
        unit=unit,
        what=what,
        exactly=exactly or {},
        answer=answer,
        given=given,
        published=published,
    )
