"""The project's settings, read from the environment. README.md has the table of them.

A wrong value stops the start of any process with one line (league/environment.py); what is missing, or does not answer,
with a system check (league/checks.py).
"""

from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import structlog
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from league import environment
from league.environment import Environment
from league.log_lines import without_links

BASE_DIR = Path(__file__).resolve().parent.parent
env = Environment()

DEBUG = env.flag("DEBUG", False)
SECRET_KEY = env.parsed("SECRET_KEY", "", environment.secret_key, secret=True)
# Keys before it: what they signed holds.
SECRET_KEY_FALLBACKS = env.parsed("SECRET_KEY_FALLBACKS", list[str](), environment.secret_keys, secret=True)
ALLOWED_HOSTS = env.parsed("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"], environment.host_names)
CSRF_TRUSTED_ORIGINS = env.parsed("CSRF_TRUSTED_ORIGINS", list[str](), environment.origins)
HTTPS = env.flag("HTTPS", False)
# How many proxies stand before us, each of which adds to X-Forwarded-For: what stands further left anyone can write.
ALLAUTH_TRUSTED_PROXY_COUNT = env.number("TRUSTED_PROXY_COUNT", 1 if HTTPS else 0, low=0, high=9)
SITE_ADDRESS = env.parsed("SITE_ADDRESS", "", environment.site_address)  # where no request says it: in letters
if SITE_ADDRESS and not environment.serves(SITE_ADDRESS, ALLOWED_HOSTS):
    env.wrong("ALLOWED_HOSTS", f"lacks the site's own host: SITE_ADDRESS is {SITE_ADDRESS!r}")
# Who answers for the installation, at the foot of each page.
PUBLISHER = env.text("PUBLISHER")
HOSTED_BY = env.text("HOSTED_BY")
CONTACT = env.parsed("CONTACT", "", environment.email_address)
NIGHT_HOUR = env.number("NIGHT_HOUR", 4, low=0, high=23)
# Where the night's backup goes: a folder, a command that reads it, or both; the key that locks and opens it.
BACKUP_FOLDER = env.parsed("BACKUP_FOLDER", "", environment.whole_path)
BACKUP_COMMAND = env.text("BACKUP_COMMAND", secret=True)
BACKUP_KEY = env.parsed("BACKUP_KEY", "", environment.backup_key, secret=True)
# Called after each good night and backup.
HEARTBEAT_URL = env.parsed("HEARTBEAT_URL", "", environment.web_address, secret=True)

_LOCAL_DATABASE = environment.database("postgres://localhost/league")
DATABASES = {"default": env.parsed("DATABASE_URL", _LOCAL_DATABASE, environment.database, secret=True)}
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)  # seconds, not for ever

TIME_ZONE = env.parsed("TIME_ZONE", "Europe/Paris", environment.time_zone)

# One address for broker and cache: redis://host:6379, or redis+socket:///path for a socket.
REDIS_URL = env.parsed("REDIS_URL", "redis://localhost:6379", environment.redis, secret=True)
# Of every key and queue there: two installations on one server share nothing. No secret can be derived from it.
REDIS_PREFIX = f"league-{sha256(f'Redis {SECRET_KEY}'.encode()).hexdigest()[:12]}"
CACHES = {
    "default": {
        "BACKEND": "league.cache.ForgivingCache",
        "LOCATION": REDIS_URL.replace("redis+socket://", "unix://"),
        "KEY_PREFIX": REDIS_PREFIX,
    }
}
CELERY_BROKER_URL = REDIS_URL
CELERY_TIMEZONE = TIME_ZONE
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1  # tasks are long: what one worker would keep for later another can begin
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False  # what the worker and beat say is JSON too, by LOGGING below
# Far above the longest task: Redis hands a task out again after this many seconds.
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
    "players.naming.to_everyone",
    "league.evenings.views.live.middleware.before_sessions",  # short answers, which a proxy may compress
    "django.middleware.gzip.GZipMiddleware",  # hides lengths by random bytes; a proxy leaves what is compressed alone
    "league.web.caching.private",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "league.web.language.activate_user_language",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "league.web.client_address.in_log",
    "django_structlog.middlewares.RequestMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "league.web.second_factor.asked_of_sessions",
    "league.web.second_factor.required_of_staff",
    "league.web.second_factor.asked_by_clubs",
    "league.web.deleted_meanwhile.answer_not_found",
    "django_htmx.middleware.HtmxMiddleware",
    "league.web.history.AddressedHistory",
]

ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # A game brings its own form and words; its folder is its own place for them.
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
    # Whether all names below ours speak https, for ever, is not ours to say: a club's other sites may be there.
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
# A stolen session is worth that session alone: changing the account asks for the password, and the owner is told.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_USER_DISPLAY = "players.models.display_name"
# Beside allauth's own: at a table, each by its code. A table plays a deal in some minutes; each key typed is looked at.
ACCOUNT_RATE_LIMITS = {
    "at_table_record": "12/m/key",
    "at_table_look": "300/m/key",
    "found_club": "5/d/user,20/d/ip",
    "own_data": "5/h/user",
    "club_file": "10/h/user",
    "club_upload": "10/h/user",
    "upload": "60/h/user",
    # Emails to an address that somebody types, who may not be its owner (players/mail_limits.py). A key is a mailbox.
    "signup": "20/m/ip,200/d/ip",
    "reset_password": "20/m/ip,200/d/ip",
    "manage_email": "10/m/user,30/d/user",
    "requested_mail": "5/h/key,10/d/key",
    "unconfirmed_mail": "10/d/key",
    "invitation": "3/d/key",
}
INVITATIONS_A_DAY = 100  # by email, of one user
# The API, questions of a visitor's address and of a token: a program that reads a whole season page by page.
API_LIMITS = {"visitor": "60/m", "token": "300/m"}
PUBLIC_CLUBS_BY_APPROVAL = env.flag("PUBLIC_CLUBS_BY_APPROVAL", False)
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True

# Never the log: a letter may hold the link that resets a password.
_LOCAL_MAIL = environment.mail(f"file:///{BASE_DIR}/var/mail")
EMAIL = env.parsed("EMAIL_URL", _LOCAL_MAIL, environment.mail, secret=True)
EMAIL_BACKEND = EMAIL["EMAIL_BACKEND"].replace("django.core.mail.backends.filebased", "league.mail_folder")
# The library drops the slash with which file:///var/lib/league/mail begins a path.
EMAIL_FILE_PATH = f"/{EMAIL['EMAIL_FILE_PATH'].lstrip('/')}" if EMAIL["EMAIL_FILE_PATH"] else None
EMAIL_HOST, EMAIL_PORT = EMAIL["EMAIL_HOST"], EMAIL["EMAIL_PORT"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = EMAIL["EMAIL_HOST_USER"], EMAIL["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL["EMAIL_USE_TLS"], EMAIL["EMAIL_USE_SSL"]
EMAIL_TIMEOUT = 10  # seconds: a mail server that hangs holds up a page or a run so long and no longer
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.parsed("DEFAULT_FROM_EMAIL", "league@localhost", environment.sender)

LANGUAGE_CODE = "en-gb"  # its dates are those of the clubs: 20 Nov 2026
LANGUAGES = [("en-gb", _("English")), ("fr", _("French"))]
LANGUAGE_COOKIE_AGE = 365 * 86400  # a browser's choice; a person's is a field of his login
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
FORMAT_MODULE_PATH = ["league.formats"]
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "players" / "account_words"]  # ours; allauth's in our style
USE_TZ = True
USE_THOUSAND_SEPARATOR = True

STATIC_URL = "static/"
_bootstrap = find_spec("django_include_bootstrap")
_bootstrap_static = Path(_bootstrap.origin).parent / "static" if _bootstrap and _bootstrap.origin else BASE_DIR
# Bootstrap comes from its wheel: no Node, no copy. Not an app here, its templates would shadow ours.
STATICFILES_DIRS = [BASE_DIR / "static", ("bootstrap", _bootstrap_static)]
# The local start serves static files as they lie; a deployment runs collectstatic and hashes their names.
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
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_REDIRECT_EXEMPT = ["^livez$"]  # a program of this machine asks without a proxy, and so without https
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 30 * 86400 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
FILE_UPLOAD_HANDLERS = ["league.web.request_body.NoFiles"]
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"

structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.filter_by_level,
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
DJANGO_STRUCTLOG_CELERY_ENABLED = True  # what a page asks a worker to do carries the page's request id
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
                without_links,
            ],
            "foreign_pre_chain": [
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.add_logger_name,
                structlog.stdlib.add_log_level,
                structlog.processors.TimeStamper(fmt="iso"),
            ],
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
}

env.stop_if_wrong()
