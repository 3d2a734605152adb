"""Requests from the outbox of a browser: entries that were stored without a network and are sent in the background.

The user sees no page, so redirects and their messages are answered as JSON. If the entry belongs to another user, or
its user has signed out, the middleware responds 401 before a view is called. See
docs/decisions/0037-an-outbox-for-the-desk.md.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse, JsonResponse

USER_HEADER = "Outbox-User"
PHONE_AT_TABLE = "0"  # value of the header for a phone at a table, which has no user


def respond_to_outbox(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Respond in JSON to requests of the outbox. Place it after all middleware that may redirect.

    Otherwise such a redirect would look like the redirect of a view after a successful write.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.headers.get(USER_HEADER)
        if user is None or request.method != "POST":
            return get_response(request)
        if user not in {PHONE_AT_TABLE, str(request.user.pk)}:
            return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
        response = get_response(request)
        if not HTTPStatus.MULTIPLE_CHOICES <= response.status_code < HTTPStatus.BAD_REQUEST:
            return response
        messages = [{"level": message.level_tag, "text": str(message)} for message in get_messages(request)]
        answer = JsonResponse({"messages": messages})
        answer.cookies = response.cookies
        return answer

    return middleware
