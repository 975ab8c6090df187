"""The lecture's boards: what each shows, and the ledger of its claims."""
