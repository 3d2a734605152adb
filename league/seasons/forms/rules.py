"""The form in which a season's standings rules are told: fields in, rules out, and each refusal on its field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.standings.rules import StandingsRules, read_rules
from league.standings.tie_breaks import TIE_BREAKS
from league.standings.words import WORDS
from scoring.game import Game
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import format_message

MOST_EVENINGS = 366
MOST_POINTS = 99_999  # of a place, a table or an evening attended
MOST_DIGITS = len(str(MOST_POINTS))
MOST_PLACES = 100
FEW_TIES = 3  # shown at once
OF_SIDES = ("wins",)  # worth and tie-break of games in which partners win or lose a table together

WORTHS = {
    "points": _("Its points"),
    "average": _("Its average per deal"),
    "places": _("Points by place"),
    "wins": _("Points for tables won and lost"),
    "opponents": _("The share of opponents placed behind"),
}
CHOICES = {
    "all": _("All"),
    "best": _("The best"),
    "drop": _("All but the worst"),
    "average": _("Their mean"),
}
SHARED = {"same": _("Each gets all of it"), "mean": _("The mean of the places shared")}
MINIMUMS = {
    "none": _("Every member who came"),
    "evenings": _("From a number of evenings on"),
    "share": _("From a share of the evenings held on"),
}
# Which field says what a path of the rules says.
FIELDS = {
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


def whole(label: Any, least: int, most: int, help_text: Any = "", usual: int | None = None) -> forms.IntegerField:
    """Return a field of a whole number that may be left empty; `usual` stands in it at first."""
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, required=False, help_text=help_text, initial=usual
    )


class PlacePoints(forms.CharField):
    """Points of the first places in a line: "25 18 15", with any marks between them."""

    def to_python(self, value: Any) -> Any:
        """Return the points as a list, or None for nothing."""
        text = super().to_python(value)
        if not text:
            return None
        parts = re.split(r"[\s,;–-]+", text.strip())
        if not all(part.isascii() and part.isdecimal() and len(part) <= MOST_DIGITS for part in parts):
            raise ValidationError(_("Write whole numbers, as in 25 18 15."))
        if len(parts) > MOST_PLACES:
            raise ValidationError(_("These are more places than a club has players."))
        return [int(part) for part in parts]

    def prepare_value(self, value: Any) -> Any:
        """Return a list of points as people write it."""
        return " ".join(str(each) for each in value) if isinstance(value, (list, tuple)) else value


class StandingsRulesForm(forms.Form):
    """Standings rules in plain words; a valid form's `rules` are what it says. A game without pairs is asked less."""

    planned_evenings = whole(_("Evenings of the season"), 1, MOST_EVENINGS, _("So many are meant to be held."))
    worth = forms.ChoiceField(label=_("An evening is worth"), choices=WORTHS, widget=forms.RadioSelect)
    place_points = PlacePoints(
        label=_("Points of the first places"), required=False, help_text=_("From the first place on: 25 18 15 12 10")
    )
    place_rest = whole(_("Every other place"), 0, MOST_POINTS, _("Left empty, as the last of those above."))
    members_only = forms.BooleanField(label=_("Guests take no place and get nothing"), required=False)
    shared = forms.ChoiceField(
        label=_("Who shares a place"), choices=SHARED, widget=forms.RadioSelect, required=False, initial="same"
    )
    win = whole(_("A table won"), -MOST_POINTS, MOST_POINTS)
    loss = whole(_("A table lost"), -MOST_POINTS, MOST_POINTS)
    exempt = whole(_("An exempt round"), -MOST_POINTS, MOST_POINTS)
    plus_points = forms.BooleanField(label=_("The points of the evening on top"), required=False)
    counts = forms.ChoiceField(label=_("Which evenings count"), choices=CHOICES, widget=forms.RadioSelect)
    best = whole(_("How many"), 1, MOST_EVENINGS, usual=10)
    drop_each = whole(_("One is dropped for each so many evenings attended"), 1, MOST_EVENINGS, usual=5)
    drop_after = whole(_("Beyond the first"), 0, MOST_EVENINGS, usual=0)
    average_best = whole(_("Of the best so many"), 1, MOST_EVENINGS, _("Left empty, of all that somebody attended."))
    final = forms.BooleanField(label=_("The season's final always counts"), required=False)
    minimum = forms.ChoiceField(label=_("Who is ranked"), choices=MINIMUMS, widget=forms.RadioSelect)
    minimum_evenings = whole(_("Evenings"), 1, MOST_EVENINGS, usual=3)
    share = whole(_("Evenings attended"), 1, MOST_EVENINGS, usual=1)
    share_of = whole(_("of so many held"), 1, MOST_EVENINGS, _("The minimum grows through the season."), usual=3)
    partners = whole(_("Different partners, at least"), 0, MOST_EVENINGS)
    attendance = whole(_("Points for each evening attended"), 0, MOST_POINTS)
    rests = whole(_("Points for each round sat out"), -MOST_POINTS, MOST_POINTS)

    rules: StandingsRules

    def __init__(self, *args: Any, game: Game, evenings: int = 0, final_weight: int = 1, **kwargs: Any) -> None:
        """`game` decides what there is to be asked; so many `evenings` of the season are there already."""
        super().__init__(*args, **kwargs)
        self.evenings, self.final_weight = evenings, final_weight
        ties = dict(TIE_BREAKS)
        if not game.has_pairs:
            for name in OF_SIDES:
                del ties[name]
            self.fields["worth"].choices = [each for each in WORTHS.items() if each[0] not in OF_SIDES]  # type: ignore[attr-defined]
            for name in ("win", "loss", "exempt", "plus_points", "partners"):
                del self.fields[name]
        choices = [("", "–"), *((name, capfirst(gettext(tie.words))) for name, tie in ties.items())]
        for place in range(1, len(ties) + 1):
            self.fields[f"tie_{place}"] = forms.ChoiceField(
                label=_("Tie-break %(place)s") % {"place": place}, choices=choices, required=False
            )

    @property
    def ties(self) -> list[forms.BoundField]:
        """The fields of the tie-breaks, in order."""
        return [field for field in self if field.name.startswith("tie_")]

    @property
    def first_ties(self) -> int:
        """How many tie-breaks to show at once: one more than there are, and three at least."""
        used = [at for at, field in enumerate(self.ties, start=1) if field.value()]
        return max(FEW_TIES, max(used, default=0) + 1)

    def can_say(self, rules: StandingsRules) -> bool:
        """Return whether the game has what the rules speak of."""
        return "win" in self.fields or not {rules.worth.name, *rules.ties} & set(OF_SIDES)

    def clean_planned_evenings(self) -> int | None:
        """There can't be fewer than are there."""
        planned: int | None = self.cleaned_data["planned_evenings"]
        if planned is not None and planned < self.evenings:
            words = _("%(count)s evenings are planned or held already.")
            raise ValidationError(words, params={"count": self.evenings})
        return planned

    def clean(self) -> dict[str, Any]:
        """Read the rules, and put what is refused on its field."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self._refuse_repeated_ties(cleaned)
        if self.errors:
            return cleaned
        try:
            self.rules = read_rules(_rules(cleaned), "")
        except IllegalDeal as illegal:
            self.add_error(
                self._field(illegal.field), format_message(WORDS, illegal.code, illegal.params, translate=gettext)
            )
        else:
            self._refuse_impossible(cleaned)
        return cleaned

    def _refuse_repeated_ties(self, cleaned: Mapping[str, Any]) -> None:
        seen: dict[str, int] = {}
        for place in range(1, len(TIE_BREAKS) + 1):
            name = cleaned.get(f"tie_{place}")
            if name and name in seen:
                words = _("This is tie-break %(place)s already.")
                self.add_error(f"tie_{place}", ValidationError(words, params={"place": seen[name]}))
            elif name:
                seen[name] = place

    def _refuse_impossible(self, cleaned: Mapping[str, Any]) -> None:
        """Refuse what nobody can reach in a season of so many evenings."""
        planned = cleaned["planned_evenings"]
        least = dict(self.rules.minimum.options).get("evenings", 0)
        if planned and least > planned:
            words = ngettext(
                "The season has %(planned)s evening: nobody could be ranked.",
                "The season has %(planned)s evenings: nobody could be ranked.",
                planned,
            )
            self.add_error("minimum_evenings", ValidationError(words, params={"planned": planned}))

    def _field(self, path: str) -> str | None:
        """Return the field that says what stands at that path of the rules."""
        if path == "counts.n":
            return "average_best" if self.cleaned_data["counts"] == "average" else "best"
        name = FIELDS.get(path, path)
        return name if name in self.fields else None


def initial_of(rules: StandingsRules) -> dict[str, Any]:
    """Return the values with which the form says these rules; what they don't speak of keeps its usual number."""
    worth, counts = dict(rules.worth.options), dict(rules.counts.options)
    minimum = dict(rules.minimum.options)
    n = counts.get("n")
    share, share_of = minimum.get("share", (None, None))
    least = minimum.get("evenings")
    said = {
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
        "minimum": "share" if share else "evenings" if least else "none",
        "minimum_evenings": least or None,
        "share": share,
        "share_of": share_of,
        "partners": rules.partners or None,
        "rests": rules.rests or None,
        **{name: each or None for name, each in rules.extras},
        **{f"tie_{place}": name for place, name in enumerate(rules.ties, start=1)},
    }
    return {name: value for name, value in said.items() if value is not None}


def data_of(rules: StandingsRules) -> dict[str, Any]:
    """Return what a browser would send for these rules, to have the form look at rules from elsewhere."""
    found = {name: value for name, value in initial_of(rules).items() if value is not False}
    if "place_points" in found:
        found["place_points"] = " ".join(map(str, found["place_points"]))
    return found


def _rules(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was filled in as rules in JSON. What does not belong to a choice that was made is not looked at."""
    return {
        "worth": _given(by=cleaned["worth"], **_worth(cleaned)),
        "counts": _given(which=cleaned["counts"], **_counts(cleaned)),
        "minimum": _minimum(cleaned),
        **_given(**{name: cleaned.get(name) for name in ("partners", "attendance", "rests")}),
        "ties": [name for name in (cleaned.get(f"tie_{place}") for place in range(1, len(TIE_BREAKS) + 1)) if name],
    }


def _worth(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    match cleaned["worth"]:
        case "places":
            among = "members" if cleaned["members_only"] else "all"
            points, rest = cleaned["place_points"], cleaned["place_rest"]
            return {"points": points, "rest": rest, "among": among, "shared": cleaned["shared"] or "same"}
        case "wins":
            return {name: cleaned[name] for name in ("win", "loss", "exempt", "plus_points")}
    return {}


def _counts(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    final = cleaned["final"] or None
    match cleaned["counts"]:
        case "best":
            return {"n": cleaned["best"], "final": final}
        case "drop":
            return {"each": cleaned["drop_each"], "after": cleaned["drop_after"], "final": final}
        case "average":
            return {"n": cleaned["average_best"], "final": final}
    return {}


def _minimum(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    match cleaned["minimum"]:
        case "evenings":
            return {"evenings": cleaned["minimum_evenings"]}
        case "share":
            return {"share": [cleaned["share"], cleaned["share_of"]]}
    return {}


def _given(**said: Any) -> dict[str, Any]:
    return {name: value for name, value in said.items() if value is not None}
