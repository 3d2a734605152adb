from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from league.webhooks.tests.receiver import HOST, Receiver


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    """Return a running receiver on this machine, whose host is allowed."""
    settings.WEBHOOK_ALLOWED_HOSTS = [HOST]
    settings.SITE_ADDRESS = "https://league.example"
    started = Receiver()
    started.start()
    yield started
    started.stop()
