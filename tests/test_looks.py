"""What all pages share: accounts, error pages, and templates that the content policy can carry."""

import re
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core import mail
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from players.models import Player, User
from tests.build import PASSWORD, a_user

pytestmark = pytest.mark.django_db


class Outline(HTMLParser):
    """The headings of a page, and what the content policy would block in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.h1 = 0
        self.blocked: list[str] = []
        self._script = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.h1 += tag == "h1"
        if tag == "style":
            self.blocked.append("a style element")
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.blocked.append("a script without a file")
        self.blocked += [f"{tag} {name}" for name in given if name == "style" or name.startswith("on")]


def test_signing_up_makes_a_login_and_its_player(client: Client) -> None:
    answer = client.post(
        reverse("account_signup"),
        {"given_name": " Zoé ", "family_name": "Leclerc", "email": "zoe@club.example", "password1": PASSWORD},
    )
    assert answer.status_code == 302
    player = Player.objects.get(user__email="zoe@club.example")
    assert (str(player), player.sort_key) == ("Zoé Leclerc", "leclerc zoe zoe leclerc")
    assert client.session["_auth_user_id"] == str(player.user_id)


def test_signing_up_asks_for_a_name_and_keeps_what_was_typed(client: Client) -> None:
    answer = client.post(reverse("account_signup"), {"given_name": " ", "email": "zoe@club.example"})
    assert "given_name" in answer.context["form"].errors
    assert 'value="zoe@club.example"' in answer.content.decode()
    assert not User.objects.exists()


def test_a_forgotten_password_is_replaced_through_the_mail(client: Client) -> None:
    user = a_user("ada@club.example")
    client.post(reverse("account_reset_password"), {"email": "ada@club.example"})
    (letter,) = mail.outbox
    assert letter.to == ["ada@club.example"]
    assert letter.subject == "Choose a new password"
    found = re.search(r"http://testserver(/\S+)", str(letter.body))
    assert found
    form = client.get(found[1], follow=True)
    client.post(form.request["PATH_INFO"], {"password1": "another-long-one", "password2": "another-long-one"})
    user.refresh_from_db()
    assert user.check_password("another-long-one")


ENTRANCE = ["account_login", "account_signup", "account_reset_password", "account_reset_password_done"]
INSIDE = [
    *("account_email", "account_change_password", "account_logout", "account_reauthenticate"),
    *("mfa_index", "mfa_list_webauthn", "usersessions_list"),
]
GUARDED = ["mfa_activate_totp", "mfa_add_webauthn"]


@pytest.mark.parametrize("name", [*ENTRANCE, *INSIDE, *GUARDED])
def test_account_pages_wear_our_frame(client: Client, name: str) -> None:
    if name not in ENTRANCE:
        user = a_user()
        user.emailaddress_set.create(email=user.email, verified=True, primary=True)
        client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
        if name in GUARDED:
            client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    answer = client.get(reverse(name))
    page = Outline(answer.content.decode())
    assert answer.status_code == 200
    assert (page.h1, page.blocked) == (1, [])
    assert 'id="main"' in answer.content.decode()


def test_an_unknown_address_says_where_to_go(client: Client) -> None:
    answer = client.get("/no/such/page")
    assert answer.status_code == 404
    for way in (reverse("league:home"), reverse("league:games"), reverse("account_login") + "?next=/no/such/page"):
        assert f'href="{way}"' in answer.content.decode()


def test_a_form_sent_without_its_token_is_explained() -> None:
    answer = Client(enforce_csrf_checks=True).post(reverse("account_login"), {})
    assert answer.status_code == 403
    assert "Please send it again" in answer.content.decode()


@pytest.mark.parametrize("name", ["400.html", "500.html"])
def test_pages_of_last_resort_name_only_files_that_are_there(name: str) -> None:
    text = (settings.BASE_DIR / "templates" / name).read_text()
    assert "{% load" not in text
    links = re.findall(r'href="/static/([^"]+)"', text)
    assert links
    assert [link for link in links if not finders.find(link)] == []


PLACES = ["templates/**/*.html", "scoring/games/*/templates/**/*.html"]


def test_no_template_has_an_inline_style_or_script() -> None:
    pages = [page for pattern in PLACES for page in settings.BASE_DIR.glob(pattern)]
    assert pages
    wrong = {str(page): Outline(_markup(page.read_text())).blocked for page in pages}
    assert {page: blocked for page, blocked in wrong.items() if blocked} == {}


def _markup(template: str) -> str:
    """Return a template's HTML alone: its tags would confuse the parser."""
    return re.sub(r"{%.*?%}|{#.*?#}|{{.*?}}", " ", template, flags=re.DOTALL)


@pytest.mark.browser
def test_chosen_colours_stay(live_server: LiveServer, page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(f"{live_server.url}{reverse('account_login')}")
    scheme = "getComputedStyle(document.documentElement).colorScheme"
    assert page.evaluate(scheme) == "light"
    page.get_by_role("radio", name="Dark").check()
    assert page.evaluate(scheme) == "dark"
    page.reload()
    assert page.evaluate(scheme) == "dark"
    expect(page.get_by_role("radio", name="Dark")).to_be_checked()
    page.get_by_role("radio", name="Automatic").check()
    assert page.evaluate(scheme) == "light"


@pytest.mark.browser
def test_account_menu_opens_and_closes_by_keyboard(live_server: LiveServer, page: Page) -> None:
    user = a_user()
    page.goto(f"{live_server.url}{reverse('account_login')}?next={reverse('account_email')}")
    page.get_by_label("E-mail").fill(user.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    menu = page.get_by_text("Your account:")
    page.locator("summary", has=menu).press("Enter")
    expect(page.get_by_role("link", name="Sign out")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Sign out")).to_be_hidden()
    expect(page.locator("summary", has=menu)).to_be_focused()


ID = re.compile(r"\{\{ *[a-z_.]*(?:\bpk|(?<!attrs)\.id|(?<!auto)_id) *\}\}")


def test_no_template_writes_an_id_as_a_number_for_readers() -> None:
    """The thousandth player's id is 1000 in an address or a field, not 1,000."""
    folders = [settings.BASE_DIR / "templates", *settings.BASE_DIR.glob("scoring/games/*/templates")]
    templates = [path for folder in folders for path in folder.rglob("*.html")]
    wrong = {path.name: found for path in templates if (found := ID.findall(path.read_text(encoding="utf-8")))}
    assert wrong == {}
