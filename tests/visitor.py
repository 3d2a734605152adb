"""Somebody at the real server, who sends what he likes: a browser without scruples."""

from __future__ import annotations

import http.client
from contextlib import closing
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from urllib.parse import urlencode

from tests.webserver import WebServer


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    text: str

    @property
    def sent_to(self) -> str:
        """The address of a redirect, else nothing."""
        return self.headers.get("Location", "")


@dataclass
class Visitor:
    """Keeps cookies, and knows the form's token; `headers` go with each request."""

    server: WebServer
    headers: dict[str, str] = field(default_factory=dict)
    cookies: SimpleCookie = field(default_factory=SimpleCookie)

    @property
    def referer(self) -> str:
        """A page of the site."""
        return f"https://127.0.0.1:{self.server.port}/"

    def get(self, address: str, **headers: str) -> Answer:
        """Ask for a page."""
        return self.send("GET", address, b"", headers)

    def post(self, address: str, fields: dict[str, str], **headers: str) -> Answer:
        """Send a form, from the site's own page."""
        token = self.cookies["csrftoken"].value if "csrftoken" in self.cookies else ""
        body = urlencode({**fields, "csrfmiddlewaretoken": token}).encode()
        return self.send("POST", address, body, {"Content-Type": "application/x-www-form-urlencoded", **headers})

    def send(self, method: str, address: str, body: bytes, headers: dict[str, str]) -> Answer:
        """Send anything."""
        cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in self.cookies.items())
        sent = {"Cookie": cookies, "Referer": self.referer, **self.headers, **headers}
        with closing(http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)) as connection:
            connection.request(method, address, body or None, {name.replace("_", "-"): sent[name] for name in sent})
            answer = connection.getresponse()
            for line in answer.headers.get_all("Set-Cookie") or []:
                self.cookies.load(line)
            return Answer(answer.status, answer.headers, answer.read().decode())

    def sign_in(self, email: str, password: str) -> Answer:
        """Fill in the account's form."""
        self.get("/account/login/")
        return self.post("/account/login/", {"login": email, "password": password})
