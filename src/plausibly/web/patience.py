"""Connections that send nothing, or never end what they send, are not waited for."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

SECONDS = float(os.environ.get("PLAUSIBLY_PATIENCE", "20"))


class Patient(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Closes a connection on which no request has arrived whole in time.

    While a request is being answered nobody is timed; the time a body may take is watched where
    it is read.
    """

    _until: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._until = self.loop.call_later(SECONDS, self._give_up)

    def data_received(self, data: bytes) -> None:
        """Go on waiting where no request has come of what has arrived so far."""
        super().data_received(data)
        if self._until is not None:
            self._until.cancel()
        answering = self.cycle is not None and not self.cycle.response_complete
        self._until = None if answering else self.loop.call_later(SECONDS, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        if self._until is not None:
            self._until.cancel()
        super().connection_lost(exc)

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
