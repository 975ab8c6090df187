"""Division of a budget over pre-training, reinforcement learning and serving, for a model of given quality.

laws/         what a fitted law says of a loss; a file a form
costs         what a parameter and a token cost in each phase: FLOP, dollars or chip-seconds
demand        what a model is to do in its life: tokens read and written, and the chance that it is deployed
goal          what is wanted: a loss, or the least loss of a cost
constraints   what keeps a model from being as large as it would best be
bounds        those that a machine sets: its memory, and a time per token
asked         what is asked, resolved
optimum       the cheapest model of a loss, or the best of a cost; `search` where no closed form is
uncertainty   the same for coefficients drawn from their published errors
flows         what changes over a life: traffic, prices, hardware; distilling a smaller model
named         models as they were published, and the serving that they are right for
phases        costs of phases on a machine, through the training and serving estimates
budget        what one law says of a question, in `lives`; `answer` is all laws
sweeps        the same over sizes and served tokens, for pictures, in `curves`
"""
