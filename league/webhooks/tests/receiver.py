"""A program of a club: a real server on this machine, which stores the messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple

import time_machine
from standardwebhooks import Webhook as Signer

from league.actions import webhooks
from league.actions.webhooks import WEBHOOK_JOB_KIND
from league.models import Club, Job, Webhook
from league.models.webhook import WebhookEvent
from league.operations.work import jobs

HOST = "127.0.0.1"


class Message(NamedTuple):
    path: str
    headers: dict[str, str]  # names in lower case
    body: str

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    def verified(self, secret: str, moment: datetime) -> Any:
        """Return the JSON. Raise WebhookVerificationError if the signature is wrong, or five minutes old."""
        with time_machine.travel(moment, tick=False):
            return Signer(secret).verify(self.body, self.headers)


class Receiver:
    """Answers with `status`, or with `reply`, which writes to the connection by itself."""

    def __init__(self) -> None:
        self.status = 204
        self.location = ""
        self.reply: Callable[[BaseHTTPRequestHandler], None] | None = None
        self.messages: list[Message] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                names = {name.lower(): value for name, value in self.headers.items()}
                receiver.messages.append(Message(self.path, names, body))
                with suppress(OSError):  # the sender has gone
                    if receiver.reply is not None:
                        receiver.reply(self)
                    else:
                        self.send_response(receiver.status)
                        if receiver.location:
                            self.send_header("Location", receiver.location)
                        self.end_headers()

            def log_message(self, *_args: object) -> None:
                pass

        self.server = ThreadingHTTPServer((HOST, 0), Handler)
        self.server.daemon_threads = True
        self.thread = Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def port(self) -> int:
        return int(self.server.server_address[1])

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}/hook?of=club"

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    @property
    def texts(self) -> list[Any]:
        return [json.loads(message.body) for message in self.messages]


def a_webhook(club: Club, address: str, *events: WebhookEvent, now: datetime) -> Webhook:
    return webhooks.add_webhook(club, address, events or WebhookEvent.values, now=now)


def send(now: datetime) -> None:
    """Work on the due messages, as a worker does."""
    for pk in Job.objects.due(now).filter(kind=WEBHOOK_JOB_KIND).order_by("pk").values_list("pk", flat=True):
        jobs.work_on_job(pk, now=now)
