"""What is said, as requests and taps; every channel holds the same."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Say:
    """The person writes this."""

    text: str


@dataclass(frozen=True)
class Tap:
    """The person taps this button under the last answer; the terminal has a key for it."""

    label: str
    key: str


CONFIRM, REJECT, RETRY = Tap("✓", "+"), Tap("✗", "-"), Tap("↺", "=")
APPROVE, YES = Tap("Approve", "y"), Tap("Yes", "y")
# What opens the locked document of the household.
PASSWORD = Say("tramontana")


def conversation(site):
    """The conversation, then what ✗, ↺ and ✓ change."""
    find = "find the pdf files in ~/docs modified this week"
    photos = "list the files in ~/photos"
    return [
        Say("what time is it"),
        Say("che giorno è oggi"),
        Say("list the files in ~/docs"),
        Say(find),
        Say(find),
        Say("quanti file markdown ci sono in ~/notes"),
        Say("read ~/notes/diary.md and show me the last three lines"),
        Say(f"fetch {site}/uuid and tell me only the uuid"),
        Say(f"save the page {site}/article to ~/notes/article.md and tell me how many bytes you wrote"),
        Say("move the jpg files from ~/in to ~/photos"),
        Say("annulla"),
        Say("delete ~/docs/old.txt"),
        APPROVE,
        Say("which process uses the most memory"),
        Say("add a row to fuel.csv: 28 November 2026, 41 litres, 73.80 euros"),
        Say("make a chart of the euro column in fuel.csv"),
        YES,
        Say("read ~/house/contract.pdf"),
        PASSWORD,
        Say("read ~/.ssh/id_rsa"),
        Say("book me a flight to Rome"),
        Say("remind me tomorrow at 9 to call mum"),
        Say("every weekday at 8 tell me how many files are in ~/in"),
        Say("what are my reminders"),
        # From here on: the buttons. ✗ takes the answer out of memory, so the next time is planned anew.
        Say(find),
        REJECT,
        Say(find),
        # ↺ asks for another plan at once, and that one is remembered.
        Say(photos),
        RETRY,
        Say(photos),
        CONFIRM,
    ]
