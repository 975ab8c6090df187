"""A plan handed to what runs it: launch lines and manifests of engines, made of flags that the catalog has facts of.

``replica`` says what a plan asks of an engine, ``words`` writes it in an engine's flags, each engine's file says where
that engine counts otherwise or cannot do it, and ``hand_over`` takes the best plan that can be written.
"""
