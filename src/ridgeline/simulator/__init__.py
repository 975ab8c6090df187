"""Requests through time: queues, batches and memory of replicas that serve a trace."""
