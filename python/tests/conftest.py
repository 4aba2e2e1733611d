"""What the tests of the package share: the binary and the tables that it makes."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def program():
    """The binary that the variable `BOLSHAK` names, else one built for the purpose."""
    if "BOLSHAK" in os.environ:
        return [os.environ["BOLSHAK"]]
    return ["cargo", "run", "--release", "--"]


@pytest.fixture(scope="session")
def directory(program, tmp_path_factory):
    """Tables of two kings against one, and what they need."""
    path = tmp_path_factory.mktemp("tables")
    subprocess.run([*program, "generate", "--slices", "KKvK", "--tables", path], cwd=ROOT, check=True)
    return path
