"""Cards on what networks and ciphers share; numbers in the answers are the equations'."""

from __future__ import annotations

from ridgeline.boards.card import Card, Kind, Level
from ridgeline.boards.exercise import shown
from ridgeline.boards.lecture.cryptography import mixing
from ridgeline.equations import duality, training
from ridgeline.laboratory import ciphers, networks

__all__ = ["CARDS"]

LAYERS = 4
PLAIN, FLAT = networks.activations_alive_plain(layers=LAYERS), networks.activations_alive_reversible(layers=LAYERS)
ONCE, TWICE = (
    float(training.rl_flop_per_param(trained_fraction=1, repeated_forward_fraction=part)) for part in (0.0, 1.0)
)
LIKELIEST = ciphers.difference_table_maximum(s_box=mixing.AES.table)
PAYS = float(duality.reversible_break_even_fraction())
LEFT, RIGHT = 3, 5
OUT, KEPT = mixing.byte_rounds(mixing.power_of_byte(2), (LEFT, RIGHT), 1)

CARDS: tuple[Card, ...] = (
    Card(
        id="cryptography-same-shape",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="2:04:10",
        question="Why are ciphers and networks both built of layers that mix, and how are their aims opposite?",
        answer="In both every output has to depend on every input, and repeated cheap steps of mixing get there. A"
        " cipher makes what has structure look random; a network finds structure in what looks random.",
        board="ciphers",
    ),
    Card(
        id="cryptography-derivative",
        kind=Kind.CONCEPT,
        level=Level.APPLY,
        time_stamp="2:06:00",
        question="What do training a network and breaking a cipher both do with it, and what do their builders do about"
        " that?",
        answer="Both differentiate it: gradient descent over real numbers, differential cryptanalysis over bits."
        " Residual connections and LayerNorm keep a network's derivative simple; a cipher makes its differences hard to"
        f" foresee: of {len(mixing.AES.table)} inputs of AES's substitution at most {LIKELIEST} share a change of the"
        " output.",
        board="ciphers",
    ),
    Card(
        id="cryptography-avalanche",
        kind=Kind.CONCEPT,
        level=Level.APPLY,
        time_stamp="2:07:30",
        question="Which failure of a network is what a cipher does with every input?",
        answer="An adversarial example: a very small change of the input changes the output altogether. Ciphers call it"
        " avalanche, and want one changed bit to change half of the output.",
        board="ciphers",
    ),
    Card(
        id="cryptography-feistel",
        kind=Kind.DERIVATION,
        level=Level.RECALL,
        time_stamp="2:09:00",
        question="Build a round from a function f that cannot be inverted so that the round can. Undo it, and try it on"
        f" ({LEFT}, {RIGHT}) with f(x) = x².",
        answer="(x, y) becomes (z, x) with z = y + f(x). x is there to be read off, so f(x) can be computed again and"
        f" taken off: y = z - f(x). ({LEFT}, {RIGHT}) becomes ({OUT}, {KEPT}), and {OUT} - {KEPT}² is {RIGHT} again.",
        board="feistel",
    ),
    Card(
        id="cryptography-swap",
        kind=Kind.CONCEPT,
        level=Level.APPLY,
        time_stamp="2:11:10",
        question="Why do the halves of a Feistel network change places after each round, and what does that make of a"
        " residual connection in a reversible network?",
        answer="A round leaves one half as it was; only by changing places do both get mixed. In a network the y that"
        " f(x) is added to comes from two layers back, and so does the residual connection.",
        board="feistel",
    ),
    Card(
        id="cryptography-reversible-sketch",
        kind=Kind.SKETCH,
        level=Level.RECALL,
        time_stamp="2:12:00",
        question=f"Sketch the activations in memory as {LAYERS} layers run there and back, plain and reversible.",
        answer=f"Plain: up a step a layer, then down again, {', '.join(map(str, PLAIN))} layers' activations."
        f" Reversible: flat at {FLAT[0]}, since each layer's input is computed from its output on the way back.",
        board="reversible",
    ),
    Card(
        id="cryptography-duality",
        kind=Kind.CONCEPT,
        level=Level.COMBINE,
        time_stamp="2:13:40",
        question="How does one weigh a byte against a FLOP on a chip, whatever it rents for, and what follows for a KV"
        " cache and for a reversible network?",
        answer="A byte held for a second takes 1/C of the chip, a FLOP 1/F of a second of it, so a byte-second is worth"
        " F/C FLOP. A byte of a KV cache is worth holding for the FLOP that make it anew, times C/F. A reversible"
        f" network pays once activations would take {shown(PAYS, 'fraction', 2)} of"
        " all memory: 2 N D FLOP again, against half of a step of 6 N D.",
        board="duality",
    ),
    Card(
        id="cryptography-trade",
        kind=Kind.NUMBER,
        level=Level.COMBINE,
        time_stamp="2:13:20",
        question="What does a reversible network pay for the memory that it saves, in FLOP a parameter and token, and"
        " which well-known trade goes the other way?",
        answer=f"A second forward pass, {TWICE:.0f} instead of {ONCE:.0f}. A KV cache does the opposite: it spends"
        " memory to save computing, which is generally the better trade on today's hardware.",
        board="reversible",
    ),
)
