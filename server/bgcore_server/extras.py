"""Parts of this package that are installed only where somebody wants them, and how."""

from __future__ import annotations


def how_to_install(extra: str) -> str:
    """What to do for an extra that is missing. `bgcore` on PyPI is somebody else's package.

    >>> how_to_install("otel")
    "pip install '.[otel]' in a checkout of bgcore (what PyPI has by that name is another package)"
    """
    other = "what PyPI has by that name is another package"
    return f"pip install '.[{extra}]' in a checkout of bgcore ({other})"
