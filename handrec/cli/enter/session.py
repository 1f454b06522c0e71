"""A game as it is taken down: each line that is typed happens at the table, and stands in the file before the next is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from handrec import games, referee
from handrec.cli.enter import words
from handrec.cli.enter.files import GameFile, NotSaved
from handrec.cli.enter.lines import Said, commented, meant, next_deal, note, read
from handrec.cli.errors import CommandError
from handrec.findings import Finding
from handrec.live import Legal, LiveTable, Refused
from handrec.record import Deal, Record
from handrec.referee.form import check_seats
from handrec.report.events import in_words
from handrec.report.safe import safe

#: A longer line is no line that somebody typed.
LONGEST = 4000
ANYWAY = "Nothing of it was taken. Type it again, or yes to write it down as what happened."
#: Codes of lines that cannot be read, so that there is nothing to write down.
UNREADABLE = ("FMT001", "FMT002", "FMT003", "FMT004", "FMT005", "FMT007", "FMT012")


class Left(Exception):
    """Whoever types has done; `code` is the exit code."""

    def __init__(self, code: int = 0) -> None:
        self.code = code


class Session:
    """A table, its file, and what was typed last: `say` shows lines, `waiting` is what `yes` would do."""

    def __init__(self, table: LiveTable, file: GameFile, say: Callable[[Iterable[str]], None]) -> None:
        self.table, self.file, self.say = table, file, say
        self.waiting: Callable[[], None] | None = None
        self.before: list[LiveTable | None] = []  # the tables to go back to, None where this one can undo it itself
        self.unsaved = ""
        self.commands: dict[str, Callable[[], None]] = {
            "undo": self.undo,
            "?": lambda: self.say(words.may_come(self.table)),
            "score": lambda: self.say(words.scores(self.table)),
            "table": lambda: self.say(words.on_table(self.table)),
            "help": lambda: self.say((words.HELP + self.table.game.key).split("\n")),
            "end": self.end,
            "save": lambda: self.save_as(""),
            "quit": self.quit,
            "!": lambda: self.doubt(""),
        }

    @property
    def legal(self) -> Legal:
        """What may happen next, held until it is asked for again: where hands are not known it takes long to find."""
        self._legal = self.table.legal()
        return self._legal

    def line(self, text: str) -> None:
        """Do what a line says, and write the game down. Raises `Left` if it says that this is the end."""
        text, waiting, self.waiting = text.strip(), self.waiting, None
        if len(text) > LONGEST:
            self.say([f"A line of {len(text):,} characters is too long; nothing of it was taken."])
        elif text.lower() in ("yes", "y"):
            (waiting or (lambda: self.say(["There is nothing to say yes to."])))()
        elif (command := self.commands.get(text.lower())) is not None:
            command()
        elif text[:1] == "!":
            self.doubt(text[1:].strip())
        elif text.lower().startswith("save "):
            self.save_as(text[5:].strip())
        elif text or self.legal.deal:
            self.take(text)
        self.save()

    # --- what happens ---

    def take(self, text: str, forced: bool = False) -> None:
        """Have happen what a line says, all of it or nothing; `forced` whatever the rules say of it."""
        typed, comment = commented(text)
        begun, told, wrong = len(self.before), list[str](), list[Finding]()
        for meanings in meant(self.table, typed) if typed or not comment else ():
            if wrong := self.step(meanings, forced, told):
                break
        if comment and not wrong:
            alone = not self.before or not typed or self.before[-1] is not None
            wrong = self.step((note(self.table, comment),), forced, told)
            if not wrong and not alone:
                self.before.pop()  # it is taken back with the event
        if not wrong:
            self.say(told)
            return
        while len(self.before) > begun:
            self.back()
        self.say(words.wrong(self.table, wrong))
        if forced:
            return
        if not any(finding.code in UNREADABLE for finding in wrong):
            self.say(words.lines(ANYWAY))
            self.waiting = lambda: self.take(text, True)
        elif (word := text.split()[0]).isalpha() and len(word) > 2:  # and no card
            near = get_close_matches(word.lower(), self.commands, 1)
            self.say(words.lines(f"{f'Did you mean {near[0]}? ' if near else ''}help tells what may be typed."))

    def step(self, meanings: tuple[str, ...], forced: bool, told: list[str]) -> list[Finding]:
        """Have the first of some meanings happen that may, else the first that can be read; why not, if not."""
        said = [read(self.table, meaning) for meaning in meanings]
        readable = [each for each in said if not each.findings]
        if not readable:
            return [*said[0].findings[:3]]
        self.reopen(readable[0])
        wrong = list[Finding]()
        for each in readable:
            begun, heard = len(self.before), list[str]()
            found = self.happen(each, False, heard)
            if not found:
                told += heard
                return []
            wrong = wrong or found
            while len(self.before) > begun:
                self.back()
        if not forced:
            return wrong
        told.append("Written down.")
        return self.happen(readable[0], True, told, wrong)

    def happen(self, said: Said, forced: bool, told: list[str], known: Sequence[Finding] = ()) -> list[Finding]:
        """Have happen what was read; why it is refused, if it is. `told` grows by what is said of it, without what is `known`."""
        if said.record is not None:
            return self.restate(said.record, forced, told)
        deal = [] if said.deal is None else [{"do": "deal", **next_deal(self.table, said.deal.get("number")), **said.deal}]
        for event in (*deal, *said.events):
            answer = (self.table.force if forced else self.table.apply)(event)
            if isinstance(answer, Refused):
                return [*answer.findings]
            self.before.append(None)
            if not forced and (misnumbered := [each for each in answer.findings if each.code == "FMT019"]):
                return misnumbered
            told += words.wrong(self.table, [each for each in answer.findings if each not in known])
            if answer.trick is not None:
                told += words.taken(self.table, answer.trick)
            if answer.deal_over and self.table.stated.deals[-1].events:
                told += words.standing(self.table)
                if self.table.over and not self.table.ended:
                    self.table.end()
        return []

    def reopen(self, said: Said) -> None:
        """Something happens though the game was over."""
        if self.table.ended and said.events:
            self.replace(LiveTable(self.table.stated.model_copy(update={"status": "in_progress"})))

    # --- what is written down besides ---

    def restate(self, record: Record, forced: bool, told: list[str]) -> list[Finding]:
        """Write down something that is no event; what is wrong with it now, and was not before, is why not."""
        if wrong := check_seats(record, self.table.game):
            return wrong
        known = {(each.code, each.pointer) for each in referee.check(self.table.record, games.find).findings}
        table = LiveTable(record, ended=self.table.ended)
        found = referee.check(table.record, games.find).findings
        new = [each for each in found if (each.code, each.pointer) not in known]
        if not forced and any(each.severity == "error" for each in new):
            return new
        told += [] if forced else words.wrong(self.table, new)
        self.replace(table)
        return []

    def replace(self, table: LiveTable) -> None:
        """Go on with another table, and keep this one to come back to."""
        self.before.append(self.table)
        self.table = table

    def doubt(self, text: str) -> None:
        """Mark the card that was played last as doubted."""
        deals = self.table.stated.deals
        last = deals[-1].events[-1] if deals and deals[-1].events else None
        if last is not None and last.do == "play":
            events = [*deals[-1].events[:-1], last.model_copy(update={"questioned": True})]
            deal = deals[-1].model_copy(update={"events": events})
            self.replace(LiveTable(self.table.stated.model_copy(update={"deals": [*deals[:-1], deal]}), ended=self.table.ended))
            self.say(words.lines(f"Doubted: {self._words_of(last)}"))
        elif not text:
            self.say(words.lines("A doubt is marked at a card that was played, and that is not what happened last."))
        if text:
            self.take(f"# {text}")

    def end(self) -> None:
        """The game ends here."""
        if self.table.ended or not self.table.stated.deals:
            self.say(["The game is over already." if self.table.ended else "No deal has begun."])
            return
        self.replace(LiveTable(self.table.stated))
        self.table.end()
        self.say(["The game ends here."])

    def undo(self) -> None:
        """Take back what was typed last, and say what that was."""
        gone = self.back()
        if isinstance(gone, Deal):
            self.say([f"Taken back: deal {gone.number or len(self.table.stated.deals) + 1}"])
        elif gone is not None:
            self.say(words.lines(f"Taken back: {gone if isinstance(gone, str) else self._words_of(gone)}"))
        else:
            self.say(["There is nothing to take back."])

    def back(self) -> Any:
        """Take back what happened last: the event, the deal, or what was written down, in words; None if there is nothing."""
        earlier = self.before.pop() if self.before else None
        if earlier is not None:
            self.table = earlier
            return "what was written down last"
        gone = self.table.undo()
        if gone is not None:
            self._unsay()
        return gone

    def _unsay(self) -> None:
        """Take out what was said of events that are taken back."""
        deals = self.table.stated.deals
        if not deals or not deals[-1].comments:
            return
        kept = [comment for comment in deals[-1].comments if (comment.event or 0) <= len(deals[-1].events)]
        if len(kept) < len(deals[-1].comments):
            fields = {key: getattr(deals[-1], key) for key in deals[-1].model_fields_set} | {"comments": kept}
            if not kept:
                del fields["comments"]
            deal = Deal.model_construct(_fields_set={*fields}, **fields)
            self.table = LiveTable(self.table.stated.model_copy(update={"deals": [*deals[:-1], deal]}))

    def _words_of(self, event: Any) -> str:
        people = words.people_at(self.table)
        seat = getattr(event, "by", None)
        return f"{people.first.get(seat, safe(seat)) if seat else ''} {in_words(event)}".strip()

    # --- the file ---

    def save(self) -> None:
        """Write the game down; what hinders that is said, and the typing goes on."""
        try:
            kept = self.file.save(self.table.record)
        except NotSaved as error:
            if str(error) != self.unsaved:
                self.unsaved = str(error)
                self.say(words.lines(f"NOT SAVED: {error}. save NAME writes another file."))
            return
        self.unsaved = ""
        if kept:
            self.say(words.lines(f"The file as it was stays as {safe(kept, 300)}."))

    def save_as(self, name: str) -> None:
        """Write the game to another file, which must not exist, and go on in that; without a name, to its own."""
        before = self.file, self.unsaved
        if name:
            try:
                file = GameFile(name)
                if file.path.exists():
                    raise CommandError(f"{safe(name, 300)} is there already, and is not overwritten")
                file.read()
            except CommandError as error:
                self.say(words.lines(str(error)))
                return
            self.file = file
        elif not self.file.path.exists():
            self.file.was = None
        self.unsaved = ""
        self.save()
        if not self.unsaved:
            self.say(words.lines(f"The game is in {safe(self.file.name, 300)}."))
        elif name:
            self.file, self.unsaved = before  # the typing goes on in the file there was

    def quit(self) -> None:
        """Leave; not without a question if something is in no file."""
        self.save()
        if self.unsaved:
            self.say(words.lines("What was typed is not in the file. Leave all the same? yes, or save NAME."))
            self.waiting = self._leave
            return
        raise Left

    def _leave(self) -> None:
        raise Left(2)
