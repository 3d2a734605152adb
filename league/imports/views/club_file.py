from __future__ import annotations

from io import BytesIO

from allauth.core.ratelimit import consume
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actions import audit, imports
from league.actions.advisory_locks import try_lock
from league.actions.club_import import ClubAlreadyImported, check_not_imported, import_club_for_user
from league.actions.refusals import WrongState
from league.imports.forms.club_file import MAX_UPLOAD, ClubFileForm
from league.imports.queries.club_file.export import write_club_file
from league.imports.queries.club_file.reading import ClubFile, UnreadableFile
from league.imports.work.progress import stored_progress
from league.models import Club, Job
from league.models.audit_entry import AuditEvent, ExportKind
from league.web.forms import FounderForm
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, managed_or_403
from league.web.password_again import CONFIRMED_PARAMETER, ask_password_for_file
from league.web.request_body import accept_file
from players.models import User


@login_required
@allow_get_and_post
def export_club(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Export a club as a file. Only a POST returns the file, so that following a link does not start an export."""
    club = managed_or_403(Club.objects, request.user, slug=slug)
    if request.method != "POST":
        context = club_context(club, request.user) | {"confirmed": CONFIRMED_PARAMETER in request.GET}
        return render(request, "league/clubs/club_file.html", context)
    ask_password_for_file(request, request.path)
    if not consume(request, action="club_file", user=request.user):
        return render(
            request, "league/clubs/club_file.html", club_context(club, request.user) | {"later": True}, status=429
        )
    assert isinstance(request.user, User)  # login_required
    audit.log(AuditEvent.EXPORTED, club, by=request.user, what=ExportKind.CLUB)
    file = BytesIO()
    write_club_file(club, file)
    file.seek(0)
    name = f"{club.slug}-{timezone.localdate():%Y-%m-%d}.zip"
    answer = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


@login_required
@accept_file(MAX_UPLOAD, limit="club_upload")
def import_club_from_file(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _form_page(request, ClubFileForm(), _founder_form(request), 200)
    with try_lock(f"club import {request.user.pk}") as is_free:
        form = ClubFileForm(request.POST, request.FILES, is_busy=not is_free)
        founder = _founder_form(request)
        status = 422 if is_free else 409
        if all(bound_form.is_valid() for bound_form in (form, founder) if bound_form is not None) and _check_new_club(
            form
        ):
            if consume(request, action="found_club", user=request.user):
                try:
                    return _import_or_enqueue(request, form, founder)
                except WrongState as refused:
                    form.add_error("file", str(refused))
                except UnreadableFile as error:
                    form.add_error("file", error.faults)
                except ClubAlreadyImported as error:  # by another request since the check in _is_new
                    form.ask_for_copy(error)
            else:
                form.add_error(None, _("So many clubs in a day can't be right. Try again tomorrow."))
                status = 429
        return _form_page(request, form, founder, status)


def _founder_form(request: HttpRequest) -> FounderForm | None:
    return None if hasattr(request.user, "player") else FounderForm(request.POST if request.method == "POST" else None)


def _form_page(request: HttpRequest, form: ClubFileForm, founder: FounderForm | None, status: int) -> HttpResponse:
    return render(request, "league/clubs/club_from_file.html", {"form": form, "founder": founder}, status=status)


def _check_new_club(form: ClubFileForm) -> bool:
    """Return whether the club may be imported. If it exists here, and the user asks for no copy, add a question.

    A large file is not parsed yet: a worker checks it.
    """
    file = form.cleaned_data["file"]
    try:
        if isinstance(file, ClubFile) and not form.cleaned_data["once_more"]:
            check_not_imported(file)
    except ClubAlreadyImported as error:
        form.ask_for_copy(error)
        return False
    return True


def _import_or_enqueue(request: HttpRequest, form: ClubFileForm, founder: FounderForm | None) -> HttpResponse:
    assert isinstance(request.user, User)  # login_required
    names = founder.cleaned_data if founder else {}
    file, once_more = form.cleaned_data["file"], form.cleaned_data["once_more"]
    if isinstance(file, bytes):
        job = imports.request_club_import(request.user, names, file, allow_copy=once_more, now=timezone.now())
        return redirect("league:club-import", job.pk)
    club = import_club_for_user(request.user, names, file, now=timezone.now(), allow_copy=once_more)
    messages.success(request, _("%(club)s is here, and you are one of its admins.") % {"club": club})
    return redirect(club)


@login_required
def club_import_progress(request: HttpRequest, pk: int) -> HttpResponse:
    job = get_object_or_404(Job, kind=imports.CLUB_FILE_JOB_KIND, key=str(request.user.pk), pk=pk)
    if "club" in job.result:
        club = Club.objects.visible_to(request.user).filter(pk=job.result["club"]).first()
        if club is not None:
            messages.success(request, _("%(club)s is here, and you are one of its admins.") % {"club": club})
            return redirect(club)
    return render(request, "league/imports/club_import.html", {"job": job, "progress": stored_progress(job.pk)})
