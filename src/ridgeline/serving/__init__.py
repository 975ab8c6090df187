"""A serving pool: times of its passes, admission, and latency and throughput under load."""
