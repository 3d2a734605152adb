from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from league.models import Club
from league.models.club import CLUB_NAMING_CHOICES, known_time_zones
from league.web.fields import MoneyField
from league.web.lost_updates import FormAgainstLostUpdates
from players.accounts import has_confirmed_address
from players.forms.naming import naming_example
from players.models import User
from players.naming import NameStyle, least_revealing_style


class ClubForm(FormAgainstLostUpdates, forms.ModelForm):  # type: ignore[type-arg]
    """The settings of a club, also of a new club."""

    EVENING_FIELDS = ("place", "begins_at", "currency", "fee_member", "fee_guest", "table_entry")

    fee_member = MoneyField(
        label=_("Entry fee for members"), required=False, help_text=_("For an evening, for example 3.50.")
    )
    fee_guest = MoneyField(label=_("Entry fee for guests"), required=False)

    class Meta:
        model = Club
        fields = [
            "name",
            "language",
            "time_zone",
            "public",
            "public_names",
            "member_names",
            "place",
            "begins_at",
            "currency",
            "fee_member",
            "fee_guest",
            "table_entry",
        ]
        widgets = {
            "public_names": forms.RadioSelect,
            "member_names": forms.RadioSelect,
            "begins_at": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        }
        labels = {
            "place": _("Usual venue"),
            "name": _("Name of the club"),
            "public": _("Anyone may read the club's results without an account"),
            "public_names": _("Names as everyone reads them"),
            "member_names": _("Names as members read them"),
        }
        help_texts = {
            "time_zone": _("An evening's date and all times are the club's own."),
            "currency": _("Three letters, for example EUR."),
            "place": _("Shown with each evening that has no other, with its address if people need it."),
            "public": "",
            "public_names": _(
                "Of those who chose nothing themselves. Guests are named by first name and initial in any case."
            ),
            "member_names": _("Of those who chose nothing themselves."),
        }

    def __init__(self, *args: Any, user: User, instance: Club | None = None, **kwargs: Any) -> None:
        self.was_public = instance is not None and instance.public
        self.waits_for_confirmation = instance is not None and instance.publish_once_confirmed
        self.publish_once_confirmed = False
        if self.waits_for_confirmation:
            kwargs["initial"] = {"public": True}
        super().__init__(*args, instance=instance, **kwargs)
        self.user = user
        zone = self.fields["time_zone"]
        zone.widget = forms.Select(choices=time_zone_choices(chosen=self.initial.get("time_zone", "")))
        player = getattr(user, "player", None)
        for name in ("public_names", "member_names"):
            names = self.fields[name]
            assert isinstance(names, forms.ChoiceField)
            names.required = False  # a missing value changes nothing
            names.choices = [
                (naming, naming_example(NameStyle(naming), player)) for naming, _label in CLUB_NAMING_CHOICES
            ]

    def clean(self) -> dict[str, Any]:
        """Return the values. Missing name settings keep their value, and a club that waits for a confirmed address
        stays private.

        Add an error if the public would see more of a member's name than the members see.
        """
        cleaned_data = super().clean()
        for name in {"public_names", "member_names"} - self.errors.keys():
            cleaned_data[name] = cleaned_data[name] or getattr(self.instance, name)
        if self.publish_once_confirmed:
            cleaned_data["public"] = False
        public, members = cleaned_data.get("public_names"), cleaned_data.get("member_names")
        if public and members and least_revealing_style([public, members]) != public:
            self.add_error("public_names", _("Everyone would read more than members."))
        return cleaned_data

    @property
    def club_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in self.EVENING_FIELDS]

    @property
    def evening_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name in self.EVENING_FIELDS]

    def clean_public(self) -> bool:
        """Return whether the club may be public now.

        A new club of a founder without a confirmed email address stays private: `publish_once_confirmed` becomes True.
        """
        public = bool(self.cleaned_data["public"])
        if not public or self.was_public or self.user.is_superuser:
            return public
        if settings.PUBLIC_CLUBS_BY_APPROVAL:
            raise forms.ValidationError(_("Here the installation's admin makes a club public. Ask for it."))
        if not has_confirmed_address(self.user):
            if self.instance.pk is None or self.waits_for_confirmation:
                self.publish_once_confirmed = True
                return False
            raise forms.ValidationError(
                _("Confirm your e-mail address first: in your account, under e-mail addresses.")
            )
        return public

    def clean_currency(self) -> str:
        return str(self.cleaned_data["currency"]).strip().upper()


def time_zone_choices(chosen: str = "") -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the choices of time zones, grouped by area. The list also contains the zone `chosen`."""
    names = sorted(_current_time_zones() & known_time_zones())
    zones = [
        (area, [(name, name.partition("/")[2].replace("_", " ").replace("/", ", ")) for name in group])
        for area, group in groupby(names, key=lambda name: name.partition("/")[0])
    ]
    return (
        [(str(_("Chosen")), [(chosen, chosen.replace("_", " "))]), *zones] if chosen and chosen not in names else zones
    )


@cache
def _current_time_zones() -> frozenset[str]:
    """Return the names of time zones in use, without former spellings such as America/Buenos_Aires."""
    lines = (files("tzdata") / "zoneinfo" / "zone.tab").read_text("ascii").splitlines()
    return frozenset(line.split("\t")[2] for line in lines if not line.startswith("#"))
