//! Both ways of reading beside each other: what the composer makes of every request of `tests/corpus/plans`, and what
//! the frames make of it alone. It judges nothing; its table says which family of requests could do without the
//! composer.
//!
//! ```sh
//! cargo test --lib composer::tests::shadow -- --ignored --nocapture
//! ```

use std::{collections::BTreeMap, io::Write, sync::Arc};

use super::*;
use crate::{
    domain::dialogue::Dialogue,
    engine::{
        frames::{self, Asked, Near},
        things::{Resolver, files::Files},
    },
};

/// What one way makes of a request beside what the other does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Beside {
    /// Word for word the same plan, with nothing left over.
    Same,
    /// The same plan, but words are left that would have it shown first.
    Offered,
    /// The same tools, other values.
    OtherValues,
    /// Other tools, and something is changed.
    OtherChange,
    /// Other tools, and nothing is changed.
    OtherLook,
    /// The frames read nothing where the composer has a plan.
    Nothing,
    /// The composer has no plan, and neither have the frames.
    BothNothing,
    /// The composer has no plan: the frames look.
    NewLook,
    /// The composer has no plan: the frames change something.
    NewChange,
}

/// The nearest reading by the frames alone.
fn framed(text: &str, lang: Lang, home: &Home, root: &std::path::Path, catalog: &[Arc<Manifest>]) -> Option<Near> {
    let home = Arc::new(home.clone());
    let reading = LANGUAGE.read_at_home(text, lang, &now(), &home);
    let words = LANGUAGE.outline(&reading, &home);
    let files = Files::new(root.to_owned(), Arc::clone(&home), &LANGUAGE, lang);
    let things: [&dyn Resolver; 1] = [&files];
    let asked = Asked {
        reading: &reading,
        words: &words,
        view: &Dialogue::default(),
        things: &things,
        stem: &|text| LANGUAGE.telling_stems(text, reading.lang),
        rest: false,
        note: &|_| (),
    };
    frames::nearest(&asked, catalog)
}

/// The tools of a plan's line, in order.
fn tools(line: &str) -> Vec<&str> {
    line.split(" → ")
        .map(|step| step.split('{').next().unwrap_or(step))
        .collect()
}

fn beside(composed: &Composition, near: Option<&Near>) -> Beside {
    let Composition::Plan(_) = composed else {
        return match near {
            None => Beside::BothNothing,
            Some(near) if near.changes => Beside::NewChange,
            Some(_) => Beside::NewLook,
        };
    };
    let Some(near) = near else {
        return Beside::Nothing;
    };
    let (old, new) = (line(composed), line(&Composition::Plan(near.plan.clone())));
    if old == new {
        return if near.is_sure { Beside::Same } else { Beside::Offered };
    }
    match (tools(&old) == tools(&new), near.changes) {
        (true, _) => Beside::OtherValues,
        (false, true) => Beside::OtherChange,
        (false, false) => Beside::OtherLook,
    }
}

#[test]
#[ignore = "a report"]
fn report() {
    let mut out = std::io::stdout();
    let mut counts: BTreeMap<String, BTreeMap<Beside, usize>> = BTreeMap::new();
    for table in corpus::tables("plans") {
        let catalog = if table.setting.is_empty() {
            catalog()
        } else {
            without_mail(&[])
        };
        let (folder, home) = home_of(&table.files);
        // Every row is "different" from nothing, and so is told of.
        table.differing(|text, lang| {
            let reading = LANGUAGE.read_at_home(text, lang, &now(), &home);
            let composed = compose(&reading, &catalog, &[]);
            let near = framed(text, lang, &home, folder.path(), &catalog);
            let beside = beside(&composed, near.as_ref());
            let old = line(&composed);
            let family = match &composed {
                Composition::Plan(_) => tools(&old).join("+"),
                _ => "no plan".to_owned(),
            };
            *counts.entry(family).or_default().entry(beside).or_default() += 1;
            if !matches!(beside, Beside::Same | Beside::BothNothing) {
                let new = near.map_or(String::new(), |near| line(&Composition::Plan(near.plan)));
                writeln!(out, "{beside:?}\t{text}\t{old}\t{new}").unwrap();
            }
            String::new()
        });
    }
    let mut all: BTreeMap<Beside, usize> = BTreeMap::new();
    for (family, counts) in &counts {
        writeln!(out, "{family}: {counts:?}").unwrap();
        for (beside, count) in counts {
            *all.entry(*beside).or_default() += count;
        }
    }
    writeln!(out, "all: {all:?}").unwrap();
}
