"""`python -m frontrow` is `frontrow`."""

import sys

from frontrow.cli import main

if __name__ == "__main__":
    sys.exit(main())
