"""How a database of an older version becomes one of this version, step by step (alembic).

A step once released is never changed. It must leave a database that the version before still serves,
since replicas are upgraded one after another. `migrate.py` runs the steps; `schema.py` says where
they lead to, and its `HEAD` is the newest.
"""
