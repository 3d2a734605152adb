from django.conf import settings
from django.urls import URLPattern, path

from league.notifications import views

urlpatterns = [
    path("letters", views.notification_settings, name="letters"),
    path("letters/stop/<str:token>", views.unsubscribe, name="letters-stop"),
]


def event_patterns() -> list[URLPattern]:
    """Return the URL for the events of a mail provider, or [] if the settings name no provider."""
    return [path("letters/events", views.email_events, name="email-events")] if settings.EMAIL_EVENTS else []
