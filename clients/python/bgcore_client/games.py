"""Games from plain values: house rules, and rotations, whose matches change their game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias, TypedDict

from bgcore_client import messages
from bgcore_client.given import by_point, made, refused
from bgcore_client.values import (
    Option,
    VariantLike,
    named,
    option_values,
    variant_ref,
    with_options,
)

RotationLike: TypeAlias = str | messages.RotationRef
"""The id of a rotation of the server, meant as it is, or what `rotation()` gives."""


def house(
    parent: str,
    *,
    id: str = "",
    title: str = "",
    summary: str = "",
    start: Mapping[int, int] | None = None,
    options: Iterable[str] | None = None,
    bundles: Mapping[str, Mapping[str, Option]] | None = None,
    **axes: Option,
) -> messages.VariantSpec:
    """House rules: a variant of the server, and what is another on its axes.

    `start` has each side's checkers by own point; `options` names what a table may still choose, without it
    what the parent lets choose; a bundle is values of options that are chosen together, as a preset is.

    >>> from bgcore_client import variant
    >>> rules = house("western", title="Kitchen table", bear_off="exact", start={24: 2, 13: 8, 6: 5})
    >>> rules.axes["bear_off"].text, rules.start.points[13]
    ('exact', 8)
    >>> variant(rules, match_length=5).spec.title
    'Kitchen table'
    """
    if not isinstance(parent, str):
        raise refused("parent", parent, "the id of a variant")
    if bundles is not None and not isinstance(bundles, Mapping):
        raise refused(
            "bundles", bundles, "options by a name, such as {'quick': {'match_length': 1}}"
        )
    return made(
        messages.VariantSpec,
        base=parent,
        id=id,
        title=title,
        summary=summary,
        axes=option_values(axes, one="axis"),
        start=None if start is None else made(messages.SpecStart, points=by_point("start", start)),
        options=None if options is None else _offered(options),
        bundles={
            name: messages.SpecBundle(
                options=option_values(values, f"bundle {name}", f"bundle {name}:")
            )
            for name, values in (bundles or {}).items()
        },
    )


def _offered(options: Iterable[str]) -> messages.SpecOptions:
    names = "names of options, such as ['opening_roll']"
    try:
        if not isinstance(options, str | Mapping):
            return messages.SpecOptions(names=options)
    except (TypeError, ValueError):
        pass
    raise refused("options", options, names)


def rotation(
    *games: VariantLike,
    draw_policy: messages.DrawPolicy | str = messages.DRAW_POLICY_UNSPECIFIED,
    start_index: int | None = None,
    **options: Option,
) -> messages.RotationRef:
    """Games that follow one another in a match: a rotation of the server by its id, or two games and more.

    `draw_policy` says what follows a drawn game, "replay" or "advance"; `start_index` which game is the first,
    from 0. The options are those of match and table, which hold for every game.

    >>> from bgcore_client import variant
    >>> rotation("tavli", match_length=7).id
    'tavli'
    >>> mine = rotation("portes", variant("plakoto", mother_rule=True), house("fevga", checkers=12))
    >>> [game.WhichOneof("kind") for game in mine.games]
    ['id', 'id', 'spec']
    """
    message = made(
        messages.RotationRef,
        draw_policy=named(messages.DrawPolicy, draw_policy),
        start_index=start_index,
        options=option_values(options),
    )
    if len(games) == 1 and isinstance(games[0], str):
        message.id = games[0]
    else:
        message.games.extend(map(variant_ref, games))
    return message


class GamesWanted(TypedDict):
    """Which games are to be played, as the fields of a request; neither: whatever was said before."""

    variant: messages.VariantRef | None
    rotation: messages.RotationRef | None


def games_wanted(
    variant: VariantLike | None, rotation: RotationLike | None, options: Mapping[str, Option]
) -> GamesWanted:
    """A variant or a rotation with further options; `ValueError` for both.

    >>> games_wanted("tavla", None, {"match_length": 3})["variant"].options["match_length"].integer
    3
    >>> games_wanted(None, "tavli", {"match_length": 3})["rotation"].options["match_length"].integer
    3
    """
    if rotation is None:
        return GamesWanted(variant=with_options(variant, options), rotation=None)
    if variant is not None:
        raise ValueError("variant: expected none beside a rotation, which has its games")
    if not isinstance(rotation, str | messages.RotationRef):
        raise refused("rotation", rotation, "an id, or what rotation() makes")
    message = messages.RotationRef(id=rotation) if isinstance(rotation, str) else rotation
    changed = messages.RotationRef()
    changed.CopyFrom(message)
    for name, value in option_values(options).items():
        changed.options[name].CopyFrom(value)
    return GamesWanted(variant=None, rotation=changed)
