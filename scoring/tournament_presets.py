"""Usual formats of tournaments, from published regulations, as a start for a new tournament. Each game has its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class TournamentPreset(NamedTuple):
    """A usual format of a tournament. `values` are fields of the model Tournament; missing fields have the model's
    defaults.
    """

    slug: str
    title: StrPromise
    values: Mapping[str, Any]
