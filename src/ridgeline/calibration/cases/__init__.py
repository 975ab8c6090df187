"""Readers of case files and model tables: the lowest part of the room."""

from ridgeline.calibration.cases.case import Case, CaseError, Unsupported
from ridgeline.calibration.cases.case_file import read_cases, unknown_columns

__all__ = ["Case", "CaseError", "Unsupported", "read_cases", "unknown_columns"]
