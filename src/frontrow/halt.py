"""The one exception that ends a program.

Raise it where going on makes no sense and a person can mend the cause. The command line prints the message
as one line and exits with 1; nobody sees a traceback for a taken port.
"""


class Halt(Exception):  # noqa: N818 -- it is not an error of the program
    """What happened, and what to do about it, in one line."""
