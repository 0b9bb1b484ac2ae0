"""Measuring undisturbed by ourselves: while a load runs, nobody here looks for garbage."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def undisturbed() -> Generator[None]:
    """What is there stays there: without this, a collection would look at every request again and again."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()
