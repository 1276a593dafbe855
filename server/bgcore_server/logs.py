"""The log: lines of JSON on standard error, those of the libraries too.

No secret comes in. A call is told by its rpc, id, code, reason, address and time; never by a header,
a request or an answer. Tracebacks are without variables.
"""

from __future__ import annotations

import logging
import sys
from contextlib import suppress

import structlog
from structlog.typing import Processor

from bgcore_server.adapters.around import OK, Ongoing
from bgcore_server.errors import Log, stopping

OURS = frozenset({"INTERNAL", "UNKNOWN", "UNAVAILABLE"})
"""Codes that say that we have failed, and not the caller."""

STOPPING = stopping().reason

LIBRARIES = {
    "psycopg": "ERROR",
    "asyncio": "WARNING",
    "grpc._cython.cygrpc": "WARNING",
    "uvicorn.error": "ERROR",
}
"""Levels of those who tell too much: of every connection that could not be had, which the store tells of; of every
request that is none, which anybody may send."""


class Printing(structlog.PrintLogger):
    """Prints lines; one that finds no room, on a disk that is full, is lost, and nobody is refused for it."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)

    def msg(self, message: str) -> None:
        """Print a line."""
        with suppress(OSError):
            super().msg(message)

    log = debug = info = warn = warning = msg
    fatal = failure = err = error = critical = exception = msg


def configure_log(level: str) -> None:
    """Lines of JSON from a level on."""
    shared: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=Printing,
    )
    theirs = logging.StreamHandler(sys.stderr)
    theirs.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    # What libraries tell of at "info" is of no interest to an operator.
    least = "WARNING" if level == "info" else level.upper()
    logging.basicConfig(handlers=[theirs], level=least, force=True)
    for name, lowest in LIBRARIES.items():
        logging.getLogger(name).setLevel(lowest)
    grpcs = logging.getLogger("grpc._cython.cygrpc")
    grpcs.addFilter(is_no_bad_text)
    grpcs.addFilter(is_heard)


def is_no_bad_text(record: logging.LogRecord) -> bool:
    """Whether grpc tells of something else than a path or header of a caller that is not UTF-8.

    It logs a traceback for each, with the header, which may be a token.
    """
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))


def is_heard(record: logging.LogRecord) -> bool:
    """Whether grpc tells of something else than an answer to a caller who hung up at that moment.

    What was done for him is done; he asks again, or does not care. grpc logs a traceback of its inside.
    """
    raised = record.exc_info[1] if record.exc_info else None
    return type(raised).__name__ != "ExecuteBatchError"


class CallLog:
    """Tells of calls when they have ended: of every one, or of those that failed by a fault of ours."""

    def __init__(self, log: Log, *, every: bool) -> None:
        self._log = log
        self._every = every

    def ended(self, call: Ongoing) -> None:
        """A step after each call."""
        if call.code != OK or self._every:
            self._tell(call)

    def _tell(self, call: Ongoing) -> None:
        reason = call.error.reason if call.error else ""
        ours = call.code in OURS and reason != STOPPING
        if not (ours or self._every):
            return
        tell = self._log.warning if ours else self._log.info
        tell(
            "call",
            rpc=call.method.path,
            request_id=call.request_id,
            code=call.code,
            reason=reason,
            milliseconds=round(call.seconds * 1000, 3),
            peer=call.peer,
        )
