"""Sums as text, in the notation of the documents."""

from collections.abc import Iterable


def first_term(number: int) -> str:
    """Return the first term of a sum: 25, −25."""
    return f"−{-number}" if number < 0 else str(number)


def sum_text(terms: Iterable[int]) -> str:
    """Return a sum without its zero terms: 25 + 19 − 10."""
    head, *rest = [term for term in terms if term] or [0]
    return first_term(head) + following_terms(rest)


def following_terms(terms: Iterable[int]) -> str:
    """Return the rest of a sum, each term with its sign: " + 30 − 200"; zero terms are left out."""
    return "".join(f" − {-term}" if term < 0 else f" + {term}" for term in terms if term)
