"""What a request may bring: all of what it announced, and no files but where a view takes a small one.

A form that was cut off on its way would be read as if it were whole: "120" as "1".
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast

from allauth.core.ratelimit import consume
from django.conf import settings
from django.core.exceptions import BadRequest
from django.core.files.uploadedfile import InMemoryUploadedFile, UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt, csrf_protect

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication


class NoFiles(FileUploadHandler):
    """Refuses a file before any of it is kept: no form of ours asks for one."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Refuse it."""
        raise BadRequest("No form here takes a file.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Keep nothing."""
        return None

    def file_complete(self, file_size: int) -> None:
        """Have nothing to give."""
        return


class KeptFile(InMemoryUploadedFile):
    """A file in memory. Where its user has sent too many, `most_per_hour` is set and the content is dropped."""

    most_per_hour: int | None = None

    def drop(self, most_per_hour: int) -> None:
        self.most_per_hour = most_per_hour
        self.file, self.size = io.BytesIO(), 0


class SmallFile(FileUploadHandler):
    """Keeps a file in memory, of a large one only what shows that it is too large."""

    def __init__(self, request: HttpRequest, most: int) -> None:
        super().__init__(request)
        self.most = most

    def handle_raw_input(self, input_data: Any, META: Any, content_length: int, *args: Any, **kwargs: Any) -> None:  # noqa: N803
        """Refuse what is much too large before it is read."""
        if content_length > 4 * self.most:
            raise BadRequest("The file is much too large.")

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begin it."""
        super().new_file(*args, **kwargs)
        self.kept = io.BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Keep a byte more than may be, at most."""
        self.kept.write(raw_data[: max(0, self.most + 1 - self.kept.tell())])

    def file_complete(self, file_size: int) -> UploadedFile[bytes]:
        """Give what was kept."""
        size = self.kept.tell()
        self.kept.seek(0)
        return KeptFile(self.kept, self.field_name, self.file_name or "", self.content_type, size, self.charset)


View = Callable[..., HttpResponse]


def takes_file(most: int, limit: str = "upload") -> Callable[[View], View]:
    """Let a view take files of at most `most` bytes, in memory; it is still protected from forged requests.

    A request with a file counts against the rate limit of this name, per hour, before anything reads the file. Beyond
    the limit the view gets the file without its content, and `UploadField` refuses it.
    """

    def decorated(view: View) -> View:
        protected = csrf_protect(_counted(view, limit))

        @csrf_exempt  # whose middleware would read the form, and refuse the file, before the view is asked
        @wraps(view)
        def taking(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            request.upload_handlers = [SmallFile(request, most)]
            return protected(request, *args, **kwargs)

        taking.most_uploaded = most  # type: ignore[attr-defined]  # by which the tests find views that take files
        return taking

    return decorated


def _counted(view: View, limit: str) -> View:
    @wraps(view)
    def counted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        files = [cast("KeptFile", file) for _name, listed in request.FILES.lists() for file in listed]
        if not files or consume(request, action=limit, user=request.user):
            return view(request, *args, **kwargs)
        for file in files:
            file.drop(int(settings.ACCOUNT_RATE_LIMITS[limit].partition("/")[0]))
        answer = view(request, *args, **kwargs)
        if answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY:
            answer.status_code = HTTPStatus.TOO_MANY_REQUESTS
        return answer

    return counted


class WholeBody:
    """The input of a request that is refused where it ends before it should."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def read(self, size: int) -> bytes:
        """Return exactly so many bytes; Django never asks for more than were announced."""
        return self._checked(self.stream.read(size), size)

    def readline(self, size: int) -> bytes:
        """Return a line, or so many bytes of it."""
        line: bytes = self.stream.readline(size)
        return line if line.endswith(b"\n") else self._checked(line, size)

    def _checked(self, data: bytes, size: int) -> bytes:
        if len(data) < size:
            raise BadRequest("The request ended early.")
        return data


def whole(application: WSGIApplication) -> WSGIApplication:
    """Wrap the application: a request that was cut off can't be read."""

    def guarded(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        environ["wsgi.input"] = WholeBody(environ["wsgi.input"])
        return application(environ, start_response)

    return guarded
