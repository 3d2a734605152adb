"""The audit log: user, time, IP address and reason of each action. Earlier values of changed rows are in the history
tables of pghistory.
"""

from __future__ import annotations

from typing import Any, ClassVar

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.club import Club


class AuditEvent(models.TextChoices):
    """The kinds of actions in the audit log. The values are stored."""

    DEAL_RECORDED = "deal_recorded", _("Entered a deal")
    DEALS_CHECKED = "deals_checked", _("Checked a deal")
    DEAL_REVISED = "deal_revised", _("Corrected a deal")
    DEAL_VOIDED = "deal_voided", _("Voided a deal")
    TOTALS_RECORDED = "totals_recorded", _("Entered totals")
    TOTALS_REVISED = "totals_revised", _("Corrected totals")
    TOTALS_CHECKED = "totals_checked", _("Checked totals")
    PAPER_RECORDED = "paper_recorded", _("Entered the totals on paper")
    PAPER_ACCEPTED = "paper_accepted", _("Accepted that the paper differs")
    TABLE_FINISHED = "table_finished", _("Marked a table as complete, or reopened it")
    CATCH_UP_RECORDED = "catch_up_recorded", _("Entered a catch-up game")
    SEATS_CHANGED = "seats_changed", _("Changed who sat where")
    DEAL_CONTESTED = "deal_contested", _("Contested a deal")
    CONTEST_ANSWERED = "contest_answered", _("Answered a contest")
    RESULTS_IMPORTED = "results_imported", _("Imported results")

    EVENING_PLANNED = "evening_planned", _("Planned an evening")
    EVENING_OPENED = "evening_opened", _("Opened an evening")
    DRAW_ACCEPTED = "draw_accepted", _("Accepted a draw")
    CHECKED_IN = "checked_in", _("Checked in")
    CHECK_IN_CHANGED = "check_in_changed", _("Changed a check-in")
    CHECKED_OUT = "checked_out", _("Took back a check-in")
    FEE_PAID = "fee_paid", _("Took a fee")
    FEE_UNPAID = "fee_unpaid", _("Wrote a fee as not paid")
    EVENING_CLOSED = "evening_closed", _("Closed an evening")
    EVENING_REOPENED = "evening_reopened", _("Reopened an evening")
    EVENING_CANCELLED = "evening_cancelled", _("Cancelled an evening")
    EVENING_CHANGED = "evening_changed", _("Changed an evening")
    EVENING_TAKEN_OUT = "evening_taken_out", _("Took an evening to the hall")
    EVENING_NOT_TAKEN = "evening_not_taken", _("Did not play an evening in the hall after all")
    EVENING_RETURNED = "evening_returned", _("Stored an evening from the hall")
    LIVE_LINKS_ENDED = "live_links_ended", _("Ended the links to watch an evening")

    SEASON_CREATED = "season_created", _("Set up a season")
    SEASON_OPENED = "season_opened", _("Opened a season")
    HOUSE_RULES_CHANGED = "house_rules_changed", _("Changed the house rules")
    STANDINGS_RULES_CHANGED = "standings_rules_changed", _("Changed the standings rules")
    SEASON_CHANGED = "season_changed", _("Changed a season’s settings")
    POINTS_ADJUSTED = "points_adjusted", _("Gave or took points")
    TEAM_STORED = "team_stored", _("Set up or changed a team")
    TEAM_DELETED = "team_deleted", _("Deleted a team")
    SEASON_CLOSED = "season_closed", _("Closed a season")
    SEASON_REOPENED = "season_reopened", _("Reopened a season")
    SEASON_DELETED = "season_deleted", _("Deleted a season")

    TOURNAMENT_CREATED = "tournament_created", _("Created a tournament")
    TOURNAMENT_CHANGED = "tournament_changed", _("Changed a tournament")
    TOURNAMENT_OPENED = "tournament_opened", _("Opened the registration of a tournament")
    TOURNAMENT_CLOSED = "tournament_closed", _("Closed the registration of a tournament")
    TOURNAMENT_STARTED = "tournament_started", _("Started a tournament")
    TOURNAMENT_FINISHED = "tournament_finished", _("Finished a tournament")
    TOURNAMENT_RESUMED = "tournament_resumed", _("Resumed a tournament")
    TOURNAMENT_CANCELLED = "tournament_cancelled", _("Cancelled a tournament")
    TOURNAMENT_CLUB_INVITED = "tournament_club_invited", _("Invited a club to a tournament")
    TOURNAMENT_CLUB_REMOVED = "tournament_club_removed", _("Took back the invitation of a club to a tournament")
    PRESET_SAVED = "preset_saved", _("Saved a preset of tournaments")
    PRESET_RENAMED = "preset_renamed", _("Renamed a preset of tournaments")
    PRESET_DELETED = "preset_deleted", _("Deleted a preset of tournaments")
    UNIT_REGISTERED = "unit_registered", _("Registered for a tournament")
    UNIT_CHANGED = "unit_changed", _("Changed a registration")
    UNIT_APPROVED = "unit_approved", _("Approved a registration")
    UNIT_PROMOTED = "unit_promoted", _("Gave a place from the waiting list")
    UNITS_PAIRED = "units_paired", _("Paired two who looked for a partner")
    UNIT_PAID = "unit_paid", _("Entered the payment of a registration")
    UNIT_CHECKED_IN = "unit_checked_in", _("Checked in a registration")
    UNIT_CHECKED_OUT = "unit_checked_out", _("Took back a check-in of a registration")
    UNIT_LEFT = "unit_left", _("Noted that a unit left, or came back")
    ROUND_DRAWN = "round_drawn", _("Drew a round of a tournament")
    ROUND_UNDONE = "round_undone", _("Took back a draw of a tournament")
    FORFEIT_CHANGED = "forfeit_changed", _("Entered a forfeit, or took it back")
    CLOCK_CHANGED = "clock_changed", _("Changed the countdown of a tournament")
    FINALS_STARTED = "finals_started", _("Started the finals of a tournament")
    FINALS_UNDONE = "finals_undone", _("Took back the finals of a tournament")
    FINALS_DECIDED = "finals_decided", _("Decided a tie in the finals of a tournament")
    FINALS_CORRECTED = "finals_corrected", _("Seated the units of the finals by corrected results")
    UNIT_REFUNDED = "unit_refunded", _("Returned the payment of a registration")
    UNIT_CANCELLED = "unit_cancelled", _("Cancelled a registration")
    UNITS_IMPORTED = "units_imported", _("Imported registrations")
    UNITS_FORGOTTEN = "units_forgotten", _("Deleted the personal data of a tournament")

    PRIZES_CHANGED = "prizes_changed", _("Changed the prizes of a tournament")
    PRIZE_UNITS_MARKED = "prize_units_marked", _("Marked the units of a category of prizes")
    PRIZE_LOT_DRAWN = "prize_lot_drawn", _("Drew a lot for prizes")
    PRIZE_RECEIPTS_PRINTED = "prize_receipts_printed", _("Stored the receipts of prizes to print")
    PRIZE_HANDED = "prize_handed", _("Noted that a prize was handed over, or not")

    SIGNED_IN = "signed_in", _("Signed in")
    MEMBER_ADDED = "member_added", _("Put on the list")
    PEOPLE_IMPORTED = "people_imported", _("Imported a list of people")
    ROLE_CHANGED = "role_changed", _("Gave a role")
    MEMBER_REMOVED = "member_removed", _("Took off the list")
    DETAILS_CHANGED = "details_changed", _("Changed somebody’s details")
    INVITED = "invited", _("Invited")
    LINKS_RENEWED = "links_renewed", _("Ended the invitation links")
    LOGIN_LINKED = "login_linked", _("Accepted an invitation")
    LOGIN_CONFIRMED = "login_agreed", _("Agreed to a login")  # the stored value is an older word
    MERGED = "merged", _("Merged two records")
    UNMERGED = "unmerged", _("Took two records apart")
    ERASED = "erased", _("Erased a person")
    ACCOUNT_DELETED = "account_deleted", _("Deleted their account")

    CLUB_FOUNDED = "club_founded", _("Founded the club")
    CLUB_IMPORTED = "club_imported", _("Imported the club")
    CLUB_CHANGED = "club_changed", _("Changed the club’s settings")
    GAME_DEFINED = "game_defined", _("Defined a game")
    GAME_CHANGED = "game_changed", _("Changed a game")
    GAME_DELETED = "game_deleted", _("Deleted a game")
    SECOND_FACTOR_ASKED = "second_factor_asked", _("Asked for a second factor, or no longer")
    WEBHOOK_ADDED = "webhook_added", _("Added a webhook")
    WEBHOOK_CHANGED = "webhook_changed", _("Changed a webhook")
    WEBHOOK_SECRET_ROTATED = "webhook_secret_rotated", _("Replaced the secret of a webhook")
    WEBHOOK_PAUSED = "webhook_paused", _("Paused a webhook")
    WEBHOOK_RESUMED = "webhook_resumed", _("Resumed a webhook")
    WEBHOOK_DELETED = "webhook_deleted", _("Deleted a webhook")
    EXPORTED = "exported", _("Exported")
    RATING_RULES_CHOSEN = "rating_rules_chosen", _("Chose how a game is rated")
    REPAIRED = "repaired", _("Changed on the repair pages")
    JOB_RETRIED = "job_retried", _("Retried a job")
    JOB_CANCELLED = "job_cancelled", _("Cancelled a job")
    DELETION_ASKED = "deletion_asked", _("Asked to delete the club")
    DELETION_CANCELLED = "deletion_cancelled", _("Kept the club")
    CLUB_DELETED = "club_deleted", _("Deleted the club")


class ExportKind(models.TextChoices):
    """The kinds of exported data. The value is `what` in the params of an audit log entry EXPORTED."""

    CLUB = "club", _("The club as a file")
    MEMBERS = "members", _("The list of members")
    OWN_DATA = "own data", _("All that is stored about oneself")
    EVENING = "evening", _("An evening as a file")


def _reference(model: str) -> Any:
    """Return a foreign key without constraint and index, because the entry must remain after the row is deleted."""
    return models.ForeignKey(
        model, models.DO_NOTHING, null=True, db_constraint=False, db_index=False, editable=False, related_name="+"
    )


class AuditEntry(models.Model):
    """An entry of the audit log: one action. Only three database functions may change or delete entries
    (`migrations/0001_functions.sql`).

    A database trigger adds the request's user and IP address, and the pghistory context that links the entry to the
    history of changed rows.
    """

    logged_at = models.DateTimeField(auto_now_add=True)
    event = models.CharField(max_length=24, choices=AuditEvent)
    user = _reference(settings.AUTH_USER_MODEL)
    author = _reference("players.Player")  # a player who acted without a login, for example in an imported club
    address = models.CharField(max_length=45, blank=True, default="")  # removed after a year
    club = models.ForeignKey(
        Club, models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="audit_entries"
    )
    player = _reference("players.Player")
    season = _reference("league.Season")
    evening = _reference("league.Evening")
    round = _reference("league.Round")
    table = _reference("league.Table")
    deal = _reference("league.Deal")
    count = models.PositiveIntegerField(default=1)  # how many rows a bulk action wrote
    reason = models.TextField(blank=True, default="")
    params = models.JSONField(default=dict, blank=True)
    context = _reference("pghistory.Context")

    objects: ClassVar[models.Manager[AuditEntry]] = models.Manager()

    class Meta:
        ordering = ["-logged_at", "-pk"]
        verbose_name = _("entry of the audit log")
        indexes = [
            models.Index("club", "logged_at", name="audit_entry_of_club"),
            models.Index("logged_at", name="audit_entry_logged_at"),
            models.Index("user", "logged_at", name="audit_entry_of_user"),
            models.Index("player", name="audit_entry_of_player"),
            models.Index("author", name="audit_entry_of_author", condition=Q(author__isnull=False)),
            models.Index("context", name="audit_entry_of_context"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(event__in=AuditEvent.values), name="audit_entry_event_is_known"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="in_context",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                declare=[("origin", "jsonb")],
                func=(
                    "IF current_setting('league.audit_log_changes', true) = 'on' THEN RETURN NEW; END IF;"
                    ' NEW."context_id" := _pgh_attach_context();'
                    ' IF NEW."context_id" IS NOT NULL THEN'
                    " origin := current_setting('pghistory.context_metadata')::jsonb;"
                    ' NEW."user_id" := coalesce(NEW."user_id", (origin->>\'user\')::bigint);'
                    ' NEW."author_id" := coalesce(NEW."author_id", (origin->>\'player\')::bigint);'
                    " NEW.\"address\" := coalesce(origin->>'address', '');"
                    " END IF; RETURN NEW;"
                ),
            ),
            pgtrigger.Trigger(
                name="append_only",
                when=pgtrigger.Before,
                operation=pgtrigger.Update | pgtrigger.Delete,
                func=(
                    "IF current_setting('league.audit_log_changes', true) = 'on'"
                    " THEN RETURN coalesce(NEW, OLD); END IF;"
                    " RAISE EXCEPTION 'Cannot update or delete entries of the audit log';"
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.get_event_display()
