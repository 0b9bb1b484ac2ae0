"""Valkey or Redis: what may be lost. Emptying it at any moment never sells a seat twice."""
