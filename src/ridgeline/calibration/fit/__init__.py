"""Numbers of chips and engines from measured cases."""
