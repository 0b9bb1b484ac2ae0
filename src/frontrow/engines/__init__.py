"""The database servers that Frontrow starts itself, from wheels: the same engines as in production."""
