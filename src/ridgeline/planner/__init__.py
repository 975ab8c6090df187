"""Enumerates serving layouts, drops what does not fit with its reason, ranks the rest."""
