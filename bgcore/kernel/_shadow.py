"""What `import cython` would give, for the kernel's source when it runs as it is.

The build replaces the import of this module by `import cython`; nothing needs to be installed
to run the plain kernel. Types are aliases that only a type checker looks at.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

F = TypeVar("F", bound=Callable[..., object])

compiled = False

int = builtins.int
uint = builtins.int
uchar = builtins.int
ulonglong = builtins.int
Py_ssize_t = builtins.int
void: TypeAlias = None
p_uchar: TypeAlias = Any  # bytes, a bytearray or a list of counts: whatever can be indexed


def cfunc(function: F) -> F:
    """A function that only the kernel itself calls."""
    return function


def inline(function: F) -> F:
    """A function small enough to be copied into its callers."""
    return function


def exceptval(check: bool = True) -> Callable[[F], F]:
    """Whether callers have to look for an exception."""
    return lambda function: function


def declare(kind: object, value: builtins.int) -> builtins.int:
    """A constant with a type."""
    return value


def address(thing: Any) -> Any:
    """A pointer to a structure: the object itself."""
    return thing


class _Nogil:
    """Both the decorator `@cython.nogil` and the block `with cython.nogil`."""

    def __call__(self, function: F) -> F:
        return function

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        pass


nogil = _Nogil()
