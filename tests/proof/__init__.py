"""Proof of what the schema's table calls composition, notation or visual."""
