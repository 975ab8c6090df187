"""Case files and model tables, read: the lowest part of the room."""

from ridgeline.calibration.cases.case_file import Case, CaseError, Unsupported, read_cases, unknown_columns

__all__ = ["Case", "CaseError", "Unsupported", "read_cases", "unknown_columns"]
