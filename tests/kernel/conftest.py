from __future__ import annotations

import importlib
from typing import Any

import pytest

from bgcore.kernel import movement as plain


@pytest.fixture(params=["plain", pytest.param("compiled", marks=pytest.mark.needs_compiled_kernel)])
def kernel(request: pytest.FixtureRequest) -> Any:
    """The plain kernel, then the compiled one."""
    return plain if request.param == "plain" else compiled_kernel()


@pytest.fixture
def compiled() -> Any:
    return compiled_kernel()


def compiled_kernel() -> Any:
    return importlib.import_module("bgcore.kernel._movement")
