"""`bgcore variants`: what is installed, and all that can be chosen in one variant."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

import click
from google.protobuf.json_format import MessageToJson
from rich.console import Console
from rich.table import Table

import bgcore
from bgcore import BgcoreError, Registry, Variant
from bgcore.option import Option, Scope, Value, spelt
from bgcore.registering import plain
from bgcore.registry import ENGINE, Entry
from bgcore.resolve import defaults_of, options_of
from bgcore.spec_words import AXES
from bgcore_proto.v1 import variant_service_pb2 as pb
from bgcore_server import paging
from bgcore_server.commands.house_rules import variants_flag, with_house_rules
from bgcore_server.commands.rules_flags import a_variants_code
from bgcore_server.commands.unused_plugin import not_used
from bgcore_server.commands.variant_page import WantedPage, page_flags
from bgcore_server.services.variant import VariantService


class NoCall:
    """There is no caller but the user of the terminal."""

    authorization = ""
    peer = ""


HEADINGS: Mapping[Scope, str] = {
    Scope.GAME: "Options of the game",
    Scope.MATCH: "Options of cube and match",
    Scope.TABLE: "Options of the table",
}
WIDTH = 100
WIDEST = 1000


@click.command("variants")
@click.argument("id", required=False, metavar="[ID]")
@click.option(
    "--json", "as_json", is_flag=True, help="The JSON form of ListVariants or GetVariant."
)
@page_flags
@variants_flag
def command(id: str | None, as_json: bool, wanted: WantedPage, folder: str | None) -> None:
    """List the variants, and the plugins that are not used, each with its state and the reason.

    With an ID, list everything that can be chosen in that variant: its options with their values, defaults,
    meaning and rule (docs/rules.md), its presets with the values that they set, and its bundles of values.
    With --page, write the page of that variant instead: its rules in prose, pictures of the start, of the way
    round and of examples, and all that can be chosen.
    """
    if wanted.folder is not None and (id is None or as_json):
        raise click.UsageError("--page: expected an ID, and no --json")
    registry = with_house_rules(bgcore.load(), folder)
    if wanted.folder is not None and id is not None:
        click.echo(wanted.write(registry, entry_of(registry, id), folder))
        return
    if id is not None:
        tell_one(registry, id, as_json=as_json)
        return
    answer = every_variant(registry)
    if as_json:
        click.echo(MessageToJson(answer))
    else:
        show(answer)
    for plugin in registry.plugins:
        if not plugin.usable:
            click.echo(not_used(plugin), err=True)


def every_variant(registry: Registry) -> pb.ListVariantsResponse:
    """All pages of `ListVariants` as one."""
    service = VariantService(registry, pb.Limits(), ())
    answer = pb.ListVariantsResponse(next_page_token="-")
    request = pb.ListVariantsRequest(page_size=paging.LARGEST)
    while answer.next_page_token:
        page = service.ListVariants(request, NoCall())
        request.page_token = answer.next_page_token = page.next_page_token
        answer.variants.extend(page.variants)
        answer.plugins.extend(page.plugins)
        answer.rotations.extend(page.rotations)
        answer.notations.extend(page.notations)
    return answer


def show(answer: pb.ListVariantsResponse) -> None:
    """A table for people."""
    table = Table(box=None, pad_edge=False)
    for heading in ("id", "title", "rules", "from", "what it is"):
        table.add_column(heading, no_wrap=heading != "what it is")
    for variant in answer.variants:
        told = variant.rules_version, origin(variant.plugin), variant.summary
        table.add_row(variant.id, variant.title, *told)
    console = Console()
    if not console.is_terminal:  # whoever reads lines wants one for each variant
        console = Console(width=WIDEST)
    with console.capture() as shown:
        console.print(table)
    click.echo("\n".join(line.rstrip() for line in shown.get().splitlines()))
    for rotation in answer.rotations:
        games = ", ".join(game.id or game.spec.id for game in rotation.rotation.games)
        where = f"{games}; rules {rotation.rules_version}; from {origin(rotation.plugin)}"
        click.echo(f"rotation {rotation.rotation.id}: {rotation.summary} ({where})")
    for notation in answer.notations:
        if notation.plugin.name != ENGINE.name:
            what = "matches" if notation.of_matches else "positions"
            how = "" if notation.readable else ", only written"
            where = f"{what}{how}; from {origin(notation.plugin)}"
            click.echo(f"notation {notation.id}: {notation.title} ({where})")


def origin(plugin: pb.Plugin) -> str:
    """Where something comes from, for people."""
    # Of a file the name says it; its version is that of its rules.
    return f"{plugin.distribution} {plugin.version}" if plugin.distribution else plugin.name


# -- one variant -------------------------------------------------------------------------------------


def entry_of(registry: Registry, id: str) -> Entry:
    """What is registered under an id; a usage error where nothing is."""
    try:
        return registry.entry(id)
    except BgcoreError as error:
        meant = [p for p in registry.plugins if not p.usable and plain(p.stem) == plain(id)]
        raise click.UsageError("\n".join(map(not_used, meant)) or str(error)) from error


def tell_one(registry: Registry, id: str, *, as_json: bool) -> None:
    """All about one variant; a usage error where there is none of that id."""
    variant = entry_of(registry, id).variant
    with a_variants_code():
        if as_json:
            service = VariantService(registry, pb.Limits(), ())
            request = pb.GetVariantRequest(id=variant.id)
            told = MessageToJson(service.GetVariant(request, NoCall()))
        else:
            told = "\n".join(told_of(registry, variant))
    click.echo(told)


def told_of(registry: Registry, variant: Variant) -> Iterator[str]:
    """A variant for people, line by line."""
    yield f"{variant.id}: {variant.title}"
    yield variant.summary
    if variant.aliases:
        yield f"Also known as {', '.join(variant.aliases)}."
    yield from _data(variant)
    options, defaults = options_of(variant), defaults_of(variant)
    money = defaults_of(variant, {"match_length": None})
    for scope, heading in HEADINGS.items():
        yield from ("", heading)
        for option in options.values():
            if option.scope is scope:
                yield from _option(option, defaults[option.name], money[option.name])
    presets = registry.presets_of(variant)
    yield from ("", "Presets, and the values that they set")
    for name, values in presets.items():
        if name not in variant.bundles:
            yield from _values(f"{name}: {registry.presets[name].title}", values)
    if variant.bundles:
        yield from ("", "Bundles of values, chosen as a preset is")
        for name, values in variant.bundles.items():
            yield from _values(name, values)
    yield from (
        "",
        "Choose with --preset ID and --option NAME=VALUE; docs/options.md has all of it.",
    )


def _data(variant: Variant) -> Iterator[str]:
    """The start and every axis, as a file of house rules has them."""
    start = " ".join(f"{point}:{count}" for point, count in variant.start.items())
    yield from ("", "The start, each side in its own numbering")
    yield f"  {start or 'no checker on the board'}"
    if variant.unentered:
        yield f"  {variant.unentered} checkers unentered"
    yield from ("", "Axes, where a variant may differ (docs/axes.md)")
    axes = (f"{name}={spelt(getattr(variant, name))}" for name in AXES)
    yield from textwrap.wrap(" ".join(axes), WIDTH, initial_indent="  ", subsequent_indent="  ")


def _option(option: Option, default: Value, money: Value) -> Iterator[str]:
    other = "" if money == default or option.name == "match_length" else spelt(money)
    yield f"  {option.name} = {spelt(default)}" + (
        f" (in a money session {other})" if other else ""
    )
    yield f"      {option.meaning}" + (f" ({option.rule})" if option.rule else "")
    yield f"      {option.expected}"


def _values(heading: str, values: Mapping[str, Value]) -> Iterator[str]:
    yield f"  {heading}"
    told = " ".join(f"{name}={spelt(value)}" for name, value in values.items())
    yield from textwrap.wrap(told, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)
