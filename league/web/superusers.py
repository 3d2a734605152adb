"""Decorator for pages of superusers, the installation's admins."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse


def superuser_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view for superusers only. Other users get 404; visitors are redirected to the sign-in page."""

    @login_required
    @wraps(view)
    def superuser_view(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not request.user.is_superuser:
            raise Http404
        return view(request, *args, **kwargs)

    return superuser_view
