"""Costs to prices: what each thing that is sold per token costs to serve, beside what lists ask for it.

And prices to a posterior: what a price list says of the model and the machines behind it.
"""
