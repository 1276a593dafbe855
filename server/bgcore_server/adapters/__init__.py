"""Transports: each loops over the services' descriptors and knows nothing of what they do."""

import os

# grpc notes on standard error how clients hang up and, as errors, what is wrong with what they send; who wants to
# read that can ask for it. It looks once, when it is imported, so this stands before the modules of this package.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
