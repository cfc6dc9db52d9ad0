"""What adapters share whose engine computes on a Warp device; importing it needs Warp.

Everything here is launched, never waited for: no function copies to the host unless its
docstring says so.
"""
