"""How good predictions are: folds, bands, scores, and anchors, which correct them."""
