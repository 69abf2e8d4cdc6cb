//! What a command line says once its own variables, loops and functions are put in: `d=/; rm -rf $d` is `rm -rf /`.
//! Called by `shell`, which reads every such line as one that was typed. Nothing here decides, and nothing runs.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::{Captures, Regex};

/// A line that unfolds into more than these hides something.
const LINES_MAX: usize = 100;
/// Variables inside variables are followed this often.
const ROUNDS_MAX: usize = 4;

#[expect(
    clippy::expect_used,
    reason = "the patterns are constants, and a test uses every one of them"
)]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("constant pattern")
}

static ASSIGNED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?x) (?: ^ | [;&|\s(] ) (?<name>[A-Za-z_][A-Za-z0-9_]*) =
        (?: "(?<double>[^"]*)" | '(?<single>[^']*)' | (?<bare>[^\s;&|)]*) )"#,
    )
});
static LOOP: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bfor\s+(?<name>[A-Za-z_][A-Za-z0-9_]*)\s+in\s+(?<values>[^;\n]+)"));
static USED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\$(?:\{(?<braced>[A-Za-z_]\w*)\}|(?<bare>[A-Za-z_]\w*))"));
static FUNCTION: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bfunction\s+(?<name>[^\s(){};]+)\s*(?:\(\s*\))?\s*\{"));

/// Other lines that this one amounts to: empty where it has no variables of its own, `None` where there are too many.
pub(super) fn lines(text: &str) -> Option<Vec<String>> {
    let mut lines = BTreeSet::from([text.to_owned()]);
    for _ in 0..ROUNDS_MAX {
        let next: BTreeSet<String> = lines.iter().flat_map(|line| once(line)).collect();
        if next == lines {
            break;
        }
        if next.len() > LINES_MAX {
            return None;
        }
        lines = next;
    }
    Some(lines.into_iter().filter(|line| line != text).collect())
}

/// `function x {` as `x(){`.
pub(super) fn plain_functions(text: &str) -> String {
    FUNCTION.replace_all(text, "$name(){").into_owned()
}

/// One round: the last value of each variable, and a line for each turn of a loop.
fn once(text: &str) -> Vec<String> {
    let values: Vec<(String, String)> = ASSIGNED
        .captures_iter(text)
        .filter_map(|found| {
            let value = ["double", "single", "bare"]
                .iter()
                .find_map(|group| found.name(group))?;
            Some((found.name("name")?.as_str().to_owned(), value.as_str().to_owned()))
        })
        .collect();
    let turns = LOOP.captures(text).and_then(|found| {
        let name = found.name("name")?.as_str().to_owned();
        let values = found.name("values")?.as_str().split_whitespace();
        let turns: Vec<(String, String)> = values.map(|value| (name.clone(), value.to_owned())).collect();
        (!turns.is_empty()).then_some(turns)
    });
    let with = |turn: Option<&(String, String)>| {
        let put = |found: &Captures<'_>| {
            let name = ["braced", "bare"].iter().find_map(|group| found.name(group));
            let name = name.map_or("", |name| name.as_str());
            let mut known = turn.into_iter().chain(values.iter().rev());
            let value = known.find(|(own, _)| own == name).map(|(_, value)| value.clone());
            let whole = found.get(0).map_or("", |whole| whole.as_str());
            // What names itself would never end.
            value
                .filter(|value| !value.contains(whole))
                .unwrap_or_else(|| whole.to_owned())
        };
        USED.replace_all(text, put).into_owned()
    };
    match turns {
        Some(turns) => turns.iter().map(|turn| with(Some(turn))).collect(),
        None => vec![with(None)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_loops_and_functions_are_put_in() {
        for (text, wanted) in [
            ("d=/; rm -rf $d", &["d=/; rm -rf /"][..]),
            (
                "A='/etc'; B=$A/shadow; cat ${B}",
                &["A='/etc'; B=/etc/shadow; cat /etc/shadow"],
            ),
            (
                "for f in a b; do cat $f; done",
                &["for f in a b; do cat a; done", "for f in a b; do cat b; done"],
            ),
            ("P=$P:/x; echo $P", &[]),
            ("cat $HOME/x", &[]),
        ] {
            assert_eq!(lines(text).unwrap(), wanted, "{text}");
        }
        let many: String = (0..=LINES_MAX).map(|turn| format!("{turn} ")).collect();
        assert_eq!(lines(&format!("for f in {many}; do cat $f; done")), None);
        assert_eq!(plain_functions("function z { z|z& }; z"), "z(){ z|z& }; z");
    }
}
