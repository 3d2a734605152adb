def collects(seats: int, winner: int, stake: int) -> tuple[int, ...]:
    """`winner` receives `stake` from each other seat, or pays it if it is negative."""
    points = [-stake] * seats
    points[winner] = stake * (seats - 1)
    return tuple(points)


def shared(shares: tuple[int, ...], stake: int) -> tuple[int, ...]:
    return tuple(share * stake for share in shares)
