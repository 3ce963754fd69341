"""Starts the program of this package: `threadsite`, which builds static sites from threads."""

import os
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent / "bin" / "threadsite"


def main() -> None:
    """Replaces this process by the program, with the same arguments."""
    os.execv(PROGRAM, ["threadsite", *sys.argv[1:]])
