"""Hand-over of a plan: launch lines and manifests of engines, made of flags from the catalog's facts.

``replica`` describes a plan independently of the engine, ``words`` turns it into an engine's flags, each engine's file
handles that engine's differences and limits, and ``hand_over`` takes the best plan that can be written.
"""
