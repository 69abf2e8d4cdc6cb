#!/usr/bin/env python3
"""Plays requests about mail, calendar and contacts through `metnos chat`, each in the same household with a mailbox of
the test bed, and prints what was answered beside what was wanted. No card is said yes to and no model is asked; whether
an answer is right is for a reader to say.

    METNOS_LIVE_MAIL=$(scripts/testbed/mail.sh start </dev/null) scripts/ask_hands.py eval/fresh/hands-2026-11-29.jsonl

`METNOS` names the binary; the one of a debug build where it is not set.
"""

import json
import os
import pathlib
import re
import shutil
import smtplib
import subprocess
import sys
import tempfile
from email.message import EmailMessage

BINARY = os.environ.get("METNOS", "target/debug/metnos")
LANGUAGES = {"en": "en_GB.UTF-8", "it": "it_IT.UTF-8"}
TIMEOUT_S = 120
USER = "hands"

EVENTS = [
    ("dentist", "Dentist", "20261203T153000", "20261203T161500", ""),
    ("dinner", "Dinner with Anna", "20261205T200000", "20261205T220000", ""),
    ("parents", "Parents' evening", "20261209T170000", "20261209T183000", ""),
    ("yoga", "Yoga", "20261102T180000", "20261102T190000", "RRULE:FREQ=WEEKLY;BYDAY=MO\r\n"),
]
CONTACTS = [
    ("Anna Rossi", "Rossi;Anna", "NICKNAME:mum\r\nTEL;TYPE=CELL:+39 333 1234567\r\nBDAY:1960-12-03\r\n"),
    ("Luca Bianchi", "Bianchi;Luca", "ROLE:dentist\r\nEMAIL:luca@example.org\r\n"),
    ("Sara Neri", "Neri;Sara", "EMAIL:sara@example.org\r\n"),
]
BULK = {"List-Unsubscribe": "<mailto:off@garden.example>", "List-Id": "<garden>", "Precedence": "bulk"}
MAILS = [
    ("Garden News <news@garden.example>", "Garden News: winter", "Prune the roses.", None, BULK),
    ('"service@bank.example" <win@lottery.example>', "You won", "Click here.", None, {}),
    ("Telecom <billing@telecom.example>", "Your invoice", "42,10 EUR, due on 15 December 2026.", "invoice.pdf", {}),
    ("Luca Bianchi <luca@example.org>", "Dinner", "Shall we have dinner at eight on Saturday?", None, {}),
    ("School <info@school.example>", "Trip on Friday", "Bring a hat. The bus leaves at 8.", None, {}),
]


def lay_out(home):
    """The household's calendar and address book."""
    (home / ".calendar").mkdir(parents=True)
    (home / ".contacts").mkdir()
    (home / "documents").mkdir()
    events = "".join(
        f"BEGIN:VEVENT\r\nUID:{uid}\r\nSUMMARY:{title}\r\nDTSTART;TZID=Europe/Rome:{start}\r\n"
        f"DTEND;TZID=Europe/Rome:{end}\r\n{rule}END:VEVENT\r\n"
        for uid, title, start, end, rule in EVENTS
    )
    calendar = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n{events}END:VCALENDAR\r\n"
    (home / ".calendar/home.ics").write_text(calendar)
    cards = "".join(
        f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{name.split()[0]}\r\nFN:{name}\r\nN:{parts};;;\r\n{more}END:VCARD\r\n"
        for name, parts, more in CONTACTS
    )
    (home / ".contacts/people.vcf").write_text(cards)


def deliver(port):
    """The household's mails, oldest first."""
    for place, (who, subject, text, attached, headers) in enumerate(MAILS):
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = who, f"{USER}@bed.local", subject
        mail["Message-ID"] = f"<{place}@household.example>"
        for name, value in headers.items():
            mail[name] = value
        mail.set_content(text)
        if attached:
            mail.add_attachment(b"%PDF-1.4\n%%EOF\n", maintype="application", subtype="pdf", filename=attached)
        with smtplib.LMTP("127.0.0.1", port + 2) as server:
            server.sendmail("someone@example.org", [f"{USER}@bed.local"], mail.as_string())


def run(folder, lang, arguments, said):
    """What the program prints."""
    environment = {
        "HOME": str(folder / "home"),
        "METNOS_DATA_DIR": str(folder / "data"),
        "METNOS_CONFIG": str(folder / "config.toml"),
        "LANG": LANGUAGES[lang],
        "PATH": os.environ["PATH"],
    }
    played = subprocess.run(
        [BINARY, *arguments], input=said, capture_output=True, text=True, env=environment, timeout=TIMEOUT_S, check=False
    )
    return played.stdout


def play(case, port, bed):
    """What is answered to one request."""
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        lay_out(folder / "home")
        (folder / "config.toml").write_text(f'[mail]\nca_file = "{bed}/tls/ca.pem"\nhold_s = 0\n')
        servers = ["--imap", f"localhost:{port}", "--smtp", f"localhost:{port + 3}"]
        run(folder, case["lang"], ["account", "add", "mail", f"{USER}@bed.local", *servers], "bedpass\n")
        said = run(folder, case["lang"], ["chat"], f"/me language {case['lang']}\n{case['say']}\n")
    return said[said.rfind(f"> {case['say']}") :].strip()


def main():
    port, bed = re.fullmatch(r"imap://127\.0\.0\.1:(\d+)(/.*)", os.environ["METNOS_LIVE_MAIL"].strip()).groups()
    shutil.rmtree(pathlib.Path(bed, "box", USER), ignore_errors=True)
    deliver(int(port))
    with open(sys.argv[1], encoding="utf-8") as lines:
        for case in map(json.loads, lines):
            print(f"{play(case, int(port), bed)}\n    wanted: {case['want']}\n    first: {case['first']}\n", flush=True)


if __name__ == "__main__":
    main()
