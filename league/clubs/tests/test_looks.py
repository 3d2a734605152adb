"""A club's colour and mark."""

from __future__ import annotations

import io
import re
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse
from PIL import Image

from league.actions import club_appearance
from league.actions.advisory_locks import wait_for_lock
from league.actions.tests.test_rules_meanwhile import meanwhile
from league.clubs.forms.appearance import HEADER_TEXT_COLOURS, MAX_UPLOAD, PALETTE
from league.evenings.views.live import fragments
from league.models import AuditEntry, Club, ClubMark
from league.models.club_mark import MAX_LOGO_BYTES
from league.models.rights import Role
from league.web.contrast import MIN_READABLE_CONTRAST, contrast
from tests.build import a_club, a_member, a_picture, a_season, a_table, an_evening, watched
from tests.readers import signed_in

pytestmark = pytest.mark.django_db

CSS = Path(__file__).parents[3] / "static/css"


@pytest.fixture
def club() -> Club:
    return a_club(public=True)


@pytest.fixture
def admin(client: Client, club: Club) -> Client:
    signed_in(client, a_member(club, Role.ADMIN))
    return client


def look_address(club: Club) -> str:
    return reverse("league:club-look", args=[club.slug])


def mark(club: Club) -> str:
    club.refresh_from_db()
    return reverse("league:club-mark", args=[club.slug, club.mark])


def uploaded(data: bytes, name: str = "mark.png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data, "image/png")


def a_bomb(side: int = 60_000) -> bytes:
    """Return a PNG of some kilobytes that unpacks to 60,000 by 60,000 pixels, as far as its head says."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(10**6))) + chunk(b"IEND", b"")
    )


def test_every_colour_of_the_palette_can_be_read_in_both_looks() -> None:
    assert min(contrast(colour, text) for colour in PALETTE for text in HEADER_TEXT_COLOURS) >= MIN_READABLE_CONTRAST
    texts = [
        re.findall(r"--on-bar: (#[0-9a-f]{6});", (CSS / name).read_text(encoding="utf-8"))
        for name in ("tokens.css", "dark.css")
    ]
    assert tuple(colour for colours in texts for colour in colours) == HEADER_TEXT_COLOURS


def test_a_colour_is_shown_above_the_clubs_pages(admin: Client, club: Club) -> None:
    assert admin.post(look_address(club), {"colour": "#7d1f3c"})["Location"] == club.get_absolute_url()
    page = admin.get(club.get_absolute_url()).content.decode()
    assert '<link rel="stylesheet" href="/colours/7d1f3c.css">' in page
    assert "club-accent" in page
    answer = Client().get("/colours/7d1f3c.css")
    assert answer.content == b":root { --club: #7d1f3c; }\n"
    assert answer["Content-Type"] == "text/css; charset=utf-8"
    assert "immutable" in answer["Cache-Control"]
    admin.post(look_address(club), {"colour": ""})
    assert "club-accent" not in admin.get(club.get_absolute_url()).content.decode()


@pytest.mark.parametrize("code", ["7d1f3", "7D1F3C", "7d1f3cc", "zzzzzz", "7d1f3c-"])
def test_what_is_no_colour_has_no_stylesheet(client: Client, code: str) -> None:
    assert client.get(f"/colours/{code}.css").status_code == 404


def test_a_colour_too_light_to_read_on_is_refused_on_its_field(admin: Client, club: Club) -> None:
    answer = admin.post(look_address(club), {"colour": "own", "own_colour": "#e0c040"})
    assert answer.status_code == 422
    [error] = answer.context["form"].errors["own_colour"]
    assert re.fullmatch(r"Text on it has a contrast of 1\.\d to 1, and needs 4\.5: choose a darker one\.", error)
    for odd in ("red", "#12345", "#1234567", "url(x)", ""):
        assert admin.post(look_address(club), {"colour": "own", "own_colour": odd}).context["form"].errors.keys() == {
            "own_colour"
        }
    assert admin.post(look_address(club), {"colour": "#ffffff"}).status_code == 422
    admin.post(look_address(club), {"colour": "own", "own_colour": "#102A43"})
    club.refresh_from_db()
    assert club.colour == "#102a43"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_mark_is_drawn_anew_and_given_out_for_ever(admin: Client, club: Club, kind: str) -> None:
    picture = a_picture((800, 400), kind)
    answer = admin.post(look_address(club), {"colour": "", "mark": uploaded(picture), "mark_alt": "Two cards"})
    assert answer.status_code == 302
    page = admin.get(club.get_absolute_url()).content.decode()
    assert f'src="{mark(club)}" alt="Two cards"' in page
    answer = Client().get(mark(club))
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/webp", "nosniff")
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    mark_image = Image.open(io.BytesIO(answer.content))
    assert (mark_image.format, mark_image.size) == ("WEBP", (256, 128))
    red, green, blue = mark_image.convert("RGB").getpixel((10, 60))  # type: ignore[misc]
    assert red > 150 > 80 > max(green, blue)
    assert len(answer.content) <= MAX_LOGO_BYTES


def test_what_a_camera_wrote_is_left_out_and_its_turn_is_kept(club: Club) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # lies on its side
    exif[0x010F] = "A camera that says where it was"
    club_appearance.store_logo(club, a_picture((80, 40), "JPEG", exif=exif, icc_profile=b"a profile of its own"))
    data = bytes(club.picture.data)
    picture = Image.open(io.BytesIO(data))
    assert picture.size == (40, 80)
    assert (dict(picture.getexif()), picture.info.get("icc_profile")) == ({}, None)
    assert b"camera" not in data


def test_a_noisy_picture_is_made_small_enough(club: Club) -> None:
    noise = Image.effect_noise((2000, 2000), 120).convert("RGBA")
    picture = io.BytesIO()
    noise.save(picture, "PNG")
    club_appearance.store_logo(club, picture.getvalue())
    assert len(bytes(club.picture.data)) <= MAX_LOGO_BYTES


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no picture",
        b"GIF89a" + bytes(100),
        b"\x89PNG\r\n\x1a\n" + bytes(50),
        b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        a_picture()[:60],
        a_picture(kind="GIF"),
        a_picture(kind="BMP"),
    ],
    ids=["empty", "text", "gif head", "png head", "svg", "cut off", "gif", "bmp"],
)
def test_what_is_no_picture_is_refused_on_its_field(admin: Client, club: Club, data: bytes) -> None:
    answer = admin.post(look_address(club), {"colour": "#7d1f3c", "mark": uploaded(data)})
    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {"mark"}
    club.refresh_from_db()
    assert (club.mark, club.colour, ClubMark.objects.count()) == ("", "", 0)


def test_a_bomb_is_refused_before_it_is_unpacked(admin: Client, club: Club) -> None:
    answer = admin.post(look_address(club), {"colour": "", "mark": uploaded(a_bomb())})
    assert "too many pixels" in answer.context["form"].errors["mark"][0]
    answer = admin.post(look_address(club), {"colour": "", "mark": uploaded(a_bomb(4001))})
    assert "too many pixels" in answer.context["form"].errors["mark"][0]


def test_a_large_file_is_refused(admin: Client, club: Club) -> None:
    answer = admin.post(look_address(club), {"colour": "", "mark": uploaded(bytes(MAX_UPLOAD + 1))})
    assert answer.context["form"].errors["mark"] == ["The picture is larger than 5 MB."]


def test_another_mark_has_another_address_and_the_old_one_ends(admin: Client, club: Club) -> None:
    club_appearance.store_logo(club, a_picture())
    first = mark(club)
    admin.post(look_address(club), {"colour": "", "mark": uploaded(a_picture((30, 30)))})
    assert mark(club) != first
    assert [Client().get(address).status_code for address in (first, mark(club))] == [404, 200]
    assert ClubMark.objects.count() == 1
    other_club = a_club()
    assert Client().get(reverse("league:club-mark", args=[other_club.slug, club.mark])).status_code == 404
    last = mark(club)
    admin.post(look_address(club), {"colour": "", "remove_mark": "on"})
    club.refresh_from_db()
    assert (club.mark, ClubMark.objects.count()) == ("", 0)
    assert Client().get(last).status_code == 404


def test_a_mark_and_its_removal_twice_are_the_same(club: Club) -> None:
    for _ in range(2):
        club_appearance.store_logo(club, a_picture())
    assert ClubMark.objects.get().digest == club.mark
    for _ in range(2):
        club_appearance.delete_logo(club)
    assert not ClubMark.objects.exists()


def test_a_colour_is_stored_with_its_audit_entry_or_not_at_all(club: Club) -> None:
    """It catches a change of colour outside a transaction, which stays although its audit entry fails."""

    def refuse_audit_entry(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith(f'INSERT INTO "{AuditEntry._meta.db_table}"'):
            raise OperationalError
        return execute(sql, *rest)

    former_colour = club.colour
    with connection.execute_wrapper(refuse_audit_entry), pytest.raises(OperationalError):
        club_appearance.change(club, colour=next(colour for colour in PALETTE if colour != former_colour))
    assert Club.objects.get(pk=club.pk).colour == former_colour


@pytest.mark.django_db(transaction=True)
def test_two_marks_at_the_same_time_leave_one_with_its_address() -> None:
    club = a_club()

    def upload(side: int) -> None:
        try:
            club_appearance.store_logo(Club.objects.get(pk=club.pk), a_picture((side, side)))
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(upload, (20, 30, 40, 50)))
    club.refresh_from_db()
    assert ClubMark.objects.get().digest == club.mark


def test_looks_saved_from_two_pages_keep_what_each_changed(admin: Client, club: Club) -> None:
    initial = {"initial-colour": "", "initial-own_colour": "#1f3f6e", "initial-mark_alt": ""}
    page = admin.get(look_address(club)).content.decode()
    assert all(f'name="{name}"' in page for name in initial)
    same = initial | {"own_colour": "#1f3f6e"}
    admin.post(look_address(club), same | {"colour": "#8a3512", "mark_alt": ""})
    admin.post(look_address(club), same | {"colour": "", "mark_alt": "A jester"})
    club.refresh_from_db()
    assert (club.colour, club.mark_alt) == ("#8a3512", "A jester")
    refused = admin.post(look_address(club), same | {"colour": "#5a3576", "mark_alt": ""})
    assert "Now stands: Brick." in refused.content.decode()
    club.refresh_from_db()
    assert club.colour == "#8a3512"


def test_the_projector_and_the_poster_show_them(admin: Client, club: Club) -> None:
    club_appearance.change(club, colour="#7d1f3c", mark_alt="")
    club_appearance.store_logo(club, a_picture())
    table = a_table(an_evening(a_season(club)))
    token = fragments.sign_live_token(watched(table.round.evening))
    pages = (reverse("league:live", args=[token]), reverse("league:poster", args=[table.round_id]))
    for address in pages:
        page = admin.get(address).content.decode()
        assert "/colours/7d1f3c.css" in page
        assert mark(club) in page


@pytest.mark.django_db(transaction=True)
def test_an_installation_decodes_one_picture_at_a_time() -> None:
    club = a_club()
    with wait_for_lock("decoding a picture"):
        other_club = meanwhile(lambda: club_appearance.store_logo(club, a_picture()))
        assert not other_club.done()
        assert not ClubMark.objects.exists()
    other_club.result()
    assert ClubMark.objects.exists()
