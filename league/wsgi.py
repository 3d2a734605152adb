import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from league.web.charset import remove_unsupported_charset
from league.web.metrics_folder import share_metrics
from league.web.request_body import require_complete_body

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

if settings.METRICS_TOKEN:
    share_metrics()  # before prometheus_client is imported

_application = require_complete_body(remove_unsupported_charset(get_wsgi_application()))
import_module(settings.ROOT_URLCONF)  # import every page now, and not during the first request

from league.operations.work.status_emails import StatusCheckMiddleware  # noqa: E402  it needs the applications, loaded above

application = StatusCheckMiddleware(_application)
