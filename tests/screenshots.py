"""`make screenshots`: photographs of every page, and contact sheets on which hundreds are looked at in minutes.

    python -m deploy.servers python -m tests.screenshots [--only hall --widths 390 --themes dark --languages fr]

The pages are those of the access matrix, as tests/test_every_page.py visits them, in three clubs: a new club without
anything (empty), the small club of the tests (usual), and the demo club (full). An address is left out for a club that
has nothing to show there. The files are var/screenshots/STATE-LANGUAGE-WIDTH-THEME/*.png, and beside these folders the
sheets. With --base the pages are those of a running server with a demo club, whose settings the environment must have.

`make pictures` (--documents) makes the pictures of the documentation, docs/pictures/*.webp, from the demo club.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from io import BytesIO
from itertools import count, product
from pathlib import Path
from typing import Final, Literal, NamedTuple

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright runs an event loop in this thread
os.environ.setdefault("LOCAL_STATIC", "1")
django.setup()

from django.core.management import call_command  # noqa: E402  models want Django set up
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402
from PIL import Image, ImageDraw, ImageFont  # noqa: E402
from playwright.sync_api import Browser, BrowserContext, Page, Response, sync_playwright  # noqa: E402
from playwright.sync_api import Error as PlaywrightError  # noqa: E402

from bench.web import web_server  # noqa: E402
from league.demo.played_tournaments import FINISHED_TOURNAMENT_NAME, RUNNING_TOURNAMENT_NAME  # noqa: E402
from league.demo.tournament import TOURNAMENT_NAME  # noqa: E402
from league.evenings.views.live import fragments  # noqa: E402
from league.models import Club, Contest, Deal, Evening, Run, Standing, Table  # noqa: E402
from league.models.evening import EveningState  # noqa: E402
from league.models.rights import Role  # noqa: E402
from league.models.season import SeasonState  # noqa: E402
from league.tournaments.queries import registration_links  # noqa: E402
from league.tournaments.queries.playing_units import evening_of  # noqa: E402
from players.models import RatingStep, User  # noqa: E402
from tests import build  # noqa: E402
from tests.browser import FLAGS, MISSING, chromium  # noqa: E402
from tests.build import a_club, a_member, a_season, a_tournament, a_user, an_evening, watched  # noqa: E402
from tests.conftest import add_session  # noqa: E402
from tests.readers import user_of  # noqa: E402
from tests.test_access import ROWS, places  # noqa: E402
from tests.test_every_page import addresses  # noqa: E402

Theme = Literal["light", "dark"]
ROOT: Final = Path(__file__).parent.parent
PICTURES: Final = ROOT / "docs" / "pictures"
STATES: Final = ("full", "usual", "empty")  # the demo club first, while it is alone
LANGUAGES: Final = {"fr": "fr-FR", "en": "en-GB"}  # of browsers
CLUB_LANGUAGES: Final = {"fr": "fr", "en": "en-gb"}
SCREEN_HEIGHTS: Final = {390: 844, 1280: 900, 1920: 1080}
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
LONGEST: Final = 3000  # pixels; the rest of a longer page is not photographed
SHEET: Final = (1120, 1064)  # pixels
THUMBNAIL_WIDTHS: Final = {390: 182, 1280: 369, 1920: 369}
THUMBNAIL_RATIO: Final = {390: 2.8, 1280: 0.9, 1920: 0.67}  # height for each pixel of width; the rest is cut
LABEL_HEIGHT: Final = 16
MAX_PICTURE_BYTES: Final = 100_000
WORDS: Final = {word for row in ROWS for word in re.findall(r"{(\w+)}", row.address)}
NOTHING: Final = "nothing-of-this-kind"
READY: Final = """
async () => {
  await document.fonts.ready;
  for (let turn = 0; turn < 100 && document.querySelector(".htmx-request"); turn++)
    await new Promise((done) => setTimeout(done, 50));
}
"""


class Picture(NamedTuple):
    """A picture of the documentation: a page of the demo club, and the part of the screen that it shows."""

    name: str
    email: str
    address: str
    size: tuple[int, int]


DOCUMENT_PICTURES: Final = (
    Picture("evening", "secretary@demo.example", "/evenings/{evening}/", (1280, 900)),
    Picture("check-in", "secretary@demo.example", "/evenings/{evening}/players", (1280, 800)),
    Picture("sheet", "secretary@demo.example", "/tables/{open_table}/grid", (1280, 760)),
    Picture("deal", "member@demo.example", "/deals/{deal}/", (390, 844)),
    Picture("standings", "member@demo.example", "/seasons/{season}/", (1280, 900)),
    Picture("member", "member@demo.example", "/", (390, 844)),
    Picture("tournament", "secretary@demo.example", "/tournaments/{running}/play", (1280, 900)),
    Picture("screen", "secretary@demo.example", "/screen/{screen_code}", (1280, 720)),
)


@dataclass(frozen=True)
class Scene:
    """A club in a state: the readers of its pages, and the values in their addresses."""

    club: Club
    readers: dict[str, User | None]
    place_names: dict[str, object]

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield reader and address of each page of which the club has something to show."""
        missing = dict.fromkeys(WORDS, NOTHING)
        for reader, address in addresses(missing | self.place_names, of_public_club=self.club.public):
            if NOTHING not in address and not address.startswith(reverse("admin:index")):
                yield reader, address


def empty_scene(root: User) -> Scene:
    """Return a new club with a season, an evening and a tournament, in which nothing has happened."""
    club = a_club()
    admin = a_member(club, Role.ADMIN)
    evening, tournament = an_evening(a_season(club)), a_tournament(club)
    return Scene(
        club,
        {"admin": user_of(admin), "anonymous": None, "root": root},
        {
            "club": club.slug,
            "season": evening.season_id,
            "evening": evening.pk,
            "planned": an_evening(evening.season, EveningState.PLANNED).pk,
            "tournament": tournament.pk,
            "running": a_tournament(club, date=timezone.localdate(), places=100).pk,
            "player": admin.pk,
            "membership": club.memberships.get(player=admin).pk,
        },
    )


def usual_scene(root: User) -> Scene:
    """Return the small club of the tests, in which each page has something to show."""
    club = a_club()
    admin, guest = a_member(club, Role.ADMIN), a_member(club, Role.GUEST)
    return Scene(club, {"admin": user_of(admin), "anonymous": None, "root": root}, places(club, guest))


def full_scene(root: User) -> Scene:
    """Return the demo club: seasons of many evenings, tonight's evening, and tournaments before, during and after."""
    admin = User.objects.get(email="admin@demo.example")
    club = Club.objects.get(memberships__player__user=admin, slug__startswith="le-petit")
    evening = Evening.objects.filter(season__club=club, state=EveningState.OPEN).earliest("pk")
    standing = Standing.objects.filter(season=evening.season).earliest("rank")
    tables = Table.objects.with_club().filter(round__evening=evening)
    table, open_table = tables.filter(complete=True).earliest("pk"), tables.filter(complete=False).latest("pk")
    tournament = club.tournaments.get(name=TOURNAMENT_NAME)
    running = club.tournaments.get(name=RUNNING_TOURNAMENT_NAME)
    finished = club.tournaments.get(name=FINISHED_TOURNAMENT_NAME)
    contest = Contest.objects.filter(deal__table__round__evening__season__club=club).latest("pk")
    unit = tournament.units.all()[0]
    place_names: dict[str, object] = {
        "club": club.slug,
        "game": evening.season.game,
        "club_game": club.games.all()[0].pk,
        "season": evening.season_id,
        "finished": club.seasons.filter(state=SeasonState.CLOSED).earliest("pk").pk,
        "evening": evening.pk,
        "planned": evening.season.evenings.filter(state=EveningState.PLANNED).earliest("date").pk,
        "screen_code": fragments.hall_screen_code(evening.pk, evening.entry_key),
        "round": evening.rounds.latest("number").pk,
        "attendance": evening.attendances.earliest("pk").pk,
        "table": table.pk,
        "open_table": open_table.pk,
        "deal": Deal.objects.filter(table=table).latest("pk").pk,
        "contest": contest.pk,
        "membership": club.memberships.earliest("pk").pk,
        "player": standing.player_id,
        "standing": standing.player_id,
        "guest": Standing.objects.filter(season=evening.season).latest("rank").player_id,
        "rated": RatingStep.objects.filter(player=standing.player_id, game=evening.season.game).latest("date").date,
        "run": Run.objects.latest("pk").pk,
        "tournament": tournament.pk,
        "running": running.pk,
        "tournament_round": evening_of(running).rounds.latest("number").pk,
        "in_finals": finished.pk,
        "unit": unit.pk,
        "registration": registration_links.registration_token(unit),
    }
    return Scene(club, {"admin": admin, "anonymous": None, "root": root}, place_names)


def photograph(
    browser: Browser, site: str, state: str, scene: Scene, language: str, options: argparse.Namespace
) -> Iterator[str]:
    """Photograph the pages of a club in a language. Yield each address that did not answer with a page."""
    # Prints and the hall's screen have the club's language.
    Club.objects.filter(pk=scene.club.pk).update(language=CLUB_LANGUAGES[language])
    evening = Evening.objects.get(pk=int(str(scene.place_names["evening"])))
    scene.place_names["live"] = fragments.sign_live_token(watched(evening, CLUB_LANGUAGES[language]))
    folders = {
        (width, theme): options.folder / f"{state}-{language}-{width}-{theme}"
        for width, theme in product(options.widths, options.themes)
    }
    for folder in folders.values():
        if not options.only:
            shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
    pages = {
        reader: opened(browser, site, user, LANGUAGES[language]).new_page() for reader, user in scene.readers.items()
    }
    for number, (reader, address) in enumerate(scene.pages()):
        if options.only and not re.search(options.only, address):
            continue
        page = pages[reader]
        answer = opened_page(page, address)
        if answer is None or answer.status != 200:
            yield f"{state} {address}: {answer and answer.status}"
            continue
        for width in options.widths:
            page.set_viewport_size({"width": width, "height": SCREEN_HEIGHTS[width]})
            page.evaluate(READY)
            for theme in options.themes:
                page.emulate_media(color_scheme=theme)
                height = min(page.evaluate("document.documentElement.scrollHeight"), LONGEST)
                page.screenshot(
                    path=folders[width, theme] / f"{number:03}{re.sub(r'[^a-z0-9]+', '-', address.lower())[:80]}.png",
                    full_page=True,
                    clip={"x": 0, "y": 0, "width": width, "height": max(height, SCREEN_HEIGHTS[width])},
                )
    for page in pages.values():
        page.context.close()


def opened_page(page: Page, address: str) -> Response | None:
    """Open the address; again if the networks of the machine changed, because Chromium then stops its requests."""
    try:
        return page.goto(address)
    except PlaywrightError as error:
        if "ERR_NETWORK_CHANGED" not in error.message:
            raise
        return page.goto(address)


def opened(browser: Browser, site: str, user: User | None, locale: str) -> BrowserContext:
    """Open a browser that asks for a language, signed in as the user."""
    context = browser.new_context(base_url=site, locale=locale, reduced_motion="reduce", service_workers="block")
    if user:
        add_session(context, user, site)
    return context


def contact_sheets(folder: Path) -> int:
    """Write the photographs of a folder side by side on sheets beside the folder; return the number of sheets."""
    width = int(folder.name.split("-")[2])
    thumbnail = (THUMBNAIL_WIDTHS[width], round(THUMBNAIL_WIDTHS[width] * THUMBNAIL_RATIO[width]))
    cell = (thumbnail[0] + 4, thumbnail[1] + LABEL_HEIGHT)
    columns, rows = SHEET[0] // cell[0], SHEET[1] // cell[1]
    files = sorted(folder.glob("*.png"))
    font = ImageFont.load_default(11)
    for old in folder.parent.glob(f"{folder.name}-*.png"):
        old.unlink()
    starts = range(0, len(files), columns * rows)
    for sheet_number, start in enumerate(starts):
        sheet = Image.new("RGB", (columns * cell[0], rows * cell[1]), "#8a6d1f")
        draw = ImageDraw.Draw(sheet)
        for index, file in enumerate(files[start : start + columns * rows]):
            x, y = index % columns * cell[0], index // columns * cell[1]
            with Image.open(file) as large:
                small = large.convert("RGB")
            small.thumbnail((thumbnail[0], 100_000))
            sheet.paste(small.crop((0, 0, thumbnail[0], min(small.height, thumbnail[1]))), (x, y + LABEL_HEIGHT))
            draw.text((x + 2, y + 2), file.stem[: cell[0] // 6], "white", font)
        sheet.save(folder.parent / f"{folder.name}-{sheet_number:02}.png")
    return len(starts)


def document_pictures(browser: Browser, site: str, scene: Scene) -> None:
    """Write the pictures of the documentation in both languages. Raise SystemExit if one is too large."""
    PICTURES.mkdir(exist_ok=True)
    for language, locale in LANGUAGES.items():
        Club.objects.filter(pk=scene.club.pk).update(language=CLUB_LANGUAGES[language])
        for picture in DOCUMENT_PICTURES:
            context = opened(browser, site, User.objects.get(email=picture.email), locale)
            page = context.new_page()
            page.set_viewport_size({"width": picture.size[0], "height": picture.size[1]})
            page.goto(picture.address.format(**scene.place_names))
            page.evaluate(READY)
            file = BytesIO()
            Image.open(BytesIO(page.screenshot())).convert("RGB").save(file, "WEBP", quality=80, method=6)
            if len(file.getvalue()) > MAX_PICTURE_BYTES:
                raise SystemExit(f"{picture.name} has {len(file.getvalue())} bytes; {MAX_PICTURE_BYTES} are allowed.")
            (PICTURES / f"{picture.name}-{language}.webp").write_bytes(file.getvalue())
            context.close()


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots")
    parser.add_argument("--base", help="the address of a running server with a demo club; default: start a server")
    parser.add_argument("--documents", action="store_true", help="make the pictures of the documentation only")
    parser.add_argument("--only", help="a regular expression: the addresses to photograph")
    parser.add_argument("--folder", type=Path, default=ROOT / "var" / "screenshots")
    for name, kind, values in (
        ("states", str, STATES),
        ("languages", str, tuple(LANGUAGES)),
        ("widths", int, tuple(SCREEN_HEIGHTS)),
        ("themes", str, THEMES),
    ):
        parser.add_argument(f"--{name}", type=kind, nargs="+", choices=values, default=values)
    return parser.parse_args()


def main() -> None:
    options = parse_options()
    program = chromium()
    if program is None:
        raise SystemExit(MISSING)
    with ExitStack() as stack:
        if options.base:
            site = options.base
            build._number = count(1 + 100 * User.objects.count())  # other addresses than those of an earlier run
        else:
            call_command("migrate", verbosity=0)
            call_command("demo")
            site = f"http://localhost:{stack.enter_context(web_server()).port}"
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=str(program), args=list(FLAGS))
        stack.callback(browser.close)
        root = User.objects.filter(is_superuser=True).first() or a_user(is_staff=True, is_superuser=True)
        if options.documents:
            document_pictures(browser, site, full_scene(root))
            return
        scenes = {"empty": empty_scene, "usual": usual_scene, "full": full_scene}
        for state in options.states:
            scene = scenes[state](root)
            for language in options.languages:
                for problem in photograph(browser, site, state, scene, language, options):
                    print(problem, flush=True)
                for width, theme in product(options.widths, options.themes):
                    folder = options.folder / f"{state}-{language}-{width}-{theme}"
                    print(f"{folder.name}: {contact_sheets(folder)} sheets", flush=True)


if __name__ == "__main__":
    main()
