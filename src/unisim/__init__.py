"""One robot scene, written once as MJCF, run and compared on many physics engines."""

__version__ = "0.1.0"
