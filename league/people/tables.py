from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models import Membership
from league.web.tables import DETAIL_TEXT_ATTRS
from players.naming import name_sort_field

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


def template_column(label: StrPromise, template: str, **options: Any) -> tables.TemplateColumn:
    """Return a column that a template renders. By default it cannot be sorted, and it is hidden until the user asks for
    details.
    """
    options = {"accessor": "pk", "orderable": False, "attrs": DETAIL_TEXT_ATTRS} | options
    return tables.TemplateColumn(verbose_name=label, template_name=template, **options)


class NamesTable(tables.Table):
    """The list of members for viewers outside the club: names only."""

    caption = _("Members")
    row_header = "player"

    player = tables.Column(_("Name"), linkify=("league:player", {"pk": tables.A("player_id")}))

    class Meta:
        model = Membership
        fields: tuple[str, ...] = ("player",)
        order_by = "player"

    def order_player(self, queryset: QuerySet[Membership], is_descending: bool) -> tuple[QuerySet[Membership], bool]:
        key = f"player__{name_sort_field()}"
        return queryset.order_by(f"-{key}" if is_descending else key, "-pk" if is_descending else "pk"), True


class MembersTable(NamesTable):
    """The list of members for members. The view removes number and contact if the viewer may not see contact data."""

    number = tables.Column(_("Number"), default="", attrs=DETAIL_TEXT_ATTRS)
    role = tables.Column(_("Role"), order_by="weight")
    login = tables.Column(verbose_name=_("Login"), accessor="has_login", attrs=DETAIL_TEXT_ATTRS)
    contact = template_column(_("E-mail, telephone"), "league/people/_contact.html")

    class Meta(NamesTable.Meta):
        fields = ("player", "number", "role", "login", "contact")

    def render_login(self, value: bool) -> str:
        return gettext("Yes") if value else gettext("No")


class ManagedMembersTable(MembersTable):
    """The list of members for admins: members can be selected for an invitation, and each row has a menu."""

    role = tables.Column(_("Role"), order_by="weight", attrs=DETAIL_TEXT_ATTRS)
    selected = template_column(_("Selection"), "league/people/_selected.html", attrs={})
    actions = template_column(_("Actions"), "league/people/_row_menu.html", attrs={"td": {"class": "row-menu"}})

    class Meta(MembersTable.Meta):
        sequence = ("selected", *MembersTable.Meta.fields, "actions")
