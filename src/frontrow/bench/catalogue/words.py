"""What invented names are made of: the words of words.txt, genres, and how a house is called in each language."""

from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Final


def _sections() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    words: list[str] = []
    for line in (files("frontrow.bench.catalogue") / "words.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            words = found[line.strip("[]")] = []
        elif not line.startswith("#"):
            words += line.split()
    return {name: tuple(theirs) for name, theirs in found.items()}


WORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_sections())

SPORTS: Final = ("Football", "Basketball", "Handball", "Ice hockey", "Volleyball", "Rugby")
FILM_GENRES: Final = ("Drama", "Comedy", "Thriller", "Science fiction", "Animation", "Documentary", "Horror", "Romance")
CONCERT_GENRES: Final = (
    "Pop", "Rock", "Indie pop", "Electronic", "Jazz", "Folk", "Soul", "Hip-hop", "Classical", "Metal", "Blues", "Fado",
    "Chanson", "Techno", "World", "Choral", "Brass", "Flamenco",
)  # fmt: skip
STAGE_GENRES: Final = ("Drama", "Tragedy", "Musical", "Opera", "Ballet", "Dance", "Improvised theatre")
FAMILY_GENRES: Final = ("Puppet theatre", "Circus", "Music for children", "Fairy tale")

# How a house is called in the language of its country: {} is one of the proper names.
HOUSES: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = MappingProxyType(
    {
        "de": {
            "cinema": ("Kino {}", "Lichtspiele {}", "Filmtheater {}"),
            "theatre": ("Theater {}", "{}-Theater", "Kammerspiele {}", "Schauspielhaus {}"),
            "club": ("Kulturhaus {}", "Club {}", "Alte {}-Fabrik"),
            "arena": ("{}-Arena", "{}-Halle", "Stadion {}"),
        },
        "en": {
            "cinema": ("{} Picture House", "The {} Cinema", "{} Electric"),
            "theatre": ("{} Theatre", "The {} Playhouse", "Theatre {}"),
            "club": ("The {} Rooms", "Club {}", "{} Social"),
            "arena": ("{} Arena", "{} Stadium", "{} Hall"),
        },
        "fr": {
            "cinema": ("Cinéma {}", "Le {} Palace"),
            "theatre": ("Théâtre {}", "Théâtre du {}"),
            "club": ("La Cave {}", "Café {}", "L'Usine {}"),
            "arena": ("Arène {}", "Zénith {}", "Stade {}"),
        },
        "es": {
            "cinema": ("Cine {}", "Cines {}"),
            "theatre": ("Teatro {}", "Sala {}"),
            "club": ("Sala {}", "Café {}"),
            "arena": ("Palacio {}", "Estadio {}", "{} Arena"),
        },
        "pt": {
            "cinema": ("Cinema {}", "Cine-Teatro {}"),
            "theatre": ("Teatro {}", "Teatro Municipal {}"),
            "club": ("Casa {}", "Clube {}", "Armazém {}"),
            "arena": ("Pavilhão {}", "Coliseu {}", "Estádio {}"),
        },
        "it": {
            "cinema": ("Cinema {}", "Multisala {}"),
            "theatre": ("Teatro {}", "Piccolo Teatro {}"),
            "club": ("Circolo {}", "Officina {}"),
            "arena": ("Palazzo {}", "Stadio {}", "Arena {}"),
        },
        "nl": {
            "cinema": ("Bioscoop {}", "Filmhuis {}"),
            "theatre": ("Schouwburg {}", "Theater {}"),
            "club": ("Poppodium {}", "De {}-kelder"),
            "arena": ("{} Dome", "{}-hal", "Stadion {}"),
        },
    }
)
LANGUAGES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "DE": "de", "AT": "de", "CH": "de", "GB": "en", "IE": "en", "FR": "fr", "LU": "fr", "ES": "es", "PT": "pt",
        "IT": "it", "NL": "nl", "BE": "nl",
    }
)  # fmt: skip
