"""`python -m players.rating`: results in, ratings out, as JSON lines."""

import sys

from players.rating.command_line import main

if __name__ == "__main__":
    sys.exit(main())
