"""Enumeration of serving layouts: those that do not fit are rejected with a reason, the rest are ranked."""
