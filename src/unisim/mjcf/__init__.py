"""What MJCF can ask for, and what a scene does ask for."""
