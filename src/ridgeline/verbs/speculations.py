"""Speculation from text: a draft and its number of tokens, with the catalog's measured acceptance."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ridgeline.catalog.acceptance import accepted, known_drafts, measured_on, spread_of
from ridgeline.errors import RidgelineError
from ridgeline.estimator.drafts import DRAFTS, draft_model, named_draft
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.speculation import MOST_DRAFTED, NO_SPECULATION, Draft, Speculation
from ridgeline.verbs.names import load_model

__all__ = ["drafts_of", "own_draft", "speculation_of", "speculations_of"]


NONE, ALL = "none", "auto"
"""Words for no speculation, and for none and all that were measured with a model."""


SPECULATED = re.compile(r"(?P<draft>.+):(?P<drafted>\d{1,3})(=(?P<accepted>\d+(\.\d*)?))?")


def speculation_of(speculate: Speculation | str | None, model: Model, machine: Machine) -> Speculation:
    """Speculation by its text: "mtp:3", "eagle3:3=2.4", "qwen3-0.6b:4=2.9" or "none".

    Before the colon stands the draft, a kind or a model; after it the draft tokens of a step; after an equals sign the
    mean tokens that a step adds, the model's own included, which otherwise come from the catalog.

    Args:
        speculate: text or record of the speculation.
        model: target model, which verifies the draft tokens.
        machine: machine that both run on.

    Raises:
        RidgelineError: the text is invalid, or the acceptance is neither given nor known; the message lists what is
            known.
    """
    if speculate is None or speculate == NONE:
        return NO_SPECULATION
    if isinstance(speculate, Speculation):
        return speculate
    match = SPECULATED.fullmatch(speculate.strip())
    if match is None:
        example = drafts_of(model)[0]
        raise RidgelineError(
            f"speculation {speculate!r} is not DRAFT:TOKENS or DRAFT:TOKENS=ACCEPTED, such as {example}:3=2.4; DRAFT"
            f" is {', '.join(drafts_of(model))} or a model's id; {KNOWN}"
        )
    drafted = int(match["drafted"])
    if drafted == 0:
        return NO_SPECULATION
    draft = _draft(match["draft"], model, machine)
    if match["accepted"] is not None:
        number = float(match["accepted"])
        return Speculation(draft=draft, drafted_tokens=drafted, accepted_tokens=number, source="as asked")
    return _measured(draft, drafted, model)


KNOWN = "what was measured: ridgeline catalog acceptance"


def drafts_of(model: Model) -> tuple[str, ...]:
    """Kinds of drafts that a model is known to have, or that any model may have."""
    own = {"mtp"} if model.predicts_ahead else set()
    return tuple(one for one in DRAFTS if one in own | ANY_MODELS | known_drafts(model.id).keys())


ANY_MODELS = {"eagle3", "ngram"}
"""Kinds of drafts that are trained separately for a model, or need none."""


def own_draft(model: Model, machine: Machine) -> Speculation:
    """One token drafted by the layer that a model is published with; none without one, or where acceptance is unknown.

    Args:
        model: model that verifies the draft tokens.
        machine: machine that both run on.
    """
    if not model.predicts_ahead or "mtp" not in known_drafts(model.id):
        return NO_SPECULATION
    return speculation_of("mtp:1", model, machine)


def _draft(name: str, model: Model, machine: Machine) -> Draft:
    if name in DRAFTS:
        return named_draft(name, model)
    try:
        drafting = load_model(name)
    except RidgelineError as error:
        raise RidgelineError(
            f"draft {name!r} is none of {', '.join(drafts_of(model))} ({KNOWN}), and {error}"
        ) from None
    return draft_model(drafting, model, machine.chip)


def _measured(draft: Draft, drafted: int, model: Model) -> Speculation:
    """Speculation with the catalog's acceptance length."""
    found = accepted(model.id, draft.name, drafted)
    if found is None:
        known = [
            f"{name}:1" + (f" to {name}:{most}" if most > 1 else "") for name, most in known_drafts(model.id).items()
        ]
        there = f"measured with {model.id}: {', '.join(known)}" if known else f"nothing was measured with {model.id}"
        if draft.name in set(DRAFTS) - set(drafts_of(model)):
            raise RidgelineError(
                f"{model.name} has no draft of the kind {draft.name} that is known; name"
                f" {' or '.join(drafts_of(model))}, or a smaller model, with the tokens that a step adds on the mean:"
                f" {drafts_of(model)[0]}:{drafted}={min(drafted, 2) * 0.7 + 1:g}; {KNOWN}"
            )
        raise RidgelineError(
            f"how many tokens {model.id} accepts of {draft.name}:{drafted} is not known ({there}); say how many a step"
            f" adds on the mean, its own among them: {draft.name}:{drafted}={min(drafted, 2) * 0.7 + 1:g}; {KNOWN}"
        )
    width, count = spread_of(drafted)
    where = measured_on(model.id, draft.name, drafted)
    wide = f"; interval from how {count} measured drafts scatter" if width else ""
    return Speculation(
        draft=draft,
        drafted_tokens=drafted,
        accepted_tokens=found,
        accepted_width=width,
        source=f"{where}{wide}; other text is guessed better or worse",
    )


def speculations_of(
    speculate: Speculation | str | Sequence[Speculation | str] | None, model: Model, machine: Machine
) -> tuple[Speculation, ...]:
    """Speculations to search: texts of ``speculation_of``, or "auto" for none and all that were measured.

    Raises:
        RidgelineError: a text is invalid, or nothing was measured with the model; the message says what to give.
    """
    if speculate is None or isinstance(speculate, str | Speculation):
        speculate = [NONE if speculate is None else speculate]
    asked: list[Speculation | str] = []
    for one in speculate:
        asked += _all_measured(model) if one == ALL else [one]
    return tuple(dict.fromkeys(speculation_of(one, model, machine) for one in asked))


def _all_measured(model: Model) -> list[str]:
    known = known_drafts(model.id)
    if not known:
        raise RidgelineError(
            f"no draft was measured with {model.id}; name those to search, each with the tokens that a step adds:"
            f" none, {drafts_of(model)[0]}:1=1.7, {drafts_of(model)[0]}:3=2.4; {KNOWN}"
        )
    drafted = range(1, MOST_DRAFTED + 1)
    return [NONE, *(f"{name}:{count}" for name, most in known.items() for count in drafted if count <= most)]
