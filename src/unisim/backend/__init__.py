"""What every backend shares; a backend itself is a folder in here."""
