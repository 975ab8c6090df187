"""Prices from costs: the cost of each item that is sold per token, beside the prices that lists ask for it.

Posteriors from prices: what a price list says of the model and the machines behind it.
"""
