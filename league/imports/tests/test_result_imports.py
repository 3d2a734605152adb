"""Long lists that a worker brings in: whole or not at all, once, and it is seen how far they are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse

from league.actions import result_imports
from league.actions.old_results import TABLES_AT_ONCE
from league.actions.refusals import WrongState
from league.actions.tests.test_rules_meanwhile import meanwhile
from league.imports import tasks
from league.imports.views.results import AT_ONCE
from league.imports.work import progress
from league.models import Club, Evening, ResultImport, Run, Season, Table
from league.models.result_import import ImportState
from league.models.rights import Role
from league.models.season import SeasonState
from league.operations.work.verification import verify
from league.recompute.work import runs
from tests.build import NOW, a_club, a_member, a_player, a_season
from tests.readers import signed_in, user_of

NAMES = ("Anne Roy", "Bob Gros", "Cy Mince", "Dan Fort")
CHOSEN = {"column-day": "0", "column-table": "1", "column-name": "2", "column-points": "3"}


def totals(tables: int) -> str:
    """Return a list of so many tables, one an evening."""
    text = "Date;Table;Joueur;Points\n"
    for number in range(tables):
        day = date(2024, 1, 5) + timedelta(days=number)
        text += "".join(f"{day};1;{name};{given}\n" for name, given in zip(NAMES, (120, -40, -40, -40), strict=True))
    return text


def deals(number: int) -> str:
    """Return a list of an evening with so many tables of one deal, a round each."""
    text = "Date;Round;Player 1;Player 2;Player 3;Player 4;Taker;Contract;Oudlers;Points\n"
    return text + "".join(f"2024-01-05;{each + 1};{';'.join(NAMES)};Cy;Petite;2;43\n" for each in range(number))


@pytest.fixture
def season(db: None) -> Iterator[Season]:
    club = a_club(founder=a_player("Founder", "Adam"))
    for name in NAMES:
        given, family = name.split()
        club.memberships.create(player=a_player(given, family))
    yield a_season(club)
    cache.clear()


def now() -> datetime:
    return NOW


def asked(season: Season, text: str = totals(3), **fields: object) -> ResultImport:
    admin = user_of(a_member(season.club, Role.ADMIN))
    given = {"deals": False, "chosen": CHOSEN, "answers": {}, "as_counted": False, **fields}
    return result_imports.ask(season, by=admin, text=text, now=NOW, **given)  # type: ignore[arg-type]


def test_worker_brings_a_list_in_and_forgets_its_text(season: Season) -> None:
    this = asked(season)
    tasks.bring_in(this.pk)
    this.refresh_from_db()
    assert (this.state, this.new, this.same, this.left_out) == (ImportState.DONE, 3, 0, 0)
    assert (this.text, this.chosen, this.answers, this.problem) == ("", {}, {}, "")
    assert season.evenings.count() == 3
    event = Evening.objects.latest("pk").events.get()  # type: ignore[attr-defined]
    assert event.pgh_context.metadata["user"] == this.by_id
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert list(verify()) == []


def test_list_of_deals_comes_in_by_its_own_columns(season: Season) -> None:
    chosen = {"column-round": "1", "column-taker": "6", "column-contract": "7", "column-oudlers": "8"}
    chosen |= {"column-points": "9", "column-on": "2024-01-05"} | {
        f"column-player.{n}": str(n + 1) for n in range(1, 5)
    }
    this = asked(season, deals(2), deals=True, chosen=chosen)
    tasks.bring_in(this.pk)
    assert Table.objects.filter(recorded=1).count() == 2


def test_it_is_brought_in_once(season: Season) -> None:
    this = asked(season)
    tasks.bring_in(this.pk)
    tasks.bring_in(this.pk)
    tasks.tick()
    assert season.evenings.count() == 3
    assert not result_imports.perform(this.pk, lambda _this: pytest.fail("it is over"), now)


def test_same_list_asked_for_twice_is_one(season: Season) -> None:
    assert asked(season) == asked(season)
    assert asked(season) != asked(season, as_counted=True)


@pytest.mark.django_db(transaction=True)
def test_two_workers_bring_it_in_once(season: Season) -> None:
    this = asked(season)
    with transaction.atomic():
        ResultImport.objects.select_for_update().get(pk=this.pk)  # as who is at it has
        tasks_done = meanwhile(lambda: tasks.bring_in(this.pk))
        tasks_done.result()
        assert not Evening.objects.exists()
    tasks.tick()
    assert season.evenings.count() == 3


def test_what_fails_in_the_middle_leaves_nothing_and_is_tried_again(season: Season) -> None:
    this = asked(season)

    def fails(this: ResultImport) -> None:
        season.evenings.create(date=NOW.date())
        raise ZeroDivisionError

    for attempt in range(1, result_imports.MOST_ATTEMPTS + 1):
        with pytest.raises(ZeroDivisionError):
            result_imports.perform(this.pk, fails, now)  # type: ignore[arg-type]
        this.refresh_from_db()
        assert (this.state, this.attempts, season.evenings.count()) == (ImportState.WAITING, attempt, 0)
    tasks.tick()
    this.refresh_from_db()
    assert this.state == ImportState.REFUSED
    assert "never came to its end" in this.problem
    assert not Evening.objects.exists()


def test_season_that_was_closed_meanwhile_refuses(season: Season) -> None:
    this = asked(season)
    Season.objects.filter(pk=season.pk).update(state=SeasonState.CLOSED)
    tasks.tick()
    this.refresh_from_db()
    assert (this.state, this.text) == (ImportState.REFUSED, "")
    assert "closed" in this.problem


def test_refusal_speaks_the_clubs_language(season: Season) -> None:
    Club.objects.filter(pk=season.club_id).update(language="fr")
    this = asked(season, totals(2).replace("Anne Roy", "Anna Roy"))
    tasks.tick()
    this.refresh_from_db()
    assert this.problem == "Certains noms ne sont plus clairs. Regardez la liste à nouveau."


def test_name_that_is_not_clear_any_more_refuses(season: Season) -> None:
    this = asked(season, totals(2).replace("Anne Roy", "Anna Roy"))
    tasks.tick()
    this.refresh_from_db()
    assert "names are not clear" in this.problem
    assert not Evening.objects.exists()


def test_how_far_it_is_is_told_on_the_way(season: Season) -> None:
    many = TABLES_AT_ONCE + 10
    this = asked(season, totals(many))
    assert progress.of_import(this.pk) is None
    tasks.bring_in(this.pk)
    assert progress.of_import(this.pk) == (many, many)


def address(season: Season) -> str:
    return reverse("league:results-bring-in", args=[season.pk])


def sent(text: str) -> dict[str, str]:
    return {"text": text, "head": "Date\tTable\tJoueur\tPoints", **CHOSEN, "bring_in": "1"}


def test_long_list_leads_to_the_page_of_its_progress(client: Client, season: Season) -> None:
    tables = AT_ONCE // 4 + 1
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    answer = admin.post(address(season), sent(totals(tables)))
    this = ResultImport.objects.get()
    assert answer["Location"] == this.get_absolute_url()
    page = admin.get(this.get_absolute_url()).content.decode()
    assert "waits for its turn" in page
    assert 'hx-trigger="every 2s"' in page
    progress.note(this.pk, 50, tables)
    page = admin.get(this.get_absolute_url()).content.decode()
    assert f'<progress class="w-100" id="progress" value="50" max="{tables}">' in page
    assert f"50 of {tables} tables are written" in page
    tasks.tick()
    page = admin.get(this.get_absolute_url()).content.decode()
    assert f"{tables} tables came in." in page
    assert "hx-get" not in page
    assert Table.objects.count() == tables


def test_long_list_asks_about_people_first(client: Client, season: Season) -> None:
    text = totals(AT_ONCE // 4 + 1).replace("Anne Roy", "Anna Roy")
    page = signed_in(client, a_member(season.club, Role.ADMIN)).post(address(season), sent(text)).content.decode()
    assert "Nothing was brought in yet" in page
    assert not ResultImport.objects.exists()


def test_refused_list_says_why(client: Client, season: Season) -> None:
    this = asked(season)
    Season.objects.filter(pk=season.pk).update(state=SeasonState.CLOSED)
    tasks.tick()
    page = signed_in(client, a_member(season.club, Role.ADMIN)).get(this.get_absolute_url()).content.decode()
    assert "Nothing was brought in." in page
    assert address(season) in page


@pytest.mark.parametrize("page", ["results-bring-in", "deals-bring-in"])
def test_both_forms_lead_to_a_list_that_is_coming_in(season: Season, client: Client, page: str) -> None:
    this = asked(season)
    signed_in(client, a_member(season.club, Role.ADMIN))
    form = reverse(f"league:{page}", args=[season.pk])
    assert this.get_absolute_url() in client.get(form).content.decode()
    tasks.bring_in(this.pk)
    assert this.get_absolute_url() not in client.get(form).content.decode()


def test_a_club_has_a_few_lists_waiting_and_the_next_is_refused(client: Client, season: Season) -> None:
    for number in range(1, result_imports.MOST_WAITING_OF_CLUB + 1):
        first = asked(season, totals(number))
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    page = admin.post(address(season), sent(totals(AT_ONCE // 4 + 1)))
    assert "3 lists of this club wait for a worker" in page.content.decode()
    assert ResultImport.objects.count() == result_imports.MOST_WAITING_OF_CLUB
    asked(a_season(a_club()), totals(9))  # another club's is not one more
    tasks.bring_in(first.pk)
    assert admin.post(address(season), sent(totals(AT_ONCE // 4 + 1))).status_code == 302


def test_an_installation_has_so_many_lists_waiting(season: Season) -> None:
    seasons = [a_season(a_club()) for _ in range(result_imports.MOST_WAITING // result_imports.MOST_WAITING_OF_CLUB)]
    for each in seasons:
        for number in range(1, result_imports.MOST_WAITING_OF_CLUB + 1):
            asked(each, totals(number))
    with pytest.raises(WrongState, match="30 lists of all clubs wait"):
        asked(season)
    assert asked(seasons[0], totals(1)) == seasons[0].imports.earliest("pk")  # the same again is no other
