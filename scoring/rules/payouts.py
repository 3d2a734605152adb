"""Payments between seats: functions that return the points of each seat."""


def collects(seats: int, winner: int, stake: int) -> tuple[int, ...]:
    """`winner` receives `stake` from each other seat, or pays it if it is negative."""
    points = [-stake] * seats
    points[winner] = stake * (seats - 1)
    return tuple(points)


def shared(shares: tuple[int, ...], stake: int) -> tuple[int, ...]:
    """If the shares add up to 0, so do the points."""
    return tuple(share * stake for share in shares)
