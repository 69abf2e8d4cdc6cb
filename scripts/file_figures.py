#!/usr/bin/env python3
"""Measures what a home with many files costs: documents indexed a second and questions about them, photos looked at a
second and looked at again, and a search among many names beside `find` on the same tree.

    METNOS=target/release/metnos scripts/file_figures.py [documents] [photos] [names]

Everything is made in a folder that is gone afterwards. The photos are one picture of a single pixel with a moment of its
own, made 3 MB long without taking the room (sparse): what is read of one is read, what is skipped costs nothing. So the
rate of what they look like is one of processes and of bytes; what decoding a large picture takes is not in it. No model is
asked, nothing is read with OCR.
"""

import datetime
import json
import os
import pathlib
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

BINARY = os.environ.get("METNOS", "target/debug/metnos")
DOCUMENTS, PHOTOS, NAMES = 1_000, 20_000, 200_000
PHOTO_BYTES = 3_000_000
QUESTIONS = 40
# A grey JPEG of one pixel, behind its first mark.
PIXEL = bytes.fromhex(
    "ffe000104a46494600010100000100010000ffdb004300" + "08" * 64 + "ffc0000b080001000101011100"
    "ffc4001f0000010501010101010100000000000000000102030405060708090a0b"
    "ffc400b5100002010303020403050504040000017d01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282"
    "090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788"
    "898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1"
    "f2f3f4f5f6f7f8f9fa"
    "ffda0008010100003f00fbd3ffd9"
)
WORDS = "gym water school garden roof boiler bicycle piano dentist harbour violin carpet".split()


class House:
    """A home and a data folder."""

    def __init__(self, folder):
        self.home, self.data = pathlib.Path(folder, "home"), pathlib.Path(folder, "data")
        self.home.mkdir(parents=True)
        self.environment = {
            "HOME": str(self.home),
            "METNOS_DATA_DIR": str(self.data),
            "LANG": "en_US.UTF-8",
            "PATH": os.environ["PATH"],
        }

    def run(self, *args, said=""):
        """Seconds and output of one command."""
        begin = time.monotonic()
        done = subprocess.run(
            [BINARY, *args], input=said, capture_output=True, text=True, env=self.environment, check=False, timeout=3_000
        )
        if done.returncode != 0:
            sys.exit(f"{args}: {done.stderr[-2000:]}")
        return time.monotonic() - begin, done.stdout

    def turns(self):
        """What the turn log says of each turn so far."""
        lines = [line for log in sorted(self.data.glob("**/*.jsonl")) for line in log.read_text().splitlines()]
        return [json.loads(line) for line in lines]


def text_of(number):
    word = WORDS[number % len(WORDS)]
    lines = [f"Contract {number} of the {word}.", f"It expires on {number % 28 + 1} March 2027."]
    lines += [f"Clause {clause}: the {WORDS[(number + clause) % len(WORDS)]} is looked after each year." for clause in range(60)]
    return lines


def write_pdf(path, lines):
    """A page of text in one of the fonts every reader has."""
    show = "".join(f"({line}) Tj 0 -11 Td " for line in lines)
    stream = f"BT /F 9 Tf 40 800 Td {show} ET".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (number, body)
    begin = len(out)
    out += b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    path.write_bytes(out + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % begin)


def write_zip(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files:
            archive.writestr(name, text)


def write_docx(path, lines):
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in lines)
    kinds = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
    )
    document = f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>'
    write_zip(path, [("[Content_Types].xml", kinds), ("word/document.xml", document)])


def write_odt(path, lines):
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    body = "".join(f"<text:p>{line}</text:p>" for line in lines)
    content = (
        f'<office:document-content xmlns:office="{space}office:1.0" xmlns:text="{space}text:1.0"><office:body><office:text>'
        f"{body}</office:text></office:body></office:document-content>"
    )
    write_zip(path, [("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", content)])


def write_csv(path, lines):
    rows = [f"2026-{at % 12 + 1:02}-{at % 28 + 1:02},{WORDS[at % len(WORDS)]},{at * 1.5:.2f}" for at in range(len(lines))]
    path.write_text("date,what,euro\n" + "\n".join(rows) + "\n")


def documents(folder):
    house = House(folder)
    writers = [("pdf", write_pdf), ("docx", write_docx), ("odt", write_odt), ("csv", write_csv)]
    for number in range(DOCUMENTS):
        ending, write = writers[number % len(writers)]
        place = house.home / "documents" / str(number // 100)
        place.mkdir(parents=True, exist_ok=True)
        write(place / f"{WORDS[number % len(WORDS)]} {number}.{ending}", text_of(number))
    # The job begins by itself at the first start, which waits for it a while when it ends.
    first, _ = house.run("chat", said="what time is it?\n")
    rest, said = house.run("jobs", "run", "papers_index_refresh")
    seconds = first + rest
    print(f"documents: {DOCUMENTS} in {seconds:.1f} s, {DOCUMENTS / seconds:.0f} a second ({said.strip()})")
    before = len(house.turns())
    asked = [f"when does the {WORDS[at % len(WORDS)]} contract {at * 4} expire?" for at in range(QUESTIONS)]
    _, answers = house.run("chat", said="\n".join(asked) + "\n")
    took = sorted(turn["timings"]["total_us"] / 1_000 for turn in house.turns()[before:])
    print(
        f"questions: {len(took)}, median {took[len(took) // 2]:.0f} ms, p95 {took[len(took) * 95 // 100]:.0f} ms, "
        f"{answers.count('March 2027')} times a day was told"
    )


def picture(moment):
    """A JPEG with nothing in it but the moment a camera wrote (EXIF 2.32)."""
    tiff = b"MM\0*\0\0\0\x08" + struct.pack(">HHHLL", 1, 0x8769, 4, 1, 26) + b"\0" * 4
    tiff += struct.pack(">HHHLL", 1, 0x9003, 2, 20, 44) + b"\0" * 4 + moment.encode() + b"\0"
    return b"\xff\xd8\xff\xe1" + struct.pack(">H", len(tiff) + 8) + b"Exif\0\0" + tiff + PIXEL


def photos(folder):
    house = House(folder)
    begin = datetime.datetime(2015, 1, 1)
    for number in range(PHOTOS):
        place = house.home / "photos" / str(number // 500)
        place.mkdir(parents=True, exist_ok=True)
        moment = (begin + datetime.timedelta(hours=4 * number)).strftime("%Y:%m:%d %H:%M:%S")
        with open(place / f"IMG_{number:05}.jpg", "wb") as file:
            file.write(picture(moment))
            file.truncate(PHOTO_BYTES)
    house.run("chat", said="what time is it?\n")
    before = len(house.turns())
    house.run("chat", said="photos from Rome in 2019\n")
    seconds = house.turns()[before]["timings"]["total_us"] / 1_000_000
    with sqlite3.connect(house.data / "metnos.sqlite") as database:
        known = database.execute("SELECT count(*) FROM photos WHERE told <> ''").fetchone()[0]
    print(f"photos, when and where: {known} in {seconds:.1f} s of a question's wait, {known / seconds:.0f} a second")
    for what in ("the rest, and what they look like", "again"):
        seconds, said = house.run("jobs", "run", "images_index_refresh")
        print(f"photos, {what}: {PHOTOS} in {seconds:.1f} s, {PHOTOS / seconds:.0f} a second ({said.strip()})")


def names(folder):
    house = House(folder)
    for number in range(NAMES):
        place = house.home / "many" / str(number // 10_000) / str(number // 500)
        if number % 500 == 0:
            place.mkdir(parents=True)
        (place / f"file {number}.{'pdf' if number % 1_000 == 7 else 'dat'}").touch()
    house.run("chat", said="what time is it?\n")
    took = []
    for _ in range(3):
        before = len(house.turns())
        house.run("chat", said="find the pdf files in ~/many\n")
        took.append(min(turn["timings"]["total_us"] / 1_000 for turn in house.turns()[before:]))
    begin = time.monotonic()
    found = subprocess.run(["find", house.home / "many", "-name", "*.pdf"], capture_output=True, text=True, check=True)
    beside = (time.monotonic() - begin) * 1_000
    count = len(found.stdout.splitlines())
    print(f"names: {count} of {NAMES}: metnos {min(took):.0f} ms, find {beside:.0f} ms, ratio {min(took) / beside:.2f}")


def main():
    measures = {"documents": documents, "photos": photos, "names": names}
    for name in sys.argv[1:] or measures:
        with tempfile.TemporaryDirectory() as folder:
            measures[name](folder)


if __name__ == "__main__":
    main()
