"""The server: services over the engine, tables and their store, transports, the command line."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("bgcore")
except PackageNotFoundError:  # run from a checkout that is not installed
    __version__ = "0"

API_LEVEL = 3
"""Version of the wire contract; it rises with additions."""
