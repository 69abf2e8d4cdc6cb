#!/usr/bin/env python3
"""Plays the questions of the set `documents` through `metnos chat`, each in a home of its own with its files.

    scripts/ask_papers.py shared/eval/open/documents.jsonl FOLDER_OF_THE_UNPACKED_FILES > PRED
    python3 shared/eval/score.py documents shared/eval/open/documents.jsonl PRED

`METNOS` names the binary; the one of a debug build where it is not set. No model is asked.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

BINARY = os.environ.get("METNOS", "target/debug/metnos")
LANGUAGES = {"en": "en_US.UTF-8", "it": "it_IT.UTF-8"}
TIMEOUT_S = 120


def play(case, files):
    """What is answered to one question."""
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder, "home")
        documents = home / "documents"
        documents.mkdir(parents=True)
        for name in case["files"]:
            shutil.copy(files / name, documents / pathlib.Path(name).name)
        environment = {
            "HOME": str(home),
            "METNOS_DATA_DIR": str(pathlib.Path(folder, "data")),
            "LANG": LANGUAGES[case["lang"]],
            "PATH": os.environ["PATH"],
        }
        played = subprocess.run(
            [BINARY, "chat"],
            input=case["question"] + "\n",
            capture_output=True,
            text=True,
            env=environment,
            timeout=TIMEOUT_S,
            check=False,
        )
    # The first line repeats the question.
    return "\n".join(played.stdout.strip().split("\n")[1:])


def main():
    cases, files = sys.argv[1], pathlib.Path(sys.argv[2])
    with open(cases, encoding="utf-8") as lines:
        asked = [case for case in map(json.loads, lines) if case["set"] == "ask"]
    with ThreadPoolExecutor(2) as pool:
        for case, answer in zip(asked, pool.map(lambda case: play(case, files), asked)):
            print(json.dumps({"id": case["id"], "answer": answer}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
