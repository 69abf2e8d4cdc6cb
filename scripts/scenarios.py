#!/usr/bin/env python3
"""Plays the requests of eval/scenarios through the whole program with one engine, prints the report, and puts its
totals into the table of docs/evaluation.md. Called by `just scenarios`; it needs python3 and nothing else.

    scenarios.py [--engine simple|metis|auto] [--times N] [--only TEXT]

    --engine  who writes the plans; metis and auto ask the model at METNOS_LIVE_LLM_URL
    --times   how often each is played, to see whether plans repeat
    --only    scenarios whose id has this text; the table is then left alone
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "evaluation.md"
HEADING = "## Whole requests"
INTRODUCTION = """
The requests of `eval/scenarios`, English and Italian, through the whole program in a scratch home (`just scenarios
ENGINE TIMES`): what must have changed, what the answer must say, and that nothing else happened. A model's plan that
fails the checks, or comes too late, gives way to the composer's. Times are of a debug build, and of a model on two
cores; tokens are of one call, the middle one (p50) and the long ones (p95).

| engine | model | played | solved | wrong effects | honest where a tool is missing | refused | asked | model calls | p50 ms | p95 ms | tokens read, p50 / p95 | of them cached | tokens written | same plans every time |
|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
"""


def model_name(url):
    """What the server at this address calls its model, without folders and endings."""
    with urllib.request.urlopen(url.rstrip("/") + "/v1/models", timeout=10) as answer:
        name = json.load(answer)["data"][0]["id"]
    return pathlib.PurePath(name).name.removesuffix(".gguf")


def play(engine, times, only):
    """The report, shown as it comes and returned."""
    more = {"METNOS_SCENARIOS_ENGINE": engine, "METNOS_SCENARIOS_TIMES": str(times), "METNOS_SCENARIOS_ONLY": only}
    command = ["cargo", "test", "--locked", "--test", "it", "scenarios::report", "--", "--ignored", "--nocapture"]
    lines = []
    with subprocess.Popen(command, cwd=ROOT, env=os.environ | more, stdout=subprocess.PIPE, text=True) as played:
        for line in played.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    if played.returncode:
        sys.exit(played.returncode)
    return "".join(lines)


def row(report, engine, model, times):
    """The totals as a line of the table."""
    found = re.search(r"^\| all \| (.+) \|$", report, re.M)
    same = re.search(r"^The same plans in all \d+ repetitions: (\d+) of (\d+)\.", report, re.M)
    if not found or not same:
        sys.exit("the report has no totals")
    solved, wrong, refused, asked, honest, calls, middle, slow = found[1].split(" | ")
    tokens = re.search(r"^Tokens .+: (.+) read, (.+) of them cached, (.+) written\.$", report, re.M)
    read, cached, written = tokens.groups() if calls != "0" else ("–", "–", "–")
    today = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    repeated = f"{same[1]}/{same[2]}" if times > 1 else "–"
    cells = [f"`{engine}`", model, f"{times} × on {today}", solved, wrong, honest, refused, asked, calls, middle, slow]
    cells += [read, cached, written]
    return "| " + " | ".join([*cells, repeated]) + " |"


def noted(page, line):
    """The page with this line in its table, in the place of the last one of the same engine and model."""
    before, found, after = page.partition(HEADING)
    if not found:
        return page.rstrip() + f"\n\n{HEADING}\n{INTRODUCTION}{line}\n"
    section, next_heading, rest = after.partition("\n## ")
    who = line.split(" | ")[:2]
    others = [known for known in section.splitlines() if known.startswith("| `") and known.split(" | ")[:2] != who]
    table = "\n".join(sorted([*others, line]))
    return f"{before}{HEADING}\n{INTRODUCTION}{table}\n{next_heading}{rest}"


def main():
    """Plays, prints, notes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--engine", choices=["simple", "metis", "auto"], default="simple")
    options.add_argument("--times", type=int, default=1)
    options.add_argument("--only", default="")
    given = options.parse_args()
    model = "–"
    if given.engine != "simple":
        url = os.environ.get("METNOS_LIVE_LLM_URL")
        if not url:
            sys.exit("name a model's address in METNOS_LIVE_LLM_URL, such as the one scripts/testbed/llama.sh prints")
        model = model_name(url)
    report = play(given.engine, given.times, given.only)
    if not given.only:
        line = row(report, given.engine, model, given.times)
        PAGE.write_text(noted(PAGE.read_text(encoding="utf-8"), line), encoding="utf-8")


if __name__ == "__main__":
    main()
