"""The form for a season's standings rules: what an evening is worth, which evenings count, how ties are broken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.standings.rules import StandingsRules
from league.standings.tie_breaks import TIE_BREAKS
from league.standings.words import WORDS
from league.web.numbers import parse_number
from scoring.game import Game
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import format_message

MAX_EVENINGS = 366
MAX_POINTS = 99_999  # for a rank, a table or an evening attended
MAX_DIGITS = len(str(MAX_POINTS))
MAX_PLACES = 100
MIN_SHOWN_TIE_BREAKS = 3  # fields for tie-breaks that the page shows at first
PAIR_RULES = ("wins",)  # names of rules for games with partners, because partners win or lose a table together

WORTH_CHOICES = {
    "points": _("Its points"),
    "average": _("Its average per deal"),
    "places": _("Points by place"),
    "wins": _("Points for tables won and lost"),
    "opponents": _("The share of opponents placed behind"),
}
COUNTS_CHOICES = {
    "all": _("All"),
    "best": _("The best"),
    "drop": _("All but the worst"),
    "average": _("Their mean"),
}
SHARED_PLACE_CHOICES = {"same": _("Each gets all of it"), "mean": _("The mean of the places shared")}
MINIMUM_CHOICES = {
    "none": _("Every member who came"),
    "evenings": _("From a number of evenings on"),
    "share": _("From a share of the evenings held on"),
}
# The form fields that belong to paths in the JSON of the rules, if their names differ from the path.
FIELDS_BY_JSON_PATH = {
    "worth.points": "place_points",
    "worth.rest": "place_rest",
    "worth.win": "win",
    "worth.loss": "loss",
    "worth.exempt": "exempt",
    "counts.each": "drop_each",
    "counts.after": "drop_after",
    "minimum.evenings": "minimum_evenings",
    "minimum.share": "share",
}


def integer_field(
    label: Any, minimum: int, maximum: int, help_text: Any = "", usual: int | None = None
) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=minimum, max_value=maximum, required=False, help_text=help_text, initial=usual
    )


class PlacePointsField(forms.CharField):
    """A field for the points of the first ranks, as one line: "25 18 15" or "25-18-15". Its value is [25, 18, 15]."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(self.prepare_value(value))
        if not text:
            return None
        numbers = [parse_number(part, max_digits=MAX_DIGITS) for part in re.split(r"[\s,;–-]+", text.strip())]
        if None in numbers:
            raise ValidationError(_("Write whole numbers, as in 25 18 15."))
        if len(numbers) > MAX_PLACES:
            raise ValidationError(_("These are more places than a club has players."))
        return numbers

    def prepare_value(self, value: Any) -> Any:
        return " ".join(str(points) for points in value) if isinstance(value, (list, tuple)) else value


class StandingsRulesForm(forms.Form):
    """The standings rules of a season. After validation, `rules` has the rules; their errors are shown on the fields.

    Games without partners have fewer fields. `evenings` is the number of evenings that exist, `final_weight` the weight
    of the final evening.
    """

    planned_evenings = integer_field(_("Evenings of the season"), 1, MAX_EVENINGS, _("So many are meant to be held."))
    worth = forms.ChoiceField(label=_("An evening is worth"), choices=WORTH_CHOICES, widget=forms.RadioSelect)
    place_points = PlacePointsField(
        label=_("Points of the first places"), required=False, help_text=_("From the first place on: 25 18 15 12 10")
    )
    place_rest = integer_field(_("Every other place"), 0, MAX_POINTS, _("Left empty, as the last of those above."))
    members_only = forms.BooleanField(label=_("Guests take no place and get nothing"), required=False)
    shared = forms.ChoiceField(
        label=_("Who shares a place"),
        choices=SHARED_PLACE_CHOICES,
        widget=forms.RadioSelect,
        required=False,
        initial="same",
    )
    win = integer_field(_("A table won"), -MAX_POINTS, MAX_POINTS)
    loss = integer_field(_("A table lost"), -MAX_POINTS, MAX_POINTS)
    exempt = integer_field(_("An exempt round"), -MAX_POINTS, MAX_POINTS)
    plus_points = forms.BooleanField(label=_("The points of the evening on top"), required=False)
    counts = forms.ChoiceField(label=_("Which evenings count"), choices=COUNTS_CHOICES, widget=forms.RadioSelect)
    best = integer_field(_("How many"), 1, MAX_EVENINGS, usual=10)
    drop_each = integer_field(_("One is dropped for each so many evenings attended"), 1, MAX_EVENINGS, usual=5)
    drop_after = integer_field(_("Beyond the first"), 0, MAX_EVENINGS, usual=0)
    average_best = integer_field(
        _("Of the best so many"), 1, MAX_EVENINGS, _("Left empty, of all that somebody attended.")
    )
    final = forms.BooleanField(label=_("The season's final always counts"), required=False)
    minimum = forms.ChoiceField(label=_("Who is ranked"), choices=MINIMUM_CHOICES, widget=forms.RadioSelect)
    minimum_evenings = integer_field(_("Evenings"), 1, MAX_EVENINGS, usual=3)
    share = integer_field(_("Evenings attended"), 1, MAX_EVENINGS, usual=1)
    share_denominator = integer_field(
        _("of so many held"), 1, MAX_EVENINGS, _("The minimum grows through the season."), usual=3
    )
    partners = integer_field(_("Different partners, at least"), 0, MAX_EVENINGS)
    attendance = integer_field(_("Points for each evening attended"), 0, MAX_POINTS)
    rests = integer_field(_("Points for each round sat out"), -MAX_POINTS, MAX_POINTS)

    rules: StandingsRules

    def __init__(self, *args: Any, game: Game, evenings: int = 0, final_weight: int = 1, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.evenings, self.final_weight = evenings, final_weight
        ties = dict(TIE_BREAKS)
        if not game.has_pairs:
            for name in PAIR_RULES:
                del ties[name]
            self.fields["worth"].choices = [choice for choice in WORTH_CHOICES.items() if choice[0] not in PAIR_RULES]  # type: ignore[attr-defined]
            for name in ("win", "loss", "exempt", "plus_points", "partners"):
                del self.fields[name]
        choices = [("", "–"), *((name, capfirst(gettext(tie.description))) for name, tie in ties.items())]
        for place in range(1, len(ties) + 1):
            self.fields[f"tie_{place}"] = forms.ChoiceField(
                label=_("Tie-break %(place)s") % {"place": place}, choices=choices, required=False
            )

    @property
    def tie_break_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name.startswith("tie_")]

    @property
    def shown_tie_break_count(self) -> int:
        """The number of tie-break fields that the page shows at first: those in use and one more."""
        used = [number for number, field in enumerate(self.tie_break_fields, start=1) if field.value()]
        return max(MIN_SHOWN_TIE_BREAKS, max(used, default=0) + 1)

    def supports_rules(self, rules: StandingsRules) -> bool:
        return "win" in self.fields or not {rules.worth.name, *rules.ties} & set(PAIR_RULES)

    def clean_planned_evenings(self) -> int | None:
        planned_evenings: int | None = self.cleaned_data["planned_evenings"]
        if planned_evenings is not None and planned_evenings < self.evenings:
            words = _("%(count)s evenings are planned or held already.")
            raise ValidationError(words, params={"count": self.evenings})
        return planned_evenings

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self._refuse_repeated_ties(cleaned)
        if self.errors:
            return cleaned
        try:
            self.rules = StandingsRules.from_json(_rules_json(cleaned), "")
        except IllegalDeal as illegal:
            self.add_error(
                self._field_name(illegal.field), format_message(WORDS, illegal.code, illegal.params, translate=gettext)
            )
        else:
            self._refuse_impossible_minimum(cleaned)
        return cleaned

    def _refuse_repeated_ties(self, cleaned: Mapping[str, Any]) -> None:
        place_of_name: dict[str, int] = {}
        for place in range(1, len(TIE_BREAKS) + 1):
            name = cleaned.get(f"tie_{place}")
            if name and name in place_of_name:
                words = _("This is tie-break %(place)s already.")
                self.add_error(f"tie_{place}", ValidationError(words, params={"place": place_of_name[name]}))
            elif name:
                place_of_name[name] = place

    def _refuse_impossible_minimum(self, cleaned: Mapping[str, Any]) -> None:
        planned_evenings = cleaned["planned_evenings"]
        minimum = dict(self.rules.minimum.options).get("evenings", 0)
        if planned_evenings and minimum > planned_evenings:
            words = ngettext(
                "The season has %(planned)s evening: nobody could be ranked.",
                "The season has %(planned)s evenings: nobody could be ranked.",
                planned_evenings,
            )
            self.add_error("minimum_evenings", ValidationError(words, params={"planned": planned_evenings}))

    def _field_name(self, path: str) -> str | None:
        if path == "counts.n":
            return "average_best" if self.cleaned_data["counts"] == "average" else "best"
        name = FIELDS_BY_JSON_PATH.get(path, path)
        return name if name in self.fields else None


def form_values(rules: StandingsRules) -> dict[str, Any]:
    """Return the values of StandingsRulesForm for these rules, by field name. Fields without a value are left out."""
    worth, counts = dict(rules.worth.options), dict(rules.counts.options)
    minimum = dict(rules.minimum.options)
    n = counts.get("n")
    share, share_denominator = minimum.get("share", (None, None))
    minimum_evenings = minimum.get("evenings") or None
    values = {
        "worth": rules.worth.name,
        "place_points": worth.get("points"),
        "place_rest": worth.get("rest"),
        "members_only": worth.get("among") == "members",
        "shared": worth.get("shared", "same"),
        **{name: worth.get(name) for name in ("win", "loss", "exempt", "plus_points")},
        "counts": rules.counts.name,
        "best": n if rules.counts.name == "best" else None,
        "average_best": n if rules.counts.name == "average" else None,
        "drop_each": counts.get("each"),
        "drop_after": counts.get("after"),
        "final": rules.final,
        "minimum": "share" if share else "evenings" if minimum_evenings else "none",
        "minimum_evenings": minimum_evenings,
        "share": share,
        "share_denominator": share_denominator,
        "partners": rules.partners or None,
        "rests": rules.rests or None,
        **{name: points or None for name, points in rules.extras},
        **{f"tie_{place}": name for place, name in enumerate(rules.ties, start=1)},
    }
    return _without_none(**values)


def _rules_json(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "worth": _without_none(by=cleaned["worth"], **_worth_options(cleaned)),
        "counts": _without_none(which=cleaned["counts"], **_counts_options(cleaned)),
        "minimum": _minimum_options(cleaned),
        **_without_none(**{name: cleaned.get(name) for name in ("partners", "attendance", "rests")}),
        "ties": [name for name in (cleaned.get(f"tie_{place}") for place in range(1, len(TIE_BREAKS) + 1)) if name],
    }


def _worth_options(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    match cleaned["worth"]:
        case "places":
            category = "members" if cleaned["members_only"] else "all"
            points, rest = cleaned["place_points"], cleaned["place_rest"]
            return {"points": points, "rest": rest, "among": category, "shared": cleaned["shared"] or "same"}
        case "wins":
            return {name: cleaned[name] for name in ("win", "loss", "exempt", "plus_points")}
    return {}


def _counts_options(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    final = cleaned["final"] or None
    match cleaned["counts"]:
        case "best":
            return {"n": cleaned["best"], "final": final}
        case "drop":
            return {"each": cleaned["drop_each"], "after": cleaned["drop_after"], "final": final}
        case "average":
            return {"n": cleaned["average_best"], "final": final}
    return {}


def _minimum_options(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    match cleaned["minimum"]:
        case "evenings":
            return {"evenings": cleaned["minimum_evenings"]}
        case "share":
            return {"share": [cleaned["share"], cleaned["share_denominator"]]}
    return {}


def _without_none(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
