"""The household of the walkthrough: a home folder with a few files, and a web site with two pages."""

import http.server
import os
import pathlib
import threading
import time

SITE_PORT = 18777
UUID = b'{\n  "uuid": "3b241101-e2bb-4255-8caf-4136c566a962"\n}\n'
PARAGRAPHS = (
    "The keeper climbed the stairs of the lighthouse every evening for thirty years, and every evening he lit the lamp.",
    "On clear nights he could see the boats of the village, and he knew each of them by the way its lantern moved.",
    "When the lamp was replaced by one that needs nobody, he went on climbing the stairs, to look at the boats.",
    "His daughter keeps the book in which he wrote the weather of each day; the last line says that the sea was calm.",
)
ARTICLE = (
    "<!doctype html><html lang=en><head><title>The lighthouse keeper</title></head><body>"
    "<nav><a href=/>Home</a> <a href=/about>About</a></nav>"
    "<article><h1>The lighthouse keeper</h1>" + "".join(f"<p>{text}</p>" for text in PARAGRAPHS) + "</article>"
    "<footer>All rights reserved</footer></body></html>"
).encode()
DAY = 24 * 60 * 60
LOCKED = pathlib.Path(__file__).parents[2] / "crates/documents/fixtures/locked-aes_256.pdf"


def make_home(folder):
    """A fresh home: documents of this week, an older one and a locked one, notes, pictures, a table, and a key nobody may
    read."""
    home = pathlib.Path(folder)
    files = {
        "docs/lease.pdf": b"%PDF-1.4 lease\n" * 700,
        "docs/manual.pdf": b"%PDF-1.4 manual\n" * 90,
        "docs/taxes-2026.pdf": b"%PDF-1.4 taxes\n" * 400,
        "docs/letter.txt": b"Dear aunt Rosa,\n",
        "docs/old.txt": b"an old shopping list\n",
        "notes/diary.md": "".join(f"day {day}: {text}\n" for day, text in DIARY).encode(),
        "notes/recipes.md": b"# Recipes\n",
        "notes/todo.txt": b"call the plumber\n",
        "in/IMG_0001.jpg": b"\xff\xd8\xff" + b"1" * 900,
        "in/IMG_0002.jpg": b"\xff\xd8\xff" + b"2" * 700,
        "in/IMG_0003.jpg": b"\xff\xd8\xff" + b"3" * 800,
        "in/ticket.pdf": b"%PDF-1.4 ticket\n",
        "photos/IMG_0000.jpg": b"\xff\xd8\xff" + b"0" * 600,
        "car/fuel.csv": b"date;litres;euro\n2026-10-02;30.1;55.20\n2026-11-04;39.5;70.90\n",
        "house/contract.pdf": LOCKED.read_bytes(),
        ".ssh/id_rsa": b"not a key\n",
    }
    for name, content in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    long_ago = time.time() - 40 * DAY
    os.utime(home / "docs/lease.pdf", (long_ago, long_ago))
    return home


DIARY = (
    (1, "rain all day"),
    (2, "the cat came back"),
    (3, "planted the tomatoes"),
    (4, "Marta's birthday"),
    (5, "swam in the lake"),
)


class Site(http.server.BaseHTTPRequestHandler):
    """Two pages: /uuid and /article."""

    def do_GET(self):  # noqa: N802, the name is the library's
        pages = {"/uuid": ("application/json", UUID), "/article": ("text/html; charset=utf-8", ARTICLE)}
        kind, body = pages.get(self.path, ("text/plain", b"not here"))
        self.send_response(200 if self.path in pages else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def open_site():
    """Starts the site; it ends with the program."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", SITE_PORT), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{SITE_PORT}"
