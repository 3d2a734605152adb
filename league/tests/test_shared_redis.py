"""Two installations on one Redis share neither queue nor key, whatever they send and delete."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.core.cache import cache
from redis import Redis

from league.celery import app
from league.messages import send_tick

OTHER = "the key of another installation, 32 letters"
# What another installation does: it sends messages, stores a value, and empties its cache and its queues.
THEIRS = """
import django; django.setup()
from django.core.cache import cache, caches
from league.celery import app
from league.messages import send_tick
assert cache.get("shared") is None
cache.set("shared", "theirs"); send_tick(); send_tick("letters")
with app.connection_for_read() as connection, connection.SimpleQueue("celery") as queue:
    assert queue.get(timeout=5).headers["task"] == "league.operations.tasks.jobs.tick"
app.control.purge()
caches["default"].delete_all_keys()
"""


def test_another_installation_reads_and_empties_nothing_of_ours() -> None:
    app.control.purge()
    send_tick()
    send_tick("letters")
    cache.set("shared", "ours")
    environment = {**os.environ, "SECRET_KEY": OTHER, "DJANGO_SETTINGS_MODULE": "league.settings"}
    subprocess.run([sys.executable, "-c", THEIRS], env=environment, check=True)
    assert cache.get("shared") == "ours"
    for name in ("celery", "letters"):
        with app.connection_for_read() as connection, connection.SimpleQueue(name) as queue:
            assert queue.get(timeout=5)
            with pytest.raises(queue.Empty):
                queue.get(block=False)
    app.control.purge()


def test_every_key_begins_with_the_prefix_of_the_installation() -> None:

    prefix = str(cache.key_prefix)
    cache.clear()
    send_tick()
    cache.set("something", 1)
    address = app.conf.broker_url.replace("redis+socket://", "unix://")
    with Redis.from_url(address, decode_responses=True) as server:
        keys = server.keys()
    assert {key.partition(":")[0] for key in keys} == {prefix, f"{prefix}-queue"}
    app.control.purge()
