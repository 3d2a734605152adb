"""The help of the command `python -m league.pairing`. Imported only for `--help` and for wrong arguments."""

import argparse

DESCRIPTION = """\
Ranks the units of a tournament and pairs them for the next round: one JSON request a line on standard input, one JSON
answer a line on standard output, in order. A unit is a player, a pair or a team.

  {"do": "rank", "rules": {"ranking": {"by": "points"}, "ties": ["against"]}, "units": ["u1", "u2"],
   "rounds": [{"tables": [{"sides": [{"unit": "u1", "points": 1040}, {"unit": "u2", "points": 904}]}], "exempt": []}]}
  {"rows": [{"unit": "u1", "rank": 1, "score": 1040, "points": 1040, "against": 904, "won": 1, "lost": 0, ...}, ...]}

  {"do": "pair", "method": "ranking", "units": ["u1", "u2", "u3"], "met": [["u1", "u2"]], "rested": ["u3"], "seed": 7}
  {"tables": [["u1", "u3"]], "rests": "u2", "rematches": 0}

A line that is no request is answered with {"error": {"field": ..., "message": ...}}: the exit status is 0 when every
line was answered. docs/tournaments.md explains the rules.
"""

PARSER = argparse.ArgumentParser(
    prog="python -m league.pairing",
    usage="%(prog)s < requests.jsonl > answers.jsonl",
    description=DESCRIPTION,
    formatter_class=argparse.RawDescriptionHelpFormatter,
)
