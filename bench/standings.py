"""`python -m bench.standings`: measure how long a season's standings take by different rules, compared with a plain
sum.

2,000 players come to each of 60 evenings. The tables of the players are included only if the rules need them. Every row
has its reasons. *Sum* adds the same points in a dictionary and sorts them: the minimum for any standings. *Worked out*
is the computation without parsing and output. *Command* is a request through `python -m league.standings`, including
its start, the parsing of the JSON, and the output. The result is the best of three runs, in CPU seconds as in
bench.engine.
"""

import gc
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.engine import processor_time
from league.standings.presets import PRESETS
from league.standings.ranking import standings
from league.standings.request import Request, read_request
from league.standings.tie_breaks import TIE_BREAKS

ROOT = Path(__file__).parent.parent
PLAYERS, EVENINGS, TABLES = 2_000, 60, 5
RUNS = 3
SEED = 12


def evenings(tables: int) -> list[dict[str, Any]]:
    """Return the evenings of a request. `tables` is the number of tables per player. Equal totals are frequent."""
    rng = random.Random(SEED)
    return [
        {
            "id": f"e{number:02}",
            "date": f"2026-{9 + number // 28:02}-{1 + number % 28:02}",
            "final": number == EVENINGS - 1,
            "results": [_result(rng, player, tables) for player in range(PLAYERS)],
        }
        for number in range(EVENINGS)
    ]


def _result(rng: random.Random, player: int, tables: int) -> dict[str, Any]:
    won = rng.randrange(TABLES + 1)
    rules_json = [{"opponents": 3, "before": rng.randrange(3), "level": rng.randrange(2)} for _ in range(tables)]
    return {
        "player": f"p{player:04}",
        "points": 10 * rng.randint(-60, 60),
        "deals": rng.choice((16, 20, 20, 24)),
        "won": won,
        "lost": TABLES - won,
        **({"tables": rules_json} if rules_json else {}),
    }


def plain_sum(season: Request) -> list[tuple[str, int]]:
    """Return the total of each player, the best first."""
    totals: dict[str, int] = {}
    for evening in season.evenings:
        for result in evening.results:
            totals[result.player] = totals.get(result.player, 0) + result.points
    return sorted(totals.items(), key=lambda duration: -duration[1])


def seconds(run: Callable[[], object]) -> float:
    """Return the best of three runs, in CPU seconds."""
    durations = []
    for _ in range(RUNS):
        start = processor_time()
        run()
        durations.append(processor_time() - start)
    return min(durations)


def command(line: bytes) -> None:
    """Send a request to the command."""
    command_line = [sys.executable, "-m", "league.standings"]
    process = subprocess.run(command_line, input=line, stdout=subprocess.PIPE, cwd=ROOT, check=True)
    assert process.stdout.startswith(b'{"rows"')


def report(name: str, rules_json: dict[str, Any]) -> None:
    """Print one line: the plain sum, the standings, and the whole command."""
    evening_count = evenings(TABLES if rules_json.get("worth") == {"by": "opponents"} else 0)
    season = read_request({"rules": rules_json, "evenings": evening_count})
    line = json.dumps({"rules": rules_json, "evenings": evening_count}).encode()
    gc.freeze()  # like the command: the garbage collector does not scan the season again
    times = (
        seconds(lambda: plain_sum(season)),
        seconds(lambda: standings(*season)),
        seconds(lambda: command(line)),
    )
    print(f"{name:<26}" + "".join(f"{time:>12.3f}" for time in times), flush=True)


def main() -> None:
    """Print the table of times."""
    rules_json = {preset.name: dict(preset.rules) for preset in PRESETS}
    rules_json["average per deal"] = {"worth": {"by": "average"}}
    rules_json["opponents"] = {"worth": {"by": "opponents"}, "counts": {"which": "best", "n": 30}}
    rules_json["places shared, all ties"] = {
        "worth": {"by": "places", "points": [25, 18, 15, 12, 10, 8, 6, 4, 2, 1], "shared": "mean"},
        "counts": {"which": "best", "n": 10},
        "attendance": 1,
        "ties": sorted(TIE_BREAKS),
    }
    print(f"{PLAYERS:,} players, {EVENINGS} evenings")
    print(f"{'seconds':<26}{'sum':>12}{'worked out':>12}{'command':>12}")
    for name, rules in rules_json.items():
        report(name, rules)


if __name__ == "__main__":
    main()
