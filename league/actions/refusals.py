"""What an action raises when it can't be done now. The text of each is a sentence for the reader."""


class WrongState(ValueError):
    """The season, evening, round or table is not in a state that allows this."""


class StaleVersion(Exception):
    """Somebody else changed it meanwhile."""
