"""Time of the clock, and of the processors: this process's, and that of the database's process that works for it.

A machine that does other work beside makes seconds longer, and processor time little: relations are told by that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

NANOSECONDS = 1e9


class Spent(NamedTuple):
    """Seconds: of the clock, of this process's processor, and of the processor of the database's process."""

    wall: float = 0.0
    client: float = 0.0
    database: float = 0.0

    @property
    def cpu(self) -> float:
        """Both processes'."""
        return self.client + self.database

    def __add__(self, other_spent: object) -> Spent:
        """Return both together."""
        assert isinstance(other_spent, Spent)
        return Spent(*(left_part + right_part for left_part, right_part in zip(self, other_spent, strict=True)))

    def __sub__(self, other: Spent) -> Spent:
        """Return what is left of it."""
        return Spent(*(left_part - right_part for left_part, right_part in zip(self, other, strict=True)))


class Meter:
    """Tells what was spent since it was made, with the database's process of that id."""

    def __init__(self, backend: int) -> None:
        self._file = Path(f"/proc/{backend}/schedstat")
        self._start = self._now()

    def _now(self) -> Spent:
        database = int(self._file.read_text().split()[0]) / NANOSECONDS
        return Spent(time.perf_counter(), time.process_time(), database)

    def spent(self) -> Spent:
        """Return what was spent so far."""
        return self._now() - self._start


class Parts:
    """What parts of some work cost, each without the parts inside it; what is inside a whole one is its own."""

    def __init__(self, meter: Meter) -> None:
        self.spent: dict[str, Spent] = {}
        self._meter = meter
        self._inside = [Spent()]
        self._in_whole = False

    def watch(self, part: str, module: Any, name: str, *, includes_parts: bool = False) -> None:
        """Count every call of a module's function as this part from now on."""
        function: Callable[..., Any] = getattr(module, name)

        @wraps(function)
        def watched(*given: Any, **named: Any) -> Any:
            if self._in_whole:
                return function(*given, **named)
            with self._of(part, includes_parts):
                return function(*given, **named)

        setattr(module, name, watched)

    @contextmanager
    def _of(self, part: str, includes_parts: bool) -> Iterator[None]:
        self._in_whole = includes_parts
        before = self._meter.spent()
        self._inside.append(Spent())
        try:
            yield
        finally:
            self._in_whole = False
            spent = self._meter.spent() - before
            inside = self._inside.pop()
            self._inside[-1] += spent
            self.spent[part] = self.spent.get(part, Spent()) + spent - inside
