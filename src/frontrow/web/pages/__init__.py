"""The pages a browser shows. Every flow works without JavaScript."""
