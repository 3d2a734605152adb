"""Measure wall-clock time and CPU time: of this process, and of the PostgreSQL process that serves its connection.

Other work on the machine changes wall-clock times much and CPU times little. So ratios are computed from CPU times.
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
    """Seconds: wall-clock time, CPU time of this process, CPU time of the PostgreSQL process."""

    wall: float = 0.0
    client: float = 0.0
    database: float = 0.0

    @property
    def cpu(self) -> float:
        """Return the CPU time of both processes."""
        return self.client + self.database

    def __add__(self, other_spent: object) -> Spent:
        assert isinstance(other_spent, Spent)
        return Spent(*(left_part + right_part for left_part, right_part in zip(self, other_spent, strict=True)))

    def __sub__(self, other: Spent) -> Spent:
        return Spent(*(left_part - right_part for left_part, right_part in zip(self, other, strict=True)))


class Meter:
    """Measure the time since this object was created. `backend` is the process id of the PostgreSQL process."""

    def __init__(self, backend: int) -> None:
        self._file = Path(f"/proc/{backend}/schedstat")
        self._start = self._now()

    def _now(self) -> Spent:
        database = int(self._file.read_text().split()[0]) / NANOSECONDS
        return Spent(time.perf_counter(), time.process_time(), database)

    def spent(self) -> Spent:
        """Return the time spent so far."""
        return self._now() - self._start


class Parts:
    """Measure named parts of some work. The time of a part excludes the parts that run inside it.

    A part with `includes_parts` is an exception: its time includes them, and they are not counted separately.
    """

    def __init__(self, meter: Meter) -> None:
        self.spent: dict[str, Spent] = {}
        self._meter = meter
        self._inside = [Spent()]
        self._in_whole = False

    def watch(self, part: str, module: Any, name: str, *, includes_parts: bool = False) -> None:
        """Wrap the function `name` of the module, so that the time of each call is added to the part."""
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
