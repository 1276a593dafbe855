"""Notations as the server asks them: the engine's at once, those of plugins with a limit to their time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from bgcore import Registry
from bgcore.notation.brought import at_work
from bgcore.notation.formats import FALLBACK, FORMATS, MatchFormat, formats
from bgcore_server.workers import Waiter


@contextmanager
def asking(notation: str, caller: Waiter) -> Iterator[None]:
    """Around work of a notation; on a queue's thread, where it is a plugin's."""
    if notation in FORMATS:
        yield
        return
    with caller.asking(notation), at_work(notation):
        yield


def given_by(notation: str) -> AbstractContextManager[None]:
    """Around work with what a notation gave: what comes of a plugin's nonsense is its failure, `PluginFailed`."""
    return nullcontext() if notation in FORMATS else at_work(notation)


def guessed_match(text: str, registry: Registry, caller: Waiter) -> MatchFormat:
    """The format of a text that should hold matches, as `formats.guess_match` finds it.

    A notation that is still at work on an earlier text is passed over.
    """
    for form in formats(registry).values():
        if isinstance(form, MatchFormat) and form.id not in caller.late():
            with asking(form.id, caller):
                if form.suits(text):
                    return form
    return FALLBACK
