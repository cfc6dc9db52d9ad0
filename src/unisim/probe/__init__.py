"""Probes: for every feature a pair of scenes, and what an engine makes of them."""
