"""Readers and writers of case files, and readers of model tables: the lowest part of the room."""

from ridgeline.calibration.cases.case import Case, CaseError, Unsupported
from ridgeline.calibration.cases.case_file import read_cases, unknown_columns
from ridgeline.calibration.cases.written import case_row, cases_text

__all__ = ["Case", "CaseError", "Unsupported", "case_row", "cases_text", "read_cases", "unknown_columns"]
