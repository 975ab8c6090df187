"""Kinds of cases, and what is predicted of each: from the facts of a run to a number."""
