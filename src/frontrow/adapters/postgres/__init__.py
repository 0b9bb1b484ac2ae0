"""PostgreSQL: the only place that reads `frontrow.sql`. Rows become dataclasses here."""
