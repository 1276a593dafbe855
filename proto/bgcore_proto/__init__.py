"""The wire contract in Python, made from `proto/bgcore`; see `tools/generate_proto.py`."""
