"""A serving pool: what its passes take, whom it lets in, and what users see of it under load."""
