"""What stands on a sim: `unisim run` and its report."""
