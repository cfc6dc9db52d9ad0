"""`python -m unisim` is the command line."""

import sys

from unisim.cli import main

if __name__ == "__main__":
    sys.exit(main())
