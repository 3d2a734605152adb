from __future__ import annotations

import django_tables2 as tables
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models import Membership
from league.web.tables import DETAIL_TEXT
from players.naming import name_sort_field


class NamesTable(tables.Table):
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
    """For members; the view removes number and contact, except for secretaries."""

    number = tables.Column(_("Number"), default="", attrs=DETAIL_TEXT)
    role = tables.Column(_("Role"), order_by="weight")
    login = tables.Column(verbose_name=_("Login"), accessor="has_login", attrs=DETAIL_TEXT)
    contact = tables.TemplateColumn(
        verbose_name=_("E-mail, telephone"),
        template_name="league/people/_contact.html",
        accessor="pk",
        orderable=False,
        attrs=DETAIL_TEXT,
    )

    class Meta(NamesTable.Meta):
        fields = ("player", "number", "role", "login", "contact")

    def render_login(self, value: bool) -> str:
        return gettext("Yes") if value else gettext("No")


class ManagedMembersTable(NamesTable):
    number = MembersTable.base_columns["number"]
    contact = MembersTable.base_columns["contact"]
    role = tables.TemplateColumn(
        verbose_name=_("Role"), template_name="league/people/_role.html", order_by="weight", attrs=DETAIL_TEXT
    )
    login = tables.TemplateColumn(
        verbose_name=_("Login"),
        template_name="league/people/_login.html",
        order_by="has_login",
        accessor="has_login",
        attrs=DETAIL_TEXT,
    )

    edit = tables.TemplateColumn(
        verbose_name=_("Details"),
        template_name="league/people/_edit.html",
        accessor="pk",
        orderable=False,
    )
    join = tables.TemplateColumn(
        verbose_name=_("Two records?"),
        template_name="league/people/_join.html",
        accessor="pk",
        orderable=False,
        attrs=DETAIL_TEXT,
    )
    end = tables.TemplateColumn(
        verbose_name=_("Membership"),
        template_name="league/people/_end.html",
        accessor="pk",
        orderable=False,
        attrs=DETAIL_TEXT,
    )

    class Meta(NamesTable.Meta):
        fields = ("player", "number", "role", "login", "contact", "edit", "join", "end")
