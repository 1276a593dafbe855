"""`bgcore serve`: the server, until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import os
import signal

import click
import structlog

import bgcore
from bgcore import BgcoreError, kernel
from bgcore_server.address import Address
from bgcore_server.commands.house_rules import with_house_rules
from bgcore_server.commands.paths import no_file
from bgcore_server.commands.serve_flags import settings_options
from bgcore_server.commands.unused_plugin import not_used
from bgcore_server.event_loop import new_event_loop
from bgcore_server.logs import configure_log
from bgcore_server.server import Options, Server
from bgcore_server.settings_given import Resolved
from bgcore_server.settings_group import NONE
from bgcore_server.store.lock import hold
from bgcore_server.store.open import file_of, kept

SELDOM = (10_000, 20, 20)
"""When garbage is looked for. A call makes some hundred containers, of which hardly one is in a cycle."""


@click.command("serve")
@settings_options
def command(resolved: Resolved) -> None:
    """Serve until SIGTERM or SIGINT.

    Prints "listening grpc=HOST:PORT http=HOST:PORT" on standard output when it is ready. Port 0
    takes any free port. Everything else goes to standard error.
    """
    options = resolved.settings
    configure_log(options.log.level)
    try:
        for place in (options.listen, options.http, options.metrics):
            if isinstance(place, Address):
                place.check_free()
        file = file_of(options.db)
        if file and (why := no_file(file)):
            raise click.ClickException(f"--db {options.db}: {why}")
        held = hold(file) if file else None
        click.echo(f"tables are kept {kept(options.db)}", err=True)
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(serve(options))
        if held:
            held.close()
    except (BgcoreError, OSError) as problem:
        raise click.ClickException(str(problem)) from None


async def serve(options: Options) -> None:
    """Start, say so, wait for a signal, stop. A second signal ends the process at once."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, signalled, told, number)
    registry = with_house_rules(bgcore.load(options.plugins), options.variants)
    server = Server(options, registry, structlog.get_logger())
    for plugin in registry.plugins:
        if not plugin.usable:
            click.echo(not_used(plugin), err=True)
    try:
        grpc, http = await server.start()
        # What is loaded by now stays, so the collector need not look through it again and again.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*SELDOM)
        click.echo(f"listening grpc={grpc} http={http or NONE}")
        if http:
            click.echo(hint(http, tls=options.tls.on), err=True)
        if isinstance(options.metrics, Address):
            place = Address(options.metrics.host, server.metrics_port or 0)
            click.echo(f"metrics are at http://{place}/metrics", err=True)
        await told.wait()
        click.echo("stopping", err=True)
        await server.drain()
    finally:
        await server.stop()


def signalled(told: asyncio.Event, number: int) -> None:
    """Asks for a stop in order; the second time there is none. What was acknowledged is on the disk."""
    if told.is_set():
        click.echo("stopping at once", err=True)
        os._exit(128 + number)
    told.set()


def hint(http: Address, tls: bool = False) -> str:
    """What to try next."""
    url = f"http{'s' if tls else ''}://{http}/bgcore.v1.RulesService/ListPlays"
    opening = '{"points":[0,0,0,0,0,5,0,3,0,0,0,0,5,0,0,0,0,0,0,0,0,0,0,2]}'
    position = f'{{"onRoll":"SEAT_WHITE","white":{opening},"black":{opening}}}'
    body = f'{{"variant":{{"id":"western"}},"dice":[3,1],"view":"PLAY_VIEW_TEXT","position":{position}}}'
    return (
        f"{kernel.KERNEL} kernel. Try in another terminal, the plays of an opening 3-1:\n"
        f"  curl -s {url} -H 'content-type: application/json' -d '{body}'"
    )
