"""Where specs meet equations: (model, machine, layout, phase) -> estimate."""
