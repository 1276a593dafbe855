"""Version 1 of the wire contract: generated messages and descriptors."""
