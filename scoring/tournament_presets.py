"""Formats of tournaments to begin with, from published regulations. Each game has its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class TournamentPreset(NamedTuple):
    """A format: `values` are fields of a tournament; those left out have the defaults of the model."""

    slug: str
    title: StrPromise
    values: Mapping[str, Any]
