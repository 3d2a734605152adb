"""What a secretary types about an evening."""

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Evening
from league.models.evening import EveningState

DATE = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
MOST_EVENINGS = 100

if TYPE_CHECKING:
    from django.http import QueryDict

    EveningFields = forms.ModelForm[Evening]
else:  # Django's class takes no parameter at run time
    EveningFields = forms.ModelForm


class EveningForm(EveningFields):
    """Date, name, how often an evening counts, and whether it is the final. Once opened, only its name can change."""

    class Meta:
        model = Evening
        fields = ["date", "name", "weight", "season_final"]
        widgets = {"date": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")}
        labels = {"weight": _("Counts")}
        help_texts = {
            "date": _("The date on which it begins, also when it ends after midnight."),
            "name": _("Optional, for example Final. Without one the evening is called by its date."),
            "weight": _("How many times its points count in the season: 1 usually, 2 for a final that counts double."),
            "season_final": _("One evening at most. It always counts, if the season's rules say so of the final."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["weight"].widget.attrs.update(min=1, max=10, inputmode="numeric")
        if self.instance.state != EveningState.PLANNED:
            for name in ("date", "weight", "season_final"):
                self.fields[name].disabled = True

    def clean(self) -> None:
        """Two evenings of one date are told apart by their names. Planning one that is planned is no error."""
        super().clean()
        told = {"date": self.cleaned_data.get("date"), "name": self.cleaned_data.get("name", "").strip()}
        others = Evening.objects.filter(season=self.instance.season_id, **told).exclude(pk=self.instance.pk)
        if self.instance.pk is not None and others.exists():
            self.add_error("name", _("The season has an evening of that date and name already."))

    def clean_season_final(self) -> bool:
        """A season has one final."""
        final = bool(self.cleaned_data["season_final"])
        others = Evening.objects.filter(season=self.instance.season_id, season_final=True).exclude(pk=self.instance.pk)
        if final and others.exists():
            raise forms.ValidationError(_("Another evening is the season's final."))
        return final

    def clean_weight(self) -> int:
        """Check that it counts once at least; more than ten times is a slip."""
        weight = int(self.cleaned_data["weight"])
        if not 1 <= weight <= 10:
            raise forms.ValidationError(_("An evening counts 1 to 10 times."))
        return weight


class EveningsForm(forms.Form):
    """Evenings at equal distances: from a first date to a last one, all of them or those that are ticked."""

    first = forms.DateField(label=_("First evening"), widget=DATE, help_text=_("Its day of the week is all evenings'."))
    last = forms.DateField(label=_("Not after"), widget=DATE)
    every = forms.TypedChoiceField(
        label=_("How often"),
        coerce=int,
        initial=1,
        choices=[
            (1, _("each week")),
            (2, _("every second week")),
            (3, _("every third week")),
            (4, _("every fourth week")),
        ],
    )

    def clean(self) -> None:
        """The last is not before the first, and no season has more than a hundred evenings."""
        first, last = self.cleaned_data.get("first"), self.cleaned_data.get("last")
        if first and last and last < first:
            self.add_error("last", _("This is before the first evening."))
        elif first and last and len(self.dates) > MOST_EVENINGS:
            said = _("These are %(given)s evenings; at most %(most)s are planned at once.")
            self.add_error("last", said % {"given": len(self.dates), "most": MOST_EVENINGS})

    @property
    def dates(self) -> list[date]:
        """Each of the dates, of a form whose fields are right."""
        facts = self.cleaned_data
        if not {"first", "last", "every"} <= facts.keys():
            return []
        step = timedelta(weeks=facts["every"])
        return [facts["first"] + step * number for number in range((facts["last"] - facts["first"]) // step + 1)]

    @property
    def ticked(self) -> list[date]:
        """Those of them that were left ticked."""
        ticked = set(cast("QueryDict", self.data).getlist("date"))
        return [day for day in self.dates if day.isoformat() in ticked]


class ReasonForm(forms.Form):
    """Why something is done that others will ask about."""

    reason = forms.CharField(label=_("Reason"), max_length=200, help_text=_("Kept in the history, with your name."))
