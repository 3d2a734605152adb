"""What a request may bring: all of what it announced, and no files.

A form that was cut off on its way would be read as if it were whole: "120" as "1".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.core.exceptions import BadRequest
from django.core.files.uploadhandler import FileUploadHandler

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


class WholeBody:
    """The input of a request that fails, as a broken connection does, where it ends before it should."""

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
            raise OSError("The request ended early.")
        return data


def whole(application: WSGIApplication) -> WSGIApplication:
    """Wrap the application: a request that was cut off can't be read."""

    def guarded(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        environ["wsgi.input"] = WholeBody(environ["wsgi.input"])
        return application(environ, start_response)

    return guarded
