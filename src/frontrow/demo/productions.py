"""What the demo's organizers put on. Nobody in here exists, and neither do the works.

The mail addresses end in `.example`, which belongs to nobody: no mail of the demo reaches anyone.
"""

from dataclasses import dataclass
from typing import Final

from frontrow.core.catalogue import Category


@dataclass(frozen=True, slots=True)
class Organizer:
    name: str
    email: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Production:
    organizer: Organizer
    name: str
    performers: tuple[str, ...]
    category: Category
    genre: str
    minutes: int
    popularity: float
    rating: float | None = None
    also_known_as: tuple[str, ...] = ()
    about: str


LUMEN: Final = Organizer("Lumen Cinemas", "programme@lumen.example")
LONGWAVE: Final = Organizer("Longwave Concerts", "hello@longwave.example")
THREE_RIVERS: Final = Organizer("Three Rivers Stage", "box-office@three-rivers.example")
MERIDIAN_ATHLETIC: Final = Organizer("Meridian Athletic", "tickets@meridian-athletic.example")

LAMPLIGHTER: Final = Production(
    organizer=LUMEN,
    name="Lamplighter on Io",
    also_known_as=("Der Lampenwärter auf Io", "O Faroleiro de Io"),
    performers=("Tobias Renn", "Marisol Quist", "Adaeze Fenn"),
    category=Category.FILM,
    genre="Science fiction",
    minutes=134,
    popularity=0.86,
    rating=4.4,
    about=(
        "The last keeper of a signal station on Io answers a call that was sent forty years ago. What begins as a "
        "rescue becomes a conversation between two people who can never meet, told in long, quiet takes under "
        "Jupiter's light."
    ),
)
NINE_KITCHENS: Final = Production(
    organizer=LUMEN,
    name="Nine Kitchens",
    also_known_as=("Neun Küchen", "Nove Cozinhas"),
    performers=("Paloma Viegas", "Henk Oostra"),
    category=Category.FILM,
    genre="Comedy",
    minutes=104,
    popularity=0.71,
    rating=4.1,
    about=(
        "A cook with one good recipe and a great many debts takes nine jobs in nine days. Each kitchen teaches her "
        "something, mostly about dishwashers. Come hungry, or better, come fed."
    ),
)
DEBT_IN_SALT: Final = Production(
    organizer=LUMEN,
    name="A Debt in Salt",
    also_known_as=("Schuld und Salz", "Uma Dívida em Sal"),
    performers=("Ruben Achterberg", "Noor Saleh", "Idris Mallory"),
    category=Category.FILM,
    genre="Thriller",
    minutes=126,
    popularity=0.78,
    rating=4.0,
    about=(
        "A customs officer finds a ledger hidden in a cargo of salt, with her late father's handwriting in it. "
        "Following the numbers leads her along a coast where everyone owes somebody, and nobody writes anything down."
    ),
)
MOSSBEARD: Final = Production(
    organizer=LUMEN,
    name="Mossbeard and the Missing Hour",
    also_known_as=("Moosbart und die verschwundene Stunde", "O Barba-de-Musgo e a Hora Perdida"),
    performers=("Voices of Greta Holm", "Samuel Okpara"),
    category=Category.FILM,
    genre="Animation",
    minutes=92,
    popularity=0.74,
    rating=4.6,
    about=(
        "Every spring somebody steals an hour, and the forest is tired of it. An old troll, a girl who cannot sleep "
        "and a very punctual hedgehog set out to bring it back. For everyone from five years up."
    ),
)
QUIET_REFEREE: Final = Production(
    organizer=LUMEN,
    name="The Quiet Referee",
    also_known_as=("Die stille Schiedsrichterin", "A Árbitra Calada"),
    performers=("Halina Brzoska",),
    category=Category.FILM,
    genre="Documentary",
    minutes=96,
    popularity=0.42,
    rating=4.5,
    about=(
        "For thirty years Halina Brzoska has refereed amateur football on Sunday mornings, and has shown four red "
        "cards. A film about patience, mud and the art of being listened to."
    ),
)
FERRY_TO_ALMADA: Final = Production(
    organizer=LUMEN,
    name="Ferry to Almada",
    also_known_as=("Die Fähre nach Almada", "O Barco para Almada"),
    performers=("Beatriz Salgueiro", "Emil Traub"),
    category=Category.FILM,
    genre="Romance",
    minutes=111,
    popularity=0.63,
    rating=3.9,
    about=(
        "He maps the river, she steers the ferry across it, and both have been taking the same eleven minutes for "
        "granted. A summer in Lisbon, two languages and one timetable."
    ),
)
SOMETHING_IN_THE_SILO: Final = Production(
    organizer=LUMEN,
    name="Something in the Silo",
    also_known_as=("Etwas im Silo", "Alguma Coisa no Silo"),
    performers=("Wren Addison", "Caspar Lunde"),
    category=Category.FILM,
    genre="Horror",
    minutes=101,
    popularity=0.58,
    rating=3.6,
    about=(
        "The harvest is in, the silo is full, and at night it hums. Two siblings come home to sell the farm and find "
        "that the neighbours would rather they did not open the hatch."
    ),
)
FORTY_ACRES: Final = Production(
    organizer=LUMEN,
    name="Forty Acres of Sky",
    also_known_as=("Vierzig Morgen Himmel", "Quarenta Acres de Céu"),
    performers=("Lena Maribor", "Jonas Adeyemi", "Ottoline Grey"),
    category=Category.FILM,
    genre="Drama",
    minutes=118,
    popularity=0.67,
    rating=4.3,
    about=(
        "A glider pilot loses her licence and takes a job mowing the airfield she used to fly from. Slowly she learns "
        "the names of everyone she used to see from above."
    ),
)

TIDAL_ROOMS: Final = Production(
    organizer=LONGWAVE,
    name="Ilse Marrow: Tidal Rooms",
    performers=("Ilse Marrow", "The Low Lamps"),
    category=Category.CONCERT,
    genre="Indie pop",
    minutes=150,
    popularity=0.88,
    about=(
        "Ilse Marrow wrote her third album in a lighthouse with the windows open, and you can hear the weather in it. "
        "She brings it to three cities with an eight-piece band, strings, and a stage that fills with light like a "
        "tide."
    ),
)
SECOND_SUMMER: Final = Production(
    organizer=LONGWAVE,
    name="Halogen Parade: Second Summer",
    performers=("Halogen Parade", "DJ Marzipan"),
    category=Category.CONCERT,
    genre="Electronic",
    minutes=180,
    popularity=0.81,
    about=(
        "Four people, eleven synthesizers and a brass section that arrives when you least expect it. After two years "
        "away Halogen Parade return with the record they made by swapping tapes in the post. Wear shoes you can dance "
        "in."
    ),
)
BACK_TO_THE_RIVER: Final = Production(
    organizer=LONGWAVE,
    name="Odessa Quill: Back to the River",
    performers=("Odessa Quill",),
    category=Category.CONCERT,
    genre="Soul",
    minutes=160,
    popularity=0.99,
    about=(
        "One night, one voice, the songs a whole city knows by heart. Odessa Quill has not sung at home for nine "
        "years; this is the only date, and it is in the round."
    ),
)
BRASS_AND_BRINE: Final = Production(
    organizer=LONGWAVE,
    name="Brass & Brine",
    also_known_as=("Blech und Brise",),
    performers=("Tuba Republic", "Kapelle Möwe", "The Salt Cellar Six"),
    category=Category.CONCERT,
    genre="Brass",
    minutes=300,
    popularity=0.64,
    about=(
        "Six bands, about ninety horns and one very large hall. The festival of loud metal and good manners comes to "
        "Berlin for the first time, with a fish market in the foyer from noon."
    ),
)

WHAT_THE_HARBOUR_KEPT: Final = Production(
    organizer=THREE_RIVERS,
    name="What the Harbour Kept",
    also_known_as=("Was der Hafen behielt",),
    performers=("Miriam Ashdown", "Kwame Tetteh", "Roisin Calder"),
    category=Category.THEATRE,
    genre="Drama",
    minutes=145,
    popularity=0.69,
    rating=4.5,
    about=(
        "When the dredgers reach the old quay they bring up a piano, a safe and a wedding car. Three families come to "
        "see what is theirs. A new play about what a town decides to forget, with one interval and real water."
    ),
)
MILDLY_FURIOUS: Final = Production(
    organizer=THREE_RIVERS,
    name="Bea Tolliver: Mildly Furious",
    performers=("Bea Tolliver",),
    category=Category.COMEDY,
    genre="Stand-up",
    minutes=100,
    popularity=0.77,
    rating=4.7,
    about=(
        "Bea Tolliver has read the terms and conditions. All of them. An evening of well-argued complaints about "
        "self-checkouts, group chats and the word 'just', from a woman who would like it noted that she is fine."
    ),
)
CAPTAIN_CRUMB: Final = Production(
    organizer=THREE_RIVERS,
    name="Captain Crumb and the Paper Sea",
    also_known_as=("Kapitän Krümel und das Papiermeer", "O Capitão Migalha e o Mar de Papel"),
    performers=("Companhia do Barco Azul",),
    category=Category.FAMILY,
    genre="Puppet theatre",
    minutes=70,
    popularity=0.55,
    rating=4.8,
    about=(
        "The smallest captain in the world sails a newspaper boat in search of a dry place to land. Puppets, live "
        "accordion and a storm made of four hundred sheets of paper, which the audience may keep. From four years up."
    ),
)

ATHLETIC_V_ROVERS: Final = Production(
    organizer=MERIDIAN_ATHLETIC,
    name="Meridian Athletic v Calder Rovers",
    performers=("Meridian Athletic", "Calder Rovers"),
    category=Category.SPORT,
    genre="Football",
    minutes=115,
    popularity=0.92,
    about=(
        "The river derby: two clubs from opposite banks, ninety-one meetings, and nobody agrees on the score. Gates "
        "open two hours before kick-off; the band plays from the south end as it has since 1904."
    ),
)
