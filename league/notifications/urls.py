from django.conf import settings
from django.urls import URLPattern, path

from league.notifications import views

urlpatterns = [
    path("letters", views.notification_settings, name="letters"),
    path("letters/stop/<str:token>", views.unsubscribe, name="letters-stop"),
]


def event_patterns() -> list[URLPattern]:
    """Return the address for a mail provider's events, if one is configured."""
    return [path("letters/events", views.email_events, name="email-events")] if settings.EMAIL_EVENTS else []
