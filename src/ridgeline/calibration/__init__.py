"""Calibration: from measured cases of others to efficiencies and scores."""
