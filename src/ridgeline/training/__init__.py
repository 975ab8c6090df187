"""How a model is trained: its job and layout, a step's work, time and memory, pipelines, the run, and their search."""
