"""What others show beside an evening's address: a picture that holds the words of its podium."""

import re
from io import BytesIO

import pytest
from django.db.models import Q
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image, ImageDraw

from league.actions import tournament_play
from league.models import Club, Evening, Run, Table, TournamentUnit
from league.models.evening import EveningState
from league.recompute.work import runs
from league.web.share_picture import (
    BAR_HEIGHT,
    CARD_SIZE,
    LINK_SIZE,
    MARGIN,
    MIN_LETTER_HEIGHT,
    ClubAppearance,
    PictureTexts,
    PodiumRow,
    draw_share_picture,
)
from tests.build import (
    NOW,
    a_club,
    a_drawn_round,
    a_member,
    a_player,
    a_running_tournament,
    a_season,
    a_table,
    a_tournament,
    an_evening,
    sign_in,
    written_totals,
)

LONG = "Jean-Baptiste-Emmanuel de La Rochefoucauld-Montmorency-Laval de Saint-Germain-en-Laye d’Été"


@pytest.fixture
def drawn_texts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float]]:
    """Record the texts of pictures with their widths in pixels; they are drawn as well."""
    texts: list[tuple[str, float]] = []
    draw = ImageDraw.ImageDraw.text

    def noted(self: ImageDraw.ImageDraw, xy: tuple[float, float], text: str, **how: object) -> None:
        texts.append((text, how["font"].getlength(text)))  # type: ignore[attr-defined]
        draw(self, xy, text, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", noted)
    return texts


def opened(content: bytes) -> Image.Image:
    image = Image.open(BytesIO(content))
    image.load()
    return image


def played(club: Club) -> Evening:
    evening = an_evening(a_season(club), EveningState.OPEN)
    table = a_table(evening, [a_player(name, "Œuvray") for name in ("Élodie", "Anne", "Zoé", "Paul")])
    for number, points in enumerate((1284, -28, -628, -628)):
        table.seats.filter(number=number).update(points=points, written=points, deals=4, written_deals=4)
    Table.objects.update(complete=True, deals=4)
    Evening.objects.update(state=EveningState.CLOSED, opened_at=NOW, closed_at=NOW, final_at=NOW)
    return Evening.objects.get()


@pytest.mark.django_db
def test_the_podium_in_the_clubs_language(client: Client, drawn_texts: list[tuple[str, float]]) -> None:
    evening = played(a_club(name="Tarot du mardi", public=True, language="fr"))
    answer = client.get(reverse("league:evening-picture", args=[evening.pk]))
    image = opened(answer.content)
    assert (answer.headers["Content-Type"], image.format, image.size) == ("image/png", "PNG", LINK_SIZE)
    assert len(answer.content) < 60_000
    assert [text for text, _width in drawn_texts] == [
        *("Tarot du mardi", "Tarot : soirée du 2 octobre 2026", f"{evening.season} · 4 joueurs"),
        *("1", "1\N{NO-BREAK SPACE}284", "Élodie Œuvray", "2", "\N{MINUS SIGN}28", "Anne Œuvray"),
        *("3", "\N{MINUS SIGN}628", "Paul Œuvray", "3", "\N{MINUS SIGN}628", "Zoé Œuvray"),
    ]


@pytest.mark.django_db
def test_the_card_is_a_portrait_with_the_ranking(client: Client) -> None:
    evening = played(a_club(public=True))
    assert opened(client.get(reverse("league:evening-card", args=[evening.pk])).content).size == CARD_SIZE


@pytest.mark.django_db
def test_it_is_drawn_again_when_a_name_or_points_change(client: Client, drawn_texts: list[tuple[str, float]]) -> None:
    evening = played(a_club(public=True))
    address = reverse("league:evening-picture", args=[evening.pk])
    first = client.get(address)
    drawn_texts.clear()
    assert client.get(address).content == first.content
    assert drawn_texts == []
    unchanged = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert unchanged.status_code == 304
    evening.rounds.get().tables.get().seats.filter(number=1).update(points=-27)
    assert client.get(address).content != first.content


@pytest.mark.django_db
def test_a_planned_evening_says_when_and_where(client: Client, drawn_texts: list[tuple[str, float]]) -> None:
    evening = an_evening(a_season(a_club(public=True)), EveningState.PLANNED)
    Evening.objects.update(begins_at="20:30", place="Salle des fêtes")
    client.get(reverse("league:evening-picture", args=[evening.pk]))
    assert drawn_texts[-1][0].split(" · ")[1:] == ["8:30 p.m.", "Salle des fêtes"]


@pytest.mark.django_db
def test_a_private_clubs_picture_is_its_members_alone(client: Client) -> None:
    club = a_club()
    evening = an_evening(a_season(club), EveningState.PLANNED)
    address = reverse("league:evening-picture", args=[evening.pk])
    assert client.get(address).status_code == 404
    sign_in(client, a_member(club))
    assert client.get(address).headers["Cache-Control"].startswith("private")


@pytest.mark.django_db
def test_the_page_names_the_picture_by_its_whole_address(client: Client) -> None:
    evening = an_evening(a_season(a_club(public=True)), EveningState.PLANNED)
    page = client.get(evening.get_absolute_url()).content.decode()
    picture_at = reverse("league:evening-picture", args=[evening.pk])
    assert f'<meta property="og:image" content="http://testserver{picture_at}">' in page


@pytest.mark.parametrize("places", [0, 1, 5])
def test_whatever_is_written_stays_in_the_picture(drawn_texts: list[tuple[str, float]], places: int) -> None:
    podium = tuple(PodiumRow(1, LONG * 2, "1 234 567") for _ in range(places))
    assert opened(draw_share_picture(PictureTexts(LONG, LONG * 3, LONG * 2, podium))).size == LINK_SIZE
    assert all(width <= LINK_SIZE[0] - 2 * MARGIN for _text, width in drawn_texts)
    assert any(text.endswith("…") for text, _width in drawn_texts)


def test_a_letter_that_the_font_lacks_is_no_error() -> None:
    assert opened(draw_share_picture(PictureTexts("麻雀", "\N{ZERO WIDTH JOINER}🂡", "", ()))).size == LINK_SIZE


def test_short_names_are_written_large(drawn_texts: list[tuple[str, float]]) -> None:
    draw_share_picture(PictureTexts("Club", "Evening", "Season", (PodiumRow(1, "Anne", "+1"),)))
    assert dict(drawn_texts)["Anne"] > MIN_LETTER_HEIGHT * 2


@pytest.mark.django_db
def test_the_pictures_of_club_season_rank_and_tournament(client: Client, drawn_texts: list[tuple[str, float]]) -> None:
    """Each page names its picture, whose words are the page's own."""
    club = a_club(name="Tarot du mardi", public=True, language="fr")
    season = played(club).season
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    tournament = a_tournament(club, name="Concours de printemps")
    pages = {
        club.get_absolute_url(): ("Tarot du mardi", "Tarot"),
        season.get_absolute_url(): (str(season), "4 joueurs"),
        tournament.get_absolute_url(): ("Concours de printemps", ""),
    }
    for address, words in pages.items():
        found = re.search(r'og:image" content="http://testserver([^"]+)"', client.get(address).content.decode())
        assert found, address
        drawn_texts.clear()
        assert opened(client.get(found[1]).content).size == LINK_SIZE
        drawn = " ".join(text for text, _width in drawn_texts)
        assert all(word in drawn for word in words), drawn


@pytest.mark.django_db
def test_a_finished_tournament_names_the_winners_who_agreed(
    client: Client, drawn_texts: list[tuple[str, float]]
) -> None:
    tournament = a_running_tournament(a_club(), rounds=1, public=True)
    for number, table in enumerate(a_drawn_round(tournament).tables.all()):
        written_totals(table, [1000 + number, 944 - number] * 2, deals=12)
    tournament_play.finish(tournament.pk, now=timezone.now())
    first, second = tournament.ranks.order_by("rank")[:2]
    TournamentUnit.objects.update(names_public=Q(pk=first.unit_id))
    client.get(reverse("league:tournament-picture", args=[tournament.pk]))
    texts = [text for text, _width in drawn_texts]
    assert first.unit.title in texts
    assert f"Number {second.unit.number}" in texts


def test_a_clubs_mark_and_colour_are_in_its_pictures() -> None:
    mark = BytesIO()
    Image.new("RGBA", (40, 20), "#aa0000").save(mark, "PNG")
    image = opened(
        draw_share_picture(PictureTexts("Club", LONG, ""), ClubAppearance("#112233", mark.getvalue()))
    ).convert("RGB")
    assert image.getpixel((5, 5)) == (0x11, 0x22, 0x33)
    assert image.getpixel((LINK_SIZE[0] - MARGIN - 5, BAR_HEIGHT + 45)) == (0xAA, 0, 0)
