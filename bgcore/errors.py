"""Every error that bgcore raises on purpose, as a tree.

An error carries `Fault`s: one for each thing that is wrong, each with a stable reason, the value that
was found and what was expected instead. What reads them (the wire, the command line) needs no table.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong.

    `field` names where (`mover.points[27]`), `value` what stood there, `expected` what may stand there.
    `rule` is the sentence of the rule book behind it, `step` the step of a play it is about (from 0),
    `line` the line of a text (from 1).

    >>> print(Fault("POINT_UNKNOWN", "point", "27", "1 to 24"))
    point 27: expected 1 to 24
    """

    reason: str
    field: str = ""
    value: str = ""
    expected: str = ""
    message: str = ""
    rule: str = ""
    step: int | None = None
    line: int | None = None

    def __str__(self) -> str:
        if self.message:
            return self.message
        return f"{self.field} {self.value}".strip() + f": expected {self.expected}"


class BgcoreError(Exception):
    """What every error here is. `reason` is the first fault's, and stable.

    >>> BgcoreError(Fault("A", message="first"), Fault("B", message="second")).reason
    'A'
    """

    def __init__(self, *faults: Fault) -> None:
        if not faults:
            raise ValueError("an error needs at least one fault")
        self.faults = faults
        super().__init__("; ".join(str(fault) for fault in faults))

    @property
    def reason(self) -> str:
        """The stable name of what went wrong first."""
        return self.faults[0].reason


class IllegalPosition(BgcoreError):
    """A setup that the variant does not allow; every fault is listed."""


class IllegalAction(BgcoreError):
    """Not now, not by this player, or against a rule."""


class OptionError(BgcoreError):
    """Options that do not exist, are out of range or do not go together; every fault is listed."""


class SpecError(BgcoreError):
    """House rules that say what cannot be played; every fault is listed."""


class NotationError(BgcoreError):
    """A text that cannot be read, and where."""


class PluginError(BgcoreError):
    """A plugin that cannot be used, and whose it is."""


class PluginFailed(BgcoreError):
    """The code of a plugin raised, or returned what it must not, while it was used."""


class NotRegistered(BgcoreError):
    """A variant, preset or bot that nobody registered."""


LONGEST_SHOWN = 100


def shown(value: object) -> str:
    """A value as an error shows it: its text, cut where it is long; the words of switches are those of options.

    >>> shown("a" * 1000)[-4:], shown(10**5000)
    ('aaa…', 'a number of 16610 bits')
    >>> shown(True)
    'true'
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > 1000:
        return f"a number of {value.bit_length()} bits"
    try:
        text = readable(str(value))
    except ValueError:  # a huge number somewhere inside
        text = f"a {type(value).__name__} that is too large to show"
    except BaseException:  # of a plugin's, whose own code fails even at this
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def quoted(value: object) -> str:
    """A value of the wrong kind as an error shows it: a text in quotes, but for the words of enumerations.

    >>> quoted("3"), quoted(3)
    ('"3"', '3')
    """
    return f'"{shown(value)}"' if type(value) is str else shown(value)


LONGEST_SAID = 500
"""Characters of what an exception of somebody else's says."""


def said(problem: BaseException) -> str:
    r"""An exception in a line that can be shown and sent, whatever its own code does.

    >>> said(KeyError("x")), said(ValueError(chr(0xD800)))
    ("KeyError: 'x'", 'ValueError: \\ud800')
    """
    try:
        text = readable(str(problem))
    except BaseException:  # it may even want to end the process
        text = "what cannot be shown"
    text = text if len(text) <= LONGEST_SAID else text[: LONGEST_SAID - 1] + "…"
    return f"{type(problem).__name__}: {text}"


def readable(text: str) -> str:
    """A text that any stream takes: halves of characters are written out."""
    return text.encode("utf-8", "backslashreplace").decode()


def illegal(
    reason: str, field: str, value: object, why: str, expected: str, rule: str = ""
) -> IllegalAction:
    """The error of an action that is refused, its sentence made of what was wrong and expected.

    >>> print(illegal("ALREADY_ROLLED", "action", "double", "the dice are thrown", "a play", "M2"))
    double: the dice are thrown, expected a play
    """
    sentence = f"{shown(value)}: {why}, expected {expected}"
    return IllegalAction(Fault(reason, field, shown(value), expected, sentence, rule))
