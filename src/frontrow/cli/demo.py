"""`frontrow demo`: a season to look at."""

from frontrow.cli.saying import say
from frontrow.demo.planting import DemoPlanting
from frontrow.processes import preparing
from frontrow.processes.clock import now
from frontrow.processes.whereabouts import with_database
from frontrow.settings import Settings


def demo() -> None:
    """Plant the demo in the catalogue.

    What has dates ahead is left as it is: a second time changes nothing.
    """
    planted = with_database(Settings.read(), "frontrow demo", plant)
    say("planted the demo's season" if planted else "nothing to plant: the demo has dates ahead")


async def plant(database_url: str) -> bool:
    return await preparing.plant(database_url, DemoPlanting(now=now()))
