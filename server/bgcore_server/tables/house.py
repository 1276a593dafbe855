"""What a table needs from outside its log: rules by name, and new settings where another match begins."""

from __future__ import annotations

import json
import secrets
from dataclasses import replace

from bgcore import Registry, Spec
from bgcore.cycle import Cycle
from bgcore.dice import new_player_seed, new_server_seed
from bgcore_server import tokens
from bgcore_server.convert.rotations import from_form
from bgcore_server.entries import Asked, Ruleset
from bgcore_server.settings import Keys, Settings
from bgcore_server.store import Later
from bgcore_server.tables.state import State

HOST, INVITATION, SPECTATOR = "host", "invitation", "spectator"


class House:
    """The registry, as tables ask it."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def rules_of(self, named: Later) -> Cycle:
        """The rules that a table was given; whatever the registry refuses raises."""
        return self.games(ruleset(named.variant, Settings.from_json(named.settings)))

    def games(self, named: Ruleset) -> Cycle:
        """The games of rules by name; whatever the registry refuses raises."""
        options = dict(named.options)
        if named.rotation is not None:
            return self._registry.cycle(from_form(named.rotation), options)
        return Cycle.of(self._registry.rules(named.variant, named.preset, options))

    def named(self, wanted: Ruleset) -> Ruleset:
        """The same rules as a log keeps them; whatever the registry refuses of them raises."""
        variant = self.games(wanted).variant.id
        options = json.loads(json.dumps(dict(wanted.options)))
        rotation = json.loads(json.dumps(wanted.rotation))
        which = self.games(wanted).first.spec if isinstance(wanted.variant, Spec) else None
        return Ruleset(which or variant, wanted.preset, options, rotation)

    def next_match(self, state: State, wanted: Ruleset | None, asks: tuple[Asked, Asked]) -> Later:
        """The rules of the match that both players want, White's wish and Black's."""
        settings = state.settings
        named, games = self._next(state, wanted)
        following = replace(
            settings,
            preset=named.preset,
            options=named.options,
            resolved=games.options,
            rotation=named.rotation,
            spec=form_of(named.variant),
            start=None,
            past=0,
            match_number=state.number + 1,
            server_seed=settings.next_seed,
            next_seed=new_server_seed().hex() if settings.next_seed else "",
            dice_seeds=(asks[0].dice_seed, asks[1].dice_seed),
        )
        return Later(games.variant.id, games.rules_version, following.to_json())

    def meant(self, state: State, wanted: Ruleset | None) -> tuple[object, ...]:
        """Variant and every option of the next match's games: the same for all words that mean the same."""
        _, games = self._next(state, wanted)
        each = [(rules.variant.id, rules.spec, rules.options) for rules in games.games]
        return games.draw_policy, games.start_index, each

    def _next(self, state: State, wanted: Ruleset | None) -> tuple[Ruleset, Cycle]:
        named = wanted or ruleset(state.match.cycle.variant.id, state.settings)
        return named, self.games(named)

    def agreeing(self, state: State, asked: Asked) -> Asked:
        """The same wish from the other side, where a bot sits: it wants what the player wants.

        The seed that it adds to committed dice is the one that it had: whoever knows the server's must not
        choose another one after the player's.
        """
        other = asked.seat.other
        return replace(asked, seat=other, dice_seed=state.seeds[other])


def ruleset(variant: str, settings: Settings) -> Ruleset:
    """The rules that a table was given with its settings."""
    which = settings.which(variant)
    return Ruleset(which, settings.preset, settings.options, settings.rotation)


def form_of(which: str | Spec) -> dict[str, object] | None:
    """House rules as settings keep them; `None` for a name."""
    return which.form if isinstance(which, Spec) else None


def committed(settings: Settings) -> Settings:
    """The settings with what committed dice need before anybody plays: the server's seeds, and bots'."""
    white, black = (new_player_seed() if bot else "" for bot in settings.bots)
    return replace(
        settings,
        server_seed=new_server_seed().hex(),
        next_seed=new_server_seed().hex(),
        dice_seeds=(white, black),
    )


def new_keys(secret_id: str, host_account: str, *, private: bool) -> Keys:
    """The keys of a new table; `secret_id` is its request id if nobody else can guess it."""
    salt = secrets.token_bytes(tokens.BYTES)
    host, invitation, spectator = (
        tokens.hashed(tokens.derived(salt, secret_id, role)).hex()
        for role in (HOST, INVITATION, SPECTATOR)
    )
    if not private:
        invitation = spectator = ""
    return Keys(host, salt.hex(), host_account, invitation, spectator)


def secret(keys: Keys, secret_id: str, role: str) -> str:
    """The secret of a role again."""
    return tokens.derived(bytes.fromhex(keys.salt), secret_id, role)
