"""Everything that is stored about a person, as one JSON text that is written while it is read.

A model that names a person is a part here, or is left out with its reason: a test looks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Exists, F, Model, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pghistory.models import Event

from league.models import (
    Adjustment,
    ApiToken,
    Attendance,
    AuditEntry,
    Contest,
    Intention,
    Letter,
    LetterChoice,
    Membership,
    Merge,
    Movement,
    PlayerStatistics,
    Rest,
    Score,
    SeasonRecord,
    Seat,
    Standing,
    UnsentLetter,
)
from league.models.club import withheld_from
from players.models import Player, Rating, RatingStep, User

CHUNK: Final = 500  # rows that are in memory at a time

Rows = Iterable[Mapping[str, Any]]


class DataPart(NamedTuple):
    """A part of the file: of which model, what it tells, in words, and its rows for a login and its player."""

    name: str
    model: type[Model]
    told: str | Promise
    rows: Callable[[User, Player | None], QuerySet[Any, Any]]


def _of_player(model: type[Model], *fields: str, club_path: str | None, player: str = "player", **named: str) -> Any:
    """Return rows of a model that name the player, with these fields, and others by the names that they get.

    `club_path` leads to the row's club, which may not have agreed to the login: its rows are left out. Rows that follow
    from several clubs have None: they are left out until every club has agreed.
    """
    columns = {name: F(path) for name, path in named.items()}

    def rows(user: User, own: Player | None) -> QuerySet[Any, Any]:
        if own is None:
            return model._default_manager.none().values()
        found, withheld = model._default_manager.filter(**{player: own}), withheld_from(user)
        agreed = ~Exists(withheld) if club_path is None else ~Q(**{f"{club_path}__in": withheld})
        return found.filter(agreed).order_by("pk").values(*fields, **columns)

    return rows


def _of_user(model: type[Model], *fields: str) -> Any:
    def rows(user: User, _own: Player | None) -> QuerySet[Any, Any]:
        return model._default_manager.filter(user=user).order_by("pk").values(*fields)

    return rows


EVENING: Final = {"club": "season__club__name", "season_name": "season__name", "date": "date"}


OF_CONTEST: Final = "deal__table__round__evening__season__club"


def _at(path: str) -> dict[str, Any]:
    """Return what tells an evening, and the path to its club, for rows that reach it by a path."""
    return {"club_path": f"{path}__season__club"} | {name: f"{path}__{field}" for name, field in EVENING.items()}


PARTS: Final = (
    DataPart(
        "login",
        User,
        _("Your login."),
        lambda user, _own: User.objects.filter(pk=user.pk).values(
            "email", "language", "date_joined", "last_login", "is_active", "is_staff", "is_superuser"
        ),
    ),
    DataPart(
        "email_addresses", EmailAddress, _("Your addresses."), _of_user(EmailAddress, "email", "verified", "primary")
    ),
    DataPart(
        "second_factors",
        Authenticator,
        _("Your second factors, without their secrets."),
        _of_user(Authenticator, "type", "created_at", "last_used_at"),
    ),
    DataPart(
        "sessions",
        UserSession,
        _("Where you are signed in."),
        _of_user(UserSession, "ip", "user_agent", "created_at", "last_seen_at"),
    ),
    DataPart(
        "api_tokens",
        ApiToken,
        _("Your tokens for programs, without what opens them."),
        _of_user(ApiToken, "name", "made_at", "last_day", "used_at"),
    ),
    DataPart(
        "letter_choices",
        LetterChoice,
        _("Which e-mails you asked for, or refused."),
        _of_user(LetterChoice, "kind", "wanted"),
    ),
    DataPart(
        "letters",
        Letter,
        _("E-mails to you of the last month, and what became of them."),
        lambda user, _own: (
            Letter.objects.filter(reader=user)
            .order_by("pk")
            .values("kind", "state", "written_at", club_name=F("club__name"))
        ),
    ),
    DataPart(
        "unsent_letters",
        UnsentLetter,
        _("E-mails about your roles and your account that could not go out yet."),
        lambda user, _own: UnsentLetter.objects.filter(address=user.email).values("subject", "body", "written_at"),
    ),
    DataPart(
        "player",
        Player,
        _("Your names, and how you chose to be named."),
        lambda user, _own: Player.objects.filter(user=user).values(
            "id", "given_name", "family_name", "display_name", "pseudonym", "public_choice", "member_choice"
        ),
    ),
    DataPart(
        "memberships",
        Membership,
        _("Your clubs, and what they know to reach you."),
        _of_player(Membership, "role", "since", "number", "email", "phone", club_path="club", club_name="club__name"),
    ),
    DataPart(
        "memberships_before",
        apps.get_model("league", "MembershipEvent"),
        _("How your memberships changed."),
        _of_player(
            apps.get_model("league", "MembershipEvent"),
            "role",
            "pgh_created_at",
            "pgh_label",
            "club_id",
            club_path="club",
        ),
    ),
    DataPart(
        "acts",
        AuditEntry,
        _("What you did, when, and from which address; that is removed after a year."),
        lambda user, _own: AuditEntry.objects.filter(user=user).values(
            "event", "at", "reason", "count", "address", club_name=F("club__name")
        ),
    ),
    DataPart(
        "intentions",
        Intention,
        _("Whether you meant to come."),
        _of_player(Intention, "comes", **_at("evening")),
    ),
    DataPart(
        "attendances",
        Attendance,
        _("Evenings at which you were, with fees in cents."),
        _of_player(Attendance, "standing", "from_round", "to_round", "fee", "paid", **_at("evening")),
    ),
    DataPart(
        "seats",
        Seat,
        _("Tables at which you sat, with their points; seats are counted from 0."),
        _of_player(
            Seat,
            "table_id",
            "number",
            "points",
            "deals",
            "written",
            "written_deals",
            "paper",
            round_number="round__number",
            table_number="table__number",
            **_at("round__evening"),
        ),
    ),
    DataPart(
        "deals",
        Score,
        _("Your part in each deal of these tables."),
        _of_player(
            Score,
            "role",
            "points",
            player="seat__player",
            club_path="seat__round__evening__season__club",
            table_id="seat__table_id",
            deal_number="deal__number",
            recorded_at="deal__recorded_at",
        ),
    ),
    DataPart(
        "rests",
        Rest,
        _("Rounds that you sat out."),
        _of_player(Rest, "kind", "points", round_number="round__number", **_at("round__evening")),
    ),
    DataPart(
        "adjustments",
        Adjustment,
        _("Points that you were given or that were taken from you."),
        _of_player(Adjustment, "points", "reason", "given_at", club_path="season__club", season_name="season__name"),
    ),
    DataPart(
        "contests",
        Contest,
        _("Deals that you contested."),
        _of_player(
            Contest, "reason", "raised_at", "answer", "answered_at", club_path=OF_CONTEST, deal_number="deal__number"
        ),
    ),
    DataPart(
        "standings",
        Standing,
        _("Your places in seasons."),
        _of_player(
            Standing,
            *("rank", "rank_before", "numerator", "denominator", "evenings", "deals", "worth", "counted", "dropped"),
            *("extras", "adjustment", "tie_break", "missing", "missing_partners", "guest"),
            club_path="season__club",
            season_name="season__name",
            club="season__club__name",
        ),
    ),
    DataPart(
        "statistics",
        PlayerStatistics,
        _("What is counted of your deals."),
        _of_player(
            PlayerStatistics,
            "deals",
            "points",
            "gained",
            "best",
            "worst",
            "counts",
            club_path="season__club",
            season_name="season__name",
        ),
    ),
    DataPart(
        "records",
        SeasonRecord,
        _("Records of a season's months that are yours."),
        _of_player(SeasonRecord, "month", "value", club_path="season__club", record="name", season_name="season__name"),
    ),
    DataPart(
        "ratings",
        Rating,
        _("Your ratings, in millionths of a point."),
        _of_player(
            Rating,
            "game",
            "micro",
            "weight",
            "tables",
            "dates",
            "opponents",
            "provisional",
            "last_date",
            club_path=None,
        ),
    ),
    DataPart(
        "rating_history",
        RatingStep,
        _("Your ratings after each date."),
        _of_player(RatingStep, "game", "date", "micro", "weight", "tables", "dates", "opponents", club_path=None),
    ),
    DataPart(
        "movements",
        Movement,
        _("How the last nights moved you."),
        _of_player(
            Movement,
            *("game", "season_id", "rank_before", "rank_after", "before", "after"),
            club_path=None,
            at="run__finished_at",
        ),
    ),
    DataPart(
        "joined_records",
        Merge,
        _("Records of yours that were joined."),
        _of_player(Merge, "gone_id", "reason", "made_at", "undone_at", player="kept", club_path=None),
    ),
)
ACTS, TOLD_ACTS = "own_acts", _("What you recorded or changed, and when: kept with each fact's history.")

# Models that name a person and are no part, each with its reason.
LEFT_OUT: Final = {
    "league.Apart": "names two people, and is told to those who draw alone",
    "players.Met": "is derived from seats, and names two people",
    "league.AttendanceEvent": "former versions of facts that are there",
    "league.IntentionEvent": "former versions of facts that are there",
    "league.SeatEvent": "former versions of facts that are there",
    "league.ApiTokenEvent": "former versions of facts that are there",
    "league.AdjustmentEvent": "former versions of facts that are there",
    "league.ResultImport": "is forgotten once the list is in",
    "admin.LogEntry": "the admin's own log of repairs is not used",
    "pghistory.MiddlewareEvents": "a view of the acts that are there",
}


def own_data(user: User) -> Iterator[str]:
    """Return all parts as one JSON object, the first of them a description; a few rows are in memory at a time."""
    about = {part.name: str(part.told) for part in PARTS} | {ACTS: str(TOLD_ACTS)}  # in the language of now
    return _written(user, about)


def _written(user: User, about: Mapping[str, str]) -> Iterator[str]:
    own: Player | None = getattr(user, "player", None)
    yield f'{{"about": {_json(about)}'
    for part in PARTS:
        yield from _list(part.name, part.rows(user, own).iterator(CHUNK))
    yield from _list(ACTS, _acts(user))
    yield "}\n"


def _list(name: str, rows: Rows) -> Iterator[str]:
    yield f',\n"{name}": ['
    for number, row in enumerate(rows):
        yield f"{',' if number else ''}\n{_json(row)}"
    yield "]"


def _acts(user: User) -> Iterator[Mapping[str, Any]]:
    """Yield what the user wrote, kind by kind: of which fact, which kind of change, when, and the reason he gave."""
    kinds: list[Any] = [each for each in apps.get_models() if issubclass(each, Event) and each._meta.managed]
    for model in kinds:
        rows = model._default_manager.filter(pgh_context__metadata__user=user.pk).order_by("pgh_id")
        acts = rows.values("pgh_obj_id", "pgh_label", "pgh_created_at", because=F("pgh_context__metadata__reason"))
        for row in acts.iterator(CHUNK):
            yield {
                "of": model._meta.model_name.removesuffix("event"),
                "id": row["pgh_obj_id"],
                "change": row["pgh_label"],
                "at": row["pgh_created_at"],
                "reason": row["because"],
            }


def _json(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
