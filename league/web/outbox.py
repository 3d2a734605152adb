"""Requests from the outbox of a browser: entries that were stored without a network are sent in the background.

No page is shown to the user, so that a redirect and its messages are answered as JSON. An entry of another user, or of
one who has signed out meanwhile, is refused with 401 before it reaches a view. See
docs/decisions/0037-an-outbox-for-the-desk.md.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse, JsonResponse

USER_HEADER = "Outbox-User"
AT_TABLE = "0"  # a phone at a table has no user


def answer_outbox(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer requests of the outbox in JSON. Middleware that may redirect must come before.

    A redirect of such middleware does not mean that an entry was recorded.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.headers.get(USER_HEADER)
        if user is None or request.method != "POST":
            return get_response(request)
        if user not in {AT_TABLE, str(request.user.pk)}:
            return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
        response = get_response(request)
        if not HTTPStatus.MULTIPLE_CHOICES <= response.status_code < HTTPStatus.BAD_REQUEST:
            return response
        messages = [{"level": message.level_tag, "text": str(message)} for message in get_messages(request)]
        answer = JsonResponse({"messages": messages})
        answer.cookies = response.cookies
        return answer

    return middleware
