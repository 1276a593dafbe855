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
from bgcore_server.adapters.cors import Cors
from bgcore_server.server import Address, Options, Server
from bgcore_server.store.lock import hold
from bgcore_server.store.open import file_of, kept


def address(ctx: click.Context, param: click.Parameter, value: str) -> Address:
    """The address of an option."""
    try:
        return Address.read(value)
    except ValueError as problem:
        raise click.BadParameter(str(problem), ctx, param) from None


def origins(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> Cors:
    """The origins of an option that may stand several times."""
    try:
        return Cors.read(value)
    except ValueError as problem:
        raise click.BadParameter(str(problem), ctx, param) from None


@click.command("serve")
@click.option(
    "--listen",
    callback=address,
    metavar="HOST:PORT",
    default="127.0.0.1:50051",
    show_default=True,
    help="gRPC.",
)
@click.option(
    "--http",
    callback=address,
    metavar="HOST:PORT",
    default="127.0.0.1:8080",
    show_default=True,
    help="Connect, gRPC-Web, JSON, /healthz and /readyz.",
)
@click.option(
    "--db",
    "database",
    default="sqlite:///bgcore.db",
    show_default=True,
    help="Where tables are kept: sqlite:///FILE, postgresql://USER@HOST/DATABASE, which several"
    " servers may share, or sqlite:// for nowhere.",
)
@click.option("--allow-seeded", is_flag=True, help="Allow tables with seeded dice, for tests.")
@click.option(
    "--heartbeat",
    type=click.FloatRange(0.05, 3600),
    default=15.0,
    show_default=True,
    help="Seconds between signs of life on a quiet watch.",
)
@click.option(
    "--grace",
    type=click.FloatRange(0, 3600),
    default=10.0,
    show_default=True,
    help="Seconds that running calls have when the server stops.",
)
@click.option(
    "--cors",
    callback=origins,
    metavar="ORIGIN",
    multiple=True,
    help="Pages of this origin may use the HTTP port, such as https://play.example; * for all."
    " May stand several times.",
)
def command(
    listen: Address,
    http: Address,
    database: str,
    allow_seeded: bool,
    heartbeat: float,
    grace: float,
    cors: Cors,
) -> None:
    """Serve until SIGTERM or SIGINT.

    Prints "listening grpc=HOST:PORT http=HOST:PORT" on standard output when it is ready. Port 0
    takes any free port. Everything else goes to standard error.
    """
    configure_log()
    options = Options(listen, http, database, allow_seeded, heartbeat, grace, cors)
    try:
        for place in (listen, http):
            place.check_free()
        file = file_of(database)
        held = hold(file) if file else None
        click.echo(f"tables are kept {kept(database)}", err=True)
        asyncio.run(serve(options))
        if held:
            held.close()
    except (BgcoreError, OSError) as problem:
        raise click.ClickException(str(problem)) from None


def configure_log() -> None:
    """Lines of JSON on standard error. Tracebacks are without variables, which may hold secrets."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
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
        click.echo(f"listening grpc={grpc} http={http}")
        click.echo(hint(http), err=True)
        await stop.wait()
        click.echo("stopping", err=True)
    finally:
        await server.stop()


def hint(http: Address | None) -> str:
    """What to try next."""
    url = f"http://{http}/bgcore.v1.RulesService/ListPlays"
    opening = '{"points":[0,0,0,0,0,5,0,3,0,0,0,0,5,0,0,0,0,0,0,0,0,0,0,2]}'
    position = f'{{"onRoll":"SEAT_WHITE","white":{opening},"black":{opening}}}'
    body = f'{{"variant":{{"id":"western"}},"dice":[3,1],"view":"PLAY_VIEW_TEXT","position":{position}}}'
    return (
        f"{kernel.KERNEL} kernel. Try in another terminal, the plays of an opening 3-1:\n"
        f"  curl -s {url} -H 'content-type: application/json' -d '{body}'"
    )
