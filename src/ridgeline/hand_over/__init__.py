"""Hand-over of a plan: launch lines and manifests of engines, made of flags from the catalog's facts.

``replica`` says what a plan asks of an engine, ``words`` writes it in an engine's flags, each engine's file says where
that engine counts otherwise or cannot do it, and ``hand_over`` takes the best plan that can be written.
"""
