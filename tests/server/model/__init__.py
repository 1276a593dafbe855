"""A plain model of a server's tables, written apart from the server: what it answers, and why it refuses.

It knows the rules of play from the engine and takes the form of messages from the server's converters. What
happens at a table, who may do what, and when, it decides by itself. Ids, secrets, commitments and dice that
nobody can foresee it takes over from the server's answers.
"""

from tests.server.model.tables import Model

__all__ = ["Model"]
