"""Import of random lists with random answers: each is imported whole, refused, or the user is asked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.actions.people import AnswersMissing as PersonAnswersMissing
from league.actions.people import import_people
from league.actions.result_import import AnswersMissing, import_results
from league.imports.queries.import_plan import ImportPlan, ListedSeat, TableOutcome, group_by_table
from league.imports.queries.listed_deals import ListedDeal, group_and_parse_deals
from league.imports.queries.listed_people import ANSWER_NEW, ANSWER_SKIP, ListedPerson, PersonOutcome
from league.models import Club, Membership, Season, Seat, Table
from tests.build import NOW, TODAY, a_club, a_player, a_season
from tests.examples import examples

pytestmark = pytest.mark.django_db

NAMES = ("Anne Roy", "Roy Anne", "Ánne ROY", "Ann Roy", "Bob Gros", "Bob Gros", "Bob Gris", "Cy Mince", "Dan Fort")
NUMBERS = ("", "", "", "7", "8", "a1", "A1")
names, numbers = st.sampled_from(NAMES), st.sampled_from(NUMBERS)


class ListCase(NamedTuple):
    """A club's members, the people of a list, and answers; a number in an answer is the index of a membership."""

    members: list[tuple[str, str]]
    people: list[tuple[str, str]]
    answers: dict[int, str | int]


lists = st.builds(
    ListCase,
    st.lists(st.tuples(names, numbers), max_size=5, unique_by=lambda each: each[1].casefold() or object()),
    st.lists(st.tuples(names, numbers), min_size=3, max_size=9),
    st.dictionaries(
        st.integers(1, 9),
        st.sampled_from([ANSWER_NEW, ANSWER_NEW, ANSWER_SKIP, "", "x"]) | st.integers(0, 4),
        max_size=9,
    ),
)
thorough = settings(
    max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def a_club_of(case: ListCase) -> tuple[Club, dict[int, str]]:
    club = a_club(founder=a_player("Founder", "Adam"))
    memberships = []
    for name, number in case.members:
        given_name, family = name.split()
        memberships.append(club.memberships.create(player=a_player(given_name, family), number=number))
    answers = {
        line: str(memberships[answer % len(memberships)].pk if memberships else 0)
        if isinstance(answer, int)
        else answer
        for line, answer in case.answers.items()
    }
    return club, answers


def person(line: int, name: str, number: str, place: int = 0) -> ListedPerson:
    given_name, family = name.split()
    return ListedPerson(line, given_name, family, number, position=place)


def check_import(season: Season, plan: ImportPlan) -> None:
    """Check that each imported table has all its seats with different members, and each refusal a reason."""
    assert not plan.with_outcome(TableOutcome.UNANSWERED)
    for table in plan.tables:
        if table.outcome is TableOutcome.NEW:
            seats = Seat.objects.filter(
                table__number=table.number, round__number=table.round, round__evening__season=season
            )
            stored = [seat.player_id for seat in seats.order_by("number")]
            assert len(set(stored)) == len(table.seats)
            assert Membership.objects.filter(club=season.club, player__in=stored).count() == len(stored)
        elif table.outcome is TableOutcome.WRONG:
            assert table.problem
    assert Table.objects.filter(round__evening__season=season).count() == len(plan.with_outcome(TableOutcome.NEW))


def check_questions(unanswered: AnswersMissing, answers: Mapping[int, str]) -> None:
    """Check that nothing was written, and that each question has similar members."""
    lines = [line for line in unanswered.plan.people.values() if line.outcome is PersonOutcome.UNANSWERED]
    assert lines
    assert all(line.similar for line in lines)
    assert not {ANSWER_NEW, ANSWER_SKIP} & {answers.get(line.person.answer_key) for line in lines}
    assert not Table.objects.exists()


@thorough
@given(lists)
def test_any_list_of_totals_is_imported_whole_refused_or_asked_about(case: ListCase) -> None:
    with transaction.atomic():
        club, answers = a_club_of(case)
        season = a_season(club, "two-way-street")
        lines = [
            ListedSeat(line, person(line, *row), TODAY, 1, 1 + (line - 1) // 3, 10 * line, deals=4)
            for line, row in enumerate(case.people, 1)
        ]
        try:
            check_import(season, import_results(season, lambda _season: group_by_table(lines), answers, now=NOW))
        except AnswersMissing as unanswered:
            check_questions(unanswered, answers)
        transaction.set_rollback(True)


@thorough
@given(lists)
def test_any_list_of_deals_is_imported_whole_refused_or_asked_about(case: ListCase) -> None:
    with transaction.atomic():
        club, answers = a_club_of(case)
        season = a_season(club)
        size = min(len(case.people), 5)
        texts = {"contract": "take", "taker": "1", "points": "43", "oudlers": "2"}
        deals = [
            ListedDeal(
                line,
                TODAY,
                number=line,
                people=tuple(person(line, *row, place) for place, row in enumerate(case.people[:size], 1)),
                points=(None,) * size,
                texts=texts,
            )
            for line in (1, 2)
        ]
        answers = {100 + place: answer for place, answer in answers.items()}
        try:
            check_import(season, import_results(season, partial(group_and_parse_deals, lines=deals), answers, now=NOW))
        except AnswersMissing as unanswered:
            check_questions(unanswered, answers)
        transaction.set_rollback(True)


@thorough
@given(lists)
def test_any_list_of_people_is_imported_whole_refused_or_asked_about(case: ListCase) -> None:
    with transaction.atomic():
        club, answers = a_club_of(case)
        people = [person(line, *row) for line, row in enumerate(case.people, 1)]
        try:
            lines = import_people(club, people, answers)
        except PersonAnswersMissing as unanswered:
            lines = unanswered.lines
        else:
            assert all(
                line.membership
                for line in lines
                if line.outcome in (PersonOutcome.NEW, PersonOutcome.UPDATED, PersonOutcome.SAME)
            )
            stored = {line.membership.pk for line in lines if line.membership}
            assert len(stored) == sum(line.membership is not None for line in lines)
            assert Membership.objects.filter(club=club, pk__in=stored).count() == len(stored)
        assert all(line.problem for line in lines if line.outcome is PersonOutcome.WRONG)
        assert all(line.similar for line in lines if line.outcome is PersonOutcome.UNANSWERED)
        transaction.set_rollback(True)
