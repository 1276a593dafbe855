"""What becomes of something in a file of matches that cannot be read: the error, or the next match."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from bgcore.errors import NotationError

OnError = Callable[[NotationError], None]
"""Is given what cannot be read. If it returns, the reader goes on with the next match of the text."""


def raised(error: NotationError) -> NoReturn:
    """Ends the reading, as readers do when nobody asks for more."""
    raise error
