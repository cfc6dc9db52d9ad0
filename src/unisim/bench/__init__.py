"""What a backend costs, beside its raw engine doing the same work."""
