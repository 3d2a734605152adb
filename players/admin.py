from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.text import get_text_list
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _

from players.models import Player, Rating, User

if TYPE_CHECKING:
    UserAdminBase = UserAdmin[User]
    PlayerAdminBase = admin.ModelAdmin[Player]
    ModelAdminBase = admin.ModelAdmin[Any]
else:  # Django's classes take no parameters at run time
    UserAdminBase, PlayerAdminBase, ModelAdminBase = UserAdmin, admin.ModelAdmin, admin.ModelAdmin


class PersonSearchAdmin(ModelAdminBase):
    """An admin page with a search that also finds players by their names, without accents and in any order of words."""

    person = "player"  # the lookup from the row to the player

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        rows, may_have_duplicates = super().get_search_results(request, queryset, search_term)
        if search_term.strip():
            rows |= queryset.filter(**{f"{self.person}__in": Player.objects.search(search_term)})
        return rows, may_have_duplicates


def notify_owner(
    request: HttpRequest, user: User, template: str, context: dict[str, Any] | None = None, *, email: str | None = None
) -> None:
    """Email the owner of an account, in the owner's language.

    `context` has the variables of the template. `email` is the recipient's address; by default the account's address.
    """
    with override(user.language or get_language()):
        get_adapter(request).send_notification_mail(template, user, context, email=email or user.email)


@admin.register(User)
class LoginAdmin(PersonSearchAdmin, UserAdminBase):
    ordering = ("email",)
    list_display = ("email", "player", "is_staff", "is_active", "last_login")
    list_select_related = ("player",)
    list_filter = ("is_staff", "is_active")
    search_fields = ("email", "player__display_name")
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser")}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = ("last_login", "date_joined")
    add_fieldsets = ((None, {"fields": ("email", "usable_password", "password1", "password2")}),)
    filter_horizontal = ()

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        before = self.get_object(request, unquote(id))
        response = super().user_change_password(request, id, form_url)
        user = self.get_object(request, unquote(id))
        if before and user and before.password != user.password:
            self.after_new_password(request, user)
        return response

    def after_new_password(self, request: HttpRequest, user: User) -> None:
        notify_owner(request, user, "account/email/password_changed")

    def save_model(self, request: HttpRequest, obj: User, form: forms.ModelForm[User], change: bool) -> None:
        """Save the user and notify the owner: of a new account, of a new address (at the old address), and of other
        changes.
        """
        super().save_model(request, obj, form, change)
        if not change:
            notify_owner(request, obj, "account/email/account_made")
            return
        before = form.initial["email"]
        if "email" in form.changed_data:
            context = {"from_email": before, "to_email": obj.email}
            notify_owner(request, obj, "account/email/email_changed", context, email=before)
        labels = [str(form.fields[name].label) for name in form.changed_data if name != "email"]
        if labels:
            context = {"fields": get_text_list(labels, ",")}
            notify_owner(request, obj, "account/email/account_repaired", context, email=before)


@admin.register(Player)
class PlayerAdmin(PersonSearchAdmin, PlayerAdminBase):
    person = "pk"
    list_display = ("display_name", "family_name", "given_name", "user")
    list_select_related = ("user",)
    search_fields = ("committee_key", "user__email")
    autocomplete_fields = ("user",)
    fields = ("given_name", "family_name", "display_name", "pseudonym", "public_choice", "member_choice", "user")

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Return False: players are deleted on a club's pages, which also delete their data in clubs and ratings."""
        return False

    def save_model(self, request: HttpRequest, obj: Player, form: forms.ModelForm[Player], change: bool) -> None:
        obj.update_names()
        super().save_model(request, obj, form, change)
        if "user" in form.changed_data:
            for login in User.objects.filter(pk__in=[form.initial.get("user"), obj.user_id]).order_by("pk"):
                kind = "person_linked" if login.pk == obj.user_id else "person_unlinked"
                notify_owner(request, login, f"account/email/{kind}", {"person": obj.display_name})


class ReadOnlyAdmin(ModelAdminBase):
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Rating)
class RatingAdmin(PersonSearchAdmin, ReadOnlyAdmin):
    list_display = ("player", "game", "points", "tables", "provisional", "last_date")
    list_select_related = ("player",)
    list_filter = ("game", "provisional")
    search_fields = ("player__committee_key",)
