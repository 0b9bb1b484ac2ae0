"""Crowds that do not exist: how the real rules fare with millions of fans, in a time of their own."""
