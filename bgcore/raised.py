"""What a variant's code raised, as whoever examines it tells it."""

from __future__ import annotations

from traceback import format_exception

from bgcore.crossing import told


class Raised(str):
    """What a variant's code raised, in a line; `trace` has all of it."""

    trace: str

    def __new__(cls, problem: BaseException) -> Raised:
        """The line of an exception."""
        line = super().__new__(cls, told(problem))
        line.trace = "".join(format_exception(problem)).rstrip()
        return line
