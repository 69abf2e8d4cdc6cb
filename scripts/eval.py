#!/usr/bin/env python3
"""Runs the product's own code over the evaluation sets, scores what it says with the sets' own scorer, and writes the
table of docs/evaluation.md beside the peers' figures. Called by `just eval`; it needs python3 and nothing else.

    eval.py [--sets DIR] [--binary PATH] [--output FILE] [--llm URL --model NAME [--every N]]

    --sets    the folder of the sets (METNOS_EVAL_SETS); ../shared/eval beside the repository when left out
    --binary  a harness built before; built with `cargo build --release --example eval` when left out
    --output  where the page goes; docs/evaluation.md when left out
    --llm     a llama-server: only the plans of its model (--model) are scored, on every so manieth (--every) case
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "eval"
# Verbs that only look: which of them a catalog names its tool with is a matter of taste.
LOOKING = {"read", "find", "list", "get", "filter", "sort", "group", "describe", "compute", "compare", "classify"}

# Set, kind of the harness, what is shown: the scorer's line, its target, the best peer's figure on the same kind of
# cases (README of the sets; a star is a peer's own corpus, from which it was made).
NONE = "–"
ROWS = [
    ("args", "args", [
        ("en every field right", "≥ .97", NONE),
        ("it every field right", "≥ .97", NONE),
    ]),
    ("time_cases", "time", [
        ("re en agree (Recognizers and Duckling both say so)", "≥ .98", NONE),
        ("re it agree (Recognizers and Duckling both say so)", "≥ .98", NONE),
        ("re en core", "≥ .85", ".653* Recognizers JS; .436 Duckling"),
        ("re it core", "≥ .80", ".332 Duckling"),
        ("du en core", "≥ .85", "1.000* Duckling; .333 Recognizers JS"),
        ("du it core", "≥ .80", "1.000* Duckling; .216 chrono-node"),
        ("re en silence on negatives", NONE, NONE),
        ("re it silence on negatives", NONE, NONE),
        ("du en silence on negatives", NONE, NONE),
    ]),
    ("duckling_other", "values", [
        ("en numeral", NONE, NONE),
        ("it numeral", NONE, NONE),
        ("en amountofmoney", NONE, NONE),
        ("it amountofmoney", NONE, NONE),
        ("en measures", NONE, NONE),
        ("it measures", NONE, NONE),
        ("phonenumber", NONE, NONE),
        ("email", NONE, NONE),
        ("url", NONE, NONE),
    ]),
    ("recognizers_spans", "values", [
        ("en NumberModel", NONE, ".73 Recognizers; .29 Duckling"),
        ("it NumberModel", NONE, ".14 Recognizers; .21 Duckling"),
        ("en PercentModel", NONE, NONE),
        ("it PercentModel", NONE, NONE),
        ("en CurrencyModel", NONE, NONE),
        ("it CurrencyModel", NONE, NONE),
        ("en TemperatureModel", NONE, NONE),
        ("it TemperatureModel", NONE, NONE),
        ("en DimensionModel", NONE, NONE),
        ("it DimensionModel", NONE, NONE),
        ("en PhoneNumberModel", NONE, ".95 Recognizers; .85 Duckling, spans"),
        ("en EmailModel", NONE, ".85 Recognizers; .75 Duckling, spans"),
        ("en URLModel", NONE, "1.00 Recognizers; .59 Duckling, spans"),
    ]),
    ("recur", "recur", [
        ("all: same instants", "1.000", NONE),
    ]),
    ("ics_expand", "ics_expand", [
        ("a second library agrees: same events", "≥ .99", ".858 ical 14.3.1"),
        ("all: same events", NONE, ".684 ical 14.3.1"),
    ]),
    ("fastpath", "intent", [
        ("en recall (intent)", "≥ .92", ".245 regular expressions"),
        ("it recall (intent)", "≥ .90", "0 regular expressions"),
        ("en wrong fires on negatives", "≤ .005", ".030 regular expressions, both languages"),
        ("it wrong fires on negatives", "≤ .005", ".030 regular expressions, both languages"),
    ]),
    ("ha_tests", "intent", [
        ("en supported: intent", "≥ .95", ".771 hassil, all intents"),
        ("en supported: intent+slots", "≥ .90", ".659 hassil, all intents"),
        ("it supported: intent", "≥ .95", ".828 hassil, all intents"),
        ("it supported: intent+slots", "≥ .90", ".716 hassil, all intents"),
    ]),
    ("prefilter_queries", "prefilter", [
        ("R@1", "≥ .60", ".517 trie_v2"),
        ("R@5", "≥ .88", ".786 production"),
        ("R@12", "≥ .94, ceiling .963", ".846 production"),
    ]),
    ("prefilter_queries, 1000 tools", "prefilter", [
        ("R@5", "≥ .80", ".645 token_flat, other fillers"),
    ]),
    ("nearmiss", "nearmiss", [
        ("WRONG PLAN served ('different')", "0", NONE),
        ("WRONG ARGUMENTS served ('args_differ', served verbatim)", "0", NONE),
        ("hit rate on 'same'", NONE, ".001 E5-small; .003 USE, at 1 % wrong"),
        ("re-extracted ('args_differ')", NONE, NONE),
    ]),
    ("guard", "guard", [
        ("deny: denied", NONE, ".641 substrings; .761 with normalising"),
        ("deny_suspicious: denied", NONE, NONE),
        ("allow: not denied", NONE, ".823 both"),
        ("allow_or_ask: not denied", NONE, NONE),
    ]),
    ("planning", "planning", [
        ("abstained when no tool fits", NONE, NONE),
        ("all: tool multiset F1", NONE, NONE),
        ("all: same tools in the same order", NONE, NONE),
        ("all: steps with every argument right", NONE, NONE),
    ]),
]
# The section of what a model plans, and the head of its table.
MODELS = "\n## Plans of a model"
MODELS_HEAD = [
    "What the proposer comes to with other people's tools (`eval.py --llm URL --model NAME`): the pool of twelve, one call,",
    "the product's validator; what it refuses counts as no plan. A tool is known by its name and the first words of what it",
    "says of itself, as in a household; so are its arguments.",
    "",
    "| model | cases | abstained when no tool fits | tool multiset F1 | same tools in the same order | steps with every argument right | p50 s |",
    "|---|--:|--:|--:|--:|--:|--:|",
]
# Mean milliseconds a case: what is promised, and the best peers'.
TIMES = {
    "args": ("≤ 0.2", NONE),
    "duckling_other": ("≤ 0.2", NONE),
    "recognizers_spans": ("≤ 0.2", NONE),
    "time_cases": ("≤ 0.2", "1.6 / 0.8 Duckling; 0.09 / 0.3 chrono-node"),
    "fastpath": ("≤ 0.05", "0.002 regular expressions"),
    "ha_tests": ("≤ 0.05", "4.4 / 5.1 hassil"),
    "prefilter_queries": ("≤ 0.3", "3 to 28"),
    "prefilter_queries, 1000 tools": ("≤ 1.5", NONE),
}
# Home Assistant's intents that metnos has.
SUPPORTED = {
    "HassTurnOn", "HassTurnOff", "HassLightSet", "HassStartTimer", "HassCancelTimer", "HassCancelAllTimers",
    "HassIncreaseTimer", "HassDecreaseTimer", "HassPauseTimer", "HassUnpauseTimer", "HassTimerStatus",
    "HassGetCurrentTime", "HassGetCurrentDate",
}


def read(path):
    """The lines of a file, parsed. Only a line feed ends one."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def predict(binary, kind, cases, name, *more):
    """What the product says, one object a case."""
    said = WORK / f"{name}.pred"
    with said.open("wb") as out:
        subprocess.run([binary, kind, cases, *more], stdout=out, check=True)
    return said


def score(sets, kind, cases, said):
    """The scorer's figures by line: (number of cases, share), and milliseconds under `ms`."""
    printed = subprocess.run(
        [sys.executable, sets / "score.py", kind, cases, said], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    figures = {}
    for line in printed.splitlines():
        if found := re.match(r"(.+?)\s+n=\s*(\d+)\s+([\d.]+)$", line):
            figures[found[1]] = (int(found[2]), float(found[3]))
        elif found := re.match(r"ms: mean ([\d.]+)\s+p50 ([\d.]+)\s+p95 ([\d.]+)", line):
            figures["ms"] = tuple(float(found[at]) for at in (1, 2, 3))
    return figures


def supported(sets, cases, said, figures):
    """Home Assistant's cases of the intents metnos has: the set's scorer, over those alone."""
    kept = WORK / "ha_supported.jsonl"
    of_ours = [case for case in read(cases) if case.get("intent") in SUPPORTED]
    kept.write_text("\n".join(json.dumps(case) for case in of_ours), encoding="utf-8")
    ours = score(sets, "intent", kept, said)
    for lang in ("en", "it"):
        figures[f"{lang} supported: intent"] = ours[f"{lang} recall (intent)"]
        figures[f"{lang} supported: intent+slots"] = ours[f"{lang} intent+slots"]


# Duckling's units in the base of their kind, and the currencies it names by a word.
SIZES = {
    "millimetre": .001, "centimetre": .01, "metre": 1, "m": 1, "kilometre": 1000, "inch": .0254, "foot": .3048,
    "yard": .9144, "mile": 1609.344, "gram": 1, "kilogram": 1000, "milligram": .001, "hectogram": 100,
    "ounce": 28.349523125, "pound": 453.59237, "millilitre": .001, "centilitre": .01, "decilitre": .1, "litre": 1,
    "hectolitre": 100, "gallon": 3.785411784, "cup": .24, "tablespoon": .015, "teaspoon": .005,
}
CURRENCIES = {"Dollar": "USD", "Pound": "GBP", "Cent": "cent", "Riyal": "SAR", "Rial": "IRR"}
MEASURES = ("temperature", "distance", "quantity", "volume")
# Which kinds of facts answer which of the two sources' kinds.
KINDS = {
    "amountofmoney": "money", "phonenumber": "phone", "email": "email", "url": "url", "PercentModel": "percent",
    "CurrencyModel": "money", "TemperatureModel": "amount", "DimensionModel": "amount", "PhoneNumberModel": "phone",
    "EmailModel": "email", "URLModel": "url",
}


def dialled(text):
    """The digits of a telephone number."""
    return re.sub(r"\D", "", text.split("ext")[0])


def wanted_of_duckling(case):
    """What Duckling's corpus wants, in our terms; None where its kind of value is none of ours: a range, a bound, an
    amount without a unit, an ordinal."""
    dim, value = case["dim"], case.get("value", {})
    if case["negative"]:
        return [] if dim in KINDS or dim == "numeral" else None
    if dim == "numeral":
        return [float(value["value"])]
    if dim in ("email", "url"):
        return [value["value"].lower()]
    if dim == "phonenumber":
        return [dialled(value["haskell"].split('"')[1])]
    simple = re.match(r"simple (\w+) \(?([-\d.e]+)\)?", value.get("haskell", ""))
    if simple is None or simple[1] == "Unnamed":
        return None
    unit, number = simple[1], float(simple[2])
    if dim == "amountofmoney":
        return [(CURRENCIES.get(unit, unit), round(number, 6))]
    if dim == "temperature":
        return [(unit.lower(), number)]
    return [round(number * SIZES[unit.lower()], 6)] if dim in MEASURES and unit.lower() in SIZES else None


def found_by_us(case, line, kind):
    """The same of our own reading."""
    dim = case.get("dim", "")
    if kind is None:
        return [float(number) for number in line["numbers"]]
    values = [fact["value"] for fact in line["facts"] if fact["kind"] == kind]
    if kind == "phone":
        return [dialled(value) for value in values]
    if kind in ("email", "url"):
        return [re.sub("^https://(?=www)", "", value.lower()) for value in values]
    if kind == "percent":
        return [float(value) for value in values]
    if "spec" in case:
        return [round(float(value["amount"]), 6) for value in values if case["spec"] != "TemperatureModel"
                or value["of"] == "temperature"]
    if kind == "money":
        return [(value["currency"], round(value["amount"], 6)) for value in values]
    if dim == "temperature":
        return [(value["unit"], value["amount"]) for value in values]
    return [round(value["amount"] * SIZES.get(value["unit"], 0), 6) for value in values]


def wanted_of_recognizers(case):
    """What Recognizers-Text wants: its values, not its names of units, which are words of the language."""
    wanted = []
    for span in case["spans"]:
        value = span["resolution"].get("value")
        if value is None:
            continue
        if case["spec"] == "PhoneNumberModel":
            wanted.append(dialled(value))
        elif case["spec"] in ("EmailModel", "URLModel"):
            wanted.append(value.lower())
        else:
            plain = value.rstrip("%")
            plain = plain.replace(".", "").replace(",", ".") if case["lang"] == "it" and "," in plain else plain
            wanted.append(round(float(plain), 6))
    return wanted


def values(cases, said):
    """The share of cases whose values are all right, none missing and none too many, by kind and language."""
    lines = {line["id"]: line for line in read(said)}
    tally = collections.defaultdict(lambda: [0, 0])
    for case in read(cases):
        name = case.get("dim") or case["spec"]
        if name not in KINDS and name not in MEASURES and name not in ("numeral", "NumberModel"):
            continue
        wanted = wanted_of_duckling(case) if "dim" in case else wanted_of_recognizers(case)
        if wanted is None:
            continue
        kind = "amount" if name in MEASURES else KINDS.get(name)
        found = found_by_us(case, lines[case["id"]], kind)
        same = len(found) == len(wanted) and all(map(alike, sorted(found), sorted(wanted)))
        label = "measures" if name in MEASURES else name
        label = label if name in ("phonenumber", "email", "url") else f"{case['lang']} {label}"
        tally[label][0] += 1
        tally[label][1] += same
    figures = {label: (count, right / count) for label, (count, right) in tally.items()}
    taken = sorted(line["ms"] for line in lines.values())
    figures["ms"] = (sum(taken) / len(taken), taken[len(taken) // 2], taken[int(len(taken) * .95)])
    return figures


def alike(one, other):
    """Equal, numbers but for what writing them out costs."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-6 * max(1, abs(other))
    return one == other


def reliability(cases, said):
    """How often the lexicon is right, by how sure it says it is: right is the object of the tool that production called
    first, wherever it stands in its name (`list_scheduled_tasks`), with its verb, or with two verbs that both only look.
    A picture is a file to metnos."""
    understood = {line["id"]: line for line in read(said)}
    bins = collections.defaultdict(lambda: [0, 0, 0.0])
    for case in read(cases):
        line = understood[case["id"]]
        verb, *things = case["first_tool"].split("_")
        right = any(
            (theirs in things or theirs == "files" and "images" in things)
            and (does == verb or (does in LOOKING and verb in LOOKING))
            for does, theirs in line["clauses"]
        )
        stated = line["confidence"]
        sure = "sure" if line["sure"] else "unsure"
        for name in (sure, f"{sure}, {stated:.1f}"):
            bins[name][0] += 1
            bins[name][1] += right
            bins[name][2] += stated
    return bins


def shown(share):
    """1 as 1.000, .5 as .500."""
    return f"{share:.3f}".removeprefix("0")


def machine():
    """What the times were measured on."""
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        models = [line.split(":")[1].strip() for line in info if line.startswith("model name")]
    return f"{models[0] if models else platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def fresh():
    """What requests that nobody built for come to: the page of those sets, without its title."""
    with open(ROOT / "eval" / "fresh" / "README.md", encoding="utf-8") as file:
        text = file.read().split("\n", 1)[1].strip()
    yield "## Fresh requests"
    yield ""
    yield from text.split("\n")
    yield ""


def page(results, bins, build):
    """The page, line by line."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    yield "# Evaluation"
    yield ""
    yield from fresh()
    yield "## Sets"
    yield ""
    yield "This page is written by `just eval` (`scripts/eval.py`): the product's own code over evaluation sets that lie beside"
    yield "the repository, scored by the sets' own scorer. Peers' figures are those measured on the same sets; a star marks the"
    yield "corpus a peer was made from. `just scenarios` adds what whole requests come to, at the end."
    yield ""
    yield f"{now}, {machine()}, {build}."
    yield ""
    yield "| set | figure | n | metnos | target | peers |"
    yield "|---|---|--:|--:|---|---|"
    for name, _, rows in ROWS:
        figures = results[name]
        for line, target, peer in rows:
            count, share = figures.get(line, (0, None))
            yield f"| {name} | {line} | {count} | {NONE if share is None else shown(share)} | {target} | {peer} |"
    yield ""
    yield "## Time"
    yield ""
    yield "Milliseconds a case. Of the shortlist it is the ranking, of short commands the matching: the request is read once for"
    yield "all layers, and that is the row of `args`."
    yield ""
    yield "| set | mean | p50 | p95 | target (mean) | peers (mean) |"
    yield "|---|--:|--:|--:|---|---|"
    for name, _, _ in ROWS:
        mean, middle, slow = results[name]["ms"]
        target, peer = TIMES.get(name, (NONE, NONE))
        yield f"| {name} | {mean:.3f} | {middle:.3f} | {slow:.3f} | {target} | {peer} |"
    yield ""
    yield "## How sure the lexicon is"
    yield ""
    yield "The intent of the shortlist's requests, read without a model, against the first tool production called (which is"
    yield "sometimes wrong itself): the object must be the same, and the verb, unless both only look. What it is sure of is"
    yield "acted on; of the rest the model is asked, or the person, never guessed. What is stated is on the safe side: a word"
    yield "nobody knows may be the verb (\"make the docs thing go poof\"), so each one takes more off than it costs here."
    yield ""
    yield "| it says | n | right | confidence stated |"
    yield "|---|--:|--:|--:|"
    for name, (count, right, stated) in sorted(bins.items()):
        yield f"| {name} | {count} | {shown(right / count)} | {shown(stated / count)} |"
    yield ""
    yield "## How to read it"
    yield ""
    yield "- `planning`: the composer with tools of other people, whose names and arguments follow no vocabulary of ours. It plans"
    yield "  only what it can account for word by word, so it hands all of them over: to a model, or to an honest no."
    yield "- `nearmiss`: re-extracted are the same words with other values, which go into the slots of a plan that a model wrote;"
    yield "  those in other words are planned anew. The same values in another order are never served."
    yield "- `prefilter_queries`, beyond the first twelve: six requests name a tool that the catalog does not have, and four are"
    yield "  wrong routes of production, which no ranking should learn: «quali sono i timer» and «posso testare» to"
    yield "  `get_processes`, «cancella una persona» to `find_files`, «verifica le mail importanti …» to `find_urls`."
    yield "- `duckling_other` and `recognizers_spans`: all values of a sentence, none missing and none too many. Ranges, bounds,"
    yield "  ordinals and amounts without a unit are left out; of Recognizers-Text the values count, not its names of units."
    yield "- `fastpath`, wrong fires in English: six cases from SLURP are no command there, though the set's own cases from Home"
    yield "  Assistant say that they are: «set the living room lights to red», «turn living room lights red» and «make the living"
    yield "  room blue» beside «set the bedroom color to red», «make all the lights red in here» and «set the first floor to red»;"
    yield "  «set a timer for five minutes for cookies» beside «5 minute timer for pizza»; and two that ask for reminders («what"
    yield "  reminders do i have set»), as those from xSID do that are a list of what is scheduled."
    yield "- `ha_tests`: intents that metnos has; hassil's figures are over all intents of the tests."
    yield "- `recur` and `ics_expand`, by `cargo run --release --example eval -- KIND CASES > PRED` and the sets' scorer:"
    yield "  the four windows that differ are of one file, where the judge stands alone. It names a zone that nobody knows; its hours"
    yield "  are read by the owner's clock here, as the set asks, and as UTC by the judge. A rule is followed by code of our own and"
    yield "  not by the crate `rrule`, which takes a week by its number alone for all its days and knows no zone that a file tells."


def kept(path):
    """What was measured with a model, here and by `scripts/scenarios.py`: the end of the page, kept as it is."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    starts = [at for at in map(text.find, (MODELS, "\n## Whole requests")) if at >= 0]
    return text[min(starts):] if starts else ""


def plans_of_model(sets, binary, llm, model, every):
    """One row: what a model plans with other people's tools, in one call each, on every so manieth case."""
    WORK.mkdir(parents=True, exist_ok=True)
    cases = read(sets / "open" / "planning.jsonl")[::every]
    sampled = WORK / "planning.jsonl"
    sampled.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    catalogs = (sets / "open" / "planning_catalogs.json").read_text(encoding="utf-8")
    (WORK / "planning_catalogs.json").write_text(catalogs, encoding="utf-8")
    figures = score(sets, "planning", sampled, predict(binary, "planning", sampled, f"planning-{model}", llm))
    rows = dict((name, rows) for name, _, rows in ROWS)["planning"]
    shares = " | ".join(shown(figures[line][1]) if line in figures else NONE for line, _, _ in rows)
    today = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    return f"| {model} | {len(cases)} on {today} | {shares} | {figures['ms'][1] / 1000:.0f} |"


def noted(text, row):
    """The page with this model's row in place of an older one of it."""
    if MODELS not in text:
        head = "\n".join([MODELS, "", *MODELS_HEAD, ""])
        before, found, rest = text.partition("\n## Whole requests")
        text = before + head + found + rest
    before, found, rest = text.partition(MODELS_HEAD[-1] + "\n")
    lines = rest.split("\n")
    end = next((at for at, line in enumerate(lines) if not line.startswith("|")), len(lines))
    name = row.split("|")[1]
    rows = [line for line in lines[:end] if line.split("|")[1:2] != [name]]
    return before + found + "\n".join([*rows, row, *lines[end:]])


def main():
    """Builds, runs, writes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sets", default=os.environ.get("METNOS_EVAL_SETS") or ROOT.parent / "shared" / "eval")
    options.add_argument("--binary")
    options.add_argument("--output", default=ROOT / "docs" / "evaluation.md")
    options.add_argument("--llm")
    options.add_argument("--model", default="a model")
    options.add_argument("--every", type=int, default=12)
    given = options.parse_args()
    sets = pathlib.Path(given.sets).resolve()
    if not (sets / "score.py").is_file():
        sys.exit(f"no evaluation sets in {sets}: name their folder with --sets or METNOS_EVAL_SETS")
    binary = given.binary
    if binary is None:
        subprocess.run(["cargo", "build", "--locked", "--release", "--example", "eval"], cwd=ROOT, check=True)
        target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
        binary = target / "release" / "examples" / "eval"
    page_file = pathlib.Path(given.output)
    if given.llm:
        row = plans_of_model(sets, binary, given.llm, given.model, given.every)
        page_file.write_text(noted(page_file.read_text(encoding="utf-8"), row), encoding="utf-8")
        print(row)
        return
    WORK.mkdir(parents=True, exist_ok=True)
    results = {}
    for name, kind, _ in ROWS:
        base, _, tools = name.partition(", ")
        cases = sets / "open" / f"{base}.jsonl"
        more = [tools.split()[0]] if tools else []
        said = predict(binary, kind, cases, name.replace(", ", "-").replace(" ", "-"), *more)
        results[name] = values(cases, said) if kind == "values" else score(sets, kind, cases, said)
        if base == "ha_tests":
            supported(sets, cases, said, results[name])
        print(f"{name}: done", file=sys.stderr)
    cases = sets / "open" / "prefilter_queries.jsonl"
    bins = reliability(cases, predict(binary, "understood", cases, "understood"))
    build = "a debug build" if "debug" in pathlib.Path(binary).parts else "a release build"
    text = "\n".join(page(results, bins, build)) + "\n" + kept(page_file)
    page_file.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
