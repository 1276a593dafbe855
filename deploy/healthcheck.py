"""Whether the server in this container takes calls: status 0 or 1, without curl.

`healthcheck.py [URL]` asks /readyz on the HTTP port. Only the standard library, and quick to start.
"""

import sys
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

URL = "http://127.0.0.1:8080/readyz"

try:
    # No proxy: what the environment names is for others.
    with build_opener(ProxyHandler({})).open(sys.argv[1] if sys.argv[1:] else URL, timeout=2):
        pass
except (URLError, OSError) as problem:
    sys.exit(str(problem))
