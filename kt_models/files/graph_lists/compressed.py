"""Streams in gzip, bzip2, xz and zstd, recognised by their first bytes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from kt_models.errors import KTError

MAGIC = {"gzip": b"\x1f\x8b", "bzip2": b"BZh", "xz": b"\xfd7zXZ\x00", "zstd": b"\x28\xb5\x2f\xfd"}
"""How a stream begins."""
STEP_BYTES = 1 << 18
"""Most bytes that are unpacked at once: a short file may hold a very long list."""


def compression_of(head: bytes) -> str | None:
    """The name of the compression of a stream that begins so, if there is one."""
    return next((name for name, magic in MAGIC.items() if head.startswith(magic)), None)


def decompressed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The content of a stream, compressed or not.

    Raises
    ------
    KTError
        If the stream is damaged or ends too early, when all that could be unpacked has been given.
    """
    stream = filter(None, chunks)
    head = b""
    longest = max(map(len, MAGIC.values()))
    while len(head) < longest and (chunk := next(stream, b"")):
        head += chunk
        if compression_of(head) is None and not any(magic.startswith(head) for magic in MAGIC.values()):
            break
    name = compression_of(head)
    whole = itertools.chain((head,) if head else (), stream)
    yield from whole if name is None else _unpacked(whole, name)


def _unpacked(chunks: Iterable[bytes], name: str) -> Iterator[bytes]:
    """The content of a compressed stream, which may have several parts."""
    make = _decompressor(name)
    unpack = make()
    begun = False
    for chunk in chunks:
        data = chunk
        while data:
            if unpack.ended:
                unpack, begun = make(), False
            begun = True
            yield from unpack.feed(data, name)
            data = unpack.rest
    if begun and not unpack.ended:
        raise KTError(f"its {name} stream ends too early")


class _Unpacker:
    """One part of a compressed stream, for decompressors of the standard library."""

    def __init__(self, inner: Any, *, flags_input: bool) -> None:
        self._inner, self._flags_input = inner, flags_input

    @property
    def ended(self) -> bool:
        return bool(self._inner.eof)

    @property
    def rest(self) -> bytes:
        """Bytes behind the end of this part."""
        rest: bytes = self._inner.unused_data
        return rest

    def feed(self, data: bytes, name: str) -> Iterator[bytes]:
        """Unpack bytes, a little at a time."""
        try:
            piece = self._inner.decompress(data, STEP_BYTES)
            yield piece
            while not self._inner.eof and self._goes_on(piece):
                piece = self._inner.decompress(self._waiting(), STEP_BYTES)
                yield piece
        except Exception as error:  # Each library has errors of its own
            if isinstance(error, MemoryError | GeneratorExit):
                raise
            raise KTError(f"its {name} stream is damaged: {error}") from None

    def _goes_on(self, piece: bytes) -> bool:
        return bool(self._inner.unconsumed_tail) if self._flags_input else not self._inner.needs_input

    def _waiting(self) -> bytes:
        waiting: bytes = self._inner.unconsumed_tail if self._flags_input else b""
        return waiting


def _decompressor(name: str) -> Callable[[], _Unpacker]:
    if name == "gzip":
        import zlib

        return lambda: _Unpacker(zlib.decompressobj(wbits=31), flags_input=True)
    if name == "bzip2":
        import bz2

        return lambda: _Unpacker(bz2.BZ2Decompressor(), flags_input=False)
    if name == "xz":
        import lzma

        return lambda: _Unpacker(lzma.LZMADecompressor(), flags_input=False)
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise KTError("it is compressed by zstd, which Python reads from 3.14 on: unpack it with zstd -d") from None
    return lambda: _Unpacker(zstd.ZstdDecompressor(), flags_input=False)
