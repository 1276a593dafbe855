"""The rules of a variant in prose: the sentences that its data calls for, chapter by chapter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bgcore.option import spelt
from bgcore.page.facts import facts_of
from bgcore.page.match_sentences import MATCH_AND_CUBE
from bgcore.page.own_rules import own_rules
from bgcore.page.sentences import CHAPTERS
from bgcore.resolve import options_of
from bgcore.rules import Rules

OWN = "Rules of its own"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the rules, the number of the rule it is of, and the option that changes it, if there is one."""

    text: str
    rule: str = ""
    option: str = ""


Prose = dict[str, list[Sentence]]
"""The sentences of each chapter, by its title; a chapter that has nothing to say is left out."""


def prose(rules: Rules) -> Prose:
    """The rules as they are now, with the options that were chosen.

    >>> from bgcore import load
    >>> told = prose(load().rules("misere"))
    >>> told["The end, and what it counts"][1].text
    'A game counts 1 point, whatever the loser has borne off.'
    >>> [sentence.text for sentence in told["Rules of its own"]][:1]
    ['Who bears off everything first loses.']
    """
    facts, options = facts_of(rules), options_of(rules.variant)
    told: Prose = {}
    for chapter in CHAPTERS:
        if chapter is MATCH_AND_CUBE:
            own = [Sentence(text) for text in own_rules(type(rules), rules.variant.id)]
            told[OWN] = [*own, *own_options(rules)]
        told[chapter.title] = [
            Sentence(text, about.rule, about.fact if about.fact in options else "")
            for about in chapter.abouts
            if not overridden(rules, about.unless) and (text := about.said(facts))
        ]
    return {title: sentences for title, sentences in told.items() if sentences}


def overridden(rules: Rules, method: str) -> bool:
    """Whether a game has a method of its own in place of this one of `Rules`."""
    return bool(method) and getattr(type(rules), method) is not getattr(Rules, method)


def own_options(rules: Rules) -> Iterator[Sentence]:
    """What only this game can be told, as it is now."""
    for option in rules.variant.own_options:
        if option.name not in told_elsewhere():
            value = rules.options[option.name]
            meaning = option.meaning[:1].upper() + option.meaning[1:]
            holds = {True: "", False: " Not unless a table chooses so."}
            told = holds.get(value, f" Here {spelt(value)}.")  # type: ignore[arg-type]
            yield Sentence(f"{meaning}.{told}", option.rule, option.name)


def told_elsewhere() -> set[str]:
    """The facts that have sentences."""
    return {about.fact for chapter in CHAPTERS for about in chapter.abouts}
