"""Engines that move worlds of their own, beside a reference that tells what follows.

A `Guest` is all that an adapter writes: it moves positions and velocities. Everything
else of the contract, `GuestEngine` does once for all of them.
"""
