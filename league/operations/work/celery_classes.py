from __future__ import annotations

from typing import TYPE_CHECKING, Any

import celery
from celery.beat import PersistentScheduler

from league.operations.work import heartbeats

if TYPE_CHECKING:
    BaseTask = celery.Task[..., Any]
else:
    BaseTask = celery.Task


class HeartbeatTask(BaseTask):
    """A task that records a heartbeat of its queue and worker when it begins and when it ends."""

    def before_start(self, task_id: str, args: Any, kwargs: Any) -> None:
        self._record_heartbeat(busy=True)

    def after_return(self, status: Any, retval: Any, task_id: str, args: Any, kwargs: Any, einfo: Any) -> None:
        self._record_heartbeat(busy=False)

    def _record_heartbeat(self, *, busy: bool) -> None:
        queue = (self.request.delivery_info or {}).get("routing_key")
        if queue is not None and queue in self.app.amqp.queues:  # else the task runs in the caller's process
            heartbeats.record_task_heartbeat(queue, self.request.hostname or "", busy=busy)


class HeartbeatScheduler(PersistentScheduler):
    """A scheduler of Celery beat that records a heartbeat each time that it sends a message."""

    def apply_async(self, *args: Any, **kwargs: Any) -> Any:
        sent = super().apply_async(*args, **kwargs)
        heartbeats.record_clock_heartbeat()
        return sent
