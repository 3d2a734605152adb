"""The page /metrics in the format of Prometheus. It returns 404 unless METRICS_TOKEN is set."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from league.actions.jobs import job_kinds
from league.operations.queries.metrics import Metrics, read_metrics
from league.web.metrics_folder import METRICS_FOLDER_VARIABLE
from league.web.request_metrics import METRICS_REGISTRY

BEARER_PREFIX: Final = "Bearer "


class MetricsCollector(Collector):
    def __init__(self, figures: Metrics) -> None:
        self.figures = figures

    def collect(self) -> Iterator[Metric]:
        figures = self.figures
        jobs = GaugeMetricFamily("league_jobs", "Background jobs", labels=("kind", "state"))
        for labels, count in figures.jobs.items():
            jobs.add_metric(labels, count)
        yield jobs
        oldest = GaugeMetricFamily(
            "league_jobs_oldest_waiting_seconds", "Time since the oldest waiting job was due", labels=("kind",)
        )
        for kind, seconds in figures.oldest_waiting.items():
            oldest.add_metric((kind,), seconds)
        yield oldest
        yield GaugeMetricFamily("league_emails_waiting", "Emails to be sent", figures.emails_waiting)
        yield _timestamp_metric(
            "league_last_night_timestamp_seconds", "Last successful nightly run", figures.last_night
        )
        yield _timestamp_metric("league_last_backup_timestamp_seconds", "Last successful backup", figures.last_backup)
        yield GaugeMetricFamily("league_database_bytes", "Size of the database", figures.database_bytes)
        yield GaugeMetricFamily("league_clubs", "Clubs", figures.clubs)


def _timestamp_metric(name: str, text: str, moment: datetime | None) -> GaugeMetricFamily:
    """Return a metric with the timestamp of `moment`; 0 for None, so that an alarm for old timestamps rings too."""
    return GaugeMetricFamily(name, text, moment.timestamp() if moment else 0)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not settings.METRICS_TOKEN:
        raise Http404
    authorization = request.headers.get("Authorization", "")
    if not constant_time_compare(authorization, BEARER_PREFIX + settings.METRICS_TOKEN):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer", "Cache-Control": "no-store"})
    registry = CollectorRegistry()
    registry.register(MetricsCollector(read_metrics(sorted(job_kinds()), timezone.now())))
    if os.environ.get(METRICS_FOLDER_VARIABLE):
        requests: bytes = generate_latest(_registry_of_all_processes())
    else:  # there is only one process, for example runserver
        requests = generate_latest(METRICS_REGISTRY)
    body = requests + generate_latest(registry)
    return HttpResponse(body, content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def _registry_of_all_processes() -> CollectorRegistry:
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
