"""Claims on sparse attention: how what it reads grows (A8), and what that costs in quality."""

from __future__ import annotations

from statistics import fmean

from ridgeline.boards.claim import Claim, Verdict, old_claim
from ridgeline.boards.lecture.mechanisms import BLOCKS, indexed_read
from ridgeline.equations import attention
from ridgeline.numeric import Numeric, log

__all__ = ["CLAIMS", "SCORES"]

LONG_TOKENS = 2.0**20


def _growth_exponent(at: Numeric, at_double: Numeric) -> float:
    return float(log(at_double / at) / log(2.0))


def _block_sparse_exponent() -> float:
    at, at_double = (
        attention.block_sparse_tokens(context_tokens=tokens, **BLOCKS) for tokens in (LONG_TOKENS, 2 * LONG_TOKENS)
    )
    return _growth_exponent(at, at_double)


def _indexed_exponent() -> float:
    at, at_double = (
        attention.indexed_tokens(context_tokens=tokens, **indexed_read()) for tokens in (LONG_TOKENS, 2 * LONG_TOKENS)
    )
    return _growth_exponent(at, at_double)


SCORES = {
    "MMLU-Pro": (85.0, 85.0),
    "GPQA-Diamond": (80.7, 79.9),
    "Humanity's Last Exam": (21.7, 19.8),
    "LiveCodeBench": (74.9, 74.1),
    "AIME 2025": (88.4, 89.3),
    "HMMT 2025": (86.1, 83.6),
    "Aider-Polyglot": (76.1, 74.5),
    "BrowseComp": (38.5, 40.1),
    "BrowseComp-zh": (45.0, 47.9),
    "SimpleQA": (96.8, 97.1),
    "SWE Verified": (68.4, 67.8),
    "SWE-bench Multilingual": (57.8, 57.9),
    "Terminal-bench": (36.7, 37.7),
}
"""DeepSeek-V3.1-Terminus, which reads all, and V3.2-Exp, trained alike but for DSA, in points of a hundred.

README of deepseek-ai/DeepSeek-V3.2-Exp, 2025-09-29; its fourteenth, Codeforces, is a rating and goes from 2046 to 2121.
"""


def _published_change() -> float:
    return fmean(sparse - full for full, sparse in SCORES.values())


CLAIMS: tuple[Claim, ...] = (
    old_claim(
        id="A8",
        time_stamp="12:31",
        chapter="roofline",
        claim="DeepSeek's sparse attention makes reading grow with the square root of the context: exponent of growth.",
        lecture=0.5,
        inputs={
            "context_tokens": LONG_TOKENS,
            **{name.replace("_tokens", " tokens"): size for name, size in BLOCKS.items()},
        },
        equation="attention.block_sparse_tokens",
        lecture_mode=_block_sparse_exponent,
        careful=_indexed_exponent,
        verdict=Verdict.DOES_NOT_REPRODUCE,
        why="NSA and DSA read a small share of a linear scan; a root needs blocks that grow with the context.",
        tolerance=0.5,
    ),
    old_claim(
        id="A8q",
        time_stamp="",
        chapter="roofline",
        claim="What reading a part costs in quality: mean change of published scores, in points of a hundred.",
        lecture=None,
        unit="points",
        inputs={
            "scores": len(SCORES),
            "full attention": "DeepSeek-V3.1-Terminus",
            "DSA": "DeepSeek-V3.2-Exp",
            "source": "README of deepseek-ai/DeepSeek-V3.2-Exp, 2025-09-29",
        },
        equation="",
        lecture_mode=None,
        careful=_published_change,
        verdict=Verdict.NOT_DERIVABLE,
        why="No shape tells it. Two models trained alike differ by -2.5 to +2.9 points a score; what two runs of one"
        " would, or millions of tokens, is not published there.",
    ),
)
