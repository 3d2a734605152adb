"""The parts of a club file (a zip of CSV files): each part has the rows of one model that belong to the club.

A part refers to earlier parts only. A test checks that each model of a club, and each of its fields, is in the file or
left out with a reason.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.apps import apps
from django.db.models import Field, ForeignKey, Model, Q, QuerySet

from league.models import (
    Adjustment,
    Attendance,
    Club,
    ClubGame,
    ClubMark,
    Contest,
    Deal,
    Evening,
    Finals,
    FinalsGame,
    FinalsUnit,
    Forfeit,
    HallCopy,
    HouseRulesChange,
    Intention,
    ListColumns,
    Membership,
    Prize,
    PrizeCategory,
    PrizeCategoryMember,
    PrizeLot,
    PrizePlan,
    PrizeReceipt,
    Rest,
    Round,
    RulesDraft,
    Score,
    Season,
    SeasonClosing,
    Seat,
    Separation,
    Standing,
    Table,
    Team,
    TeamMember,
    Tournament,
    TournamentClub,
    TournamentPreset,
    TournamentUnit,
    UnitPlayer,
)
from league.models.club_game import TOTALS
from players.models import Player, Rating

FORMAT_NUMBER: Final = 1  # increased when older files can no longer be read


class Part(NamedTuple):
    """A part of a club file (a zip of CSV files): the rows of one model that belong to a club.

    `to_club` is the lookup from the model to the club. `left_out` maps the names of fields that are not in the file to
    reasons. An import computes the fields `computed_fields` again, and all rows if `is_computed`. `is_later`: the part
    was added to the format later, so older files may lack it. `later_fields`: fields that were added later, each with
    the text of its cell for older files. `evening_id_fields` are JSON fields with ids of evenings. `order` is the order
    of the rows in the file.
    """

    name: str
    model: type[Model]
    to_club: str
    description: str
    left_out: Mapping[str, str] = {}
    computed_fields: frozenset[str] = frozenset()
    is_computed: bool = False
    is_later: bool = False
    later_fields: Mapping[str, str] = MappingProxyType({})
    evening_id_fields: frozenset[str] = frozenset()
    order: tuple[str, ...] = ("pk",)

    @property
    def fields(self) -> list[Field[Any, Any]]:
        included = [field for field in self.model._meta.concrete_fields if field.name not in self.left_out]
        return [field for field in included if not field.primary_key and field.related_model is not Club]

    @property
    def history(self) -> type[Model] | None:
        return _histories().get(self.model)

    def rows(self, club: Club, player_ids: Collection[int] = ()) -> QuerySet[Any, Any]:
        queryset = self.model._default_manager.order_by(*self.order)
        if self.to_club == PEOPLE_LOOKUP:
            if self.model is Rating:  # other clubs' own games stay there
                keys = [game.key for game in ClubGame.objects.filter(club=club)]
                queryset = queryset.filter(~Q(game__startswith=f"{TOTALS}-") | Q(game__in=keys))
            return queryset.filter(**{f"{'pk' if self.model is Player else 'player'}__in": player_ids})
        return queryset.filter(**{self.to_club: club.pk})

    def history_rows(self, club: Club) -> QuerySet[Any, Any]:
        assert self.history is not None
        rows = self.history._default_manager.order_by("pgh_id")
        return rows.filter(**{"pgh_obj" if self.model is Club else self.to_club: club.pk})


PEOPLE_LOOKUP: Final = "people"  # value of `to_club` for models of players, which have no lookup of a club
HALL_COPIES: Final = "hall_copies"  # name of the part with the rows of HallCopy
KEY_OF_OLDER_MEMBERSHIPS: Final = UUID(int=0)  # key of a membership in an older file; the import creates a new key
_SECRET_LINK_FIELDS: Final = dict.fromkeys(("entry_key", "live_version"), "gives access to pages of this installation")
_HALL_FIELDS: Final = dict.fromkeys(("hall", "hall_since"), "computed from the part hall_copies")
_DIGEST_FIELDS: Final = {"digest": "follows from the rows"}
_LOGIN_REASON: Final = "logins are not exported"

PARTS: Final = (
    Part(
        "club",
        Club,
        "pk",
        "The club and its settings.",
        left_out={
            "slug": "made from the name where the club is",
            "publish_once_confirmed": "is about an address of this installation",
            "invite_key": "gives access to pages of this installation",
            "mark": "follows from the picture",
            "delete_at": "where it is taken in it stays",
            "asks_second_factor": "is asked for where its people have one",
        },
    ),
    Part("mark", ClubMark, "club", "The club's mark, a picture in base64.", left_out=_DIGEST_FIELDS),
    Part(
        "people",
        Player,
        PEOPLE_LOOKUP,
        "Everybody who is or was a member, or played.",
        left_out={
            "user": _LOGIN_REASON,
            **dict.fromkeys(("names", "sort_key", "member_key", "committee_key"), "follows from the names"),
        },
    ),
    Part(
        "memberships",
        Membership,
        "club",
        "Who is in the club, in which role, and how the club reaches them.",
        left_out={"login_unconfirmed": _LOGIN_REASON},
        later_fields={"key": str(KEY_OF_OLDER_MEMBERSHIPS)},
    ),
    Part("aparts", Separation, "club", "Two people who are not seated at one table."),
    Part("club_games", ClubGame, "club", "The club’s own games by totals.", is_later=True),
    Part(
        "tournaments",
        Tournament,
        "club",
        "Tournaments and their formats; amounts are cents.",
        left_out=dict.fromkeys(("clock_ends_at", "clock_left"), "is the countdown of a day"),
        is_later=True,
        later_fields={"house_rules": "{}", "team_best": "", "club_best": ""},
    ),
    Part(
        "tournament_clubs",
        TournamentClub,
        "tournament__club",
        "The clubs that take part in tournaments of several clubs, by their names.",
        is_later=True,
    ),
    Part(
        "tournament_units",
        TournamentUnit,
        "tournament__club",
        "The players, pairs and teams that registered for a tournament; amounts are cents.",
        left_out={
            "link_key": "gives access to pages of this installation",
            "client_key": "tells one sending of a form from the next",
        },
        is_later=True,
        later_fields={"number": "", "returned": "0", "plays_for": "", "by_club": "false"},
    ),
    Part(
        "tournament_players",
        UnitPlayer,
        "unit__tournament__club",
        "The people who registered for a tournament, until their data are deleted.",
        is_later=True,
        later_fields={"added_as_guest": "false"},
    ),
    Part(
        "seasons",
        Season,
        "club",
        "Seasons and their rules.",
        left_out={"game_key": "follows from the game"},
        later_fields={
            "club_game": "",
            "count_passed": "true",
            "rest_score": "none",
            "rest_points": "",
            "team_best": "",
            "tournament": "",
        },
    ),
    Part("teams", Team, "season__club", "Teams of the seasons.", is_later=True),
    Part("team_members", TeamMember, "season__club", "Who is in which team of a season.", is_later=True),
    Part("rules_drafts", RulesDraft, "season__club", "Standings rules that were tried."),
    Part("adjustments", Adjustment, "season__club", "Points given or taken by an admin."),
    Part("evenings", Evening, "season__club", "Evenings.", left_out=_SECRET_LINK_FIELDS | _HALL_FIELDS),
    Part(
        HALL_COPIES,
        HallCopy,
        "evening__season__club",
        "The evening for which the file was written, to be played on a hall server.",
        left_out=dict.fromkeys(("base", "returned_at", "digest"), "is compared where the evening comes from"),
        is_later=True,
    ),
    Part("house_rules_changes", HouseRulesChange, "season__club", "How house rules changed while they were played."),
    Part("attendances", Attendance, "evening__season__club", "Who was there, and the fees, in cents."),
    Part("intentions", Intention, "evening__season__club", "Who said that they come, or do not."),
    Part("rounds", Round, "evening__season__club", "The rounds of the evenings."),
    Part(
        "rests",
        Rest,
        "round__evening__season__club",
        "Who sat a round out, and the points of it.",
        computed_fields=frozenset({"deals"}),
        later_fields={"score": "none", "written": "", "deals": "0"},
    ),
    Part(
        "tables",
        Table,
        "round__evening__season__club",
        "Tables, with how many deals they have.",
        left_out={"totals_key": "tells one sending of a form from the next"},
        later_fields={"totals_checked": "true"},
        computed_fields=frozenset({"recorded", "deals", "complete"}),
    ),
    Part(
        "seats",
        Seat,
        "round__evening__season__club",
        "Who sat where, with the totals of points and deals.",
        computed_fields=frozenset({"points", "deals"}),
    ),
    Part(
        "forfeits",
        Forfeit,
        "table__round__evening__season__club",
        "Units that did not play at a table of a tournament.",
        is_later=True,
    ),
    Part(
        "deals",
        Deal,
        "table__round__evening__season__club",
        "What was seen of each deal.",
        left_out=dict.fromkeys(("client_key", "change_key"), "tells one sending of a form from the next"),
        computed_fields=frozenset({"doubted"}),
    ),
    Part(
        "scores",
        Score,
        "deal__table__round__evening__season__club",
        "The points of each deal.",
        is_computed=True,
        order=("deal", "seat"),
    ),
    Part(
        "contests",
        Contest,
        "deal__table__round__evening__season__club",
        "What members said is wrong with a deal, and the answers.",
        left_out={"answered_by": _LOGIN_REASON},
    ),
    Part(
        "standings",
        Standing,
        "season__club",
        "Ranks and points. Those of seasons that are not closed are computed anew.",
        evening_id_fields=frozenset({"counted", "dropped", "worth"}),
        order=("season", "player"),
    ),
    Part(
        "closings",
        SeasonClosing,
        "season__club",
        "Seasons that are closed: their standings stay.",
        left_out=_DIGEST_FIELDS,
    ),
    Part(
        "list_columns",
        ListColumns,
        "club",
        "What the columns of the club’s spreadsheets are, by what they are called.",
        is_later=True,
    ),
    Part("tournament_presets", TournamentPreset, "club", "The club’s own presets of tournaments.", is_later=True),
    Part("finals", Finals, "tournament__club", "Finals of tournaments: knock-out, pools or a table.", is_later=True),
    Part("finals_units", FinalsUnit, "finals__tournament__club", "The units of finals by seed.", is_later=True),
    Part("finals_games", FinalsGame, "finals__tournament__club", "The tables of the matches of finals.", is_later=True),
    Part("prize_plans", PrizePlan, "tournament__club", "The rule for prizes of equal ranks.", is_later=True),
    Part("prize_categories", PrizeCategory, "tournament__club", "Categories with prizes of their own.", is_later=True),
    Part(
        "prize_category_members",
        PrizeCategoryMember,
        "category__tournament__club",
        "The units and players of the categories.",
        is_later=True,
    ),
    Part(
        "prizes",
        Prize,
        "tournament__club",
        "The prizes of tournaments; amounts are cents.",
        is_later=True,
        later_fields={"for_teams": "false"},
    ),
    Part("prize_lots", PrizeLot, "tournament__club", "Lots drawn among units of equal rank.", is_later=True),
    Part(
        "prize_receipts",
        PrizeReceipt,
        "unit__tournament__club",
        "Prizes as printed on receipts or handed over; amounts are cents.",
        is_later=True,
    ),
    Part(
        "ratings",
        Rating,
        PEOPLE_LOOKUP,
        "Ratings, in millionths of a point.",
        is_computed=True,
        order=("player", "game"),
    ),
)
PART_BY_MODEL: Final = {part.model: part for part in PARTS}


@cache
def _histories() -> dict[type[Model], type[Model]]:
    tracked = {
        field.related_model: model
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if field.name == "pgh_obj"
    }
    return {model: history for model, history in tracked.items() if isinstance(model, type)}


def references(part: Part) -> Mapping[str, Part]:
    """Return the part to which each foreign key of `part` refers, by field name. Left-out fields are missing."""
    return _references(part.model)


@cache  # used for each row
def _references(model: type[Model]) -> Mapping[str, Part]:
    return {
        field.name: PART_BY_MODEL[field.related_model]
        for field in PART_BY_MODEL[model].fields
        if isinstance(field, ForeignKey) and isinstance(field.related_model, type)
    }


def club_player_ids(club: Club) -> set[int]:
    """Return the ids of all players to whom a row of the club, or its history, refers."""
    ids: set[int] = set()
    for part in PARTS:
        if part.to_club == PEOPLE_LOOKUP:
            continue
        names = [name for name, parent in references(part).items() if parent.model is Player]
        rows = [part.rows(club)] + ([part.history_rows(club)] if part.history else [])
        for queryset in rows:
            for row in queryset.order_by().values_list(*names).distinct() if names else ():
                ids.update(pk for pk in row if pk is not None)
    return ids
