"""A network that can be cut: relays connections to a server that keeps running."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress


class Relay:
    """Passes each connection to `port` on to the port `target`. Once it is cut, connections are refused.

    A browser notices the same as from a stopped server, but the server need not start again, which takes seconds.
    """

    def __init__(self, port: int, target: int) -> None:
        self.port, self.target = port, target
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._listener: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    def connect(self) -> None:
        """Accept connections from now on."""
        if self._listener is None:
            listening = asyncio.start_server(self._relay, "127.0.0.1", self.port)
            self._listener = asyncio.run_coroutine_threadsafe(listening, self._loop).result(timeout=20)

    def cut(self) -> None:
        """End all connections, and refuse new ones."""
        if self._listener is not None:
            cutting = self._end_connections(self._listener)
            asyncio.run_coroutine_threadsafe(cutting, self._loop).result(timeout=20)
            self._listener = None

    def close(self) -> None:
        """Cut it, and end its thread."""
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end_connections(self, listener: asyncio.Server) -> None:
        listener.close()
        tasks = list(self._connections)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.target)
            try:
                await asyncio.gather(_pass_on(reader, server_writer), _pass_on(server_reader, writer))
            finally:
                server_writer.close()
        except asyncio.CancelledError:
            writer.transport.abort()  # the network was cut
        finally:
            writer.close()
            self._connections.discard(task)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass bytes on until one side ends the connection."""
    with suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()
