"""How a stake moves between seats. Every function answers one tuple, one number a seat."""


def collects(seats: int, winner: int, stake: int) -> tuple[int, ...]:
    """Return what moves when `winner` receives `stake` from each of the others; a negative stake is paid to each."""
    points = [-stake] * seats
    points[winner] = stake * (seats - 1)
    return tuple(points)


def shared(shares: tuple[int, ...], stake: int) -> tuple[int, ...]:
    """Return each seat's share of one stake; shares that add up to 0 make a line that adds up to 0."""
    return tuple(share * stake for share in shares)
