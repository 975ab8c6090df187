"""Training of a model: job and layout, a step's work, time and memory, pipelines, the run, and the layout search."""
