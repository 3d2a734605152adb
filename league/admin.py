"""Django's admin, for repairs by the installation's admin. Computed rows, and rows that actions write, are read-only.

The site asks for the password before every write (league/repairs.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, cast

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.admin import AuthenticatorAdmin
from allauth.mfa.models import Authenticator
from allauth.socialaccount import admin as provider_admin  # noqa: F401  it registers the three models
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.admin import UserSessionAdmin
from allauth.usersessions.models import UserSession
from django import forms
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.widgets import AdminDateWidget
from django.contrib.auth.models import Group
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import transaction
from django.db.models import DateField, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from pghistory.admin import EventsAdmin

from league.actions import account_deletion, api_tokens, audit, pending_recomputes, roles
from league.actions import rating_rules as rating_rules_action
from league.actions.refusals import WrongState
from league.models import (
    Adjustment,
    Attendance,
    Club,
    Evening,
    Membership,
    PendingRecompute,
    Rest,
    Round,
    Run,
    Season,
    SeasonClosing,
    Seat,
    Separation,
    Standing,
    Table,
)
from league.models.audit_entry import AuditEvent
from league.models.season import SeasonState
from league.web.fields import BoundedDateField
from players.admin import LoginAdmin, PersonSearchAdmin, ReadOnlyAdmin, notify_owner
from players.models import RatingRules, User
from scoring.game import find_game

if TYPE_CHECKING:
    ModelAdminBase = admin.ModelAdmin[Any]
    ModelFormBase = forms.ModelForm[Any]
    TabularInlineBase = admin.TabularInline[Any, Any]
else:  # Django's classes have no type parameters at run time
    ModelAdminBase, ModelFormBase, TabularInlineBase = admin.ModelAdmin, forms.ModelForm, admin.TabularInline


class NoAddAdmin(ModelAdminBase):
    """Base class without a page to add rows."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


class SeasonRowForm(ModelFormBase):
    """Admin form of a row that belongs to a season.

    It refuses three changes: a change in a closed season, because its stored standings are not computed again; a move
    of the row to another club; and a move of an evening or round with results to a season with other scoring rules.
    """

    get_season: ClassVar[Any]  # a function that returns the season of a row

    def full_clean(self) -> None:
        """Validate the row, then its season, which the sent values determine."""
        super().full_clean()
        if not self.is_bound or self.errors:
            return
        before = type(self.instance)._default_manager.filter(pk=self.instance.pk).first()
        season = self.get_season(self.instance)
        if closed := closed_season_message(season):
            self.add_error(None, closed)
        elif before is not None and self.get_season(before).club_id != season.club_id:
            self.add_error(None, _("It cannot be moved to another club."))
        elif isinstance(before, Evening | Round) and _changes_scoring_rules(before, self.instance):
            words = _("It has results, and there they would be scored by other rules: move them on the club’s pages.")
            self.add_error(None, words)


def closed_season_message(season: Season) -> str:
    """Return the reason why a closed season refuses a repair; "" for any other season."""
    if season.state != SeasonState.CLOSED and not SeasonClosing.objects.filter(season=season).exists():
        return ""
    words = _("%(season)s is closed, and its standings stay as they are: open the season again on its own page first.")
    return words % {"season": season}


def _changes_scoring_rules(before: Evening | Round, after: Evening | Round) -> bool:
    """Return whether the row has tables and its change would change the rules for scoring these tables."""
    table_filter = {"round__evening": before.pk} if isinstance(before, Evening) else {"round": before.pk}
    return _scoring_rules(before) != _scoring_rules(after) and Table.objects.filter(**table_filter).exists()


def _scoring_rules(row: Evening | Round) -> tuple[object, ...]:
    evening = row if isinstance(row, Evening) else row.evening
    season = evening.season
    options = find_game(season.game).rules.read_options(evening.house_rules)
    return season.game, options, season.end, season.end_number, season.count_passed


def log_repair(request: HttpRequest, row: Model, subject: Club | Season) -> None:
    """Add a repair of the row to the audit log. `subject` is the club or season that it concerns."""
    audit.log(AuditEvent.REPAIRED, subject, by=cast("User", request.user), model=row._meta.label)


class SeasonRowAdmin(ModelAdminBase):
    """Base class for the admin of rows that standings depend on. `get_season` returns the season of a row.

    Each change queues the old and the new season for recomputation.
    """

    get_season = attrgetter("season")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = type("SeasonRowForm", (SeasonRowForm,), {"get_season": staticmethod(self.get_season)})
        return super().get_form(request, obj, change, **{"form": form, **kwargs})

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and not (obj and closed_season_message(self.get_season(obj)))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and not (obj and closed_season_message(self.get_season(obj)))

    @transaction.atomic
    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        self._lock_unless_closed(obj)
        if change:
            self._queue_recompute(type(obj).objects.get(pk=obj.pk))
        super().save_model(request, obj, form, change)
        self._queue_recompute(obj)
        log_repair(request, obj, self.get_season(obj))

    @transaction.atomic
    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Delete the row and queue its season for recomputation, in one transaction.

        Without the transaction, a recompute between both steps would read the row, and take the season off the queue.
        """
        self._lock_unless_closed(obj)
        self._queue_recompute(obj)
        log_repair(request, obj, self.get_season(obj))
        super().delete_model(request, obj)

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Delete rows in one transaction. Django's own action opens none."""
        for obj in queryset:
            self.delete_model(request, obj)

    def _lock_unless_closed(self, obj: Any) -> None:
        if closed_season_message(Season.objects.select_for_update(no_key=True).get(pk=self.get_season(obj).pk)):
            raise PermissionDenied

    def _queue_recompute(self, obj: Any) -> None:
        pending_recomputes.mark_season_and_ratings(
            self.get_season(obj), not_before=timezone.now(), why=PendingRecompute.Reason.REPAIRED
        )


class MembershipInline(TabularInlineBase):
    model = Membership
    raw_id_fields = ("player",)
    extra = 0


class SeatInline(TabularInlineBase):
    """The seats of a table, read-only: actions on the club's pages change seats and written totals."""

    model = Seat
    fields = ("number", "player", "round", "written", "written_deals", "points", "deals")
    readonly_fields = fields
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Club)
class ClubAdmin(NoAddAdmin):
    list_display = ("name", "slug", "time_zone", "language", "public")
    list_filter = ("public", "language")
    search_fields = ("name", "slug")
    # The club's pages also recompute its people's names, and notify the committee of a required second factor.
    readonly_fields = ("slug", "founded_at", "public_names", "member_names", "asks_second_factor")
    inlines = (MembershipInline,)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False. The club's own page deletes a club: it waits thirty days and notifies the club's admins."""
        return False

    @transaction.atomic
    def save_model(self, request: HttpRequest, obj: Club, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if form.changed_data:
            log_repair(request, obj, obj)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Save the roles, and notify the club's admins of changed roles, as the club's pages do."""
        club: Club = form.instance
        with roles.log_role_changes(club, by=cast("User", request.user)):
            super().save_formset(request, form, formset, change)


@admin.register(Separation)
class SeparationAdmin(ModelAdminBase):
    list_display = ("club", "first", "second")
    list_filter = ("club",)
    list_select_related = ("club", "first", "second")
    autocomplete_fields = ("club",)
    raw_id_fields = ("first", "second")


@admin.register(Season)
class SeasonAdmin(NoAddAdmin):
    list_display = ("name", "club", "game", "state")
    list_filter = ("state", "game", "club")
    list_select_related = ("club",)
    search_fields = ("name", "club__name")
    # Rules have a page of their own, which scores the deals again. Only the name can be repaired here.
    fields = ("club", "game", "name", "state", "founded_at")
    readonly_fields = ("club", "game", "state", "founded_at")

    @transaction.atomic
    def save_model(self, request: HttpRequest, obj: Season, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        log_repair(request, obj, obj)


@admin.register(Evening)
class EveningAdmin(SeasonRowAdmin):
    list_display = ("date", "name", "season", "state")
    list_filter = ("state", "season__club")
    list_select_related = ("season",)
    date_hierarchy = "date"
    formfield_overrides: ClassVar = {DateField: {"form_class": BoundedDateField, "widget": AdminDateWidget}}
    search_fields = ("name", "season__name", "season__club__name")
    autocomplete_fields = ("season",)
    readonly_fields = ("state", "opened_at", "closed_at", "final_at")


@admin.register(Attendance)
class AttendanceAdmin(PersonSearchAdmin, SeasonRowAdmin):
    get_season = attrgetter("evening.season")
    list_display = ("player", "evening", "standing", "fee", "paid")
    list_filter = ("standing", "evening__season__club")
    list_select_related = ("player", "evening")
    search_fields = ("player__committee_key",)
    autocomplete_fields = ("evening",)
    raw_id_fields = ("player", "partner")


@admin.register(Round)
class RoundAdmin(SeasonRowAdmin):
    get_season = attrgetter("evening.season")
    list_display = ("evening", "number", "state")
    list_filter = ("state", "evening__season__club")
    list_select_related = ("evening",)
    search_fields = ("evening__name", "evening__season__name")
    autocomplete_fields = ("evening",)
    readonly_fields = ("state",)


@admin.register(Table)
class TableAdmin(NoAddAdmin, SeasonRowAdmin):
    get_season = attrgetter("round.evening.season")
    list_display = ("round", "number", "size", "recorded", "complete")
    list_filter = ("complete", "one_rests", "round__evening__season__club")
    list_select_related = ("round",)
    search_fields = ("round__evening__name", "round__evening__season__name")
    # Actions change these fields and update the totals that depend on them. Only the number can be repaired here.
    readonly_fields = ("round", "size", "one_rests", "finished", "version", "recorded", "deals", "complete")
    inlines = (SeatInline,)


@admin.register(Rest)
class RestAdmin(SeasonRowAdmin):
    get_season = attrgetter("round.evening.season")
    list_display = ("player", "round", "kind", "points")
    list_filter = ("kind", "round__evening__season__club")
    list_select_related = ("player", "round")
    autocomplete_fields = ("round",)
    raw_id_fields = ("player",)


@admin.register(Adjustment)
class AdjustmentAdmin(SeasonRowAdmin):
    list_display = ("player", "season", "points", "reason", "given_at")
    list_filter = ("season__club",)
    list_select_related = ("player", "season")
    autocomplete_fields = ("season",)
    raw_id_fields = ("player",)
    readonly_fields = ("given_at",)


@admin.register(Standing)
class StandingAdmin(ReadOnlyAdmin):
    list_display = ("season", "rank", "player", "total", "evenings", "deals")
    list_filter: ClassVar = ("season__club", "season")
    list_select_related = ("season", "player")


@admin.register(PendingRecompute)
class PendingRecomputeAdmin(ReadOnlyAdmin):
    list_display = ("season", "game", "date", "not_before", "why", "marked_at")
    list_filter: ClassVar = ("why", "game")
    list_select_related = ("season",)


@admin.register(RatingRules)
class RatingRulesAdmin(ModelAdminBase):
    """The rating equation of a game.

    It can be changed but not deleted. Each change marks the ratings to be computed again.
    """

    list_display = ("game", "rules")

    def get_readonly_fields(self, request: HttpRequest, obj: RatingRules | None = None) -> tuple[str, ...]:
        return ("game",) if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: RatingRules, form: Any, change: bool) -> None:
        obj.pk = rating_rules_action.choose_rules(obj.game, obj.rules, now=timezone.now()).pk


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ("started_at", "trigger", "state", "finished_at")
    list_filter = ("state", "trigger")


admin.site.unregister(Group)  # groups give no rights here
admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(LoginAdmin):
    """Users. The admin deletes a user by the same action as the user does: sessions, tokens and roles end."""

    def after_new_password(self, request: HttpRequest, user: User) -> None:
        """Revoke API tokens and the calendar's address, as after a password reset."""
        super().after_new_password(request, user)
        api_tokens.end_program_access(user)

    def get_deleted_objects(
        self, objs: Sequence[User] | QuerySet[User], request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Return as fourth value ("protected") also the reasons against the deletion of an account.

        Email addresses, sessions and second factors may be deleted with the account, although their admin pages are
        read-only.
        """
        objects, counts, _missing_rights, protected = super().get_deleted_objects(objs, request)
        return objects, counts, set(), [*protected, *account_deletion.deletion_obstacles(objs)]

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        try:
            account_deletion.delete_account(obj.pk, by=cast("User", request.user))
        except WrongState as refused:  # another admin of a club has left in the meantime
            raise PermissionDenied(str(refused)) from refused

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            self.delete_model(request, user)


admin.site.unregister(EmailAddress)


@admin.register(EmailAddress)
class AddressAdmin(ReadOnlyAdmin, EmailAddressAdmin):
    """Email addresses, read-only: their owners add addresses and confirm them by a link."""

    search_fields = ["email", "user__email"]

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        return {}


admin.site.unregister(UserSession)


@admin.register(UserSession)
class SessionAdmin(ReadOnlyAdmin, UserSessionAdmin):
    search_fields: ClassVar = ["user__email", "ip"]
    readonly_fields: ClassVar = ("created_at", "last_seen_at")


# The only provider is a setting, and no connection is stored.
admin.site.unregister([SocialAccount, SocialApp, SocialToken])
admin.site.unregister(Authenticator)


@admin.register(Authenticator)
class FactorAdmin(AuthenticatorAdmin):
    """Second factors without their secrets. A lost second factor can be deleted after the password was given again."""

    list_display = ("user", "type", "created_at", "last_used_at")
    search_fields = ("user__email",)
    fields = readonly_fields = list_display
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def delete_model(self, request: HttpRequest, obj: Authenticator) -> None:
        """Delete a second factor, and notify the owner. With the last factor, the recovery codes are deleted too."""
        obj.delete()
        remaining = Authenticator.objects.filter(user=obj.user_id)
        if not remaining.exclude(type=Authenticator.Type.RECOVERY_CODES).exists():
            remaining.delete()
        template = "webauthn_removed" if obj.type == Authenticator.Type.WEBAUTHN else "totp_deactivated"
        notify_owner(request, obj.user, f"mfa/email/{template}")


class HistoryAdmin(EventsAdmin):
    """pghistory's page of all changes of rows."""

    show_facets = admin.ShowFacets.NEVER

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Respond 400 to a filter by an unknown model. pghistory would respond 500."""
        for label in request.GET.getlist("event_model"):
            try:
                apps.get_model(label)
            except LookupError as missing:
                raise BadRequest(f"{label[:80]!r} is no model.") from missing
        answer: HttpResponse = super().changelist_view(request, extra_context)  # type: ignore[no-untyped-call]
        return answer
