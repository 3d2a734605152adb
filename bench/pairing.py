"""`python -m bench.pairing`: CPU time of `python -m league.pairing` for a round of 400 units (players, pairs or teams).

The input has five and sixty earlier rounds, half of them by ranking, so that neighbours have met. Each process gets one
request: the start, the reading of the JSON and the output are included. The start alone is printed for comparison. The
result is the best of three runs.
"""

import json
import random
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
UNITS = 400
RUNS = 3


def request(method: str, rounds: int) -> dict[str, Any]:
    """Return a request to pair the next round by this method, after this number of rounds."""
    units = [f"u{number}" for number in range(UNITS)]
    rng = random.Random(rounds)
    met_pairs: list[tuple[str, str]] = []
    for number in range(rounds):
        order = rng.sample(units, UNITS) if number % 2 else [*units[number:], *units[:number]]
        met_pairs += zip(order[::2], order[1::2], strict=True)
    return {"do": "pair", "method": method, "units": units, "met": met_pairs, "seed": 1}


def seconds(line: bytes) -> float:
    """Return the CPU seconds of a process that answers the request `line`. An empty line measures the start alone."""
    best = float("inf")
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "league.pairing"], input=line, cwd=ROOT, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return best


def main() -> None:
    start = seconds(b"")
    print(f"{'start alone':<32}{start:6.2f} s")
    for method in ("ranking", "lot"):
        for rounds in (5, 60):
            spent = seconds(json.dumps(request(method, rounds)).encode())
            print(f"{f'{UNITS} units by {method}, round {rounds + 1}':<32}{spent:6.2f} s {spent / start:6.1f} ×")


if __name__ == "__main__":
    main()
