"""What the doors of seasons, evenings and tables raise when their state doesn't allow it."""


class WrongState(ValueError):
    """The season or the evening is not in a state that allows this. Its text is a sentence for the reader."""
