#!/usr/bin/env python3
"""What Python's imaplib takes for the same looks at a mailbox as metnos (`just mailbox-figures`): the mails of a sender
in a window, first with the login and then again, and the newest fifty. Prints one JSON object, in milliseconds.

imap_baseline.py PORT CA_FILE USER PASSWORD SENDER SINCE BEFORE (both as `1-Nov-2026`) FIELDS TIMES
"""
import imaplib
import json
import ssl
import sys
import time

port, ca_file, user, password, sender, since, before, fields, times = sys.argv[1:]
imaplib._MAXLINE = 10_000_000  # a search may name ten thousand mails in one line


def fetch(box, numbers):
    if not numbers:
        return 0
    what = f"(UID FLAGS INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER.FIELDS ({fields})])"
    _, answer = box.uid("FETCH", b",".join(numbers).decode(), what)
    return sum(1 for part in answer if isinstance(part, tuple))


def of_sender(box):
    box.select("INBOX", readonly=True)
    _, (found,) = box.uid("SEARCH", "FROM", f'"{sender}"', "SINCE", since, "BEFORE", before)
    return fetch(box, found.split()[-50:])


def newest(box):
    box.select("INBOX", readonly=True)
    _, (found,) = box.uid("SEARCH", "ALL")
    return fetch(box, found.split()[-50:])


def milliseconds(work):
    begun = time.perf_counter()
    found = work()
    return (time.perf_counter() - begun) * 1000, found


def first():
    global box
    box = imaplib.IMAP4_SSL("localhost", int(port), ssl_context=ssl.create_default_context(cafile=ca_file))
    box.login(user, password)
    return of_sender(box)


took, found = milliseconds(first)
again = sorted(milliseconds(lambda: of_sender(box))[0] for _ in range(int(times)))
lists = sorted(milliseconds(lambda: newest(box))[0] for _ in range(int(times)))
print(json.dumps({"first": took, "again": again[len(again) // 2], "list": lists[len(lists) // 2], "found": found}))
