"""What families of measured cases are to reach: the gates of ``accuracy.py``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ridgeline.calibration.cases import Case
from ridgeline.catalog import load_machine

MIB = 2**20
FEW_USERS = 4
"""The fewest with which most series were measured."""
STREAMED = 8e6
"""Bytes from which a kernel is judged by what it moves, and not by its launch."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What a family is to reach.

    Attributes:
        family: how the names of its files start.
        limit: of the median of |ln(predicted/measured)|; None where it is only reported.
        of: which of its rows, in words; empty for all.
        rows: which of its rows.
        alone: the limit with nothing measured of the chip's family.
        quantity: of its rows; empty for all.
        p90: limit of what nine of ten errors stay within.
        rank: the least Spearman correlation.
        by_series: whether rows that differ in users and lengths alone count as one together, and not each.
    """

    family: str
    limit: float | None = None
    of: str = ""
    rows: Callable[[Case], bool] = lambda _: True
    alone: float | None = None
    quantity: str = ""
    p90: float | None = None
    rank: float | None = None
    by_series: bool = False

    @property
    def name(self) -> str:
        """In words."""
        return f"{self.family}, {self.of}" if self.of else self.family

    def judges(self, case: Case) -> bool:
        """Whether a row is one of them."""
        return case.family.startswith(self.family) and self.quantity in {"", case.quantity} and self.rows(case)


def _beyond_l2(case: Case) -> bool:
    """Whether the cache that a step of attention reads is larger than what the chip keeps close."""
    window = case.attributes.get("window") or float("inf")
    width = 2 * case.whole("kv_heads") * case.whole("head_dim") * (1 if "8" in case.kv_dtype else 2)
    read = case.whole("batch") * min(float(case.number("context_tokens")), window) * width
    return read > (load_machine(case.machine).chip.l2_bytes or 0)


def _is_nvfp4(case: Case) -> bool:
    return case.weight_dtype == "nvfp4"


def _is_new(case: Case) -> bool:
    return case.machine in {"h100-sxm", "b200-sxm"}


def _on_pcie(case: Case) -> bool:
    return case.machine == "l40s"


def _moves(case: Case, least: float, most: float = float("inf")) -> bool:
    return least <= (case.message_bytes or 0) < most


def _switches(case: Case) -> bool:
    """Whether libraries change protocols about the size of a message."""
    return _moves(case, MIB, 32 * MIB)


def _is_streamed(case: Case) -> bool:
    return 2 * float(case.number("m")) * float(case.number("n")) * float(case.attributes["streams"]) >= STREAMED


def _has_few_users(case: Case) -> bool:
    """Whether first tokens are those of a system that is nearly idle."""
    return (case.batch or float("inf")) <= FEW_USERS


def _is_of_2025(case: Case) -> bool:
    """Whether a row is of the first dump of the public benchmark, and not of the later one, which has its own gates."""
    return not case.family.endswith("_2026")


DECODE, LATENT, MESSAGES = "attention_decode_aiconfigurator", "mla_decode_aiconfigurator", "collectives_aiconfigurator"
GATES = (
    Gate("gemm_aiconfigurator", 0.08, "but nvfp4", lambda case: not _is_nvfp4(case), alone=0.15),
    Gate("gemm_aiconfigurator", 0.18, "nvfp4", _is_nvfp4, alone=0.40),
    Gate("gemm_vidur", 0.06, alone=0.15),
    Gate("gemm_deepgemm", 0.12),
    Gate("gemm_llmcompass", 0.12),
    Gate("gemm_mamf"),
    Gate(DECODE, 0.10, "KV beyond L2", _beyond_l2, alone=0.12),
    Gate(DECODE, None, "KV within L2", lambda case: not _beyond_l2(case)),
    Gate(LATENT, 0.08, "Hopper and Blackwell", _is_new, alone=0.14),
    Gate(LATENT, None, "A100 and L40S", lambda case: not _is_new(case)),
    Gate("attention_prefill_aiconfigurator", 0.16, alone=0.28),
    Gate("grouped_gemm_aiconfigurator", 0.16, alone=0.19),
    Gate(MESSAGES, 0.10, "NVLink but 1-32 MiB", lambda case: not (_on_pcie(case) or _switches(case)), alone=0.27),
    Gate(MESSAGES, 0.20, "NVLink, 1-32 MiB", lambda case: _switches(case) and not _on_pcie(case), alone=0.27),
    Gate(MESSAGES, 0.25, "PCIe", _on_pcie, alone=0.27),
    Gate("collectives_nccl", 0.20),
    Gate("collectives_vidur", 0.20, "from 1 MiB", lambda case: _moves(case, MIB)),
    Gate("collectives_vidur", None, "below 1 MiB", lambda case: _moves(case, 0, MIB)),
    Gate("all_to_all_aiconfigurator", 0.25),
    Gate("all_to_all_deepep", 0.25),
    Gate("elementwise_vidur", 0.20, "from 8 MB", _is_streamed),
    Gate("elementwise_vidur", None, "below 8 MB", lambda case: not _is_streamed(case)),
    Gate("decode_gptfast", 0.10),
    Gate("generate_trtllm", 0.12),
    Gate("prefill_trtllm", 0.20),
    Gate("generate_fastertransformer", 0.15),
    Gate("generate_vllm_405b", 0.25),
    Gate("decode_splitwise"),
    Gate("prefill_splitwise"),
    Gate("large_ep_deepseek"),
    Gate("closed_loop_silicon", 0.11, "TPOT", quantity="tpot_s", p90=0.30, by_series=True),
    Gate("closed_loop_silicon", 0.28, "TTFT", quantity="ttft_s", p90=0.75, by_series=True),
    Gate("closed_loop_silicon", None, "TTFT, up to 4 users", _has_few_users, quantity="ttft_s", by_series=True),
    Gate("closed_loop_inferencex", 0.20, "TPOT", _is_of_2025, quantity="tpot_s", by_series=True),
    Gate("closed_loop_inferencex", 0.20, "tokens", quantity="total_tokens_per_s_per_chip", by_series=True),
    Gate("closed_loop_inferencex", 0.20, "energy", quantity="joules_per_output_token", by_series=True),
    Gate("closed_loop_inferencex_2026", 0.10, "TPOT", quantity="tpot_s", by_series=True),
    Gate("closed_loop_inferencex_2026", 0.25, "TTFT", quantity="ttft_s", by_series=True),
    Gate("closed_loop_inferencex_2026", None, "TTFT, up to 4 users", _has_few_users, quantity="ttft_s", by_series=True),
    Gate("disaggregated_silicon", 0.20, "TPOT", quantity="tpot_s"),
    Gate("disaggregated_silicon", None, "TTFT", quantity="ttft_s"),
    Gate("saturated_trtllm", 0.18, rank=0.9),
    Gate("saturated_mlperf"),
    Gate("closed_loop_trtllm_r1"),
    Gate("closed_loop_token_position", None, "TPOT", quantity="tpot_s"),
    Gate("closed_loop_token_position", None, "TTFT", quantity="ttft_s"),
)
"""Those of section 3 of the evidence's own description."""
