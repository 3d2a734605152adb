"""Names that may be one person's."""

import pytest

from players.similar_names import similar


@pytest.mark.parametrize(
    ("typed", "known"),
    [
        ("lea martin", "lea martin"),
        ("martin lea", "lea martin"),  # the order of the words says nothing
        ("jean pierre roy", "jean-pierre roy"),
        ("chloe martin", "cloe martin"),  # a letter less
        ("mathieu durand", "matthieu durand"),  # a letter more
        ("sophie bernard", "sofie bernard"),
    ],
)
def test_one_person_is_found(typed: str, known: str) -> None:
    assert similar(typed, [known, "zoe petit"]) == [known]


@pytest.mark.parametrize(
    ("typed", "known"), [("lea martin", "leo marchand"), ("anne roy", "anna ray"), ("paul", "pauline martin")]
)
def test_another_person_is_not(typed: str, known: str) -> None:
    assert similar(typed, [known]) == []


def test_closest_comes_first() -> None:
    assert similar("chloe martin", ["cloe martin", "chloe martin"]) == ["chloe martin", "cloe martin"]
