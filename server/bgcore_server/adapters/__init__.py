"""Transports: each loops over the services' descriptors and knows nothing of what they do."""

import os

# grpc notes on standard error how clients hang up; who wants to read that can ask for it. It looks once,
# when it is imported, so this stands before the modules of this package.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
