"""The place where specs meet equations: (model, machine, layout, phase) -> estimate."""
