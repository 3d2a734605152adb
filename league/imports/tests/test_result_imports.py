"""Long lists that a worker brings in: whole or not at all, once, and it is seen how far they are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from league.actions import club_deletion, imports
from league.actions.jobs import retry
from league.actions.refusals import WrongState
from league.actions.result_import import TABLES_AT_ONCE
from league.imports.views.results import MAX_IMMEDIATE_LINES
from league.imports.work import progress
from league.models import Club, Evening, Job, Run, Season, Table
from league.models.job import JobState
from league.models.rights import Role
from league.models.season import SeasonState
from league.operations.work import jobs
from league.operations.work.verification import verify
from league.recompute.work import runs
from tests.build import NOW, a_club, a_member, a_player, a_season
from tests.markup import unbroken
from tests.readers import signed_in, user_of

NAMES = ("Anne Roy", "Bob Gros", "Cy Mince", "Dan Fort")
COLUMNS = {"column-day": "0", "column-table": "1", "column-name": "2", "column-points": "3"}


def totals(tables: int) -> str:
    """Return a list of so many tables, one an evening."""
    text = "Date;Table;Joueur;Points\n"
    for number in range(tables):
        day = date(2024, 1, 5) + timedelta(days=number)
        text += "".join(f"{day};1;{name};{total}\n" for name, total in zip(NAMES, (120, -40, -40, -40), strict=True))
    return text


def deals(number: int) -> str:
    """Return a list of an evening with so many tables of one deal, a round each."""
    text = "Date;Round;Player 1;Player 2;Player 3;Player 4;Taker;Contract;Oudlers;Points\n"
    return text + "".join(f"2024-01-05;{table};{';'.join(NAMES)};Cy;Petite;2;43\n" for table in range(1, number + 1))


@pytest.fixture
def season(db: None) -> Iterator[Season]:
    club = a_club(founder=a_player("Founder", "Adam"))
    for name in NAMES:
        given_name, family_name = name.split()
        club.memberships.create(player=a_player(given_name, family_name))
    yield a_season(club)
    cache.clear()


def work(job: Job) -> Job:
    jobs.work_on_job(job.pk, now=NOW)
    job.refresh_from_db()
    return job


def requested(season: Season, text: str = totals(3), **fields: object) -> Job:
    admin = user_of(a_member(season.club, Role.ADMIN))
    arguments = {"deals": False, "columns": COLUMNS, "answers": {}, "accept_other_points": False, **fields}
    return imports.request_result_import(season, user=admin, text=text, now=NOW, **arguments)  # type: ignore[arg-type]


def test_worker_imports_a_list_and_forgets_its_text(season: Season) -> None:
    job = requested(season)
    user_id = job.payload["by"]
    work(job)
    assert (job.state, job.result) == (JobState.DONE, {"deals": False, "new": 3, "same": 0, "left_out": 0})
    assert job.payload == {}
    assert season.evenings.count() == 3
    event = Evening.objects.latest("pk").events.get()  # type: ignore[attr-defined]
    assert event.pgh_context.metadata["user"] == user_id
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert list(verify()) == []


def test_list_of_deals_is_imported_by_its_own_columns(season: Season) -> None:
    columns = {"column-round": "1", "column-taker": "6", "column-contract": "7", "column-oudlers": "8"}
    columns |= {"column-points": "9", "column-on": "2024-01-05"} | {
        f"column-player.{n}": str(n + 1) for n in range(1, 5)
    }
    work(requested(season, deals(2), deals=True, columns=columns))
    assert Table.objects.filter(recorded=1).count() == 2


def test_same_list_requested_twice_is_one_job(season: Season) -> None:
    assert requested(season) == requested(season)
    assert requested(season) != requested(season, accept_other_points=True)


def test_error_in_the_middle_leaves_nothing_and_the_list_can_be_retried(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = requested(season)

    def fail(*_args: object, **_fields: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("league.actions.result_import.add_attendances", fail)
        with pytest.raises(ZeroDivisionError):
            work(job)
    job.refresh_from_db()
    assert (job.state, job.error, Evening.objects.count()) == (JobState.FAILED, "ZeroDivisionError", 0)
    retry(job.pk, now=NOW)
    assert work(job).result["new"] == 3


def test_season_that_was_closed_meanwhile_refuses(season: Season) -> None:
    job = requested(season)
    Season.objects.filter(pk=season.pk).update(state=SeasonState.CLOSED)
    work(job)
    assert (job.state, job.payload) == (JobState.DONE, {})
    assert "closed" in job.result["problem"]


def test_refusal_speaks_the_clubs_language(season: Season) -> None:
    Club.objects.filter(pk=season.club_id).update(language="fr")
    job = work(requested(season, totals(2).replace("Anne Roy", "Anna Roy")))
    assert job.result["problem"] == "Certains noms ne sont plus clairs. Regardez la liste à nouveau."


def test_name_that_is_not_clear_any_more_refuses(season: Season) -> None:
    job = work(requested(season, totals(2).replace("Anne Roy", "Anna Roy")))
    assert "names are not clear" in job.result["problem"]
    assert not Evening.objects.exists()


def test_lists_of_a_deleted_club_are_deleted(season: Season) -> None:
    job = requested(season)
    club_deletion.delete_club(season.club_id, now=NOW)
    assert not Job.objects.filter(pk=job.pk).exists()


def test_how_far_it_is_is_told_on_the_way(season: Season) -> None:
    many = TABLES_AT_ONCE + 10
    job = requested(season, totals(many))
    assert progress.stored_progress(job.pk) is None
    work(job)
    assert progress.stored_progress(job.pk) == (many, many)


def import_page(job: Job) -> str:
    return reverse("league:results-import", args=[job.pk])


def address(season: Season) -> str:
    return reverse("league:results-bring-in", args=[season.pk])


def sent(text: str) -> dict[str, str]:
    return {"text": text, "head": "Date\tTable\tJoueur\tPoints", **COLUMNS, "store": "1"}


def test_long_list_leads_to_the_page_of_its_progress(client: Client, season: Season) -> None:
    tables = MAX_IMMEDIATE_LINES // 4 + 1
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    answer = admin.post(address(season), sent(totals(tables)))
    job = Job.objects.get(kind=imports.RESULTS_JOB_KIND)
    assert answer["Location"] == import_page(job)
    page = unbroken(admin.get(import_page(job)))
    assert "waits for its turn" in page
    assert 'hx-trigger="every 2s"' in page
    progress.store_progress(job.pk, 50, tables)
    page = unbroken(admin.get(import_page(job)))
    assert f'<progress class="w-100" id="progress" value="50" max="{tables}">' in page
    assert f"50 of {tables} tables are written" in page
    work(job)
    page = unbroken(admin.get(import_page(job)))
    assert f"{tables} tables came in." in page
    assert "hx-get" not in page
    assert Table.objects.count() == tables


def test_long_list_asks_about_people_first(client: Client, season: Season) -> None:
    text = totals(MAX_IMMEDIATE_LINES // 4 + 1).replace("Anne Roy", "Anna Roy")
    page = signed_in(client, a_member(season.club, Role.ADMIN)).post(address(season), sent(text)).content.decode()
    assert "Nothing was imported yet" in page
    assert not Job.objects.filter(kind=imports.RESULTS_JOB_KIND).exists()


def test_refused_list_says_why(client: Client, season: Season) -> None:
    job = requested(season)
    Season.objects.filter(pk=season.pk).update(state=SeasonState.CLOSED)
    work(job)
    page = signed_in(client, a_member(season.club, Role.ADMIN)).get(import_page(job)).content.decode()
    assert "Nothing was imported." in page
    assert address(season) in page


@pytest.mark.parametrize("page", ["results-bring-in", "deals-bring-in"])
def test_both_forms_lead_to_a_list_that_is_coming_in(season: Season, client: Client, page: str) -> None:
    job = requested(season)
    signed_in(client, a_member(season.club, Role.ADMIN))
    form = reverse(f"league:{page}", args=[season.pk])
    assert import_page(job) in client.get(form).content.decode()
    work(job)
    assert import_page(job) not in client.get(form).content.decode()


def test_a_club_has_a_few_lists_waiting_and_the_next_is_refused(client: Client, season: Season) -> None:
    for number in range(1, imports.MAX_OPEN_RESULT_IMPORTS_PER_CLUB + 1):
        first = requested(season, totals(number))
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    page = admin.post(address(season), sent(totals(MAX_IMMEDIATE_LINES // 4 + 1)))
    assert "3 lists of this club wait for a worker" in page.content.decode()
    assert Job.objects.filter(kind=imports.RESULTS_JOB_KIND).count() == imports.MAX_OPEN_RESULT_IMPORTS_PER_CLUB
    requested(a_season(a_club()), totals(9))  # another club's is not one more
    work(first)
    assert admin.post(address(season), sent(totals(MAX_IMMEDIATE_LINES // 4 + 1))).status_code == 302


def test_an_installation_has_so_many_lists_waiting(season: Season) -> None:
    seasons = [
        a_season(a_club()) for _ in range(imports.MAX_OPEN_RESULT_IMPORTS // imports.MAX_OPEN_RESULT_IMPORTS_PER_CLUB)
    ]
    for full_season in seasons:
        for number in range(1, imports.MAX_OPEN_RESULT_IMPORTS_PER_CLUB + 1):
            requested(full_season, totals(number))
    with pytest.raises(WrongState, match="30 lists of all clubs wait"):
        requested(season)
    assert requested(seasons[0], totals(1)) == imports.open_import_jobs(seasons[0])[-1]  # the same again is no other
