"""Values and numbers of the cards of tarot, for rules, forms and simulation.

Card points are counted in half points (182 in all), so that every sum is an integer. Comments cite the source documents
by their numbers: "001, 3" is section 3 of document 001.
"""

from collections.abc import Mapping

# 001, 1: the half points of an oudler. The 3 oudlers are the 21, the Excuse and the Small.
OUDLER_HALF_POINTS = 9
HALF_POINTS_OF_CARDS: Mapping[str, int] = {"oudlers": 9, "kings": 9, "queens": 7, "knights": 5, "jacks": 3, "others": 1}
ALL_HALF_POINTS = 182  # 001, 3: 91 points in a deal
HALF_POINTS_BY_POINTS: Mapping[float, int] = {
    number / 2: number for number in range(ALL_HALF_POINTS + 1)
}  # 49, 49.0 or 49.5 → half points

CHARACTERS = ("kings", "queens", "knights", "jacks")  # the highest first; they break ties between piles

# 001, 3: points that the taker's side (000: or a pile) needs, by the number of its oudlers.
POINTS_NEEDED = (56, 51, 41, 36)

# 000, dealings: by number of seats, the possible (cards of each hand, cards of the dog).
HAND_AND_DOG_SIZES: Mapping[int, tuple[tuple[int, int], ...]] = {
    3: ((24, 6),),
    4: ((18, 6),),
    5: ((15, 3), (14, 8)),
    6: ((12, 6),),
}

# 001, 2.2: points of a handful by its size; RULES.md, T2.4: trumps that it needs, by number of seats and size.
HANDFUL_POINTS: Mapping[str, int] = {"simple": 20, "double": 30, "triple": 40}
TRUMPS_OF_HANDFUL: Mapping[int, Mapping[str, int]] = {
    3: {"simple": 13, "double": 15, "triple": 18},
    4: {"simple": 10, "double": 13, "triple": 15},
    5: {"simple": 8, "double": 10, "triple": 13},
    6: {"simple": 6, "double": 8, "triple": 10},
}
TRUMPS = 22  # 21 trumps and the Excuse, which counts as a trump in a handful
