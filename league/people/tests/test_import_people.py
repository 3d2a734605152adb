"""Importing a list of people: what becomes of each line is seen first, and the same list twice changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from league.actions import merging, people
from league.actions.erasure import erase
from league.imports.queries.list_file import UnreadableList
from league.imports.queries.listed_people import ListedPerson, PersonOutcome, PlannedPerson, compare_people
from league.imports.queries.member_list import read_people, unknown_columns
from league.models import AuditEntry, Club, Membership, Merge
from league.models.audit_entry import AuditEvent
from league.models.rights import Role
from tests.build import NOW, a_club, a_member, a_player, confirm_address
from tests.markup import unbroken
from tests.page_forms import sent_by
from tests.readers import signed_in

LIST = "Licence;Nom;Prénom;Courriel;Téléphone\n12;Noël;Élodie;elodie@club.example;06 12 34 56 78\n13;Roy;Anne;;\n"


@pytest.fixture
def club(db: None) -> Club:
    return a_club(founder=a_player("Founder", "Adam"), name="Tarot du mardi")


def outcomes(lines: Iterable[PlannedPerson]) -> list[PersonOutcome]:
    return [line.outcome for line in lines]


def the(club: Club, number: str) -> Membership:
    return club.memberships.select_related("player").get(number=number)


def address(club: Club) -> str:
    return reverse("league:members-bring-in", args=[club.slug])


@pytest.mark.parametrize("separator", ["\t", ";", ","])
def test_list_is_read_whatever_separates_its_cells(separator: str) -> None:
    first, second = read_people(LIST.replace(";", separator))
    assert first == ListedPerson(2, "Élodie", "Noël", "12", "elodie@club.example", "06 12 34 56 78")
    assert second == ListedPerson(3, "Anne", "Roy", "13")


@pytest.mark.parametrize("extension", ["csv", "xlsx"])
@pytest.mark.parametrize("language", ["en-gb", "fr"])
def test_file_of_members_comes_in_again_as_it_is(client: Client, club: Club, language: str, extension: str) -> None:
    people = [
        ("Élodie", "de La Tour", "007", "elodie@club.example", "06 12 34 56 78"),
        ("=Anne; 'Nan'", 'Roy "R", fils', "+12", "", "+33 6 12 34 56 79"),
        ("'t", "Hooft", "-1", "", ""),
        ("Zoé", "", "", "", ""),
    ]
    for given_name, family, number, email, phone in people:
        player = a_player(given_name, family)
        club.memberships.create(player=player, number=number, email=email, phone=phone)
    admin = signed_in(client, a_member(club, Role.ADMIN))
    file = admin.post(reverse(f"league:members-{extension}", args=[club.slug]), headers={"accept-language": language})
    assert file.headers["Cache-Control"] == "private, no-store"
    before = list(Membership.objects.order_by("pk").values())
    upload = SimpleUploadedFile(f"members.{extension}", file.content)
    page = admin.post(address(club), {"file": upload})
    assert page.status_code == 200
    assert {line.outcome for line in page.context["lines"]} == {PersonOutcome.SAME}
    assert len(page.context["lines"]) == len(before)
    assert page.context["form"].unknown_columns == []
    upload = SimpleUploadedFile(f"members.{extension}", file.content)
    admin.post(address(club), {"file": upload, "store": "1"})
    assert list(Membership.objects.order_by("pk").values()) == before


def test_file_has_whom_the_page_shows_and_is_audited(client: Client, club: Club) -> None:
    for name in ("Anne", "Bob"):
        club.memberships.create(player=a_player(name, "Roy"))
    secretary = a_member(club, Role.SECRETARY)
    reader = signed_in(client, secretary)
    page = reader.get(reverse("league:members", args=[club.slug]), {"q": "anne"}).content.decode()
    assert f'action="{reverse("league:members-csv", args=[club.slug])}?q=anne"' in page
    file = reader.post(reverse("league:members-csv", args=[club.slug]) + "?q=anne").content.decode("utf-8-sig")
    assert ("Anne" in file, "Bob" in file) == (True, False)
    act = AuditEntry.objects.get(event=AuditEvent.EXPORTED, club=club)
    assert (act.user, act.params) == (secretary.user, {"what": "members"})
    member = signed_in(Client(), a_member(club, Role.MEMBER))
    assert "members.csv" not in member.get(reverse("league:members", args=[club.slug])).content.decode()


def test_name_in_one_column_begins_with_the_given_name() -> None:
    assert read_people("Name\nAnne Marie Roy\n") == [ListedPerson(2, "Anne", "Marie Roy")]


def test_lines_of_one_cell_are_names_without_a_line_that_says_so() -> None:
    listed_people = read_people("Anne Roy\n\nÉlodie de La Tour\n")
    assert listed_people == [ListedPerson(1, "Anne", "Roy"), ListedPerson(3, "Élodie", "de La Tour")]
    with pytest.raises(UnreadableList, match="must name the columns"):
        read_people("Licence\n12\n")


def test_line_that_names_the_columns_may_stand_below_titles() -> None:
    listed_people = read_people("Tarot du mardi, saison 2026\n\nNom\tPrénom\tN° licence\tÂge\nRoy\tAnne\t7\t50\n")
    assert listed_people == [ListedPerson(4, "Anne", "Roy", "7")]


@pytest.mark.parametrize(
    "head", ["N° licence", "N° de licence", "Numéro d'adhérent", "Matricule", "Licence number", "NO LICENCE"]
)
def test_numbers_column_is_known_by_what_clubs_call_it(head: str) -> None:
    assert read_people(f"Name;{head}\nAnne Roy;7\n") == [ListedPerson(2, "Anne", "Roy", "7")]


@pytest.mark.parametrize(
    "head",
    [
        "Prénoms;NOM;N° licence FFT;Tél. portable;Adresse e-mail",
        "Prénom usuel;Nom d’usage;Numéro de licence (FFB);Téléphone mobile;E-mail perso",
        "First names;Last name;Membership no.;Mobile phone;Member’s e-mail",
        "First name;Name;Licence n°;Mobile number;E-mails",
    ],
)
def test_longer_titles_and_plurals_are_known(head: str) -> None:
    [person] = read_people(f"{head}\nAnne;Roy;7;06 12 34 56 78;anne@club.example\n")
    assert person == ListedPerson(2, "Anne", "Roy", "7", "anne@club.example", "06 12 34 56 78")
    assert unknown_columns(f"{head}\nAnne;Roy;7;;\n") == []


def test_titles_that_only_look_alike_are_not_read() -> None:
    head = "Prénom;Nom;Nom de jeune fille;Licence payée;Date de licence;N° de rue;Mail du conjoint;Club name"
    text = f"{head}\nAnne;Roy;Petit;oui;2026;12;paul@club.example;Les Atouts\n"
    assert read_people(text) == [ListedPerson(2, "Anne", "Roy")]
    assert unknown_columns(text) == head.split(";")[2:]


def test_mobile_telephone_is_taken_before_another() -> None:
    text = "Prénom;Nom;Téléphone;Portable\nAnne;Roy;01 12 34 56 78;06 12 34 56 78\n"
    assert [person.phone for person in read_people(text)] == ["06 12 34 56 78"]
    assert unknown_columns(text) == ["Téléphone"]


def test_title_above_the_list_is_no_column_though_it_begins_like_one() -> None:
    assert read_people("Noms et adresses 2026;\nPrénom;Nom\nAnne;Roy\n") == [ListedPerson(3, "Anne", "Roy")]


def test_family_names_alone_are_refused_beside_titles_that_were_not_understood() -> None:
    with pytest.raises(UnreadableList) as refused:
        read_people("NOM;Petit nom;Âge\nDURAND;Paul;50\nLE GALL;Anne;40\nKELLER;Bruno;30\n")
    assert "“NOM”" in str(refused.value.message)
    assert "Petit nom, Âge" in str(refused.value.message)
    assert read_people("NOM;Âge\nAnne Roy;50\n") == [ListedPerson(2, "Anne", "Roy")]


def test_french_name_column_alone_has_both_names() -> None:
    assert read_people("Nom;Licence\nAnne Roy;7\n") == [ListedPerson(2, "Anne", "Roy", "7")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("Prénom;Nom\n", "no line below"),
        ("Anne;Roy\n", "must name the columns"),
        ("Prénom;Nom;Nom\nAnne;Roy;Roy\n", "called alike"),
        ('Name\n"Anne\n', "no list of cells"),
        ("Name\n" + "Anne\n" * 2_000, "2001 lines|2000 lines|at most"),
    ],
)
def test_text_that_is_no_list_is_refused(text: str, words: str) -> None:
    with pytest.raises(UnreadableList, match=words):
        read_people(text)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (";Roy;1;;", "name is missing"),
        ("Anne;Roy;1;anne at home;", "no e-mail address"),
        ("Anne;Roy;1;;call me", "no telephone number"),
        (f"Anne;Roy;{'1' * 21};;", "longer than 20 characters"),
    ],
)
def test_wrong_line_says_why(line: str, words: str) -> None:
    [person] = read_people(f"Given name;Family name;No;E-mail;Phone\n{line}\n")
    assert words in str(person.problem)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        listed_people = read_people(text)
    except UnreadableList:
        return
    assert all(person.problem or person.given_name for person in listed_people)


def test_columns_that_are_not_read_are_named(client: Client, club: Club) -> None:
    signed_in(client, a_member(club, Role.ADMIN))
    page = client.post(address(club), {"text": "Nom;Âge;Prénom;Remarque\nRoy;50;Anne;\n"}).text
    assert "Columns that are not read: Âge, Remarque." in page
    assert "Columns that are not read" not in client.post(address(club), {"text": "Anne Roy\n"}).text


def test_number_that_a_member_lacks_is_asked_about_where_two_letters_are_swapped(club: Club) -> None:
    club.memberships.create(player=a_player("Chloé", "Bernard"), role=Role.MEMBER)
    [line] = compare_people(club, read_people("Name;Number\nChloe Bernrad;102\n"), {})
    assert line.outcome == PersonOutcome.UNANSWERED
    assert [str(player.player) for player in line.similar] == ["Chloé Bernard"]


def test_same_list_twice_changes_nothing(club: Club) -> None:
    listed_people = read_people(LIST)
    assert outcomes(people.import_people(club, listed_people, {})) == [PersonOutcome.NEW, PersonOutcome.NEW]
    before = list(Membership.objects.order_by("pk").values())
    assert outcomes(people.import_people(club, listed_people, {})) == [PersonOutcome.SAME, PersonOutcome.SAME]
    assert list(Membership.objects.order_by("pk").values()) == before
    noel = the(club, "12")
    assert (str(noel.player), noel.role, noel.phone) == ("Élodie Noël", Role.MEMBER, "06 12 34 56 78")


def test_person_is_found_again_by_the_number_or_by_the_name(club: Club) -> None:
    people.import_people(club, read_people(LIST), {})
    second_list = read_people("Number;Name;E-mail\n12;Elodie Noel;new@club.example\n;Roy Anne;anne@club.example\n")
    lines = people.import_people(club, second_list, {})
    assert [(line.outcome, line.changes) for line in lines] == [(PersonOutcome.UPDATED, ("email",))] * 2
    assert (the(club, "12").email, the(club, "13").email) == ("new@club.example", "anne@club.example")
    assert the(club, "12").phone == "06 12 34 56 78"  # an empty cell takes nothing away


def test_changes_of_a_line_are_apart(client: Client, club: Club) -> None:
    people.import_people(club, read_people(LIST), {})
    admin = signed_in(client, a_member(club, Role.ADMIN))
    page = admin.post(address(club), {"text": "Name;E-mail;Tel\nAnne Roy;anne@club.example;06 1\n"}).content.decode()
    assert "Anne Roy: e-mail – → anne@club.example, telephone – → 06 1" in " ".join(page.split())


def test_who_is_as_before_is_folded_away(client: Client, club: Club) -> None:
    people.import_people(club, read_people(LIST), {})
    admin = signed_in(client, a_member(club, Role.ADMIN))
    page = unbroken(admin.post(address(club), {"text": LIST + "14;Fin;Zoé;;\n"}))
    assert page.index("Zoé Fin") < page.index("Élodie Noël · Anne Roy")
    assert page.count("Line ") == 1


def test_similar_name_is_asked_about(club: Club) -> None:
    roy = a_player("Anne", "Roy")
    membership = club.memberships.create(player=roy)
    listed_people = read_people("Name;Number\nAnna Roy;7\n")
    with pytest.raises(people.AnswersMissing):
        people.import_people(club, listed_people, {})
    assert outcomes(compare_people(club, listed_people, {2: "skip"})) == [PersonOutcome.SKIPPED]
    assert outcomes(compare_people(club, listed_people, {2: "new"})) == [PersonOutcome.NEW]
    assert outcomes(compare_people(club, listed_people, {2: "999"})) == [PersonOutcome.UNANSWERED]
    people.import_people(club, listed_people, {2: str(membership.pk)})
    assert the(club, "7").player == roy


def test_members_of_another_club_are_nobody_here(club: Club) -> None:
    other_club = a_club(founder=a_player("Anne", "Roy"))
    other_club.memberships.update(number="13")
    foreign = other_club.memberships.get().pk
    listed_people = read_people("Name;Number\nAnne Roy;13\n")
    assert outcomes(people.import_people(club, listed_people, {2: str(foreign)})) == [PersonOutcome.NEW]
    assert the(club, "13").player != other_club.memberships.get().player


def test_line_that_takes_somebody_elses_number_or_comes_twice_is_left_out(club: Club) -> None:
    people.import_people(club, read_people(LIST), {})
    listed_people = read_people(
        "Name;Number\nZoé Petit;12\nAnne Roy;13\nAnne Roy;\nBob Gros;20\nCy Mince;20\nDan Fort;\nDan Fort;\n"
    )
    lines = people.import_people(club, listed_people, {})
    wrong, new, same = PersonOutcome.WRONG, PersonOutcome.NEW, PersonOutcome.SAME
    assert outcomes(lines) == [wrong, same, wrong, new, wrong, new, wrong]
    assert "Élodie Noël" in str(lines[0].problem)
    assert "Line 3" in str(lines[2].problem)
    assert club.memberships.count() == 5


def test_lines_are_shown_before_anything_is_written(client: Client, club: Club) -> None:
    club.memberships.create(player=a_player("Anna", "Roy"))
    admin = signed_in(client, a_member(club, Role.ADMIN))
    before = Membership.objects.count()

    page = admin.post(address(club), {"text": LIST}).content.decode()
    assert "Who is Anne Roy?" in page
    assert "elodie@club.example" in page
    page = admin.post(address(club), {"text": LIST, "store": "1"}).content.decode()
    assert "some lines ask who is meant" in page
    assert Membership.objects.count() == before

    page = admin.post(address(club), {"text": LIST, "line-3": "new"}).content.decode()
    assert 'value="new" checked' in page  # the answer is kept until the list is imported
    admin.post(address(club), {"text": LIST, "line-3": "new", "store": "1"})
    assert Membership.objects.count() == before + 2


def test_unreadable_list_keeps_what_was_typed(client: Client, club: Club) -> None:
    answer = signed_in(client, a_member(club, Role.ADMIN)).post(address(club), {"text": "Anne;Roy <b>"})
    assert answer.status_code == 422
    assert "must name the columns" in answer.content.decode()
    assert "Anne;Roy &lt;b&gt;" in answer.content.decode()


def test_secretary_sees_addresses_and_members_do_not(client: Client, club: Club) -> None:
    people.import_people(club, read_people(LIST), {})
    members = reverse("league:members", args=[club.slug])
    for role, sees in ((Role.MEMBER, False), (Role.TREASURER, False), (Role.SECRETARY, True), (Role.ADMIN, True)):
        page = signed_in(client, a_member(club, role)).get(members).content.decode()
        assert ("elodie@club.example" in page, "06 12 34 56 78" in page) == (sees, sees), role


def edit(membership: Membership) -> str:
    return reverse("league:member-edit", args=[membership.club.slug, membership.pk])


def details(**given: Any) -> dict[str, Any]:
    return {"given_name": "Anne", "family_name": "Roy", "number": "", "email": "", "phone": "", **given}


def test_admin_corrects_a_name_and_what_the_club_knows(client: Client, club: Club) -> None:
    membership = club.memberships.create(player=a_player("Ane", "Roi"))
    admin = signed_in(client, a_member(club, Role.ADMIN))
    admin.post(edit(membership), details(number="9", email="anne@club.example", phone="+33 6 12"))
    membership = the(club, "9")
    assert (str(membership.player), membership.player.sort_key) == ("Anne Roy", "roy anne anne roy")
    assert (membership.email, membership.phone) == ("anne@club.example", "+33 6 12")


def test_name_of_somebody_in_another_club_stays(client: Client, club: Club) -> None:
    membership = club.memberships.create(player=a_player("Ane", "Roi"))
    a_club().memberships.create(player=membership.player)
    signed_in(client, a_member(club, Role.ADMIN)).post(edit(membership), details(number="9"))
    assert str(the(club, "9").player) == "Ane Roi"


def test_details_that_cannot_be_are_refused_on_their_field(client: Client, club: Club) -> None:
    people.import_people(club, read_people(LIST), {})
    wrong = details(given_name="", number="12", email="at home", phone="call me")
    answer = signed_in(client, a_member(club, Role.ADMIN)).post(edit(the(club, "13")), wrong)
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"given_name", "number", "email", "phone"}
    assert "Élodie Noël" in answer.context["form"].errors["number"][0]
    assert the(club, "13").email == ""


def test_invitation_is_sent_to_the_address_that_the_club_has(
    client: Client, club: Club, mailoutbox: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    people.import_people(club, read_people(LIST), {})
    admin = signed_in(client, confirm_address(a_member(club, Role.ADMIN)))
    for number, sent in (("12", 1), ("13", 0)):
        mailoutbox.clear()
        with django_capture_on_commit_callbacks(execute=True):
            admin.post(reverse("league:member-send", args=[club.slug, the(club, number).pk]))
        assert len(mailoutbox) == sent
        if sent:
            [letter] = mailoutbox
            assert letter.to == ["elodie@club.example"]
            assert "/join/" in letter.body


def test_two_records_joined_keep_number_and_addresses(club: Club) -> None:
    target = club.memberships.create(player=a_player("Anne", "Roy"), email="anne@club.example")
    gone = club.memberships.create(player=a_player("Anna", "Roy"), number="9", email="old@club.example")
    merge = merging.merge(target.player_id, gone.player_id, by=None, now=NOW)
    assert (the(club, "9").player_id, the(club, "9").email) == (target.player_id, "anne@club.example")
    merging.undo(merge.pk, now=NOW)
    assert the(club, "9").player_id == gone.player_id
    assert club.memberships.get(player=target.player_id).number == ""


def test_who_is_forgotten_leaves_no_address_in_a_merge(club: Club) -> None:
    target = club.memberships.create(player=a_player("Anne", "Roy"), email="anne@club.example")
    gone = club.memberships.create(player=a_player("Anna", "Roy"), number="9", phone="06 12 34")
    merging.merge(target.player_id, gone.player_id, by=None, now=NOW)
    erase(target.player_id)
    stored_text = str(Merge.objects.get().was)
    assert "anne@club.example" not in stored_text
    assert "06 12 34" not in stored_text


def test_details_saved_from_two_pages_keep_what_each_changed(client: Client, club: Club) -> None:
    membership = club.memberships.create(player=a_player("Anne", "Roy"))
    admin = signed_in(client, a_member(club, Role.ADMIN))
    first, second = client.get(edit(membership)), client.get(edit(membership))
    admin.post(edit(membership), sent_by(first, number="9", email="anne@club.example"))
    admin.post(edit(membership), sent_by(second, phone="06 12 34 56 78"))
    assert the(club, "9").email == "anne@club.example"
    assert the(club, "9").phone == "06 12 34 56 78"
    refused = admin.post(edit(membership), sent_by(second, number="10"))
    assert refused.context["form"].errors.keys() == {"number"}
    assert "Now stands: 9." in refused.content.decode()


@pytest.mark.parametrize("row", ["Sean;O’Connor", "Sean;O CONNOR", "Jean Pierre;Roy", "jean‑pierre;roy"])
def test_hyphens_and_apostrophes_of_a_list_do_not_make_another_person(club: Club, row: str) -> None:
    for name in (("Sean", "O'Connor"), ("Jean-Pierre", "Roy")):
        club.memberships.create(player=a_player(*name))
    [line] = compare_people(club, read_people(f"Given name;Family name\n{row}"), {})
    assert line.outcome is PersonOutcome.SAME
