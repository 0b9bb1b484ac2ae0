"""An identity service: whose tokens are good, by the keys that it publishes."""
