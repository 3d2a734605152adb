"""The installation's repair pages (Django's admin): their addresses, a row of each model, and what their forms send."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.urls import URLPattern, URLResolver, reverse
from pghistory.models import Events

from league.actions import rating_rules
from league.models import Membership, PendingRecompute, Rest, Season, Seat
from league.models.rights import Role
from league.models.round import RestKind
from players.models import Player, Rating
from tests.build import NOW, TODAY
from tests.readers import user_of
from tests.test_access import a_world

Rows = dict[type[Model], Model]


def a_row_of_each() -> Rows:
    """Build a club and an account, and return a row of each model that has a repair page."""
    club = a_world(public=False).places["club"]
    season = Season.objects.filter(club__slug=club).earliest("pk")
    player: Player = Membership.objects.get(club__slug=club, role=Role.SECRETARY).player
    user = user_of(player)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    UserSession.objects.create(user=user, ip="127.0.0.1", session_key="a" * 32, data={})
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    seat = Seat.objects.filter(table__round__evening__season=season).earliest("pk")
    Rest.objects.create(round=seat.round, player=player, kind=RestKind.EXEMPT)
    PendingRecompute.objects.create(season=season, not_before=NOW, why=PendingRecompute.Reason.REPAIRED)
    rating_rules.choose_rules(season.game, "club", now=NOW)
    numbers = {"micro": 1, "weight": 1, "tables": 1, "dates": 1, "opponents": 1}
    Rating.objects.create(player=player, game=season.game, provisional=True, last_date=TODAY, **numbers)
    rows = {model: model._default_manager.order_by("pk").last() for model in admin.site._registry}
    rows |= {type(user): user, Player: player, Events: Events.objects.order_by("pgh_created_at").last()}
    missing = [model._meta.label for model, row in rows.items() if row is None]
    assert missing == [], "a model with a repair page has no row here"
    return {model: row for model, row in rows.items() if row is not None}


class Address(NamedTuple):
    """An address of the repair pages, and the model whose page it is, None for the site's own."""

    name: str
    path: str
    model: type[Model] | None


def addresses(rows: Rows) -> list[Address]:
    """Return every address of the repair pages; a model's addresses lead to its row."""
    return list(_below(admin.site.get_urls(), reverse("admin:index"), rows))


def _below(patterns: list[URLPattern | URLResolver], path: str, rows: Rows) -> Iterator[Address]:
    for pattern in patterns:
        route = path + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _below(pattern.url_patterns, route, rows)
        else:
            yield _address(pattern.name or "", route, rows)


def _address(name: str, route: str, rows: Rows) -> Address:
    models = {f"/{model._meta.app_label}/{model._meta.model_name}/": model for model in rows}
    model = next((model for part, model in models.items() if part in route), None)
    row = rows[model] if model else next(iter(rows.values()))
    places = {
        "<path:object_id>": str(row.pk),
        "<id>": str(row.pk),
        "<path:content_type_id>": str(ContentType.objects.get_for_model(row).pk),
        "(?P<url>.*)$": "nowhere",
    }
    if "(?P<app_label>" in route:
        route = reverse("admin:app_list", args=["league"])
    for place, value in places.items():
        route = route.replace(place, value)
    assert "<" not in route, f"{route}: what does this part of the address stand for?"
    return Address(name, route, model)


def all_forms(answer: Any) -> list[forms.BaseForm]:
    """Return the forms on a page: the row's own, and those of its inlines."""
    context = getattr(answer, "context_data", None) or {}
    page_form = context.get("adminform") or context.get("adminForm")
    page_forms: list[forms.BaseForm] = [page_form.form] if page_form else []
    for inline in context.get("inline_admin_formsets", ()):
        page_forms += [inline.formset.management_form, *inline.formset.forms]
    return page_forms


def filled(answer: Any) -> dict[str, Any]:
    """Return what a browser would send of the forms on a page, by field."""
    sent: dict[str, Any] = {}
    for form in all_forms(answer):
        for bound in form:
            widget, value = bound.field.widget, bound.value()
            name = bound.html_name
            parts = getattr(widget, "widgets", None)
            if parts:
                for number, part in enumerate(widget.decompress(value)):
                    sent[f"{name}_{number}"] = "" if part is None else str(part)
            elif isinstance(value, bool):
                sent.update({name: "on"} if value else {})
            elif isinstance(value, (list, tuple)):
                sent[name] = ",".join(str(each) for each in value)
            else:
                sent[name] = "" if value is None else str(value)
    return sent
