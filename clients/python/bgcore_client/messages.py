"""Every message and enumeration of the contract under one name.

>>> from bgcore_client import messages
>>> messages.RollAction(dice=[3, 1]).dice
[3, 1]
"""

from bgcore_proto.v1.common_pb2 import *  # noqa: F403
from bgcore_proto.v1.rules_service_pb2 import *  # noqa: F403
from bgcore_proto.v1.table_pb2 import *  # noqa: F403
from bgcore_proto.v1.table_service_pb2 import *  # noqa: F403
from bgcore_proto.v1.variant_service_pb2 import *  # noqa: F403
