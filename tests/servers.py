"""pytest plugin: throw-away PostgreSQL and Valkey, started before Django reads its settings.

pyproject.toml names it; start the tests with `make test` or `.venv/bin/python -m pytest`. DATABASE_URL and REDIS_URL
are used instead if they are set. Under xdist one PostgreSQL serves all workers, each with a database of its own, and
every worker gets its own Valkey, which its tests empty. Both end with the process that started them, also after its
kill -9.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from deploy.servers import ServerError, temporary_servers

# Set for the workers, which inherit the environment: the Valkey in REDIS_URL is the main process's own.
_OURS = "LEAGUE_TEST_VALKEY"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """Start what is missing; a wrapper, so that it comes before pytest-django."""
    stack = ExitStack()
    early_config.add_cleanup(stack.close)
    queue = not os.environ.get("REDIS_URL") or _OURS in os.environ
    try:
        found = stack.enter_context(temporary_servers(database=not os.environ.get("DATABASE_URL"), queue=queue))
    except ServerError as problem:
        raise pytest.UsageError(str(problem)) from None
    os.environ.update(found)
    if queue:
        os.environ[_OURS] = "1"
    return (yield)
