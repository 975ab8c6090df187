"""Words of the field that the lecture's texts use, each defined once, for the page and for the documentation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["DEFINITIONS", "PATTERN", "Definition"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A word and its meaning.

    Attributes:
        name: word as the page and the documentation name it.
        forms: pattern of its forms in a text, in what Python's and JavaScript's expressions share; without groups that
            are counted.
        meaning: meaning in one or two plain sentences.
    """

    name: str
    forms: str
    meaning: str


def _defined(name: str, forms: str, meaning: str) -> Definition:
    return Definition(name=name, forms=forms, meaning=meaning)


DEFINITIONS = (
    # Of two that begin alike, the longer comes first.
    _defined("Mtok", r"Mtok", "A million tokens."),
    _defined(
        "token", r"[Tt]okens?", "The unit in which models read and write text: a short word, or a part of a longer one."
    ),
    _defined("sequence", r"[Ss]equences?", "One text in the making: a user's prompt, and the answer so far."),
    _defined(
        "speculative decoding",
        r"[Ss]peculative decoding",
        "A cheap guess at the next few tokens, which the model then checks all in one step.",
    ),
    _defined(
        "decode",
        r"[Dd]ecode steps?|[Dd]ecod(?:e|es|ing)",
        "To write the answer: each decode step gives every sequence of the batch one more token.",
    ),
    _defined("prefill", r"[Pp]refill", "To read a prompt: its tokens go through the model together, in one pass."),
    _defined(
        "balance batch",
        r"balance batch(?:es)?",
        "The batch for which computing takes as long as reading the memory. Smaller ones wait for memory, larger ones"
        " for arithmetic.",
    ),
    _defined(
        "critical batch",
        r"critical batch",
        "The batch in training beyond which more tokens in a step teach the model little more.",
    ),
    _defined(
        "micro-batch",
        r"micro-batch(?:es)?",
        "A part of a batch that goes through a pipeline by itself, so that several stages are at work.",
    ),
    _defined(
        "batch",
        r"[Bb]atch(?:es)?",
        "What a step works on together: one new token of each of many sequences, which share one read of the weights.",
    ),
    _defined(
        "active parameters",
        r"[Aa]ctive parameters",
        "The parameters that one token is multiplied by: with experts, a small part of all.",
    ),
    _defined("dense model", r"dense (?:model|one)", "A model that multiplies each token by all of its parameters."),
    _defined(
        "sparse attention",
        r"[Ss]parse attention",
        "Attention that reads a part of the context for each new token.",
    ),
    _defined(
        "sparse model",
        r"[Ss]parser? (?:layer|models?)|sparsity",
        "A model that multiplies each token by a part of its parameters. Its sparsity is all of them over that part.",
    ),
    _defined(
        "KV head",
        r"KV heads?",
        "A part of attention that keeps keys and values of its own; several heads that read may share it.",
    ),
    _defined(
        "KV cache",
        r"KV(?: caches?)?|[Kk]eys and values",
        "The keys and values that a model keeps of each token it has read, so as not to compute them again.",
    ),
    _defined(
        "weights",
        r"[Ww]eights|[Pp]arameters",
        "The numbers that a model has learnt, and by which it multiplies each token; also called parameters.",
    ),
    _defined(
        "crossover",
        r"crossover(?: context)?",
        "The context length from which on reading a sequence's KV cache takes longer than computing its token.",
    ),
    _defined(
        "context",
        r"[Cc]ontexts?",
        "All tokens of a sequence so far, prompt and answer: each new token attends to them.",
    ),
    _defined(
        "latent attention",
        r"latent attention",
        "DeepSeek's attention (MLA), which keeps one short vector of each token in place of its keys and values.",
    ),
    _defined("DSA, NSA", r"DSA|NSA", "Two kinds of sparse attention that DeepSeek has published."),
    _defined(
        "attention",
        r"[Aa]ttention",
        "The part of a layer in which a token looks back at the tokens before it, by their keys and values.",
    ),
    _defined(
        "MFU", r"MFU", "Model FLOP utilisation: the share of a chip's peak that goes into the model's own arithmetic."
    ),
    _defined(
        "multiply-accumulate", r"multiply-accumulates", "A multiplication and an addition in one, counted as two FLOP."
    ),
    _defined("FLOP", r"FLOP/s|FLOP", "A floating-point operation: one addition or multiplication of numbers."),
    _defined(
        "roofline",
        r"[Rr]oofline",
        "The most that a chip can do: bounded by its arithmetic or by its memory, whichever takes longer.",
    ),
    _defined(
        "HBM",
        r"HBM",
        "High-bandwidth memory: stacked right beside the chip, which reads weights and KV caches from it.",
    ),
    _defined("DDR", r"DDR", "The ordinary memory of a server: more and cheaper than HBM, and slower to reach."),
    _defined("flash", r"[Ff]lash", "Solid-state drives: cheaper than memory, and slower to read."),
    _defined("PCIe", r"PCIe", "The usual link between a server's processor, its chips and its drives."),
    _defined("drain time", r"drain times?", "The time to read a whole memory or drive through once."),
    _defined("tier", r"[Tt]iers?", "One of the places for a cache, from fast and dear to slow and cheap."),
    _defined("GPU", r"GPUs?", "The kind of chip on which most models run; it began as a graphics processor."),
    _defined(
        "Hopper", r"Hoppers?", "NVIDIA's generation of chips before Blackwell, such as the H100: eight to a server."
    ),
    _defined(
        "Blackwell",
        r"Blackwells?|GB200 racks?",
        "NVIDIA's generation of chips after Hopper. A GB200 rack (NVL72) joins 72 of them.",
    ),
    _defined("Rubin", r"Rubin(?: Ultra)?", "NVIDIA's generation of chips after Blackwell."),
    _defined(
        "die and package",
        r"dies|packages?",
        "A die is one piece of silicon; a package holds one or several. Either has been called a chip.",
    ),
    _defined(
        "router", r"[Rr]outers?", "The small part of a layer that chooses for each token the experts that it goes to."
    ),
    _defined("expert", r"[Ee]xperts?", "One of many small networks in a layer, of which each token uses only a few."),
    _defined(
        "all-to-all", r"all-to-all", "Messages of every chip to every other at once, such as tokens to their experts."
    ),
    _defined(
        "scale-up domain",
        r"[Ss]cale-up domains?|[Dd]omains?",
        "The chips that reach each other over the fastest links: eight in a server, or those of a rack.",
    ),
    _defined("scale-out network", r"scale-out(?: network)?", "The slower network that joins one rack to the next."),
    _defined("torus", r"torus|tori", "Chips that are wired to their neighbours alone, in rings along every direction."),
    _defined("hop", r"[Hh]ops?", "One leg of a message's way: to a switch, to the next chip, or to the next rack."),
    _defined(
        "tensor parallelism",
        r"[Tt]ensor parallelism",
        "Each matrix is cut up over several chips, which then exchange results in every layer.",
    ),
    _defined(
        "pipeline",
        r"[Pp]ipelin(?:e|es|ed|ing)",
        "Layers spread over groups of chips, through which a batch goes as along an assembly line.",
    ),
    _defined("stage", r"[Ss]tages?", "The chips that hold one part of a pipeline's layers: here, mostly a rack."),
    _defined(
        "layer",
        r"[Ll]ayers?",
        "One of a model's many parts that a token goes through in turn: attention, and then a network or experts.",
    ),
    _defined(
        "bubble",
        r"[Bb]ubbles?",
        "The time in which a pipeline's stages stand idle, while it fills and while it drains.",
    ),
    _defined(
        "forward and backward pass",
        r"[Ff]orward|[Bb]ackward",
        "Forward, a model computes its output; backward, training finds out how each weight should change.",
    ),
    _defined(
        "gradient", r"[Gg]radients?", "For each number, how the error changes with it; training follows it downwards."
    ),
    _defined("GPipe", r"GPipe", "The order of work in which all forward passes come first, then all backward passes."),
    _defined(
        "1F1B",
        r"1F1B",
        "The order of work in which a stage takes forward and backward passes in turn, and so keeps less.",
    ),
    _defined(
        "ZB-H1",
        r"ZB-H1",
        "The order of work that puts off what the backward pass computes for the weights, and fills idle time with it.",
    ),
    _defined(
        "activations",
        r"[Aa]ctivations?",
        "What a layer computes and hands on. Training keeps it until the backward pass needs it.",
    ),
    _defined(
        "residual connection",
        r"[Rr]esidual (?:connections|stream|network)|[Rr]esiduals",
        "A way around a layer: its input is added to its output, and so comes through unchanged.",
    ),
    _defined(
        "pre-training", r"[Pp]re-train(?:ing|ed)", "A model's first and longest training, on as much text as there is."
    ),
    _defined(
        "reinforcement learning",
        r"[Rr]einforcement learning",
        "Training on answers that the model itself has written, by how good they turned out.",
    ),
    _defined(
        "Chinchilla",
        r"Chinchilla",
        "The study (Hoffmann et al., 2022) of the model that a given amount of training makes best: about 20"
        " tokens a parameter.",
    ),
    _defined("cipher", r"[Cc]iphers?", "A way to encrypt: with a key, a text becomes noise, and noise the text again."),
    _defined("AES", r"AES", "The cipher in most common use; it stirs blocks of 16 bytes in ten rounds or more."),
    _defined(
        "adversarial example",
        r"adversarial example",
        "An input that was changed too little to be seen, and that a network yet takes for something else.",
    ),
    _defined(
        "Feistel network",
        r"Feistel(?: network)?",
        "Rounds that add a function of a block's one half to its other half.",
    ),
    _defined("derivative", r"[Dd]erivative", "How much an output changes with a small change of the input."),
    _defined("reversible", r"[Rr]eversible", "So made that its input can be computed back from its output."),
)


def _pattern(definitions: Iterable[Definition]) -> str:
    """Pattern of all words, a group for each."""
    return rf"(?<![\w-])(?:{'|'.join(f'({one.forms})' for one in definitions)})(?!\w)"


PATTERN = _pattern(DEFINITIONS)
"""Pattern whose groups are the words in their order."""
