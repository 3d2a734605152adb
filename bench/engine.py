"""`python -m bench.engine`: how many deals a second the engine scores, on one core.

Deals are hands played out by each game's play.py, of every table size in equal parts and of players of every skill. All
that can be told is told: one for one, 3 to 6 piles, each with its characters and first trick, no teams. Two figures:
read and score with all lines in process, and requests a second through `python -m scoring`, its start included: as many
lines as a large club's export of a few seasons, the five systems mixed.
The median of five runs; the first run, before anything is kept for the next, stands beside it. Seconds are those of the
processor, user and system, so that other work on the machine counts as little as it can.
"""

import json
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from scoring import registry

ROOT = Path(__file__).parent.parent
DEALS = 2000  # of each system, scored in process
LINES = 6000  # of each system, sent through the command; none is sent twice
RUNS = 5
SEED = 20


class System(NamedTuple):
    """One way of scoring: a game, its table sizes, and what its play.py must be told to play this kind of deal."""

    name: str
    slug: str
    seats: tuple[int, ...]
    kind: Mapping[str, str]


SYSTEMS = (
    System("tarot with a taker", "tarot", (3, 4, 5, 6), {"kind": "taker"}),
    System("tarot one for one", "tarot", (3, 4, 5, 6), {"kind": "one_for_one"}),
    System("belote", "belote", (4,), {}),
    System("contrée", "contree", (4,), {}),
    System("Two Way Street", "two-way-street", tuple(range(2, 11)), {}),
)


class Request(NamedTuple):
    """A deal as it is asked for."""

    seats: int
    facts: dict[str, Any]


def requests(system: System, number: int = DEALS) -> list[Request]:
    """Return hands of all sizes in turn, played by seats of random skill; the same at every start."""
    rng = random.Random(SEED)
    play = registry.play(system.slug)
    request_lines = []
    for index in range(number):
        seats = system.seats[index % len(system.seats)]
        request_lines.append(
            Request(seats, play(rng, seats, [rng.random() for _ in range(seats)], **system.kind).facts)
        )
    return request_lines


def timed(run: Callable[[], object], deals: int) -> list[float]:
    """Return deals a second of each run, in this process or in those that it waits for."""
    rates = []
    for _ in range(RUNS):
        start = processor_time()
        run()
        rates.append(deals / (processor_time() - start))
    return rates


def processor_time() -> float:
    """Return seconds of processor that this process and its ended children have used."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def in_process(system: System, deals: list[Request]) -> list[float]:
    """Read and score, lines included."""
    rules = registry.rules(system.slug)
    options = rules.read_options({})

    def run() -> None:
        for seats, facts in deals:
            rules.play(seats, facts, options)

    return timed(run, len(deals))


def through_the_command(lines: list[bytes]) -> list[float]:
    """Score requests through the command, a new process for each run."""
    text = b"".join(lines)

    def run() -> None:
        process = subprocess.run(
            [sys.executable, "-m", "scoring"], input=text, stdout=subprocess.PIPE, cwd=ROOT, check=True
        )
        assert process.stdout.count(b"\n") == len(lines)
        assert b'{"error"' not in process.stdout

    return timed(run, len(lines))


def report(name: str, rates: list[float]) -> None:
    """One line: the median and the first run."""
    print(f"{name:<28}{statistics.median(rates):>12,.0f}{rates[0]:>12,.0f}", flush=True)


def main() -> None:
    """Print the table."""
    lines: list[bytes] = []
    print(f"{'deals a second':<28}{'median':>12}{'first run':>12}")
    for system in SYSTEMS:
        deals = requests(system, LINES)
        lines += [
            json.dumps({"game": system.slug, "seats": deal.seats, "facts": deal.facts}).encode() + b"\n"
            for deal in deals
        ]
        report(system.name, in_process(system, deals[:DEALS]))
    random.Random(SEED).shuffle(lines)
    report("python -m scoring, mixed", through_the_command(lines))


if __name__ == "__main__":
    main()
