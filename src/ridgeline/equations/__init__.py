"""Pure functions on numbers, one module for each board of the lecture.

No function here knows a chip or a model: every argument is a number (or a NumPy grid, or a traced value) in base units.
"""
