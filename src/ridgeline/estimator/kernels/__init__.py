"""Kernels of a chip and their times; one file a kind of kernel.

A step of a model is a list of kernels and messages, and so is a measured kernel, so both are predicted in the same way.
All sizes are those of one chip; each may be a number or a grid.

A kind answers four questions (``kernel.py``), and where layers run it between projections two more. Each is a function
that dispatches on the kind's record, so a new kind is a new file that registers its answers, and one line here that
imports it.
"""

from ridgeline.estimator.kernels.attention_core import AttentionCore as AttentionCore
from ridgeline.estimator.kernels.expert_matmul import ExpertMatmul as ExpertMatmul
from ridgeline.estimator.kernels.kernel import RESIDUAL as RESIDUAL
from ridgeline.estimator.kernels.kernel import Ground as Ground
from ridgeline.estimator.kernels.kernel import Kernel as Kernel
from ridgeline.estimator.kernels.kernel import divided as divided
from ridgeline.estimator.kernels.kernel import fitted as fitted
from ridgeline.estimator.kernels.kernel import joined as joined
from ridgeline.estimator.kernels.kernel import rests_on as rests_on
from ridgeline.estimator.kernels.kernel import roofline as roofline
from ridgeline.estimator.kernels.kernel import work as work
from ridgeline.estimator.kernels.matmul import Matmul as Matmul
from ridgeline.estimator.kernels.state_update import StateUpdate as StateUpdate
from ridgeline.estimator.kernels.stream import Stream as Stream
from ridgeline.estimator.timing import Work as Work
