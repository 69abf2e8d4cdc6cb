"""Holds the walkthrough's conversations and writes the page; `scripts/walkthrough.sh` starts it with its servers."""

import argparse
import datetime
import pathlib
import platform
import subprocess

import telegram
from conversation import conversation
from household import open_site
from metnos import Metnos, milliseconds

INTRODUCTION = """\
# Walkthrough

This page is written by `just walkthrough` (`scripts/walkthrough.sh`), which holds one conversation three times: in the
terminal without a model, with a real llama-server, and over a Bot API server with buttons tapped. What stands in the
boxes is what came out, unedited.

Fixed before: a home folder with a few documents, one of them locked, notes, pictures and a table, and a web site with
two pages on the loopback address (`scripts/walkthrough/household.py`). Each conversation begins with a fresh home and a
fresh data folder. The person is the host and speaks English, so answers are English, whatever language a request is in.
"""
FEEDBACK = """\
What the buttons changed, at the end of the conversation: after ✗ the request is no longer answered from memory but
planned anew; ↺ leaves the plan out, another one answers, and it is that one which memory answers with from then on.
"""
LAYERS = """\
The layers: `pattern` is a fixed rule, `fastpath` is memory of the same request, `autopath` is memory of this kind of
request, `simple` is the composer that needs no model, `near` is what it can read nearly, `metis` is one call of the
model, `terminator` is an honest end.
"""


def main():
    parser = argparse.ArgumentParser()
    for name in ("binary", "work", "llm", "model", "telegram", "figures", "output"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    work, said = pathlib.Path(options.work), conversation(open_site())
    sections = [INTRODUCTION, setting(options), LAYERS]
    bare = Metnos(options.binary, work / "terminal")
    sections.append("## In the terminal, no model\n\n`metnos chat --trace < requests`\n")
    sections += [box(bare.talk(said)), table(bare.turns()), FEEDBACK]
    helped = Metnos(options.binary, work / "model", llm=options.llm)
    sections.append(
        f"## In the terminal, with llama-server\n\n"
        f"`scripts/testbed/llama.sh {options.model}`, `METNOS_LLM_URL={options.llm} metnos chat --trace < requests`\n"
    )
    sections += [box(helped.talk(said)), table(helped.turns())]
    phone = Metnos(options.binary, work / "telegram", telegram=options.telegram)
    sections.append(
        "## Over the Bot API, buttons tapped\n\n"
        "`scripts/testbed/telegram.sh start`, `metnos pair`, `metnos serve`. Texts are shown as they were sent, HTML and\n"
        "all. Every call was checked by the server against the models of the Bot API.\n"
    )
    sections.append(box(telegram.hold(options.telegram, phone, said)))
    if options.figures != "none":
        sections.append("## Figures\n\n`cargo bench --bench figures`\n")
        sections.append(box(pathlib.Path(options.figures).read_text(encoding="utf-8")))
    pathlib.Path(options.output).write_text("\n".join(sections), encoding="utf-8")


def setting(options):
    """The date, the version and the machine."""
    version = subprocess.run([options.binary, "--version"], text=True, capture_output=True, check=True).stdout.strip()
    cpu = field("/proc/cpuinfo", "model name")
    memory = int(field("/proc/meminfo", "MemTotal").split()[0]) // (1024 * 1024)
    cores = len([line for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("processor")])
    load = open("/proc/loadavg", encoding="utf-8").read().split()[0]
    today = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    return (
        f"{version}, {today}, {platform.system()} {platform.release()}, {cpu}, {cores} cores, {memory} GB; "
        f"load {load} when it began; the model is {options.model}.\n"
    )


def field(file, name):
    with open(file, encoding="utf-8") as lines:
        return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(name)), "unknown")


def box(text):
    return f"```text\n{text.rstrip()}\n```\n"


def table(turns):
    """The turn log as a table."""
    rows = [
        "From the turn log, in milliseconds; our own code is the rest after executors and model:\n",
        "| request | layer | model calls | executors | model | own code | all |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for turn in turns:
        took = milliseconds(turn)
        rows.append(
            f"| {turn['user_query'].replace('|', '/')} | {turn['answered_by']} | {turn['llm']['calls']} "
            f"| {took['executors']:.1f} | {took['model']} | {took['own']:.1f} | {took['total']:.1f} |"
        )
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    main()
