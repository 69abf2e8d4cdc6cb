"""Starts metnos with a home and data of its own, holds a conversation with it, and reads its turn log."""

import json
import os
import pathlib
import subprocess
import time

from conversation import Say
from household import make_home

# Planning on a busy machine without a graphics card: rather wait than fall back.
CONFIG = """
timezone = "Europe/Rome"
[llm.wise]
timeout_s = 600
[llm.middle]
timeout_s = 300
[llm.fast]
timeout_s = 300
[telegram]
api_url = "{telegram}"
poll_s = 5
"""


class Metnos:
    """A household's metnos in a folder of its own."""

    def __init__(self, binary, folder, telegram="http://127.0.0.1:9", llm=None):
        self.binary, self.folder = binary, pathlib.Path(folder)
        self.home, self.data = make_home(self.folder / "home"), self.folder / "data"
        config = self.folder / "config.toml"
        config.write_text(CONFIG.format(telegram=telegram))
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "en_US.UTF-8",
            "METNOS_DATA_DIR": str(self.data),
            "METNOS_CONFIG": str(config),
        }
        if llm:
            self.environment["METNOS_LLM_URL"] = llm

    def turns(self):
        """The turn log so far."""
        lines = []
        for file in sorted((self.data / "turns").glob("*.jsonl")):
            lines += [json.loads(line) for line in file.read_text().splitlines()]
        return lines

    def talk(self, said):
        """Holds a conversation in the terminal; returns what the terminal showed, first start included."""
        lines = "".join((turn.text if isinstance(turn, Say) else turn.key) + "\n" for turn in said)
        command = [self.binary, "chat", "--trace"]
        spoken = subprocess.run(
            command, input=lines, env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            check=True,
        )
        return spoken.stdout.replace(str(self.folder), "FOLDER")

    def serve(self, token):
        """Starts the service; the caller stops it."""
        environment = self.environment | {"METNOS_TELEGRAM_TOKEN": token}
        log = open(self.folder / "serve.log", "w", encoding="utf-8")
        return subprocess.Popen([self.binary, "serve"], env=environment, stdout=log, stderr=subprocess.STDOUT)

    def pairing_code(self):
        """A one-time code, as `metnos pair` prints it."""
        made = subprocess.run([self.binary, "pair"], env=self.environment, text=True, capture_output=True, check=True)
        return made.stdout


def wait_for(what, seconds, look):
    """Looks until something is there."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise TimeoutError(f"{what}: not within {seconds} s")


def milliseconds(turn):
    """Whole turn, executors, model, and what is left: our own code."""
    took = turn["timings"]
    executors, model = took["executors_us"] / 1000, turn["llm"]["latency_ms"]
    total = took["total_us"] / 1000
    return {"total": total, "executors": executors, "model": model, "own": max(0.0, total - executors - model)}


def trace(turn):
    """One line: the layer, its model calls, the milliseconds."""
    took, calls = milliseconds(turn), turn["llm"]["calls"]
    words = [turn["answered_by"], f"{calls} model calls" if calls != 1 else "1 model call", f"{took['total']:.1f} ms"]
    parts = [f"executors {took['executors']:.1f}"]
    if calls:
        parts.append(f"model {took['model']}")
    parts.append(f"own code {took['own']:.1f}")
    return ", ".join(words) + " (" + ", ".join(parts) + ")"
