"""SGF, the tree format: game trees of nodes with properties, whatever the game.

What properties mean is for others to say (`sgf_match` for backgammon). Of each tree the main line is kept:
where it branches, the first variation.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from bgcore.errors import Fault, NotationError
from bgcore.notation.unread import OnError, raised

BAD_SGF = "BAD_SGF"
DEEPEST = 1000
"""Variations inside variations that are read."""
LONGEST_GAME = 5_000
"""Nodes of a tree's main line that are read."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands, counted from 1."""

    line: int
    column: int

    def refuse(self, found: str, expected: str) -> NotationError:
        """The error of something that cannot be read here."""
        plain = " ".join(found.split())
        shown = plain if len(plain) <= 60 else plain[:60] + "…"
        where = f"line {self.line} column {self.column}"
        return NotationError(Fault(BAD_SGF, where, shown, expected, line=self.line))


@dataclass(frozen=True, slots=True)
class Property:
    r"""A property with its values, escapes undone and white space made blanks.

    >>> [[root]] = read_trees(r"(;EV[a \] b][c])")
    >>> root.first("EV").values
    ('a ] b', 'c')
    """

    name: str
    values: tuple[str, ...]
    place: Place

    @property
    def value(self) -> str:
        """The first value, the only one of most properties."""
        return self.values[0]

    def refuse(self, expected: str, value: str | None = None) -> NotationError:
        """The error of a value that cannot be read: the first one, or `value`."""
        found = self.value if value is None else value
        return self.place.refuse(f"{self.name}[{found}]", expected)


@dataclass(frozen=True, slots=True)
class Node:
    """A node: its properties in their order."""

    properties: tuple[Property, ...]
    place: Place

    def first(self, *names: str) -> Property | None:
        """The first property that has one of these names."""
        return next((one for one in self.properties if one.name in names), None)

    def text(self, name: str) -> str:
        """The first value of a property; empty when it is not there."""
        found = self.first(name)
        return found.value if found else ""


Tree = tuple[Node, ...]
"""The main line of a game tree, its root first."""


@dataclass(frozen=True, slots=True)
class Unread:
    """What cannot be read, and what was read of the tree that it stands in: nothing between trees."""

    error: NotationError
    tree: Tree


_START = re.compile(r"\(\s*+;")
_TOKEN = re.compile(
    r"""\s*+(?:
        (?P<mark>[();])
      | (?P<name>[A-Za-z]++)\s*+(?=\[)
      | \[(?P<value>[^\]\\]*+(?:\\.[^\]\\]*+)*+)\]
      | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_ROOT = re.compile(r"\(\s*+;\s*+(?:FF|GM|CA|AP|ST|MI|RU|PW|PB|RE|EV|DT)\s*+\[")
"""A tree's first node as it usually begins; the nodes of variations do not, so reading can go on there."""
_GAME = re.compile(r"\(\s*+;\s*+(?:FF|GM)\s*+\[")
"""A first node for sure."""
_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_BLANKS = re.compile(r"\r\n|\n\r|[\t\n\v\f\r]")
_SMALL = re.compile("[a-z]")
_LINE_END = re.compile(r"\r\n?|\n")
TREE = "a game tree such as (;FF[4]GM[6]…)"


def escaped(text: str) -> str:
    r"""A text as it stands in a value.

    >>> print(escaped("a ] \\ b"))
    a \] \\ b
    """
    return text.replace("\\", "\\\\").replace("]", "\\]")


def read_trees(text: str, on_error: OnError = raised) -> Iterator[Tree]:
    """The main lines of a file's game trees; what stands before the first is passed over.

    `NotationError` names line and column of what cannot be read, after the trees before it. With
    `on_error` it is given that, and the reading goes on with the next tree.

    >>> [[(node.text("C") or node.text("W")) for node in tree] for tree in read_trees(
    ...     "(;C[one];W[31](;W[42](;W[53])(;W[64]))(;W[11]))(;C[two])")]
    [['one', '31', '42', '53'], ['two']]
    """
    for found in trees_in(text):
        if isinstance(found, Unread):
            on_error(found.error)
        else:
            yield found


def trees_in(text: str) -> Iterator[Tree | Unread]:
    """The same, with what cannot be read in its place among the trees."""
    begin = _START.search(text)
    if begin is None:
        yield Unread(Place(1, 1).refuse(text[:100], TREE), ())
    places = _Places(text)
    while begin is not None:
        reader = _Reader(text, places)
        at = begin.start()
        try:
            for kind, found, at in _tokens(text, begin.start()):
                if tree := reader.take(kind, found, at):
                    yield tree
            return
        except NotationError as error:
            yield Unread(error, reader.rest())
        # Where a value has no end, no later one has: looking for it again and again would take long.
        begin = None if text.startswith("[", at) else _ROOT.search(text, at)


class _Places:
    """Line and column of each offset of a text."""

    def __init__(self, text: str) -> None:
        self.lines = [0, *(end.end() for end in _LINE_END.finditer(text))]

    def at(self, offset: int) -> Place:
        line = bisect_right(self.lines, offset)
        return Place(line, offset - self.lines[line - 1] + 1)


def _tokens(text: str, at: int) -> Iterator[tuple[str, str, int]]:
    """Kind, text and offset of each token; a mark's kind is itself, the last is `end` or `bad`."""
    while True:
        token = _TOKEN.match(text, at)
        if token is None:
            rest = text[at : at + 1000]
            found = rest.lstrip()
            yield "bad", found, at + len(rest) - len(found)
            return
        kind = token.lastgroup
        assert kind is not None  # each alternative holds a group
        yield token[kind] if kind == "mark" else kind, token[kind], token.start(kind)
        if kind == "end":
            return
        at = token.end()


@dataclass(slots=True)
class _Reader:
    """The main line so far of the tree that is open.

    `depth` counts open variations, `main` those that the main line has entered; `aside` is the depth at
    which another variation began, 0 while the reader is on the main line.
    """

    text: str
    places: _Places
    nodes: list[Node] = field(default_factory=list)
    begun: list[Property] | None = None  # the open node's properties
    node_at: int = 0
    name: tuple[str, int] | None = None
    values: list[str] = field(default_factory=list)
    depth: int = 0
    main: int = 0
    aside: int = 0

    def take(self, kind: str, found: str, at: int) -> Tree | None:
        """Takes a token; gives the tree that it closes."""
        if kind == "value":
            self._value(found, at)
            return None
        if kind == "bad":
            is_value = found.startswith("[")
            expected = "a value that ends with ]" if is_value else "( ; ) or a property like W[31]"
            raise self._refuse(at, found, expected)
        self._end_property()
        if kind == "name":
            self._name(found, at)
            return None
        self._end_node()
        if kind == ";":
            self._begin_node(at)
        elif kind == "(":
            self._open(at)
        elif kind == ")":
            return self._close(at)
        elif self.depth:
            raise self._refuse(at, "the end of the file", "a closing )")
        return None

    def _refuse(self, at: int, found: str, expected: str) -> NotationError:
        return self.places.at(at).refuse(found, expected)

    def rest(self) -> Tree:
        """What was read of the tree that is open."""
        if self.values:
            self._end_property()
        self._end_node()
        return tuple(self.nodes)

    def _open(self, at: int) -> None:
        if self.depth and _GAME.match(self.text, at):
            raise self._refuse(at, "(", "a closing ) before the next game")
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._refuse(at, "(", f"at most {DEEPEST} variations inside each other")
        if not self.aside and self.main >= self.depth:
            self.aside = self.depth  # the main line went another way here
        elif not self.aside:
            self.main = self.depth

    def _close(self, at: int) -> Tree | None:
        if not self.depth:
            raise self._refuse(at, ")", TREE)
        if self.aside == self.depth:
            self.aside = 0
        self.depth -= 1
        if self.depth:
            return None
        tree, self.nodes, self.main = tuple(self.nodes), [], 0
        if not tree:
            raise self._refuse(at, ")", "a node that begins with ;")
        return tree

    def _begin_node(self, at: int) -> None:
        if self.aside:
            return
        if not self.depth or self.main > self.depth:
            raise self._refuse(at, ";", TREE if not self.depth else "( or )")
        if len(self.nodes) >= LONGEST_GAME:
            raise self._refuse(at, ";", f"at most {LONGEST_GAME} nodes a game")
        self.begun, self.node_at = [], at

    def _name(self, found: str, at: int) -> None:
        if not self.aside and self.begun is None:
            raise self._refuse(at, found, "a node that begins with ;")
        # Small letters are decoration: an old file may say GaMe for GM.
        self.name = (_SMALL.sub("", found) or found.upper(), at)

    def _value(self, found: str, at: int) -> None:
        if self.name is None:
            raise self._refuse(at - 1, f"[{found}]", "the name of a property before it")
        if not self.aside:
            self.values.append(_plain(found))

    def _end_property(self) -> None:
        if self.name and self.begun is not None:
            name, at = self.name
            self.begun.append(Property(name, tuple(self.values), self.places.at(at)))
        self.name, self.values = None, []

    def _end_node(self) -> None:
        if self.begun is not None:
            self.nodes.append(Node(tuple(self.begun), self.places.at(self.node_at)))
        self.begun = None


def _plain(value: str) -> str:
    """What a value says, its escapes undone and other white space made blanks."""
    if "\\" in value:
        value = _ESCAPE.sub(_unescaped, value)
    return _BLANKS.sub(" ", value)


def _unescaped(found: re.Match[str]) -> str:
    """An escaped line end is none; any other character stands for itself."""
    return "" if found[1][0] in "\r\n" else found[1]
