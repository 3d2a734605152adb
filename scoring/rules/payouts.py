def payout(shares: tuple[int, ...], stake: int) -> tuple[int, ...]:
    """Return the points of each seat. A share is the number of stakes that the seat wins; negative: that it pays."""
    return tuple(share * stake for share in shares)
