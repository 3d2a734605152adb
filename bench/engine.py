"""`python -m bench.engine`: measure how many deals per second the engine scores on one core.

Each game's play.py simulates the deals: all table sizes in equal parts, players of random skill. Deals have all
optional facts: a deal of tarot without a taker ("one for one") has 3 to 6 piles, each with its characters and first
trick, and no teams. There are two results: scoring with all lines in this process, and requests through `python -m
scoring`, including its start. The latter gets the number of lines of a large club's export of a few seasons, with the
five systems mixed. The result is the median of five runs, beside the first run, which has no caches. Seconds are CPU
seconds (user and system), so that other work on the machine has little influence.
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
DEALS = 2000  # deals per system, scored in this process
LINES = 6000  # deals per system, sent through the command, each once
RUNS = 5
SEED = 20


class System(NamedTuple):
    """A way of scoring: a game, its table sizes, and the arguments of its play.py for this kind of deal."""

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
    """A request to score a deal."""

    seats: int
    facts: dict[str, Any]


def requests(system: System, number: int = DEALS) -> list[Request]:
    """Return simulated deals of all table sizes in turn. They are the same at every start."""
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
    """Return the deals per second of each run, by the CPU time of this process and of the child processes it waits
    for.
    """
    rates = []
    for _ in range(RUNS):
        start = processor_time()
        run()
        rates.append(deals / (processor_time() - start))
    return rates


def processor_time() -> float:
    """Return the CPU seconds of this process and of its child processes that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def in_process(system: System, deals: list[Request]) -> list[float]:
    """Return the rates of scoring in this process, in deals per second."""
    rules = registry.rules(system.slug)
    options = rules.read_options({})

    def run() -> None:
        for seats, facts in deals:
            rules.play(seats, facts, options)

    return timed(run, len(deals))


def through_the_command(lines: list[bytes]) -> list[float]:
    """Return the rates of scoring by `python -m scoring`, in deals per second. Each run starts a new process."""
    text = b"".join(lines)

    def run() -> None:
        process = subprocess.run(
            [sys.executable, "-m", "scoring"], input=text, stdout=subprocess.PIPE, cwd=ROOT, check=True
        )
        assert process.stdout.count(b"\n") == len(lines)
        assert b'{"error"' not in process.stdout

    return timed(run, len(lines))


def report(name: str, rates: list[float]) -> None:
    """Print one line: the median and the first run."""
    print(f"{name:<28}{statistics.median(rates):>12,.0f}{rates[0]:>12,.0f}", flush=True)


def main() -> None:
    """Print the table of rates."""
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
