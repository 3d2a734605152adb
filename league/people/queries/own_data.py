"""All stored data about a user, streamed as one JSON text.

A test checks that each model with a reference to a person is in PARTS, or in EXCLUDED_MODELS with a reason.
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
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KT
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
    Job,
    Membership,
    Merge,
    Notification,
    NotificationChoice,
    PlayerStatistics,
    RankChange,
    Rest,
    Score,
    SeasonRecord,
    Seat,
    Standing,
    TeamMember,
    TournamentRank,
    UnitPlayer,
)
from league.models.club import club_ids_hidden_from
from league.models.prize import WHOLE_UNIT
from players.models import Player, Rating, RatingStep, User

ROWS_PER_CHUNK: Final = 500  # number of rows in memory at a time

Rows = Iterable[Mapping[str, Any]]


class DataPart(NamedTuple):
    """A part of the download: its key in the JSON, the model, and a function that returns the user's rows."""

    name: str
    model: type[Model]
    description: str | Promise
    rows: Callable[[User, Player | None], QuerySet[Any, Any]]


def _player_rows(
    model: type[Model], *fields: str, club_path: str | None, player: str = "player", **renamed_fields: str
) -> Any:
    """Return a function (user, player) → rows of the model that refer to the player.

    `club_path` is the lookup of a row's club: rows of a club that has not confirmed the user's login are left out. It
    is None for rows that depend on several clubs: all rows are left out until every club has confirmed the login.
    `player` is the lookup of the player. `fields` and `renamed_fields` (lookups by key in the JSON) are the row's data.
    """
    columns = {name: F(path) for name, path in renamed_fields.items()}

    def rows(user: User, user_player: Player | None) -> QuerySet[Any, Any]:
        if user_player is None:
            return model._default_manager.none().values()
        withheld = club_ids_hidden_from(user)
        agreed = ~Exists(withheld) if club_path is None else ~Q(**{f"{club_path}__in": withheld})
        player_rows = model._default_manager.filter(agreed, **{player: user_player})
        return player_rows.order_by("pk").values(*fields, **columns)

    return rows


def _user_rows(model: type[Model], *fields: str) -> Any:
    """Return a function (user, player) → rows of the model that refer to the user."""

    def rows(user: User, _player: Player | None) -> QuerySet[Any, Any]:
        return model._default_manager.filter(user=user).order_by("pk").values(*fields)

    return rows


def _registrations(user: User, player: Player | None) -> QuerySet[Any, Any]:
    """Return the tournament registrations of the user's player, and those with a confirmed email address of the user.

    Registrations of the player in a club that has not confirmed the user's login are left out.
    """
    addresses = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    of_player = Q(player=player) if player is not None else Q(pk__in=[])
    agreed = ~Q(unit__tournament__club__in=club_ids_hidden_from(user))
    own_row = Q(position=WHOLE_UNIT) | Q(position=OuterRef("position"))
    ranks = TournamentRank.objects.filter(own_row, unit=OuterRef("unit")).order_by()
    rows = UnitPlayer.objects.filter((of_player & agreed) | Q(email__in=[address.lower() for address in addresses]))
    return rows.order_by("pk").values(
        "name",
        "email",
        "phone",
        tournament=F("unit__tournament__name"),
        date=F("unit__tournament__date"),
        club_name=F("unit__tournament__club__name"),
        team=F("unit__name"),
        plays_for=F("unit__plays_for__name"),
        state=F("unit__state"),
        names_public=F("unit__names_public"),
        registered_at=F("unit__registered_at"),
        rank=Subquery(ranks.values("rank")[:1]),
        competitors=Subquery(ranks.values("competitors")[:1]),
        score_halves=Subquery(ranks.values("score_halves")[:1]),
    )


# Data about an evening: lookups from the evening, by key in the JSON.
EVENING_FIELDS: Final = {"club": "season__club__name", "season_name": "season__name", "date": "date"}
CONTEST_CLUB_PATH: Final = "deal__table__round__evening__season__club"


def _evening_fields(path: str) -> dict[str, Any]:
    """Return keyword arguments of `_player_rows` for a model with an evening. `path` is the lookup of the evening."""
    return {"club_path": f"{path}__season__club"} | {name: f"{path}__{field}" for name, field in EVENING_FIELDS.items()}


PARTS: Final = (
    DataPart(
        "login",
        User,
        _("Your login."),
        lambda user, _player: User.objects.filter(pk=user.pk).values(
            "email", "language", "date_joined", "last_login", "is_active", "is_staff", "is_superuser"
        ),
    ),
    DataPart(
        "email_addresses", EmailAddress, _("Your addresses."), _user_rows(EmailAddress, "email", "verified", "primary")
    ),
    DataPart(
        "second_factors",
        Authenticator,
        _("Your second factors, without their secrets."),
        _user_rows(Authenticator, "type", "created_at", "last_used_at"),
    ),
    DataPart(
        "sessions",
        UserSession,
        _("Where you are signed in."),
        _user_rows(UserSession, "ip", "user_agent", "created_at", "last_seen_at"),
    ),
    DataPart(
        "api_tokens",
        ApiToken,
        _("Your tokens for programs, without what opens them."),
        _user_rows(ApiToken, "name", "made_at", "last_day", "used_at", "scopes", "club__name"),
    ),
    DataPart(
        "letter_choices",
        NotificationChoice,
        _("Which e-mails you asked for, or refused."),
        _user_rows(NotificationChoice, "kind", "wanted"),
    ),
    DataPart(
        "letters",
        Notification,
        _("E-mails to you of the last month, and what became of them."),
        lambda user, _player: (
            Notification.objects.filter(reader=user)
            .order_by("pk")
            .values("kind", "state", "written_at", club_name=F("club__name"))
        ),
    ),
    DataPart(
        "unsent_letters",
        Job,
        _("E-mails about your roles and your account that could not go out yet."),
        lambda user, _player: Job.objects.filter(payload__address=user.email).values(
            subject=KT("payload__subject"), body=KT("payload__body"), written_at=F("created_at")
        ),
    ),
    DataPart(
        "player",
        Player,
        _("Your names, and how you chose to be named."),
        lambda user, _player: Player.objects.filter(user=user).values(
            "id", "given_name", "family_name", "display_name", "pseudonym", "public_choice", "member_choice"
        ),
    ),
    DataPart(
        "memberships",
        Membership,
        _("Your clubs, and what they know to reach you."),
        _player_rows(Membership, "role", "since", "number", "email", "phone", club_path="club", club_name="club__name"),
    ),
    DataPart(
        "memberships_before",
        apps.get_model("league", "MembershipEvent"),
        _("How your memberships changed."),
        _player_rows(
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
        lambda user, _player: AuditEntry.objects.filter(user=user).values(
            "event", "reason", "count", "address", at=F("logged_at"), club_name=F("club__name")
        ),
    ),
    DataPart(
        "intentions",
        Intention,
        _("Whether you meant to come."),
        _player_rows(Intention, "comes", **_evening_fields("evening")),
    ),
    DataPart(
        "attendances",
        Attendance,
        _("Evenings at which you were, with fees in cents."),
        _player_rows(Attendance, "standing", "from_round", "to_round", "fee", "paid", **_evening_fields("evening")),
    ),
    DataPart(
        "registrations",
        UnitPlayer,
        _("Your registrations for tournaments, with the rank and the doubled score once they are finished."),
        _registrations,
    ),
    DataPart(
        "seats",
        Seat,
        _("Tables at which you sat, with their points; seats are counted from 0."),
        _player_rows(
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
            **_evening_fields("round__evening"),
        ),
    ),
    DataPart(
        "deals",
        Score,
        _("Your part in each deal of these tables."),
        _player_rows(
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
        _player_rows(
            Rest,
            *("kind", "score", "written", "points", "deals"),
            round_number="round__number",
            **_evening_fields("round__evening"),
        ),
    ),
    DataPart(
        "adjustments",
        Adjustment,
        _("Points that you were given or that were taken from you."),
        _player_rows(Adjustment, "points", "reason", "given_at", club_path="season__club", season_name="season__name"),
    ),
    DataPart(
        "teams",
        TeamMember,
        _("Teams of seasons in which you play."),
        _player_rows(TeamMember, club_path="season__club", season_name="season__name", team_name="team__name"),
    ),
    DataPart(
        "contests",
        Contest,
        _("Deals that you contested."),
        _player_rows(
            Contest,
            "reason",
            "raised_at",
            "answer",
            "answered_at",
            club_path=CONTEST_CLUB_PATH,
            deal_number="deal__number",
        ),
    ),
    DataPart(
        "standings",
        Standing,
        _("Your places in seasons."),
        _player_rows(
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
        _player_rows(
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
        _player_rows(
            SeasonRecord, "month", "value", club_path="season__club", record="name", season_name="season__name"
        ),
    ),
    DataPart(
        "ratings",
        Rating,
        _("Your ratings, in millionths of a point."),
        _player_rows(
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
        _player_rows(RatingStep, "game", "date", "micro", "weight", "tables", "dates", "opponents", club_path=None),
    ),
    DataPart(
        "movements",
        RankChange,
        _("How the last nights moved you."),
        _player_rows(
            RankChange,
            *("game", "season_id", "rank_before", "rank_after", "before", "after"),
            club_path=None,
            at="run__finished_at",
        ),
    ),
    DataPart(
        "joined_records",
        Merge,
        _("Records of yours that were merged."),
        _player_rows(Merge, "gone_id", "reason", "made_at", "undone_at", player="kept", club_path=None),
    ),
)
CHANGES_KEY, CHANGES_DESCRIPTION = (
    "own_acts",
    _("What you recorded or changed, and when: kept with each fact's history."),
)

# Models that refer to a person and are not in PARTS, with the reasons.
EXCLUDED_MODELS: Final = {
    "league.Separation": "names two people, and is shown only to users who record results",
    "players.FirstMeeting": "is derived from seats, and names two people",
    "league.AttendanceEvent": "former versions of rows in PARTS",
    "league.IntentionEvent": "former versions of rows in PARTS",
    "league.SeatEvent": "former versions of rows in PARTS",
    "league.ApiTokenEvent": "former versions of rows in PARTS",
    "league.AdjustmentEvent": "former versions of rows in PARTS",
    "admin.LogEntry": "the admin's own log of repairs is not used",
    "socialaccount.SocialAccount": "stays empty: no connection with a provider is stored",
    "pghistory.MiddlewareEvents": "a view of the events in own_acts",
}


def own_data(user: User) -> Iterator[str]:
    """Yield, in parts, a JSON object with all data about the user. Its first key, "about", describes the others."""
    # Translated before the first chunk: the response is sent after the request's language is deactivated.
    descriptions = {part.name: str(part.description) for part in PARTS} | {CHANGES_KEY: str(CHANGES_DESCRIPTION)}
    return _json_chunks(user, descriptions)


def _json_chunks(user: User, descriptions: Mapping[str, str]) -> Iterator[str]:
    player: Player | None = getattr(user, "player", None)
    yield f'{{"about": {_json(descriptions)}'
    for part in PARTS:
        yield from _json_list(part.name, part.rows(user, player).iterator(ROWS_PER_CHUNK))
    yield from _json_list(CHANGES_KEY, _changes(user))
    yield "}\n"


def _json_list(name: str, rows: Rows) -> Iterator[str]:
    yield f',\n"{name}": ['
    for number, row in enumerate(rows):
        yield f"{',' if number else ''}\n{_json(row)}"
    yield "]"


def _changes(user: User) -> Iterator[Mapping[str, Any]]:
    """Yield all changes that the user made, from all history tables: one item for each change of a row."""
    histories: list[Any] = [model for model in apps.get_models() if issubclass(model, Event) and model._meta.managed]
    for model in histories:
        rows = model._default_manager.filter(pgh_context__metadata__user=user.pk).order_by("pgh_id")
        changes = rows.values("pgh_obj_id", "pgh_label", "pgh_created_at", because=F("pgh_context__metadata__reason"))
        for row in changes.iterator(ROWS_PER_CHUNK):
            yield {
                "of": model._meta.model_name.removesuffix("event"),
                "id": row["pgh_obj_id"],
                "change": row["pgh_label"],
                "at": row["pgh_created_at"],
                "reason": row["because"],
            }


def _json(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
