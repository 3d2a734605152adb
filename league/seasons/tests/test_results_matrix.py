"""The results matrix: an evening's worth for each player, and whether it counts; on the page, in files and on paper."""

import csv
import gzip
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags
from tablib.core import Dataset

from league.actions import evenings as evenings_actions
from league.actions.standings import replace_standings
from league.models import Evening, Season
from league.seasons.queries.season_rankings import rank_season
from league.seasons.queries.season_results import ResultKind, evening_results, matrix_evenings
from league.seasons.tests.full_season import a_full_season
from league.seasons.tests.three_evenings import three_evenings
from players.models import Player
from players.naming import Names
from tests.build import NOW, TODAY, a_club, a_deal, a_player, a_season, a_table, an_evening
from tests.logins import a_login
from tests.markup import unbroken

pytestmark = pytest.mark.django_db

BEST_TWO = {"counts": {"which": "best", "n": 2, "final": True}}


def a_season_of_three(rules: dict[str, Any] | None = None) -> Season:
    """Return a public season of three evenings and a fourth without Ann; the third is the final.

    Ann 81, 81, −90 · Bea −27, −27, 270 · Cid and Dan −27, −27, −90 · on the fourth Bea takes 81, three others lose 27.
    """
    season = a_season(a_club(public=True))
    Season.objects.filter(pk=season.pk).update(standings_rules=rules or {})
    _ann, bea, cid, dan = three_evenings(season)
    Evening.objects.filter(pk=season.evenings.order_by("date")[2].pk).update(season_final=True)
    season.refresh_from_db()
    fourth = an_evening(season, on=TODAY - timedelta(days=3))
    a_deal(a_table(fourth, [bea, cid, dan, a_player("Eve", "Durand")]))
    evenings_actions.close(fourth.pk, now=NOW)
    replace_standings({season.pk: rank_season(season)})
    return season


def shown_cells(client: Client, season: Season, **query: str) -> dict[str, list[str]]:
    """Return the cells of the evenings and the total by player, as a screen reader reads them."""
    table = client.get(season.get_absolute_url(), query).context["table"]
    return {
        strip_tags(row.player).strip(): [
            strip_tags(cell) for cell in (*row.results.replace("</td>", "</td>\n").splitlines(), row.total)
        ]
        for row in table.matrix_rows()
    }


def test_cells_say_what_counts_what_is_dropped_and_who_was_absent(client: Client) -> None:
    # Best two, the final is one of them: Ann 81 − 90, Bea 270 + 81, Cid and Dan −90 − 27 (among equals the latest).
    cells = shown_cells(client, a_season_of_three(BEST_TWO))
    assert cells["Ann Durand"] == ["(81), dropped", "81", "−90", "·absent", "−9"]
    assert cells["Bea Durand"] == ["(−27), dropped", "(−27), dropped", "270", "81", "351"]
    assert cells["Cid Durand"] == ["(−27), dropped", "(−27), dropped", "−90", "−27", "−117"]
    assert cells["Eve Durand"] == ["·absent", "·absent", "·absent", "−27", "−27"]


def test_each_cell_leads_to_its_result_and_each_heading_to_its_evening(client: Client) -> None:
    season = a_season_of_three()
    page = unbroken(client.get(season.get_absolute_url()))
    for evening in season.evenings.all():
        assert f'<a href="{evening.get_absolute_url()}" title=' in page
    bea = season.standings.get(rank=1).player
    third = season.evenings.get(season_final=True)
    address = f"{reverse('league:player', args=[bea.pk])}?season={season.pk}#evening-{third.pk}"
    assert f'<td class="num final"><a href="{address}">' in page
    assert ">Final</small>" in page


def test_an_attended_evening_without_a_worth_is_not_called_an_absence() -> None:
    season = a_season_of_three()
    evenings = [evening.pk for evening in matrix_evenings(season.evenings.all())]
    row = season.standings.get(player__given_name="Ann")
    assert [result.kind for result in evening_results(row, evenings)] == [*[ResultKind.COUNTED] * 3, ResultKind.ABSENT]
    row.evenings = 4
    assert evening_results(row, evenings)[3].kind == ResultKind.UNKNOWN


def test_past_standings_have_the_evenings_up_to_their_date(client: Client) -> None:
    season = a_season_of_three()
    second = season.evenings.order_by("date")[1]
    cells = shown_cells(client, season, on=second.date.isoformat())
    assert cells == {
        "Ann Durand": ["81", "81", "162"],
        **{name: ["−27", "−27", "−54"] for name in ("Bea Durand", "Cid Durand", "Dan Durand")},
    }


def test_files_have_a_column_for_each_evening(client: Client) -> None:
    season = a_season_of_three(BEST_TWO)
    days = [evening.date.isoformat() for evening in season.evenings.order_by("date")]
    content = client.get(reverse("league:season-csv", args=[season.pk])).content.decode("utf-8-sig")
    header, first, second, *_rest = csv.reader(content.splitlines())
    assert header == ["Rank", "Player", "Points", "Evenings", "Deals", "Rank before", *days]
    assert first[1:3] + first[6:] == ["Bea Durand", "351", "[-27]", "[-27]", "270", "81"]
    assert second[1:3] + second[6:] == ["Ann Durand", "-9", "[81]", "81", "-90", ""]
    sheet = Dataset().load(BytesIO(client.get(reverse("league:season-xlsx", args=[season.pk])).content), format="xlsx")
    assert sheet[0][6:] == ("[-27]", "[-27]", 270, 81)  # numbers add up to the evenings that count


def test_recent_evening_bars_show_the_evenings_won(client: Client) -> None:
    season = a_season_of_three()
    table = client.get(season.get_absolute_url()).context["table"]
    bars = {strip_tags(row.player).strip(): row.evening_bars for row in table.matrix_rows()}
    assert 'aria-label="evenings won: 2"' in bars["Ann Durand"]
    assert 'aria-label="evenings won: 2"' in bars["Bea Durand"]
    assert 'class="won"' not in bars["Cid Durand"]
    assert bars["Eve Durand"].count('class="absent"') == 1


def test_the_paper_for_the_wall_shows_names_as_the_public_sees_them(client: Client) -> None:
    season = a_season_of_three()
    bea = season.standings.get(rank=1).player
    Player.objects.filter(pk=bea.pk).update(names=Names("Queen", "Bea Durand", "Bea Durand"))
    client.force_login(a_login(season.club))
    page = client.get(reverse("league:standings-paper", args=[season.pk])).content.decode()
    assert "Queen" in page
    assert "Bea" not in page
    assert "Bea Durand" in client.get(season.get_absolute_url()).content.decode()


def test_a_full_season_stays_small(client: Client) -> None:
    season = a_full_season(a_club(public=True))
    response = client.get(season.get_absolute_url())
    assert response.content.count(b"#evening-") == 800
    assert len(gzip.compress(response.content)) <= 30 * 1024
