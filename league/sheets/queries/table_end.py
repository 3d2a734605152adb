"""Rules for the end of a table, as functions of numbers."""

from collections.abc import Sequence


def deals_needed(deals_per_seat: int, size: int, *, one_player_rests: bool) -> int:
    """Return the number of deals after which the table ends.

    If one player rests in each deal, each seat has then played at least `deals_per_seat` deals.
    """
    return -(-deals_per_seat * size // (size - 1)) if one_player_rests else deals_per_seat


def has_one_leader(points: Sequence[int], target: int, sides: Sequence[Sequence[int]] = ()) -> bool:
    """Return whether one side has at least `target` points and more than every other side.

    `sides` are the seats that win together; if it is empty, each seat is a side.
    """
    totals = [points[side[0]] for side in sides] if sides else list(points)
    top = max(totals, default=0)
    return top >= target and totals.count(top) == 1


def is_complete(
    end: str,
    number: int | None,
    *,
    one_player_rests: bool,
    deals: int,
    points: Sequence[int],
    sides: Sequence[Sequence[int]] = (),
    by_totals: bool,
    finished: bool,
    counted_deals: int | None = None,
) -> bool:
    """Return whether the table is complete.

    `end` and `number` are the season's settings: a table ends after a number of deals, at a number of points, or by
    hand. `points` are the seats' totals. `counted_deals` is the number of deals that count for the end (default: all).
    A sheet that was entered by its totals is complete. `finished`: the secretary has marked the table as complete,
    which is possible for every table with a deal.
    """
    if by_totals:
        return True
    if not deals:
        return False  # also if the secretary has marked the table as complete
    if finished:
        return True
    if end == "deals" and number is not None:
        needed = deals_needed(number, len(points), one_player_rests=one_player_rests)
        return (deals if counted_deals is None else counted_deals) >= needed
    if end == "target" and number is not None:
        return has_one_leader(points, number, sides)
    return False
