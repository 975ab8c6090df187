"""Claims on ciphers, and on networks as ciphers: 2:04 to 2:12."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product

from ridgeline.boards.claim import Claim, Step, Verdict, claim, statement, step
from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.lecture.cryptography import mixing
from ridgeline.boards.lecture.cryptography.mixing import AES, PRESENT, RESIDUAL, SIGNS, Network, SBox
from ridgeline.laboratory import adversarial, ciphers, random_networks
from ridgeline.numeric import Numeric

__all__ = ["CLAIMS"]


def _square(value: Numeric) -> Numeric:
    """A round function that nothing inverts: two inputs share an output."""
    return value * value


@cache
def _not_recovered(*, values: float, spacing: float, modulus: float, rounds: float) -> float:
    """Part of all pairs of evenly spaced values that rounds and their inverse do not give back to the bit."""
    functions = [_square] * int(rounds)
    points = [place * spacing for place in range(int(values))]
    pairs = list(product(points, points))
    lost = 0
    for pair in pairs:
        left, right = ciphers.feistel(left=pair[0], right=pair[1], round_functions=functions, modulus=modulus)
        lost += ciphers.feistel_inverse(left=left, right=right, round_functions=functions, modulus=modulus) != pair
    return lost / len(pairs)


def _in_floats() -> Iterable[Step]:
    yield step("fractions modulo 1 in 64-bit floats", values=37.0, spacing=1 / 37, modulus=1.0)


def _left_as_it_was(*, s_box: SBox, rounds: float) -> float:
    return mixing.left_as_they_were_fractions(s_box.table, int(rounds))[-1]


def _three_rounds() -> Iterable[Step]:
    yield step("three rounds", rounds=3.0)


@cache
def _likeliest(*, s_box: SBox) -> float:
    """Part of the inputs that share the likeliest change of the output."""
    return ciphers.difference_table_maximum(s_box=s_box.table) / len(s_box.table)


def _present() -> Iterable[Step]:
    yield step("PRESENT, on 4 bits", s_box=PRESENT)


def _cipher_avalanche(*, cipher: str, rounds: float, samples: float) -> float:
    return mixing.cipher_avalanches(int(samples), 2)[cipher][int(rounds)]


def _one_round() -> Iterable[Step]:
    yield step("one round", rounds=1.0)


def _network_avalanche(*, network: Network, layers: float, samples: float) -> float:
    return mixing.network_avalanche(network, int(samples), int(layers))[-1]


def _residual() -> Iterable[Step]:
    yield step("a residual stream with the same weights, signs read off at its end", network=RESIDUAL)


def _no_residual() -> Iterable[Step]:
    yield step("layers that keep nothing of their input", kept=0.0, step=1.0)


@cache
def _attack(*, layers: float, steps: float, has_residual: float, has_norm: float, seed: float) -> float:
    return adversarial.random_over_gradient(
        layers=int(layers),
        steps=int(steps),
        has_residual=bool(has_residual),
        has_norm=bool(has_norm),
        seed=int(seed),
    )


def _with_norms() -> Iterable[Step]:
    yield step("residual connections", has_residual=1.0)
    yield step("and norms", has_norm=1.0)


CLAIMS: tuple[Claim, ...] = (
    claim(
        "E1",
        "2:09:32",
        "A Feistel network can be inverted, whatever its round function is.",
        computed="part of the inputs that do not come back",
        lecture=implied(0.0, "2:09:32"),
        equation=ciphers.feistel_inverse,
        compute=_not_recovered,
        inputs={"values": 16.0, "spacing": 1.0, "modulus": 16.0, "rounds": 4.0},
        careful=_in_floats,
        contrast="the same on floats, which are rounded: part that does not come back to the last bit",
        verdict=Verdict.REPRODUCES,
        what="of the inputs lost",
        exactly={0.0: "no input lost"},
        answer="it comes back with {ours}, though squaring, the round function here, cannot be inverted",
        why="Every pair of whole numbers comes back, though the function here, squaring, cannot be inverted. Floats"
        " come back but for rounding.",
    ),
    claim(
        "E2",
        "2:09:10",
        "A round keeps one half of its input as it was.",
        computed="part of the halves that come out unchanged",
        lecture=implied(0.5, "2:09:10"),
        equation=ciphers.feistel,
        compute=_left_as_it_was,
        inputs={"s_box": filled_in(AES), "rounds": implied(1.0, "2:09:10")},
        careful=_three_rounds,
        contrast="three rounds instead of one",
        verdict=Verdict.REPRODUCES,
        what="of the halves unchanged",
        answer="{ours} of the halves come out unchanged",
        why="That is why halves change places between rounds. After three rounds neither is as it was, but by chance.",
        tolerance=0.01,  # a byte is the same by chance once in 256
    ),
    claim(
        "E5",
        "2:06:17",
        "A cipher can be differentiated, over bits.",
        computed="how often a changed input of AES's substitution leads to the likeliest change of its output",
        equation=ciphers.difference_table_maximum,
        compute=_likeliest,
        inputs={"s_box": filled_in(AES)},
        careful=_present,
        contrast="PRESENT's substitution, which has 16 inputs instead of 256",
        verdict=Verdict.REPRODUCES,
        what="% for the likeliest change of the output",
        answer="even the likeliest change of the output of AES's substitution comes only {ours} of the time",
        why="The table of differences is the derivative, and ciphers are built to make it flat: no change of the output"
        " is likelier than 4 in 256.",
    ),
    claim(
        "E6",
        "2:06:50",
        "A small change of a cipher's input makes a large one of its output, as an adversarial example does with a"
        " network.",
        computed="part of AES's output bits that one changed input bit changes",
        lecture=None,
        equation=ciphers.avalanche_fractions,
        compute=_cipher_avalanche,
        inputs={
            "cipher": filled_in(AES.name),
            "rounds": filled_in(float(mixing.ROUNDS)),
            "samples": filled_in(float(mixing.SAMPLES)),
        },
        careful=_one_round,
        contrast="one round instead of ten",
        verdict=Verdict.REPRODUCES,
        what="of the output bits changed",
        answer="one input bit changes {ours} of AES's output bits. That is the cipher's half of the claim",
        why="One half, as if by chance, and whichever bit it is. The network's side is E11: there it takes a change"
        " along the gradient.",
    ),
    statement(
        "E7",
        "2:08:18",
        "99 % of new ciphers get broken.",
        lecture=said(0.99, "2:08:18", hedge="almost all"),
        what="of the ciphers broken",
        answer="a figure of speech about ciphers that people publish, of which no equation gives a share",
        why="A figure of speech: he means ciphers that people publish. Of small ciphers drawn at random, all break with"
        " few rounds and none with many, so the number of rounds decides, and not a share.",
    ),
    claim(
        "E8",
        "2:05:36",
        "A network with random weights is maybe a reasonable cipher.",
        computed="part of its output's signs that one changed sign changes",
        equation=random_networks.sign_avalanche_fractions,
        compute=_network_avalanche,
        inputs={
            "network": filled_in(SIGNS),
            "layers": filled_in(float(mixing.ROUNDS)),
            "samples": filled_in(float(mixing.SAMPLES)),
        },
        careful=_residual,
        contrast="a residual stream with the same weights",
        verdict=Verdict.DEPENDS,
        what="of the signs changed",
        answer="its layers mix fully, as layers of signs do: then one changed sign changes {ours} of the output's."
        " In a residual stream it changes {careful}",
        why="It depends on the network. Layers of signs mix fully. A residual stream, built to keep its input, hardly"
        " does. Mixing alone makes no cipher.",
    ),
    claim(
        "E10",
        "2:05:57",
        "Residual connections keep a network's derivative simple; ciphers do without them.",
        computed="how many times as far ten random layers stretch one small change as another",
        equation=random_networks.stretch_ratio,
        compute=mixing.stretch_ratio,
        inputs={"kept": implied(1.0, "2:05:57"), "step": mixing.STEP, "layers": float(mixing.ROUNDS)},
        careful=_no_residual,
        contrast="the same weights without the residual connection",
        verdict=Verdict.REPRODUCES,
        what="times as much stretch for one small change as for another",
        answer="with them, ten random layers stretch one small change {ours} times as far as another. Without"
        " them, {careful} times",
        why="With them the derivative stays near the identity. Without them most changes vanish beside a few."
        " LayerNorm, which he names too, is left out, and nothing is trained.",
    ),
    claim(
        "E11",
        "2:07:30",
        "An adversarial example is an avalanche in a network: a very small change of an image changes its class. A"
        " cipher wants that of every input, a network of none.",
        computed="how many times as large a random change must be as one along the gradient to turn half of the images",
        equation=adversarial.random_over_gradient,
        compute=_attack,
        inputs={"layers": 4.0, "steps": 120.0, "has_residual": 0.0, "has_norm": 0.0, "seed": 0.0},
        careful=_with_norms,
        contrast="the same with residual connections and norms",
        verdict=Verdict.REPRODUCES,
        what="times as large a random change as one along the gradient",
        answer="a random change has to be {ours} times as large as one along the gradient to turn half of the images",
        why="A trained classifier of digits, not shown any attack, withstands random changes several times as large as"
        " those along its gradient. A cipher has no such direction: one bit is as good as another.",
    ),
)
