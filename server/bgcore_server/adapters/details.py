"""The details of an error as Connect sends them: packed for programs, and as JSON for people."""

from __future__ import annotations

import base64
from typing import Any

from connectrpc.errors import ErrorDetail
from google.protobuf import json_format
from google.protobuf.message import Message
from protobuf.wkt import Any as Packed
from protobuf.wkt import Struct

TYPE_URL = "type.googleapis.com/"


class Detail(ErrorDetail):
    """A detail of which connectrpc, which knows no messages of our library, shows the JSON as `debug`."""

    def __init__(self, detail: Message) -> None:
        name, value = detail.DESCRIPTOR.full_name, detail.SerializeToString()
        super().__init__(Packed(type_url=TYPE_URL + name, value=value))
        self._detail = detail

    def value(self, *_: Any) -> Any:
        """What is shown."""
        return Struct.from_json(json_format.MessageToJson(self._detail))


def detail_json(detail: Message) -> dict[str, Any]:
    """The same where connectrpc does not write it."""
    return {
        "type": detail.DESCRIPTOR.full_name,
        "value": base64.b64encode(detail.SerializeToString()).decode().rstrip("="),
        "debug": json_format.MessageToDict(detail),
    }
