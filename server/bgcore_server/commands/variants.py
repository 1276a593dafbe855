"""`bgcore variants`: what is installed."""

from __future__ import annotations

import click
from google.protobuf.json_format import MessageToJson
from rich.console import Console
from rich.table import Table

import bgcore
from bgcore_proto.v1 import variant_service_pb2 as pb
from bgcore_server import paging
from bgcore_server.services.variant import VariantService


class NoCall:
    """There is no caller but the user of the terminal."""

    authorization = ""


@click.command("variants")
@click.option("--json", "as_json", is_flag=True, help="The JSON form of ListVariants.")
def command(as_json: bool) -> None:
    """List the variants, and the plugins that could not be loaded."""
    answer = every_variant()
    if as_json:
        click.echo(MessageToJson(answer))
    else:
        show(answer)
    for plugin in answer.plugins:
        if plugin.state == pb.PLUGIN_STATE_BROKEN:
            click.echo(f"plugin {plugin.name} cannot be used: {plugin.problem}", err=True)


def every_variant() -> pb.ListVariantsResponse:
    """All pages of `ListVariants` as one."""
    service = VariantService(bgcore.load(), pb.Limits(), ())
    answer = pb.ListVariantsResponse(next_page_token="-")
    request = pb.ListVariantsRequest(page_size=paging.LARGEST)
    while answer.next_page_token:
        page = service.ListVariants(request, NoCall())
        request.page_token = answer.next_page_token = page.next_page_token
        answer.variants.extend(page.variants)
        answer.plugins.extend(page.plugins)
    return answer


def show(answer: pb.ListVariantsResponse) -> None:
    """A table for people."""
    table = Table(box=None, pad_edge=False)
    for heading in ("id", "title", "rules", "from", "what it is"):
        table.add_column(heading, no_wrap=heading != "what it is")
    for variant in answer.variants:
        plugin = variant.plugin
        origin = f"{plugin.distribution} {plugin.version}".strip() or plugin.name
        table.add_row(variant.id, variant.title, variant.rules_version, origin, variant.summary)
    Console().print(table)
