"""The services as plain classes: convert, call, convert back. They know no transport."""
