#!/usr/bin/env python3
"""Wrong characters of an Italian letter that Tesseract reads as `read_files` asks it to (src/executors/files/ocr.rs).

    pip install pillow && scripts/ocr_errors.py [PICTURE]

The letter is drawn at 200 dpi: clean, skewed, blurred, badly lit and turned. With a name the clean one is only kept.
"""

import subprocess
import sys

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"
# 11 points at 200 dots an inch.
SIZE, LINE = 31, 52
LETTER = """Gentile signora Rossi,
con la presente le comunichiamo che il canone di locazione dell'appartamento
di via Garibaldi 14, interno 3, sarà adeguato a partire dal 1° gennaio 2027.
L'importo mensile passa da 780,00 euro a 792,48 euro, da versare entro il
giorno 5 di ogni mese sul conto corrente IT60 X054 2811 1010 0000 0123 456.
Le ricordiamo inoltre che la caldaia va controllata entro il 15 ottobre e che
il preavviso per la disdetta è di sei mesi, da inviare con raccomandata.
Perché l'adeguamento sia valido non è necessaria alcuna firma.
Distinti saluti,
Studio Bianchi, amministratore"""


def drawn():
    """The letter on a sheet."""
    lines = LETTER.split("\n")
    sheet = Image.new("L", (1654, 2 * 100 + LINE * len(lines)), 255)
    pen, font = ImageDraw.Draw(sheet), ImageFont.truetype(FONT, SIZE)
    for at, line in enumerate(lines):
        pen.text((120, 100 + LINE * at), line, font=font, fill=20)
    return sheet


def distance(one, other):
    """Letters to change, add or take out."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        above, row = row, [at]
        for column, known in enumerate(other, 1):
            row.append(min(above[column] + 1, row[-1] + 1, above[column - 1] + (letter != known)))
    return row[-1]


def wrong(sheet):
    """The share of wrong characters."""
    sheet.save("/tmp/ocr-errors.png")
    command = ["tesseract", "/tmp/ocr-errors.png", "stdout", "-l", "ita+eng", "--psm", "1", "-c", "thresholding_method=2"]
    read = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    meant = " ".join(LETTER.split())
    return distance(meant, " ".join(read.split())) / len(meant)


def main():
    sheet = drawn()
    if len(sys.argv) > 1:
        sheet.save(sys.argv[1], optimize=True)
        return
    light = Image.linear_gradient("L").rotate(90).resize(sheet.size).point(lambda value: int(90 + value * 0.6))
    cases = {
        "clean": sheet,
        "skewed by 3 degrees": sheet.rotate(3, fillcolor=255, expand=True, resample=Image.Resampling.BICUBIC),
        "blurred": sheet.filter(ImageFilter.GaussianBlur(1.5)),
        "badly lit": ImageChops.multiply(sheet, light),
        "upside down": sheet.rotate(180),
        "on its side": sheet.rotate(90, expand=True),
    }
    for name, case in cases.items():
        print(f"{name:20} {wrong(case):.4f}")


if __name__ == "__main__":
    main()
