"""`bgcore serve`: the server, until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys

import click
import structlog

import bgcore
from bgcore import BgcoreError, kernel
from bgcore_server.address import Address
from bgcore_server.commands.serve_flags import settings_options
from bgcore_server.operator_settings import NONE, LogSettings
from bgcore_server.server import Options, Server
from bgcore_server.settings_given import Resolved
from bgcore_server.store.lock import hold
from bgcore_server.store.open import file_of, kept


@click.command("serve")
@settings_options
def command(resolved: Resolved) -> None:
    """Serve until SIGTERM or SIGINT.

    Prints "listening grpc=HOST:PORT http=HOST:PORT" on standard output when it is ready. Port 0
    takes any free port. Everything else goes to standard error.
    """
    options = resolved.settings
    configure_log(options.log)
    try:
        for place in (options.listen, options.http):
            if place:
                place.check_free()
        file = file_of(options.db)
        held = hold(file) if file else None
        click.echo(f"tables are kept {kept(options.db)}", err=True)
        asyncio.run(serve(options))
        if held:
            held.close()
    except (BgcoreError, OSError) as problem:
        raise click.ClickException(str(problem)) from None


def configure_log(settings: LogSettings) -> None:
    """Lines of JSON on standard error. Tracebacks are without variables, which may hold secrets."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(settings.level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    # It tells of every connection that could not be had; the store tells of every command.
    logging.getLogger("psycopg").setLevel(logging.ERROR)


async def serve(options: Options) -> None:
    """Start, say so, wait for a signal, stop."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    registry = bgcore.load()
    server = Server(options, registry, structlog.get_logger())
    for plugin in registry.plugins:
        if not plugin.usable:
            click.echo(f"plugin {plugin.name} cannot be used: {plugin.fault}", err=True)
    try:
        grpc, http = await server.start()
        # What is loaded by now stays, so the collector need not look through it again and again.
        gc.collect()
        gc.freeze()
        click.echo(f"listening grpc={grpc} http={http or NONE}")
        if http:
            click.echo(hint(http), err=True)
        await stop.wait()
        click.echo("stopping", err=True)
    finally:
        await server.stop()


def hint(http: Address) -> str:
    """What to try next."""
    url = f"http://{http}/bgcore.v1.RulesService/ListPlays"
    opening = '{"points":[0,0,0,0,0,5,0,3,0,0,0,0,5,0,0,0,0,0,0,0,0,0,0,2]}'
    position = f'{{"onRoll":"SEAT_WHITE","white":{opening},"black":{opening}}}'
    body = f'{{"variant":{{"id":"western"}},"dice":[3,1],"view":"PLAY_VIEW_TEXT","position":{position}}}'
    return (
        f"{kernel.KERNEL} kernel. Try in another terminal, the plays of an opening 3-1:\n"
        f"  curl -s {url} -H 'content-type: application/json' -d '{body}'"
    )
