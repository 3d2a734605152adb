"""Emails to players about their registration for a tournament, sent by a worker after the commit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from uuid import uuid4

from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from league.actions.club_emails import single_line
from league.actions.jobs import enqueue
from league.actions.notifications import EMAIL_JOB_KIND, EMAIL_QUEUE
from league.messages import send_tick
from league.models import Tournament, TournamentUnit
from league.models.tournament import UnitState
from league.tournaments.queries.announcement import date_and_place
from league.tournaments.queries.registration_links import registration_address
from league.tournaments.queries.units import fee_words, waiting_list_number
from players.mail_limits import consume_notification_limit
from players.naming import Audience, names_shown_to

SubjectAndParagraph = tuple[str, str]  # subject and first paragraph of an email, in the active language


def notify_registered(tournament: Tournament, unit: TournamentUnit, *, now: datetime) -> None:
    """Email the players the state of their registration: they have a place, wait for one, wait for the
    organisers' approval, or have no partner yet. Do nothing if the tournament is over.
    """

    def message() -> SubjectAndParagraph:
        match unit.state:
            case UnitState.WAITING:
                subject = _("%(tournament)s: you are on the waiting list")
                number = {"number": waiting_list_number(unit)}
                text = _("All places are taken. You are number %(number)s of the waiting list.") % number
            case UnitState.PENDING:
                subject = _("%(tournament)s: your registration has arrived")
                text = _("The organisers check it and write to you.")
            case UnitState.SEEKING:
                subject = _("%(tournament)s: you look for a partner")
                text = _("The organisers write to you as soon as there is a partner.")
            case _registered:
                subject = _("%(tournament)s: you are registered")
                text = _("You have a place.")
        return subject, text

    if not tournament.is_over(now):
        _enqueue_emails(tournament, unit, message)


def notify_promoted(tournament: Tournament, unit: TournamentUnit, *, now: datetime) -> None:
    """Email the players of a unit (player, pair or team) on the waiting list that the unit now has a place.

    Do nothing if the tournament is over.
    """

    def message() -> SubjectAndParagraph:
        return _("%(tournament)s: you have a place"), _("A place has become free, and it is yours.")

    if not tournament.is_over(now):
        _enqueue_emails(tournament, unit, message)


def notify_cancelled(tournament: Tournament, unit: TournamentUnit) -> None:
    def message() -> SubjectAndParagraph:
        return _("%(tournament)s: your registration is cancelled"), _("You are no longer registered.")

    _enqueue_emails(tournament, unit, message)


def notify_tournament_cancelled(tournament: Tournament, unit: TournamentUnit) -> None:
    def message() -> SubjectAndParagraph:
        return _("%(tournament)s is cancelled"), _("The tournament does not take place.")

    _enqueue_emails(tournament, unit, message)


def _enqueue_emails(tournament: Tournament, unit: TournamentUnit, message: Callable[[], SubjectAndParagraph]) -> None:
    """Enqueue an email to each address of the unit (player, pair or team), in the language of its registration.

    `message` returns the subject and the first paragraph of the body.
    """
    club = tournament.club
    addresses = list(dict.fromkeys(member.email for member in unit.members if member.email))
    with (
        translation.override(unit.language or club.language),
        timezone.override(club.zone),
        names_shown_to(Audience.PUBLIC),
    ):
        subject, text = message()
        subject = single_line(subject % {"tournament": tournament})
        body = "\n\n".join([text, _tournament_lines(tournament, unit), _link_paragraph(unit)]) + "\n"
    now = timezone.now()
    for recipient in addresses:
        if consume_notification_limit(recipient):
            payload = {"address": recipient, "subject": subject, "body": body}
            enqueue(EMAIL_JOB_KIND, uuid4().hex, payload, now=now, due_at=now)
    transaction.on_commit(partial(send_tick, EMAIL_QUEUE))


def _tournament_lines(tournament: Tournament, unit: TournamentUnit) -> str:
    """Return the name, date and venue of the tournament, the unit's title, and the fee if it is to be paid."""
    lines = [f"{tournament} · {tournament.club}", date_and_place(tournament), unit.title]
    if tournament.fee and UnitState.CANCELLED not in (unit.state, tournament.state):
        lines.append(_("Entry fee: %(fee)s.") % {"fee": fee_words(tournament)})
    return "\n".join(lines)


def _link_paragraph(unit: TournamentUnit) -> str:
    if unit.state == UnitState.CANCELLED:
        return _("You did not register? Then nothing is left to do.")
    return _(
        "See your registration or cancel it: %(address)s\n\n"
        "If you can't come, please cancel it: the next of the waiting list gets the place. If you did not register, "
        "somebody else has typed your address, and you can cancel it there, too."
    ) % {"address": registration_address(unit)}
