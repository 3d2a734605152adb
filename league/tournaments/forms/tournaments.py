"""Form for the settings of a tournament. The form of a new tournament is filled from a preset or another tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models import Club, Tournament, TournamentPreset
from league.models.tournament import MAX_UNIT_SIZE, TieBreak
from league.tournaments.forms.house_rules import TournamentRulesForm
from league.tournaments.queries.presets import GamePreset
from league.web.fields import BoundedDateField, BoundedDateTimeField, MoneyField
from league.web.lost_updates import FormAgainstLostUpdates
from players.forms.names import NameField
from scoring.game import all_games

if TYPE_CHECKING:
    TournamentFields = forms.ModelForm[Tournament]
else:  # Django's class takes no parameter at run time
    TournamentFields = forms.ModelForm

TIE_FIELDS: Final = ("tie_1", "tie_2", "tie_3")
PLAY_FIELDS: Final = (
    *("game", "unit_size", "plays_apart", "team_best", "club_best", "rounds", "deals"),
    *("target", "minutes", "games_to_win", "pairing", "ranked_by"),
)
POINT_FIELDS: Final = ("cap", "exempt_points", "exempt_wins", "forfeit_points")
NO_TIE_BREAK: Final = ("", _("none"))
HOUSE_RULES_PREFIX: Final = "house"  # first part of the names of the fields for house rules
LOCAL_TIME_FORMAT: Final = "%Y-%m-%dT%H:%M"
DAYS_UNTIL_NEW_TOURNAMENT: Final = 30  # from today until the proposed date of a new tournament
# Without a default value for a new tournament. Of these, only the name is copied from another tournament.
FIELDS_WITHOUT_DEFAULT: Final = ("name", "date", "closes_at")


class TournamentForm(FormAgainstLostUpdates, TournamentFields):
    """The settings of a tournament, with forms for the house rules of each game (`rules_forms`, by slug).

    Activate the club's time zone first, since the end of the registration is a local time.
    """

    FORMAT_FIELDS = (*PLAY_FIELDS, *TIE_FIELDS, *POINT_FIELDS)

    name = NameField(label=_("Name of the tournament"), max_length=80)
    game = forms.ChoiceField(label=_("Game"), required=False)
    unit_size = forms.TypedChoiceField(
        label=_("Who registers"),
        coerce=int,
        choices=[
            (1, _("players, one by one")),
            (2, _("two together")),
            (3, _("three together")),
            (MAX_UNIT_SIZE, _("four together")),
        ],
    )
    fee = MoneyField(label=_("Entry fee for each player"), required=False, help_text=_("For example 8 or 7.50."))
    tie_1 = forms.ChoiceField(label=_("First tie-break"), choices=[NO_TIE_BREAK, *TieBreak.choices], required=False)
    tie_2 = forms.ChoiceField(label=_("Second tie-break"), choices=[NO_TIE_BREAK, *TieBreak.choices], required=False)
    tie_3 = forms.ChoiceField(label=_("Third tie-break"), choices=[NO_TIE_BREAK, *TieBreak.choices], required=False)

    changes_house_rules = False  # set by `clean`

    class Meta:
        model = Tournament
        fields = [
            *("name", "date", "begins_at", "place", "places", "fee", "closes_at", "public", "by_approval", "notes"),
            *("consent", "retention_days"),
            *PLAY_FIELDS,
            *POINT_FIELDS,
        ]
        field_classes = {"date": BoundedDateField, "closes_at": BoundedDateTimeField}
        widgets = {
            "date": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "begins_at": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
            "closes_at": forms.DateTimeInput(attrs={"type": "datetime-local"}, format=LOCAL_TIME_FORMAT),
            "notes": forms.Textarea(attrs={"rows": 3}),
            "consent": forms.Textarea(attrs={"rows": 3}),
        }
        labels = {
            "place": _("Venue"),
            "begins_at": _("Begins at"),
            "public": _("Anyone may see it and register, also if the club is private"),
            "by_approval": _("The desk approves each registration"),
        }
        help_texts = {
            "places": _("Of players, pairs or teams. All others come on the waiting list."),
            "closes_at": _("In the club's time zone. Empty: when the tournament begins."),
            "notes": _("Shown on the registration page, for example the prizes and what there is to eat."),
            "consent": _("An addition to the privacy notice of the registration page."),
            "retention_days": _("After the tournament, for people who are not members of the club."),
            "deals": _("A round ends after these deals, at these points or after these minutes: whichever is first."),
            "exempt_points": _("Empty: the mean of the round."),
            "games_to_win": _("1 usually; 2 for a match that is won by the first to win twice."),
            "cap": _("Empty: no limit."),
            "club_best": _("The best of them, if other clubs are invited. Empty: all."),
            "team_best": _("The best of them, if team mates play at different tables. Empty: all."),
        }

    def __init__(
        self,
        *args: Any,
        club: Club,
        preset: GamePreset | None = None,
        club_preset: TournamentPreset | None = None,
        like: Tournament | None = None,
        typed: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Fill the form of a new tournament from `like` (another tournament), `club_preset` or `preset`.

        `typed` are values by field name that the user has typed already: they replace the other values.
        """
        self.typed = typed or {}
        tournament: Tournament | None = kwargs.get("instance")
        if tournament is None:
            kwargs["initial"] = _initial_values(club, preset, club_preset, like)
        else:
            kwargs["initial"] = dict(zip(TIE_FIELDS, tournament.ties, strict=False))
        super().__init__(*args, **kwargs)
        self.club = club
        game = self.fields["game"]
        assert isinstance(game, forms.ChoiceField)
        game.choices = _game_choices()
        self.fields["closes_at"].required = False
        source = tournament or like
        house_rules = source.house_rules if source else kwargs["initial"].get("house_rules", {})
        self.rules_forms = {} if tournament and tournament.has_started else self._rules_forms(house_rules)
        if tournament is not None and tournament.units.not_cancelled().exists():
            for name in ("unit_size", "plays_apart"):
                # A page that was opened before the first registration sends them: then the action refuses a change.
                self.fields[name].disabled = name not in self.data

    def _rules_forms(self, house_rules: Mapping[str, Any]) -> dict[str, TournamentRulesForm]:
        """Return a form for each game that has house rules, by the game's slug.

        `house_rules` are the initial values for the game that is selected at first.
        """
        data = self.data if self.is_bound else None
        own_game = self.initial.get("game", "")
        return {
            game.slug: TournamentRulesForm(
                game, house_rules if game.slug == own_game else {}, data, prefix=f"{HOUSE_RULES_PREFIX}-{game.slug}"
            )
            for game in all_games()
            if game.rules.house_rules
        }

    def get_initial_for_field(self, field: forms.Field, field_name: str) -> Any:
        return self.typed[field_name] if field_name in self.typed else super().get_initial_for_field(field, field_name)

    @property
    def typed_values(self) -> dict[str, Any]:
        """The values of a sent form that differ from its initial values, as text by field name."""
        return {name: self[name].data for name in self.changed_data}

    @property
    def rules_choices(self) -> list[tuple[int, TournamentRulesForm]]:
        """The forms of house rules, each with the number of its game among the options of the field `game`.

        static/css/forms.css shows the form of the selected option by this number.
        """
        numbers = {slug: number for number, (slug, _name) in enumerate(_game_choices(), 1)}
        return [(numbers[slug], form) for slug, form in self.rules_forms.items()]

    def _clean_house_rules(self, game: str | None) -> None:
        form = self.rules_forms.get(game or "")
        if form is not None and not form.is_valid():
            self.add_error(None, _("The house rules below have an error."))
        elif self.rules_forms:
            house_rules = form.house_rules if form else {}
            is_changed = form.has_changed() if form else False
            self.changes_house_rules = is_changed or (game or "") != self.initial.get("game", "")
            if self.changes_house_rules or self.instance.pk is None:
                self.cleaned_data["house_rules"] = self.instance.house_rules = house_rules

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        self._clean_house_rules(values.get("game"))
        day, closes_at = values.get("date"), values.get("closes_at")
        if day is not None:
            self._check_day(day, values.get("name"))
            begin = datetime.combine(day, values.get("begins_at") or time(), self.club.zone)
            if closes_at is None and "closes_at" not in self.errors:
                values["closes_at"] = begin if values.get("begins_at") else begin + timedelta(days=1)
            elif closes_at is not None and closes_at >= begin + timedelta(days=1):
                self.add_error("closes_at", _("This is after the tournament."))
        if values.get("plays_apart") and values.get("unit_size") == 1:
            self.add_error("plays_apart", _("A single player has no team mates."))
        team_best = values.get("team_best")
        if team_best is not None and not values.get("plays_apart"):
            self.add_error("team_best", _("Teams are ranked only if team mates play at different tables."))
        elif team_best is not None and team_best > values.get("unit_size", MAX_UNIT_SIZE):
            self.add_error("team_best", _("A team has fewer players."))
        ties = [values[name] for name in TIE_FIELDS if values.get(name)]
        if len(set(ties)) < len(ties):
            self.add_error("tie_1", _("A tie-break counts once."))
        values["ties"] = self.instance.ties = ties
        return values

    def clean_retention_days(self) -> int:
        """Refuse more days than before if people have registered, since fewer days were promised to them."""
        days = int(self.cleaned_data["retention_days"])
        before = self.initial.get("retention_days")
        if self.instance.pk is not None and before is not None and days > before and self.instance.units.exists():
            raise forms.ValidationError(
                _("Those who registered were promised fewer days: %(days)s"), params={"days": before}
            )
        return days

    def _check_day(self, day: Any, name: str | None) -> None:
        if day < timezone.localdate(timezone=self.club.zone) and day != self.instance.date:
            self.add_error("date", _("This day is past."))
        same = Tournament.objects.filter(club=self.club, date=day, name=name or "").exclude(pk=self.instance.pk)
        if self.instance.pk is not None and same.exists():
            self.add_error("name", _("The club has a tournament of that date and name already."))

    def new_fields(self) -> dict[str, Any]:
        """Return the values of a new tournament by field name. Call it only if the form is valid."""
        return {name: value for name, value in self.cleaned_data.items() if name not in TIE_FIELDS}

    @property
    def changed_fields(self) -> list[str]:
        """The names of the fields of Tournament that the user has changed. Read it only if the form is valid."""
        names = [name for name in self.changed_data if name not in TIE_FIELDS]
        if self.changes_house_rules:
            names.append("house_rules")
        return [*names, "ties"] if set(TIE_FIELDS) & set(self.changed_data) else names

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in self.FORMAT_FIELDS]

    @property
    def format_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.FORMAT_FIELDS]


def _game_choices() -> list[tuple[str, Any]]:
    return [("", _("any game, by totals")), *((game.slug, game.name) for game in all_games())]


def _initial_values(
    club: Club, preset: GamePreset | None, club_preset: TournamentPreset | None, like: Tournament | None
) -> Mapping[str, Any]:
    """Return an initial value for each field of a new tournament, so that `changed_data` has only typed values."""
    names = [name for name in TournamentForm.Meta.fields if name not in FIELDS_WITHOUT_DEFAULT]
    values: dict[str, Any] = {name: Tournament._meta.get_field(name).get_default() for name in names}  # type: ignore[union-attr]
    values |= {"name": "", "closes_at": None, "places": 32, "begins_at": club.begins_at, "place": club.place}
    ties: Sequence[str] = ()
    if like is not None:
        values |= {name: getattr(like, name) for name in ("name", *names)}
        ties = like.ties
    elif club_preset is not None:
        values |= club_preset.typed_values | {"name": club_preset.name}
        ties = values.pop("ties", ())
    elif preset is not None:
        values |= preset.values
        ties = values.pop("ties", ())
    values |= dict(zip_longest(TIE_FIELDS, ties, fillvalue=""))
    return {**values, "date": timezone.localdate(timezone=club.zone) + timedelta(days=DAYS_UNTIL_NEW_TOURNAMENT)}
