"""A small OpenID Connect provider on this machine: discovery, sign-in without questions, signed tokens, a person."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import time
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT_ID, CLIENT_SECRET = "league", "secret of the league"
KEY_ID = "1"


class Provider(ThreadingHTTPServer):
    """`person`: what it says of everybody who signs in. `answers`: other answers, by path."""

    daemon_threads = True

    def __init__(self, person: dict[str, Any]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.person = person
        self.answers: dict[str, tuple[int, Any]] = {}
        self.challenges: dict[str, tuple[str, str]] = {}  # by code: PKCE's challenge, and where the browser returns to
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.token = secrets.token_urlsafe()

    def configuration(self) -> dict[str, Any]:
        names = ("authorization", "token", "userinfo")
        return {
            "issuer": self.url,
            **{f"{name}_endpoint": f"{self.url}/{name}" for name in names},
            "jwks_uri": f"{self.url}/jwks",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }

    def authorize(self, query: dict[str, str]) -> str:
        """Return the address to which the browser goes back."""
        code = secrets.token_urlsafe()
        self.challenges[code] = (query["code_challenge"], query["redirect_uri"])
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def exchange(self, form: dict[str, str]) -> tuple[int, Any]:
        challenge, redirect_uri = self.challenges.pop(form["code"], ("", ""))
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        proven = base64.urlsafe_b64encode(digest).decode().rstrip("=") == challenge
        client = (form["client_id"], form["client_secret"], form["redirect_uri"])
        if not proven or client != (CLIENT_ID, CLIENT_SECRET, redirect_uri):
            return 400, {"error": "invalid_grant"}
        claims = {"iss": self.url, "aud": CLIENT_ID, "sub": "1", "iat": int(time()), "exp": int(time()) + 60}
        id_token = jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": KEY_ID})
        return 200, {"access_token": self.token, "token_type": "Bearer", "id_token": id_token}


class Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        path, query = urlsplit(self.path).path, dict(parse_qsl(urlsplit(self.path).query))
        if path in self.server.answers:
            self.answer(*self.server.answers[path])
        elif path == "/.well-known/openid-configuration":
            self.answer(200, self.server.configuration())
        elif path == "/authorization":
            self.send_response(302)
            self.send_header("Location", self.server.authorize(query))
            self.end_headers()
        elif path == "/userinfo" and self.headers["Authorization"] == f"Bearer {self.server.token}":
            self.answer(200, {"sub": "1", **self.server.person})
        else:
            self.answer(404, {})

    def do_POST(self) -> None:
        form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        self.answer(*self.server.answers.get(self.path) or self.server.exchange(form))

    def answer(self, status: int, content: Any) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Write nothing."""


@contextmanager
def a_provider(**person: Any) -> Iterator[Provider]:
    with Provider(person) as provider:
        Thread(target=provider.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield provider
        finally:
            provider.shutdown()
