"""Measuring: what Frontrow does in a second, and what other ways of holding seats do on the same machine."""
