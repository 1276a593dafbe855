"""Who is calling: the secret or the account that an `authorization` header proves."""

from __future__ import annotations

from bgcore.errors import Fault
from bgcore_server import tokens
from bgcore_server.accounts import Accounts, looks_like_jwt
from bgcore_server.call import Call
from bgcore_server.errors import Unauthenticated
from bgcore_server.tables.rights import ANYBODY, Caller


class Callers:
    """Reads what callers prove. `accounts` is `None` where this server knows none."""

    def __init__(self, accounts: Accounts | None = None) -> None:
        self._accounts = accounts

    @property
    def known_here(self) -> bool:
        """Whether there are accounts at all."""
        return self._accounts is not None

    @property
    def required(self) -> bool:
        """Whether tables are made, and seats taken, with accounts only."""
        return self._accounts is not None and self._accounts.required

    def of(self, call: Call) -> Caller:
        """What a call proves, which may be nothing; `Unauthenticated` for a header that cannot be read."""
        return self.known(call) if call.authorization else ANYBODY

    def known(self, call: Call) -> Caller:
        """The same; `Unauthenticated` where nothing was sent."""
        token = tokens.bearer(call.authorization)
        if self._accounts is not None and looks_like_jwt(token):
            account = self._accounts.account(token)
            return Caller(account=account.id, name=account.name, until=account.until)
        return Caller(secret=tokens.hashed(token))

    def player(self, call: Call) -> Caller:
        """Who wants to make a table or to sit down: with an account, where that is required."""
        caller = self.of(call)
        if self.required and not caller.account:
            expected = "Bearer and the token of an account"
            raise Unauthenticated(
                Fault("ACCOUNT_REQUIRED", "authorization", "of no account", expected)
            )
        return caller
