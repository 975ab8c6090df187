"""Quality of predictions: folds, bands, scores, and anchors, which correct them."""
