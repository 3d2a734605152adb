"""The project's settings, read from the environment. README.md lists the variables.

A wrong value stops any process at its start, with one line (league/environment.py). Missing values and servers that do
not answer are reported by system checks (league/checks.py).
"""

import tomllib
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import structlog
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from league import environment
from league.environment import Environment
from league.log_lines import remove_secret_links

BASE_DIR = Path(__file__).resolve().parent.parent
env = Environment()
RELEASE = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]["version"]

DEBUG = env.flag("DEBUG", False)
SECRET_KEY = env.parsed("SECRET_KEY", "", environment.secret_key, secret=True)
# Earlier keys: their signatures stay valid.
SECRET_KEY_FALLBACKS = env.parsed("SECRET_KEY_FALLBACKS", list[str](), environment.secret_keys, secret=True)
ALLOWED_HOSTS = env.parsed("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"], environment.host_names)
CSRF_TRUSTED_ORIGINS = env.parsed("CSRF_TRUSTED_ORIGINS", list[str](), environment.origins)
HTTPS = env.flag("HTTPS", False)
DEMO = env.flag("DEMO", False)  # a public demo: sign-in by a click, no data to other servers, a reset each night
# The number of proxies. Each appends to X-Forwarded-For, and a client can forge all entries before these.
ALLAUTH_TRUSTED_PROXY_COUNT = env.number("TRUSTED_PROXY_COUNT", 1 if HTTPS else 0, low=0, high=9)
SITE_ADDRESS = env.parsed("SITE_ADDRESS", "", environment.site_address)  # for emails, which have no request
if SITE_ADDRESS and not environment.is_served_by(SITE_ADDRESS, ALLOWED_HOSTS):
    env.add_error("ALLOWED_HOSTS", f"lacks the site's own host: SITE_ADDRESS is {SITE_ADDRESS!r}")
SITE_NAME = env.parsed("SITE_NAME", "", environment.short_line)  # in the header and titles of pages
# Legal contacts, in the footer of each page.
PUBLISHER = env.text("PUBLISHER")
HOSTED_BY = env.text("HOSTED_BY")
CONTACT = env.parsed("CONTACT", "", environment.email_address)
NIGHT_HOUR = env.number("NIGHT_HOUR", 4, low=0, high=23)
# The destination of the nightly backup: a folder, a command that reads it, or both; and its encryption key.
BACKUP_FOLDER = env.parsed("BACKUP_FOLDER", "", environment.absolute_path)
BACKUP_COMMAND = env.text("BACKUP_COMMAND", secret=True)
BACKUP_AFTER_EVENINGS = env.flag("BACKUP_AFTER_EVENINGS", True)  # besides the nightly backup
BACKUP_KEY = env.parsed("BACKUP_KEY", "", environment.backup_key, secret=True)
# A copy of the files of BACKUP_FOLDER on another server: a name in rclone's configuration, and a path on that server.
BACKUP_COPY_TO = env.parsed("BACKUP_COPY_TO", "", environment.remote_folder)
BACKUP_COPY_CONFIG = env.parsed("BACKUP_COPY_CONFIG", "", environment.absolute_path)
env.check_together("BACKUP_COPY_TO", "BACKUP_COPY_CONFIG")
if BACKUP_COPY_TO and not BACKUP_FOLDER:
    env.add_error("BACKUP_COPY_TO", "needs BACKUP_FOLDER too")
# Hosts that webhooks may have, also in the local network and by http. Without a value: all hosts of the internet.
WEBHOOK_ALLOWED_HOSTS = env.parsed("WEBHOOK_ALLOWED_HOSTS", list[str](), environment.listed_hosts)
# Requested after each successful recomputation and backup.
HEARTBEAT_URL = env.parsed("HEARTBEAT_URL", "", environment.web_address, secret=True)
# The feed of this program's releases, read once a day for a notice on /watch.
RELEASES_FEED = env.parsed("RELEASES_FEED", "", environment.web_address)
# The password of /metrics; without it there are no metrics.
METRICS_TOKEN = env.parsed("METRICS_TOKEN", "", environment.token, secret=True)

_LOCAL_DATABASE = environment.database("postgres://localhost/league")
DATABASES = {"default": env.parsed("DATABASE_URL", _LOCAL_DATABASE, environment.database, secret=True)}
# PostgreSQL itself, if DATABASE_URL leads to PgBouncer: backups, drills and restores need one connection to the end.
if _direct := env.parsed("DATABASE_DIRECT_URL", dict[str, Any](), environment.database, secret=True):
    DATABASES["direct"] = _direct
    # The next transaction may get another connection, which does not know a cursor of this one.
    DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
    if DEMO:
        env.add_error("DATABASE_DIRECT_URL", "can not be used with DEMO, whose reset locks a connection")
for _database in DATABASES.values():
    _database["CONN_HEALTH_CHECKS"] = True
    _database.setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)  # seconds

TIME_ZONE = env.parsed("TIME_ZONE", "Europe/Paris", environment.time_zone)

# One address for broker and cache: redis://host:6379, or redis+socket:///path for a socket.
REDIS_URL = env.parsed("REDIS_URL", "redis://localhost:6379", environment.redis, secret=True)
# The prefix of all keys and queues, so that two installations can share a server. It reveals no secret.
REDIS_PREFIX = f"league-{sha256(f'Redis {SECRET_KEY}'.encode()).hexdigest()[:12]}"
CACHES = {
    "default": {
        "BACKEND": "league.cache.FaultTolerantCache",
        "LOCATION": REDIS_URL.replace("redis+socket://", "unix://"),
        "KEY_PREFIX": REDIS_PREFIX,
    }
}
CELERY_BROKER_URL = REDIS_URL
CELERY_TIMEZONE = TIME_ZONE
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1  # tasks are long: a waiting task is free for another worker
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False  # the worker and beat log JSON too, see LOGGING
# Redis delivers a task again after this many seconds; longer than the longest task.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 6 * 3600, "global_keyprefix": f"{REDIS_PREFIX}-queue:"}

INSTALLED_APPS = [
    "players",
    "scoring",
    "league",
    "league.apps.RepairsConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",  # allauth's pages of sessions and passkeys load it
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "pgtrigger",
    "pghistory",
    "pghistory.admin",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "crispy_forms",
    "crispy_bootstrap5",
    "django_htmx",
    "django_structlog",
    "django_tables2",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "league.web.charset.refuse_charset",
    "players.naming.public_names_middleware",
    "league.evenings.views.live.middleware.serve_without_sessions",  # short responses, which a proxy may compress
    "django.middleware.gzip.GZipMiddleware",  # random bytes hide lengths (BREACH); proxies don't compress again
    "league.web.caching.mark_private_pages",
    "league.web.first_start.redirect_to_setup",
    "league.web.demo_mode.close_during_reset",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "league.web.language.activate_user_language",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "league.web.client_address.log_client_address",
    "django_structlog.middlewares.RequestMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "league.web.second_factor.require_second_factor_of_session",
    "league.web.second_factor.require_second_factor_of_staff",
    "league.web.second_factor.offer_factor_setup",
    "league.web.concurrent_deletion.respond_not_found",
    "league.web.demo_mode.refuse_in_demo",
    "django_htmx.middleware.HtmxMiddleware",
    "league.web.history.HistoryWithClientAddress",
    "league.web.outbox.respond_to_outbox",
]
if METRICS_TOKEN:  # outermost, so that it measures the responses of all other middleware
    MIDDLEWARE.insert(0, "league.web.request_metrics.measure_requests")

ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # Each game has its templates in its folder.
        "DIRS": [BASE_DIR / "templates", *sorted(BASE_DIR.glob("scoring/games/*/templates"))],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["players.templatetags.dates"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "league.web.imprint.imprint",
                "league.web.demo_mode.demo_bar",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.DjangoTemplates"
CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"
DJANGO_TABLES2_TEMPLATE = "components/table.html"

AUTH_USER_MODEL = "players.User"
SILENCED_SYSTEM_CHECKS = [
    "auth.W004",  # e-mail is unique by a constraint on its lower case
    # HSTS for subdomains and preloading: subdomains may belong to other sites of the club.
    "security.W005",
    "security.W021",
]
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "league:home"
ACCOUNT_LOGOUT_REDIRECT_URL = "league:home"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SIGNUP_FORM_CLASS = "players.forms.account.SignupForm"
ACCOUNT_FORMS = {
    "signup": "league.people.forms.signup.InvitedSignupForm",
    "add_email": "players.forms.address.AddressForm",
    "change_password": "league.web.password_form.PasswordForm",
}
ACCOUNT_EMAIL_VERIFICATION = env.choice("EMAIL_VERIFICATION", "optional", ("mandatory", "optional", "none"))
ACCOUNT_ADAPTER = "league.web.account_adapter.SiteAccountAdapter"
# Against stolen sessions: changing the account asks for the password and notifies the owner.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# Sign-in through one OpenID Connect provider. docs/decisions/0036 explains why no connection is stored.
OIDC_NAME = env.parsed("OIDC_NAME", "", environment.short_line)
OIDC_SERVER_URL = env.parsed("OIDC_SERVER_URL", "", environment.provider_address)
OIDC_CLIENT_ID = env.text("OIDC_CLIENT_ID")
OIDC_CLIENT_SECRET = env.text("OIDC_CLIENT_SECRET", secret=True)
env.check_together("OIDC_NAME", "OIDC_SERVER_URL", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET")
SOCIALACCOUNT_ADAPTER = "league.web.provider_adapter.ProviderAdapter"
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True}}
# A link, not a form: form-action of the content policy would forbid the redirect to the provider.
SOCIALACCOUNT_LOGIN_ON_GET = True
ACCOUNT_USER_DISPLAY = "players.models.display_name"
# In addition to allauth's own limits. at_table_*: per table; a deal takes some minutes, and each typed key is a "look".
ACCOUNT_RATE_LIMITS = {
    "at_table_record": "12/m/key",
    "at_table_look": "300/m/key",
    "found_club": "5/d/user,20/d/ip",
    "own_data": "5/h/user",
    "setup": "10/m/ip,60/h/ip",
    "demo_sign_in": "30/m/ip,300/h/ip",
    "test_email": "10/h/user",
    "test_webhook": "20/h/user",
    "test_backup": "10/h/user",
    "club_file": "10/h/user",
    "club_upload": "10/h/user",
    "upload": "60/h/user",
    "tournament_registration": "30/h/ip,300/h/key",
    # Emails to an address that a user typed (players/mail_limits.py), per mailbox.
    "signup": "20/m/ip,200/d/ip",
    "reset_password": "20/m/ip,200/d/ip",
    "manage_email": "10/m/user,30/d/user",
    "requested_mail": "5/h/key,10/d/key",
    "unconfirmed_mail": "10/d/key",
    "invitation": "3/d/key",
}
INVITATIONS_A_DAY = 100  # emails per user
# API requests per IP address and per token: enough to read a whole season page by page. Writes count for both limits.
API_LIMITS = {"visitor": "60/m", "token": "300/m", "write": "60/m"}
PUBLIC_CLUBS_BY_APPROVAL = env.flag("PUBLIC_CLUBS_BY_APPROVAL", False)
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True

# The default is a folder. It is never the log, since an email may contain the link that resets a password.
_LOCAL_MAIL = environment.mail(f"file:///{BASE_DIR}/var/mail")
EMAIL = env.parsed("EMAIL_URL", _LOCAL_MAIL, environment.mail, secret=True)
EMAIL_BACKEND = EMAIL["EMAIL_BACKEND"].replace("django.core.mail.backends.filebased", "league.mail_folder")
# dj-email-url drops the leading slash of the path in file:///var/lib/league/mail.
EMAIL_FILE_PATH = f"/{EMAIL['EMAIL_FILE_PATH'].lstrip('/')}" if EMAIL["EMAIL_FILE_PATH"] else None
EMAIL_HOST, EMAIL_PORT = EMAIL["EMAIL_HOST"], EMAIL["EMAIL_PORT"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = EMAIL["EMAIL_HOST_USER"], EMAIL["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL["EMAIL_USE_TLS"], EMAIL["EMAIL_USE_SSL"]
# The mail provider that reports returned emails and complaints, and the key of its signatures. Without a
# provider, the URL for its reports does not exist.
EMAIL_EVENTS = env.choice("EMAIL_EVENTS", "", ("mailgun", "mailersend"))
EMAIL_EVENTS_KEY = env.parsed("EMAIL_EVENTS_KEY", "", environment.signing_key, secret=True)
env.check_together("EMAIL_EVENTS", "EMAIL_EVENTS_KEY")
EMAIL_TIMEOUT = 10  # seconds that a hanging mail server can delay a page or a run
if DEMO:  # emails and backups would send texts of visitors to other people
    EMAIL_BACKEND, EMAIL_FILE_PATH = "django.core.mail.backends.dummy.EmailBackend", None
    env.refuse_in_demo(
        EMAIL_URL=bool(EMAIL_HOST),
        HEARTBEAT_URL=bool(HEARTBEAT_URL),
        BACKUP_FOLDER=bool(BACKUP_FOLDER),
        BACKUP_COMMAND=bool(BACKUP_COMMAND),
    )
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.parsed("DEFAULT_FROM_EMAIL", "league@localhost", environment.sender)

LANGUAGE_CODE = "en-gb"  # British dates: 20 Nov 2026
LANGUAGES = [("en-gb", _("English")), ("fr", _("French"))]
LANGUAGE_COOKIE_AGE = 365 * 86400  # a visitor's choice; a user's is stored in User.language
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
FORMAT_MODULE_PATH = ["league.formats"]
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "players" / "account_words"]  # our texts; libraries' texts in our style
USE_TZ = True
USE_THOUSAND_SEPARATOR = True

STATIC_URL = "static/"
_bootstrap = find_spec("django_include_bootstrap")
_bootstrap_static = Path(_bootstrap.origin).parent / "static" if _bootstrap and _bootstrap.origin else BASE_DIR
# Bootstrap comes from its wheel, without Node. It is not an installed app, since its templates would shadow ours.
STATICFILES_DIRS = [BASE_DIR / "static", ("bootstrap", _bootstrap_static)]
# The local start serves static/ directly; a deployment runs collectstatic, which hashes the file names.
WHITENOISE_USE_FINDERS = LOCAL_STATIC = env.flag("LOCAL_STATIC", False)
STATIC_ROOT = None if LOCAL_STATIC else BASE_DIR / "var" / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if LOCAL_STATIC
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

PGHISTORY_ADMIN_CLASS = "league.admin.HistoryAdmin"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_REDIRECT_EXEMPT = ["^livez$"]  # programs on this machine send requests without the proxy, and so without https
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 30 * 86400 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
FILE_UPLOAD_HANDLERS = ["league.web.request_body.RefusedUploadHandler"]
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"

# Reports errors to a Sentry server. The package is imported only then.
SENTRY_DSN = env.parsed("SENTRY_DSN", "", environment.sentry_dsn, secret=True)
if SENTRY_DSN:
    from league import error_reports

    error_reports.start_reporting(SENTRY_DSN, RELEASE)

structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.filter_by_level,
        *([error_reports.report_logged_error] if SENTRY_DSN else []),
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        structlog.processors.format_exc_info,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False  # it would believe X-Forwarded-For; league/web/client_address.py doesn't
DJANGO_STRUCTLOG_CELERY_ENABLED = True  # a task logs the request id of the page that started it
LOG_LEVEL = env.choice("LOG_LEVEL", "WARNING", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
                remove_secret_links,
            ],
            "foreign_pre_chain": [
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.add_logger_name,
                structlog.stdlib.add_log_level,
                structlog.processors.TimeStamper(fmt="iso"),
            ],
        }
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "json"},
        **({"reports": {"class": "league.error_reports.ReportHandler", "level": "ERROR"}} if SENTRY_DSN else {}),
    },
    "root": {"handlers": ["console", "reports"] if SENTRY_DSN else ["console"], "level": LOG_LEVEL},
}

env.exit_if_wrong()
