"""Checks of a request's body: it must be complete, and it may contain files only if the view accepts them.

A truncated form would otherwise be accepted with wrong values: "120" as "1".
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from functools import wraps
from http import HTTPStatus
from typing import Any, cast
from wsgiref.types import StartResponse, WSGIApplication

from allauth.core.ratelimit import consume
from django.conf import settings
from django.core.exceptions import BadRequest
from django.core.files.uploadedfile import InMemoryUploadedFile, UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect


class RefusedUploadHandler(FileUploadHandler):
    """Upload handler that responds 400 to any file."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        raise BadRequest("No form here takes a file.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        return None

    def file_complete(self, file_size: int) -> None:
        return


class MemoryFile(InMemoryUploadedFile):
    """An uploaded file in memory. If its content was dropped, `refusal` is the reason as text."""

    refusal: str = ""

    def drop_content(self, refusal: str) -> None:
        self.refusal = refusal
        self.file, self.size = io.BytesIO(), 0


class SmallFileUploadHandler(FileUploadHandler):
    """Upload handler that stores a file in memory, at most `max_size` + 1 bytes.

    The additional byte shows the form that the file is too large.
    """

    def __init__(self, request: HttpRequest, max_size: int) -> None:
        super().__init__(request)
        self.max_size = max_size

    def handle_raw_input(self, input_data: Any, META: Any, content_length: int, *args: Any, **kwargs: Any) -> None:  # noqa: N803
        """Refuse a request of more than four times the limit without reading it."""
        if content_length > 4 * self.max_size:
            raise BadRequest("The file is much too large.")

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.content = io.BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.content.write(raw_data[: max(0, self.max_size + 1 - self.content.tell())])

    def file_complete(self, file_size: int) -> UploadedFile[bytes]:
        size = self.content.tell()
        self.content.seek(0)
        return MemoryFile(self.content, self.field_name, self.file_name or "", self.content_type, size, self.charset)


View = Callable[..., HttpResponse]


def accept_file(max_size: int, limit: str = "upload") -> Callable[[View], View]:
    """Return a decorator that lets a view accept files of at most `max_size` bytes, in memory. CSRF protection stays.

    A request with a file counts against the hourly rate limit `limit` (a key of ACCOUNT_RATE_LIMITS). Above the rate
    limit, and in a public demo, the view gets the file without its content, and `UploadField` shows an error.
    """

    def decorated(view: View) -> View:
        protected = csrf_protect(_limit_rate(view, limit))

        @csrf_exempt  # the CSRF middleware would read the form, and refuse the file, before the view
        @wraps(view)
        def upload_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            request.upload_handlers = [SmallFileUploadHandler(request, max_size)]
            return protected(request, *args, **kwargs)

        # The tests find the views with uploads by this attribute.
        upload_view.max_upload_size = max_size  # type: ignore[attr-defined]
        return upload_view

    return decorated


def _limit_rate(view: View, limit: str) -> View:
    """Wrap a view with uploads: drop the content of files above the rate limit, and in a public demo.

    Above the rate limit, the status of a refused form (422) becomes 429.
    """

    @wraps(view)
    def limited_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        files = [cast("MemoryFile", file) for _name, uploads in request.FILES.lists() for file in uploads]
        if not files:
            return view(request, *args, **kwargs)
        is_frequent = not consume(request, action=limit, user=request.user)
        if settings.DEMO:
            _drop_contents(files, _("The demo takes no files: other visitors would see them."))
        elif is_frequent:
            words = _("You have sent many files: at most %(number)s an hour are read. Send this one again later.")
            _drop_contents(files, words % {"number": int(settings.ACCOUNT_RATE_LIMITS[limit].partition("/")[0])})
        answer = view(request, *args, **kwargs)
        if not is_frequent:
            return answer
        if answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY:
            answer.status_code = HTTPStatus.TOO_MANY_REQUESTS
        return answer

    return limited_view


def _drop_contents(files: Iterable[MemoryFile], refusal: str) -> None:
    for file in files:
        file.drop_content(refusal)


class CompleteBody:
    """The input stream of a request. Reading raises BadRequest if the body ends early."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def read(self, size: int) -> bytes:
        """Return `size` bytes. Raise BadRequest if the body is shorter than the request's Content-Length."""
        return self._require_length(self.stream.read(size), size)

    def readline(self, size: int) -> bytes:
        line: bytes = self.stream.readline(size)
        return line if line.endswith(b"\n") else self._require_length(line, size)

    def _require_length(self, data: bytes, size: int) -> bytes:
        """Return `data` if it has `size` bytes. Raise BadRequest if it is shorter."""
        if len(data) < size:
            raise BadRequest("The request ended early.")
        return data


def require_complete_body(application: WSGIApplication) -> WSGIApplication:
    """Wrap a WSGI application so that reading a truncated body raises BadRequest."""

    def guarded(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        environ["wsgi.input"] = CompleteBody(environ["wsgi.input"])
        return application(environ, start_response)

    return guarded
