def shared(shares: tuple[int, ...], stake: int) -> tuple[int, ...]:
    return tuple(share * stake for share in shares)
