"""Messages written as the wire has them, put together from pieces: each field is a few bytes of its message.

Pieces may come in any order, and of a field that comes twice the later one counts. So what is the same in
many messages is written once and kept.
"""

from __future__ import annotations

from google.protobuf.message import Message

NUMBER, DELIMITED = 0, 2
"""Wire types: a number by itself; a message, a text or a column, of which the length comes first."""


SMALL = [bytes((number,)) for number in range(0x80)]


def varint(number: int) -> bytes:
    """A number as the wire has it."""
    if number < 0x80:
        return SMALL[number]
    return bytes((number & 0x7F | 0x80,)) + varint(number >> 7)


def tag(message: type[Message], field: str) -> bytes:
    r"""What the bytes of a field begin with; `AttributeError` for one that the message does not have.

    >>> from bgcore_proto.v1 import table_pb2
    >>> tag(table_pb2.TableState, "revision"), tag(table_pb2.TableState, "match")
    (b'\x08', b'\x12')
    """
    kind = NUMBER if isinstance(getattr(message(), field), int) else DELIMITED
    return varint(message.DESCRIPTOR.fields_by_name[field].number << 3 | kind)


def piece(tag: bytes, body: bytes) -> bytes:
    """A field that is a message."""
    size = len(body)
    return tag + (SMALL[size] if size < 0x80 else varint(size)) + body


def column(tag: bytes, values: bytes) -> bytes:
    r"""A field with a column of numbers, each 0 to 255.

    >>> column(b"\x0a", bytes([1, 2, 200])).hex()
    '0a040102c801'
    """
    if not values:
        return b""
    if not values.isascii():  # a number of more than seven bits takes two bytes
        values = b"".join(map(varint, values))
    return piece(tag, values)
