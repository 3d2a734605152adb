"""Forms for a season: its settings, copying it, reasons of changes, drafts of rules, adjustments of points."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import localize
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.models import Club, Evening, Season, visible
from league.models.evening import EveningState
from league.models.season import MIN_RESTING_TABLE_SIZE, RestScore, TableEnd
from league.models.table_limits import MAX_TABLE_DEALS, MAX_TABLE_MINUTES, MAX_TABLE_POINTS
from league.seasons.queries.next_year_dates import FIFTY_TWO_WEEKS, next_year_dates
from league.web.lost_updates import FormAgainstLostUpdates
from players.dates import date_format
from players.models import Player
from scoring.game import Game
from scoring.house_rules_form import HouseRulesForm, OptionField
from scoring.rules.house_rules import HouseRule
from scoring.rules.words import gettext_noop

if TYPE_CHECKING:
    SeasonModelForm = forms.ModelForm[Season]
else:
    SeasonModelForm = forms.ModelForm


MAX_ADJUSTMENT = 1_000_000
MAX_END_NUMBERS: Final[Mapping[str, int]] = {
    TableEnd.DEALS: MAX_TABLE_DEALS,
    TableEnd.TARGET: MAX_TABLE_POINTS,
    TableEnd.MINUTES: MAX_TABLE_MINUTES,
}
YEAR_PATTERN = re.compile(r"\b20\d\d\b|(?<=\b20\d\d[-/–])\d\d\b")  # also the second year of "2026-27"
PASSED_DEALS_RULE = HouseRule(
    "count_passed",
    gettext_noop("Passed and replayed deals"),
    {True: gettext_noop("Count as deals of the table"), False: gettext_noop("Are dealt again")},
)
EVENING_FIELDS = (
    *("rounds", "draw", "partners", "exempt_points", "rest_score", "rest_points"),
    *("team_best", "leavers", "contest_hours"),
)


class SeasonForm(FormAgainstLostUpdates, SeasonModelForm):
    class Meta:
        model = Season
        fields = ["name", "table_sizes", "fifth_rests", "end", "end_number", "count_passed", "typing", *EVENING_FIELDS]
        widgets = dict.fromkeys(("draw", "partners", "rest_score", "leavers"), forms.RadioSelect)
        labels = {
            "rounds": _("Rounds of an evening"),
            "draw": _("The draw"),
            "rest_score": _("A round that a player sits out scores"),
            "rest_points": _("Fixed number of points"),
            "team_best": _("Players of a team that count on an evening"),
            "leavers": _("Who leaves early is placed"),
        }
        help_texts = {
            "rounds": _("So many are planned; an evening may have fewer or more."),
            "exempt_points": _("For a pair that would play and finds no opponents; in rounds drawn from now on."),
            "rest_score": _(
                "In rounds drawn from now on, once all tables of the round are complete. An exempt pair scores the "
                "same; with “Nothing” it has the points of an exempt round."
            ),
            "rest_points": _("As the sheets write points."),
            "contest_hours": _("So long after closing, members may contest a deal."),
        }

    def __init__(self, *args: Any, club: Club, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club, self.game = club, game
        self.fields["table_sizes"] = forms.TypedMultipleChoiceField(
            label=_("Table sizes"),
            choices=[
                (size, ngettext("%(size)s player", "%(size)s players", size) % {"size": size}) for size in game.sizes
            ],
            coerce=int,
            widget=forms.CheckboxSelectMultiple,
        )
        if not game.may_rest:
            del self.fields["fifth_rests"]
        if not game.has_pairs:
            del self.fields["partners"], self.fields["exempt_points"]
            self.fields["rest_score"].help_text = _(
                "In rounds drawn from now on, once all tables of the round are complete."
            )
        if game.rules.has_passed_deals:
            self.fields["count_passed"] = OptionField(PASSED_DEALS_RULE)
        else:
            del self.fields["count_passed"]
        if game.typing_variants:
            typing_variants = [
                ("", game.default_typing_label),
                *((name, typing.words) for name, typing in game.typing_variants.items()),
            ]
            self.fields["typing"] = forms.ChoiceField(
                label=game.typing_label, choices=typing_variants, required=False, widget=forms.RadioSelect
            )
        else:
            del self.fields["typing"]
        self.fields["end"] = forms.ChoiceField(
            label=_("A table ends"), choices=[(end, TableEnd(end).label) for end in game.ends], widget=forms.RadioSelect
        )
        if self.instance._state.adding:
            default_end = next(iter(game.ends))
            self.initial.update(table_sizes=game.usual_sizes, end=default_end, end_number=game.ends[default_end])

    @property
    def season_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in EVENING_FIELDS]

    @property
    def evening_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name in EVENING_FIELDS]

    def clean_name(self) -> str:
        """Refuse the name of another season of the club."""
        name: str = self.cleaned_data["name"]
        if self.club.seasons.without_tournaments().filter(name=name).exclude(pk=self.instance.pk).exists():
            raise ValidationError(_("The club has a season of that name already."))
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        end, end_number = cleaned.get("end"), cleaned.get("end_number")
        if end == TableEnd.MANUAL:
            cleaned["end_number"] = None
        elif not end_number:
            if "end_number" not in self.errors:
                self.add_error("end_number", _("Say after how many deals, points or minutes a table ends."))
        elif end and end_number > MAX_END_NUMBERS[end]:
            text = _("%(given)s is too high: a table can end after %(most)s at most.")
            self.add_error("end_number", text % {"given": localize(end_number), "most": localize(MAX_END_NUMBERS[end])})
        if cleaned.get("fifth_rests") and max(cleaned.get("table_sizes") or [0]) < MIN_RESTING_TABLE_SIZE:
            self.add_error("fifth_rests", _("Someone can rest only at tables of four and more."))
        if cleaned.get("rest_score") != RestScore.FIXED:
            cleaned["rest_points"] = None
        elif cleaned.get("rest_points") is None and "rest_points" not in self.errors:
            self.add_error("rest_points", _("Say how many points."))
        return cleaned


class SeasonHouseRulesForm(FormAgainstLostUpdates, HouseRulesForm):
    pass


class SeasonCopyForm(forms.Form):
    name = forms.CharField(label=_("Name of the new season"), max_length=80)
    evenings = forms.TypedMultipleChoiceField(
        label=_("Evenings to plan"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "On the same days of the week, a year later, in the same pattern of weeks or months, with their names and "
            "how often they count."
        ),
    )

    def __init__(self, *args: Any, season: Season, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        evenings = list(season.evenings.not_cancelled().within_bounds(later=FIFTY_TWO_WEEKS).order_by("date", "pk"))
        later = next_year_dates(evening.date for evening in evenings)
        if evenings:
            field = cast("forms.TypedMultipleChoiceField", self.fields["evenings"])
            field.choices = [(evening.pk, _next_year_label(evening, later[evening.date])) for evening in evenings]
        else:
            del self.fields["evenings"]
        today = timezone.localdate(timezone=season.club.zone)
        future = [evening.pk for evening in evenings if later[evening.date] >= today]
        self.initial.update(name=_unused_name(season), evenings=future)


def _unused_name(season: Season) -> str:
    """Return the season's name with its years increased by 1. Add a number if the club has a season of that name."""
    used_names = set(season.club.seasons.without_tournaments().values_list("name", flat=True))
    later = YEAR_PATTERN.sub(_increment_year, season.name)
    names = (later if number == 1 else f"{later} ({number})" for number in count(1))
    return next(name for name in names if name not in used_names)


def _increment_year(year: re.Match[str]) -> str:
    return f"{(int(year[0]) + 1) % 10 ** len(year[0]):0{len(year[0])}}"


def _next_year_label(evening: Evening, day: date) -> str:
    words = f"{date_format(day, 'l')} {date_format(day, 'DATE_FORMAT')}"
    if day < timezone.localdate(timezone=evening.season.club.zone):
        words = gettext("%(date)s (past)") % {"date": words}
    return f"{words}, {evening.name}" if evening.name else words


LATER_EVENINGS_CHOICE = "later"  # the choice "the next evening that will be planned"


class RulesChangeChoice(NamedTuple):
    """The user's reason for a change of rules, and the first evening with the new house rules (None: all evenings).

    `later_only`: the new house rules apply to no evening that exists already.
    """

    reason: str | None = None
    since: Evening | None = None
    later_only: bool = False


class RulesChangeForm(forms.Form):
    since = forms.ChoiceField(
        label=_("Other house rules hold from"), required=False, help_text=_("Evenings before it keep theirs.")
    )
    reason = forms.CharField(
        label=_("Reason for the change"),
        max_length=200,
        required=False,  # actions.seasons.change_rules requires it if scores depend on the change
        help_text=_(
            "Required if points or ranks may depend on the change. The deals are then scored again, and members can "
            "read the reason."
        ),
    )

    def __init__(self, *args: Any, season: Season, **kwargs: Any) -> None:
        """By default, the new house rules apply from the first planned evening on; if no evening is planned, from the
        next evening that will be planned.
        """
        super().__init__(*args, **kwargs)
        evenings = season.evenings.exclude(state=EveningState.CANCELLED).order_by("date", "pk")
        self.evenings = {str(evening.pk): evening for evening in evenings}
        planned_pks = (pk for pk, evening in self.evenings.items() if evening.state == EveningState.PLANNED)
        cast("forms.ChoiceField", self.fields["since"]).choices = [
            ("", _("the first evening on: every deal is scored by them")),
            *((pk, str(evening)) for pk, evening in self.evenings.items()),
            (LATER_EVENINGS_CHOICE, _("the next evening that will be planned")),
        ]
        self.initial.setdefault("since", next(planned_pks, LATER_EVENINGS_CHOICE))

    @property
    def change(self) -> RulesChangeChoice:
        since = self.cleaned_data["since"]
        return RulesChangeChoice(
            self.cleaned_data["reason"], self.evenings.get(since), later_only=since == LATER_EVENINGS_CHOICE
        )


class RulesAdoptionForm(forms.Form):
    """Confirms a change of standings rules. `doubtful`: the rules have warnings. `late`: evenings were held already."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    sure = forms.BooleanField(label=_("These rules are meant so"))
    reason = forms.CharField(
        label=_("Reason for the change"),
        max_length=200,
        help_text=_("Evenings were held under other rules. Members can read why they change."),
    )

    def __init__(self, *args: Any, doubtful: bool, late: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not doubtful:
            del self.fields["sure"]
        if not late:
            del self.fields["reason"]


class RulesDraftForm(forms.Form):
    draft_name = forms.CharField(
        label=_("Name of the draft"), max_length=60, help_text=_("A draft of that name is replaced.")
    )


class AdjustmentForm(forms.Form):
    player = forms.ModelChoiceField(Player.objects.none(), label=_("Player"), empty_label="–")
    points = forms.IntegerField(
        label=_("Points"),
        min_value=-MAX_ADJUSTMENT,
        max_value=MAX_ADJUSTMENT,
        help_text=_("With a minus to take some."),
    )
    reason = forms.CharField(
        label=_("Reason"), max_length=200, help_text=_("Everyone who reads the standings reads it too.")
    )

    def __init__(self, *args: Any, season: Season, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if season.convert_total(1) < 0:
            self.fields["points"].help_text = _("The lowest total wins: points with a minus help the player.")
        field = self.fields["player"]
        assert isinstance(field, forms.ModelChoiceField)
        # A player who has left the club stays in the standings.
        selectable = Q(pk__in=visible.players_of(season.club).values("pk")) | Q(standings__season=season)
        field.queryset = Player.objects.filter(selectable).distinct().order_by("committee_key", "pk")

    def clean_points(self) -> int:
        points: int = self.cleaned_data["points"]
        if not points:
            raise forms.ValidationError(_("0 changes nothing."))
        return points
