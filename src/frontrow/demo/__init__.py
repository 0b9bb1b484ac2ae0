"""The demo: three cities' worth of venues and events that look like the real thing."""
