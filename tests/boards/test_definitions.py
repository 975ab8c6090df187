"""Words of the field: those that the texts say are defined, each once, and nothing is defined that no text says."""

from __future__ import annotations

import re

from tests.boards.defined import WORDS, defined_in
from tests.each import of_each

from ridgeline.boards.definitions import DEFINITIONS, Definition
from ridgeline.boards.lecture import BOARDS, CLAIMS
from ridgeline.boards.lecture.walk import walk_document
from ridgeline.catalog import machine_entry, machine_ids, model_entry, model_ids

STEPS = walk_document()["steps"]
TEXTS = [
    *(step["sentence"] for step in STEPS),
    *(text for step in STEPS if (asked := step["question"]) for text in (asked["prompt"], asked["reveal"])),
    *(" ".join([one.claim, *one.note().line, one.note().given]) for one in CLAIMS),
    *(text for board in BOARDS for text in (board.question, board.caption)),
]
"""All that the page says around its pictures."""

ABBREVIATION = re.compile(r"(?<![\w-])(?:[A-Z]+[a-z]*[A-Z]+[\w-]*|\d+[A-Z][\w-]*|[A-Z]{2,}[\w-]*)")
AMOUNT = re.compile(r"\d+[kMBT]")
UNITS = {"MB", "GB", "TB"}
PRODUCTS = {"GPT-4", "VR200", "TPU", "NVIDIA", "DeepSeek", "DeepSeek-V3", "6ND", "SemiAnalysis", "McCandlish"}
"""Names that the catalog does not spell so: of products, people and makers; and a formula, told beside it."""

MOST_LETTERS = 130
"""As many as four lines of a card have on a phone."""

OF_ART = (
    *("token", "sequence", "batch", "decode", "prefill", "KV cache", "context", "attention", "active parameters"),
    *("balance batch", "sparse attention", "MFU", "HBM", "DDR", "flash", "expert", "router", "all-to-all", "hop"),
    *("scale-up domain", "scale-out", "dies", "packages", "pipeline", "stage", "layer", "micro-batch", "bubble"),
    *("forward", "gradient", "GPipe", "1F1B", "ZB-H1", "activations", "roofline", "Chinchilla", "Feistel", "Mtok"),
)
"""Words that who has not seen the lecture cannot know, as an editor has noted them while reading all texts."""


@of_each("word", OF_ART)
def test_a_word_of_art_that_a_text_says_is_defined(word: str) -> None:
    assert any(re.search(rf"(?<!\w){re.escape(word)}", text) for text in TEXTS), "no text says it any more"
    assert defined_in(word)


def test_an_abbreviation_is_defined_or_a_name() -> None:
    names = [model_entry(one).model.name for one in model_ids()]
    names += [f"{one.name} {one.short_name}" for one in (machine_entry(name).facts for name in machine_ids())]
    known = {word for name in names for word in name.split()} | UNITS | PRODUCTS
    said = {word for text in TEXTS for word in ABBREVIATION.findall(WORDS.sub("", text))}
    assert {word for word in said if not AMOUNT.fullmatch(word)} <= known


def test_nothing_is_defined_that_no_text_says_and_nothing_twice() -> None:
    said = {one.name for text in TEXTS for one in defined_in(text)}
    assert [one.name for one in DEFINITIONS if one.name not in said] == []
    assert len({one.name for one in DEFINITIONS}) == len(DEFINITIONS) == WORDS.groups


@of_each("one", DEFINITIONS, ids=lambda one: one.name)
def test_a_definition_is_one_or_two_sentences(one: Definition) -> None:
    assert one.meaning[0].isupper()
    assert one.meaning.endswith(".")
    assert len(one.meaning) <= MOST_LETTERS
