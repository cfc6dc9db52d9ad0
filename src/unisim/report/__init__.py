"""What reports of all kinds are made of: pages, drawings, plain values, folders."""
