"""Division of a budget over pre-training, reinforcement learning and serving, for a model of given quality.

laws/         losses by fitted laws; a file a form
costs         costs of a parameter and a token in each phase: FLOP, dollars or chip-seconds
demand        tokens of a model's life, read and written, and the probability that it is deployed
goal          goals: a loss, or the least loss for a cost
constraints   constraints on the size of a model, and on its text
bounds        bounds by a machine: its memory, and a time per token
asked         options, resolved
optimum       the cheapest model of a loss, or the best of a cost; `search` where there is no closed form
uncertainty   intervals by coefficients drawn from their published errors
flows         changes over a life: traffic, prices, hardware; distilling a smaller model
named         published models, and the serving that they are optimal for
phases        costs of phases on a machine, through the training and serving estimates
budget        result of one law, in `lives`; `answer` is all laws
sweeps        results over sizes and served tokens, for pictures, in `curves`
"""
