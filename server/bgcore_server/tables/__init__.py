"""Live tables: what is in memory of a table in use, and all that happens to it.

Log first, then fan out: an event is in the store before anybody hears of it.
"""

from bgcore_server.tables.hub import Tables
from bgcore_server.tables.live import Moment, Table
from bgcore_server.tables.state import State

__all__ = ["Moment", "State", "Table", "Tables"]
