"""How a model is trained: in which order its stages work."""
