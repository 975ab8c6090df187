"""Words of the walk that hold under a condition: as each step begins they do, and no hand makes them false."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest
from tests.boards.walked import SEEN, STEPS, every_step

from ridgeline.boards.board import Control, Mode, Values
from ridgeline.boards.clause import ANY, pattern
from ridgeline.boards.in_a_sentence import SINGULAR
from ridgeline.boards.lecture.live_numbers import LiveDocument, live
from ridgeline.boards.lecture.walk import sentence_of, step_id
from ridgeline.boards.live_controls import live_controls
from ridgeline.boards.picture import Curves
from ridgeline.boards.walk import Seen, Step, other_mode, turned_of

VERDICTS = re.compile(
    r"\b(all|any|as (?:large|long|many|little|much)|cheaper|cheapest|costs? (?:less|more)|earlier|every|fewer|floor|"
    r"half|larger|limit|longer|never|no|none|not|nothing|once|only|shorter|slower|smaller|smallest|so|steeper|wins)\b"
)
"""Words with which a sentence judges."""

ALWAYS = {
    "cost-0:00:52": ("the same model", "many texts at once"),
    "latency-0:03:45": (
        # By the definition of a step, and by its first term.
        "gives each sequence one token",
        "so compute time grows with the batch",
    ),
    "latency-0:05:00": ("every step has to fetch them",),
    "latency-0:09:10": (
        "A sequence's tokens so far are its context",
        "the longer sets the step time",
    ),
    "modes-0:09:54": (
        # Each sequence is a user's, and brings a context of its own; all share the weights.
        "A smaller batch's step reads fewer caches but all weights",
        "fewer users pay for it",
        "as long on caches as on weights",  # the number before it moves
    ),
    "utilisation-0:11:00": (
        "Longer contexts take longer to read",
        "takes as long as to compute the next one",  # what it is
    ),
    "sparse-0:12:31": ("reads the KV cache of only part of its context",),
    "cost-0:13:00": (
        "so a token's cost is the rent for one step, divided by the sequences in the batch",
        "is not shared",
    ),
    "cost-0:15:39": ("A larger batch shares one read of the weights",),
    "ratio-0:17:00": ("in every generation", "So each parameter should serve as many tokens"),  # he says
    "latency-0:19:22": (
        "reading the weights takes as long as computing",  # what it is
        "each token needs only a part",
        "so more have to share the read",
        "times as many for DeepSeek",  # he says
    ),
    "departures-0:21:40": ("until all", "No: batches leave like trains, full or not, every"),
    "quality-0:30:13": ("Sparser models need larger batches",),  # R times sparsity
    "moe-layer-0:32:30": ("sends every token", "So in every layer"),
    "switches-0:38:40": ("Links to other racks are far slower",),  # of any rack that is sold
    "experts-0:39:30": ("in every layer it visits",),
    "racks-0:41:05": ("So racks grow", "a factor of", "the larger package"),  # of a list, which nothing turns
    "domains-0:44:50": ("Later he says no",),
    "stages-0:51:00": (
        "A larger rack is one way",
        "in every layer, but moves on to the next rack only once",
        "as long as that move",
    ),  # the number before it moves
    "not-wise-0:54:27": ("is not wise", "looks back at earlier ones", "if each layer looks back at all"),  # they say
    "inference-loop-0:58:00": ("in one rack at a time, so alone it",),
    "bubbles-0:59:00": ("no such loop", "all their forward passes before"),
    "memory-1:05:00": ("Half of what the largest builders spend",),  # a source says
    "memory-1:11:00": (
        # A stage holds 1/P of the layers, for P batches.
        "keeps only the KV cache of its own layers",
        "every rack added needs one more batch in flight to stay busy",
        "So a chip holds",
        "as much as on",
        "Only its weights shrink",
    ),
    "racks-1:18:14": (
        "So models were not waiting for memory capacity",
        "all chips of a larger rack read their shares of the weights",
    ),
    "budget-1:21:00": ("with every answer it gives", "for any two costs", "their sum is smallest"),
    "budget-1:22:15": (
        "Its models are equally good, by Besiroglu's published fit of loss to size and tokens",
    ),  # drawn so
    "budget-1:24:40": ("The cheapest model drawn spends",),  # how much moves
    "over-training-1:31:56": ("So equal bills mean that as many tokens are trained on as are served",),
    "context-1:33:30": (
        "half as much again",
        "reading the caches begins to take longer",
    ),  # a price list says; he supposes
    "prefill-1:45:30": ("about five times as much as input", "one fetch from memory serves all of it"),
    "prefill-1:47:40": ("a batch so large that the weights cost almost nothing",),  # he assumed
    "tiers-2:02:20": (
        # No control of this picture moves a tier's price but HBM's, which is far above flash's at any value.
        "flash is cheapest for both times",
    ),
    "ciphers-2:04:10": ("Both mix every part of their input with every other",),
    "feistel-2:09:10": (
        "so the step can be undone",
        "leave the first half as it is, and add any function of it to the second. Given the first half",
    ),
    "reversible-2:12:20": ("So training need not store what every layer computed", "its largest use"),
    "reversible-2:13:33": (
        "each reversible layer runs once more",
        "it spends memory so that no token is computed twice",
    ),
}
"""Words that judge and hold whatever is turned, or that somebody says; by step."""


def ends(step: Step, seen: Seen) -> Iterator[tuple[Control, float]]:
    """Each control that the step offers, at either end."""
    offered = live_controls(seen.board, seen.view) if step.controls is None else step.controls
    for name in offered:
        control = seen.board.control(name)
        yield from ((control, end) for end in (control.low, control.high))


def at(step: Step, seen: Seen, **turned: float) -> LiveDocument:
    values: Values = seen.board.values(seen.mode, {**turned_of(step, seen.mode), **turned})
    return live(step_id(step), {seen.mode: values})


def now_told(step: Step, seen: Seen, **turned: float) -> str:
    """Sentence of the step with its numbers and words as they are once turned."""
    found, now = at(step, seen, **turned), sentence_of(step, seen)
    for one in sorted((*found["numbers"], *found["overturned"]), key=lambda one: -one["start"]):
        now = now[: one["start"]] + one["text"] + now[one["end"] :]
    return now


def test_a_batch_off_balance_has_its_comma() -> None:
    ((step, seen),) = [both for both in zip(STEPS, SEEN, strict=True) if step_id(both[0]) == "latency-0:09:10"]
    said = now_told(step, seen, bytes_per_param=2)
    assert re.search(r"At [\d,]+ sequences, reading the weights takes", said), said


@every_step
def test_a_clause_begins_with_its_own_words(step: Step, seen: Seen) -> None:
    """One that begins with any words would take the place of all that the sentence has before it."""
    assert not [one.words for one in step.clauses if one.words.startswith(ANY)]


BUDGET = "budget-1:22:15"
NOUNS = "|".join(SINGULAR)
ILL_SAID = re.compile(
    rf"(?<![\w.,/])1\s(?:times|{NOUNS})\b"
    rf"|\d\.\d+\s(?:{NOUNS})\b(?![^.:]*on average)"
    r"|(?<![\d.])\d{5,}"
    r"|(?i:\bnan\b|\binf\b)|e\+|  "
)
"""One thing with its noun in the plural, a part of one, a large number without separators, none at all, or a gap."""


@pytest.mark.slow
@every_step
def test_what_is_told_at_either_end_of_each_control_can_be_told(step: Step, seen: Seen) -> None:
    if not step.clauses and not step.ties:
        return  # its sentence has nothing that moves
    sentence = sentence_of(step, seen)
    for control, end in ends(step, seen):
        found = at(step, seen, **{control.name: end})
        places = sorted((one["start"], one["end"]) for one in (*found["numbers"], *found["overturned"]))
        assert all(before <= start for (_, before), (start, _) in pairwise(places)), control.name
        for one in (*found["numbers"], *found["overturned"]):
            assert one["text"] != sentence[one["start"] : one["end"]], control.name
            assert not re.search(r"nan|inf\b|e\+|  ", one["text"]), (control.name, one["text"])
        now = now_told(step, seen, **{control.name: end})
        assert not ILL_SAID.search(now), (control.name, now)


@pytest.mark.slow
@every_step
def test_what_is_told_of_other_numbers_at_either_end_can_be_told(step: Step, seen: Seen) -> None:
    mode = other_mode(step)
    if mode is None or not step.other:
        return
    for control, end in ends(step, seen):
        told = live(step_id(step), {mode: seen.board.values(mode, {control.name: end})})["other"]
        assert told, control.name
        assert not ILL_SAID.search(told), (control.name, told)


@pytest.mark.parametrize(
    "ill",
    [
        "takes 1 times as long",
        "over 1 racks",
        "at 2.22 tokens",
        "of 80000 sequences",
        "in nan ms",
        "inf times",
        "is  now",
    ],
)
def test_what_is_ill_said_is_found(ill: str) -> None:
    assert ILL_SAID.search(ill)


@pytest.mark.parametrize("well", ["0.1 racks on average", "$0.0000519", "21 times", "80,000 sequences", "information"])
def test_what_is_well_said_is_let_be(well: str) -> None:
    assert not ILL_SAID.search(well)


def clauses_that_fail(step: Step, seen: Seen) -> set[str]:
    """Words that do not hold at one end of a control, or at ends of two together."""
    sentence = sentence_of(step, seen)
    found = {clause.words: pattern(clause.words).search(sentence) for clause in step.clauses}
    starts = {match.start(): words for words, match in found.items() if match}
    failed: set[str] = set()

    def note(**turned: float) -> None:
        failed.update(starts[one["start"]] for one in at(step, seen, **turned)["overturned"] if one["start"] in starts)

    tried = list(ends(step, seen))
    for control, end in tried:
        note(**{control.name: end})
    for (one, here), (other, there) in combinations(tried, 2):
        if len(failed) == len(starts):
            break
        if one is not other:
            note(**{one.name: here, other.name: there})
    return failed


@pytest.mark.slow
@every_step
def test_each_condition_fails_somewhere(step: Step, seen: Seen) -> None:
    assert clauses_that_fail(step, seen) == {clause.words for clause in step.clauses}


@every_step
def test_whatever_a_sentence_judges_has_its_condition_or_holds_always(step: Step, seen: Seen) -> None:
    sentence = sentence_of(step, seen).replace("\N{NO-BREAK SPACE}", " ")
    always = ALWAYS.get(step_id(step), ())
    spans = [found.span() for one in step.clauses if (found := pattern(one.words).search(sentence))]
    for words in always:
        assert words in sentence, f"{words!r} is no more said; take it from the list"
        spans += [found.span() for found in re.finditer(re.escape(words), sentence)]
    told = [
        found[0]
        for found in VERDICTS.finditer(sentence)
        if not any(start <= found.start() and found.end() <= end for start, end in spans)
    ]
    assert not told, f"{told} in {sentence!r} have no clause, nor a place among what holds always"


def test_the_soonest_ride_is_told_of_clocks_that_are_near_it_alone() -> None:
    step, seen = next((step, seen) for step, seen in zip(STEPS, SEEN, strict=True) if step.board == "departures")
    told = {period_s: now_told(step, seen, period_s=period_s) for period_s in (1.5e-3, 5e-3, 0.191)}
    assert [period_s for period_s, words in told.items() if "No ride can be shorter" in words] == [1.5e-3]


def test_training_that_is_as_much_to_two_digits_is_said_to_be() -> None:
    step, seen = next((step, seen) for step, seen in zip(STEPS, SEEN, strict=True) if step_id(step) == BUDGET)
    sizes = {tokens: at(step, seen, tokens=tokens) for tokens in (1e11, 1.5e12, 1e13)}
    told = {tokens: " ".join(one["text"] for one in found["overturned"]) for tokens, found in sizes.items()}
    assert [tokens for tokens, words in told.items() if "take about as much training as" in words] == [1.5e12]
    values: Values = seen.board.values(seen.mode, {"tokens": 1.5e12})
    picture = seen.view.compute(values)
    assert isinstance(picture, Curves)
    assert [one.text for one in picture.marks if one.name == "smaller"] == ["80B: as much\ntraining"]
    other = live(BUDGET, {Mode.CAREFUL: seen.board.values(Mode.CAREFUL, {"tokens": 1.5e12, "active_params": 100e9})})
    assert "is as good, for about as much training. By his numbers the smaller model takes 4.6 times." in other["other"]


def test_whether_a_cache_of_100m_tokens_fits_is_told_of_the_chips_as_set() -> None:
    step, seen = next((step, seen) for step, seen in zip(STEPS, SEEN, strict=True) if step.board == "long-context")
    as_opened, *told = (
        now_told(step, seen, **turned).replace("\N{NO-BREAK SPACE}", " ")
        for turned in (
            {},
            {"chips": 1.0},
            {"chips": 36.0},
            {"hbm_bytes": 80e9},
            {"hbm_bytes_per_s": 3e12},
            {"kv_bytes_per_token": 1e5},
        )
    )
    assert "A GB200 rack holds DeepSeek-V3's cache of them, but reading it takes 12.2 ms a token: " in as_opened
    # By what the rack reads: half of its chips take twice as long, and 49 % are 35 of its 72 chips' memory.
    assert "Here such a cache takes 35 times the memory of 1 chip, which forbids it." in told[0]
    assert "Here such a cache fills 98 % of the memory of 36 chips. Reading it takes 24.4 ms a token: " in told[1]
    # Of another machine the memory alone may differ, and of another model the bytes of a token.
    assert all("Here such a cache" in words and "DeepSeek-V3" not in words and "GB200" not in words for words in told)
