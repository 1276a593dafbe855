"""The built-in variants, each by what its rule file says of it."""
