"""Transports: each loops over the services' descriptors and knows nothing of what they do."""
