"""Kinds of cases, and the prediction of each: from the facts of a run to a number."""
