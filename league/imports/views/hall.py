"""Pages to download and upload the files of an evening that is played on a hall server (a computer in the hall)."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from io import BytesIO
from types import MappingProxyType

from allauth.core.ratelimit import consume
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import audit, hall
from league.actions.hall import AnswersMissing, CheckInsChanged, ReturnedEvening
from league.actions.refusals import WrongState
from league.imports.forms.hall import MAX_UPLOAD, EveningReturnForm, HallFileForm, answers_about_people
from league.imports.queries.club_file.export import write_club_file
from league.imports.queries.club_file.reading import ClubFile, UnreadableFile
from league.imports.queries.club_file.scope import FileScope, HallServerScope, OneEveningScope
from league.models import Evening
from league.models.audit_entry import AuditEvent, ExportKind
from league.models.evening import HallState
from league.web.action_messages import run_action
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, recordable_or_403
from league.web.password_again import CONFIRMED_PARAMETER, ask_password_for_file
from league.web.request_body import accept_file
from players.models import User


def _recordable_evening(request: HttpRequest, pk: int) -> Evening:
    evening = recordable_or_403(Evening.objects.with_season(), request.user, pk=pk)
    if evening.season.tournament_id is not None:
        raise Http404
    return evening


@login_required
@accept_file(MAX_UPLOAD)
def hall_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show how an evening is taken to a hall server (a computer in the hall) and back.

    A POST with a file shows the changes that the file makes. A POST with the confirmation stores the file.
    """
    evening = _recordable_evening(request, pk)
    if request.method != "POST":
        return _render_page(request, evening, HallFileForm(), HTTPStatus.OK)
    if "content" in request.POST:
        return _store_confirmed_file(request, evening)
    form = HallFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render_page(request, evening, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        returned = hall.preview_return(evening, *form.file_and_digest, now=timezone.now())
    except (UnreadableFile, WrongState) as refused:
        form.add_error("file", _refusal_sentences(refused))
        return _render_page(request, evening, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    if returned.is_here_already:
        return _redirect_unchanged(request, evening)
    confirmation = EveningReturnForm(initial={"content": form.file_base64})
    confirmation.add_questions(returned)
    return _render_preview(request, evening, returned, confirmation, HTTPStatus.OK)


def _store_confirmed_file(request: HttpRequest, evening: Evening) -> HttpResponse:
    form = EveningReturnForm(request.POST)
    upload = HallFileForm()
    if not form.is_valid():
        return _render_refusals(
            request, evening, upload, [str(text) for texts in form.errors.values() for text in texts]
        )
    now = timezone.now()
    replaces, answers = form.cleaned_data["replaces"], answers_about_people(request.POST)
    try:
        returned = hall.store_return(evening, *form.file_and_digest, answers, replaces=replaces, now=now)
    except (UnreadableFile, WrongState) as refused:
        return _render_refusals(request, evening, upload, _refusal_sentences(refused))
    except (AnswersMissing, CheckInsChanged) as question:
        return _ask_again(request, evening, form, question)
    if returned.is_here_already:
        return _redirect_unchanged(request, evening)
    messages.success(request, _("The evening is here, as it was played in the hall."))
    return redirect(evening)


def _ask_again(
    request: HttpRequest, evening: Evening, form: EveningReturnForm, question: AnswersMissing | CheckInsChanged
) -> HttpResponse:
    file: tuple[ClubFile, str] = form.file_and_digest
    try:
        returned = hall.preview_return(evening, *file, now=timezone.now())
    except (UnreadableFile, WrongState) as refused:
        return _render_refusals(request, evening, HallFileForm(), _refusal_sentences(refused))
    form.add_questions(returned)
    if isinstance(question, AnswersMissing):
        form.add_missing_answer_errors(question.numbers)
    elif "replaces" in form.fields:
        form.add_error("replaces", _("Tick this to store the evening, or take the changes back here first."))
    return _render_preview(request, evening, returned, form, HTTPStatus.UNPROCESSABLE_ENTITY)


def _refusal_sentences(refused: UnreadableFile | WrongState) -> list[str]:
    return refused.faults if isinstance(refused, UnreadableFile) else [str(refused)]


def _redirect_unchanged(request: HttpRequest, evening: Evening) -> HttpResponse:
    messages.info(request, _("This file is here already. Nothing has changed."))
    return redirect(evening)


def _render_refusals(request: HttpRequest, evening: Evening, form: HallFileForm, refusals: list[str]) -> HttpResponse:
    context = {"refusals": refusals}
    return _render_page(request, evening, form, HTTPStatus.UNPROCESSABLE_ENTITY, context)


def _render_preview(
    request: HttpRequest, evening: Evening, returned: ReturnedEvening, form: EveningReturnForm, status: int
) -> HttpResponse:
    context = club_context(evening.season.club, request.user)
    context |= {"evening": evening, "returned": returned, "form": form}
    return render(request, "league/imports/hall_return.html", context, status=status)


def _render_page(
    request: HttpRequest,
    evening: Evening,
    form: HallFileForm,
    status: int,
    extra: Mapping[str, object] = MappingProxyType({}),
) -> HttpResponse:
    context = {
        **club_context(evening.season.club, request.user),
        "evening": evening,
        "form": form,
        "obstacle": _obstacle(evening),
        "confirmed": CONFIRMED_PARAMETER in request.GET,
        **extra,
    }
    return render(request, "league/imports/hall.html", context, status=status)


def _obstacle(evening: Evening) -> str:
    """Return a sentence why the evening can't be taken to a hall server (a computer in the hall), or ""."""
    try:
        hall.check_can_be_taken_to_hall(evening)
    except WrongState as refused:
        return str(refused)
    return ""


@login_required
@allow_get_and_post
def download_hall_file(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Return the club's file for a hall server (a computer in the hall); on a hall server, the file of the evening.

    A GET redirects to the page.
    """
    evening = _recordable_evening(request, pk)
    page = reverse("league:evening-hall", args=[pk])
    if request.method != "POST":
        return redirect(page)
    if evening.hall == HallState.HERE:
        audit.log(AuditEvent.EXPORTED, evening, what=ExportKind.EVENING)
        return _file_response(evening, OneEveningScope(evening), "evening")
    ask_password_for_file(request, page)
    if not consume(request, action="club_file", user=request.user):
        messages.error(request, _("You asked for it several times within the hour. Please wait a little."))
        return redirect(page)
    assert isinstance(request.user, User)  # login_required
    try:
        copy = hall.mark_taken_to_hall(pk, now=timezone.now())
    except WrongState as refused:
        messages.error(request, str(refused))
        return redirect(page)
    return _file_response(evening, HallServerScope(copy), "hall")


def _file_response(evening: Evening, scope: FileScope, kind: str) -> FileResponse:
    file = BytesIO()
    write_club_file(evening.season.club, file, scope)
    file.seek(0)
    name = f"{evening.season.club.slug}-{evening.date.isoformat()}-{kind}.zip"
    answer = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


@login_required
@require_POST
def withdraw_evening(request: HttpRequest, pk: int) -> HttpResponse:
    evening = _recordable_evening(request, pk)
    message = _("The evening is played here. A file that is in the hall can’t come back.")
    run_action(request, lambda: hall.withdraw_from_hall(pk), message)
    return redirect(evening)
