"""Ciphers and reversible networks as they run, on bits and on layers: algorithms, which no grid passes through."""
