"""What formats of match files call a game: it is said where the game is, in `Variant.file_names`.

A variant made from another has the other's names, unless it says otherwise. They mean the one that was
registered first.
"""

from __future__ import annotations

from bgcore.registry import Registry
from bgcore.variant import Variant


def variant_called(name: str, registry: Registry) -> Variant | None:
    """The variant that some format calls so; `None` where none does, and for an empty name.

    >>> from bgcore import load
    >>> [v and v.id for v in (variant_called(n, load()) for n in ("hypergammon3", "NackGammon", "no"))]
    ['hypergammon', 'nackgammon', None]
    """
    wanted = name.casefold()
    variants = (entry.variant for entry in registry)
    return next(
        (
            one
            for one in variants
            if wanted and wanted in map(str.casefold, one.file_names.values())
        ),
        None,
    )


def name_in(format: str, id: str, registry: Registry) -> str | None:
    """What a format calls a variant; `None` where it has no name for it.

    >>> from bgcore import load
    >>> [name_in("sgf", id, load()) for id in ("western", "hypergammon", "tavla")]
    ['', 'Hypergammon3', None]
    """
    name = registry.variant(id).file_names.get(format)
    same = (e.variant.id for e in registry if e.variant.file_names.get(format) == name)
    return name if name is not None and next(same) == registry.variant(id).id else None
