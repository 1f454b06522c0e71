"""How large things may be: every limit of what is read, in one place. What is beyond one is refused, by a message that names it.

A limit of what a record may *say* (players, names, cards of a hand) stands in the record's model and in its published schema;
those that readers need too are taken from here. Budgets of searches, which are steps and not sizes, stand where they are spent.
"""

MIB, GIB = 2**20, 2**30

# --- bytes of a source

#: A file that must be read whole (all but JSON Lines and archives, which are read as they come).
MAX_FILE = GIB
#: Standard input, and whatever else is no file, of which nobody knows how long it will be.
MAX_STREAM = 128 * MIB
#: Unpacked, a file may have so many times the bytes it has packed (records have about 10), 10 MiB
#: in any case, and so many in all.
MAX_RATIO = 200
ALWAYS = 10 * MIB
MAX_UNPACKED = 16 * GIB
#: The list of files in a zip, which tells of some 100,000 of them, and whatever else of an archive is read in one piece.
MAX_DIRECTORY = 8 * MIB
#: A file of settings, and how many parts a key in it may have.
MAX_SETTINGS = MIB
MAX_KEY_PARTS = 32
#: A list of known findings.
MAX_BASELINE = 256 * MIB
#: What came of one chunk of an audit, as its journal has it, packed and unpacked.
MAX_JOURNAL_LINE = 64 * MIB
MAX_RESULT = 256 * MIB

# --- a record

#: Bytes, in JSON or any other text.
MAX_BYTES = 16 * MIB
#: Lists and objects within each other.
MAX_DEPTH = 32
#: Beyond this, other readers of JSON round (RFC 7493, I-JSON).
MAX_NUMBER = 2**53 - 1
MAX_DEALS = 4096
MAX_PLAYERS = 64
#: Of one deal.
MAX_EVENTS = 20_000
#: Pointers that are remembered taken apart: of most events the deal and the event that each leads to, as every replay asks for
#: all of them in turn. If they were more than are remembered, each would be forgotten before it is asked for again.
MAX_REMEMBERED = 2 * MAX_EVENTS
#: Faults of form that are told, and lines of a file that are no records: more help nobody. A list of all such faults is made up
#: to so many, which takes about 250 MB.
MAX_FINDINGS = 1000
MAX_ERRORS = 250_000
#: Names in a record that are no seats of it, and are told each.
MAX_STRANGERS = 100

# --- other formats

#: Words of a typed record: one that fills the bytes that JSON may have has fewer; many more would take minutes and gigabytes.
MAX_WORDS = 750_000
#: Cells of a score sheet: a game of 4,096 deals with 64 players has about as many; many more would take gigabytes.
MAX_CELLS = 1_100_000
#: PBN: characters of a game (with all that players write it has a few thousand), tags that are kept for the games that follow,
#: and characters of a text, or comments of a deal.
MAX_GAME = MIB
MAX_KEPT = 64
MAX_TEXT = 1000
#: LIN: characters of a value that is understood, not only kept, and of what is kept of a board.
MAX_LIN_VALUE = 10_000
MAX_LIN_KEPT = MIB
#: DDS: characters of a line; the longest in the lists that come with it has 156.
MAX_DDS_LINE = 1000

# --- archives

#: Row groups, rows in all, rows of a group, and its bytes when unpacked (besides the ratio above).
MAX_GROUPS = 1_000_000
MAX_ROWS = 1 << 40
MAX_GROUP_ROWS = 1 << 24
MAX_GROUP_BYTES = GIB


def mib(limit: int) -> str:
    """A number of bytes as messages tell it."""
    return f"{limit // GIB} GiB" if limit % GIB == 0 else f"{limit // MIB} MiB"
