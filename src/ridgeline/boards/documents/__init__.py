"""Boards and pictures as plain data: what ``--json`` prints and the page draws, a file a kind of picture."""
