//! World signatures: what a remembered plan must still find unchanged to be served.
//! Computed from manifests alone, so that a new or changed executor invalidates by itself what it should.

use std::collections::BTreeSet;

use super::Catalog;
use crate::domain::{
    ids::ExecutorName,
    intent::{Clause, Intent, short_hash},
    manifest::Manifest,
    vocabulary::{Object, Verb},
};

impl Catalog {
    /// A hash of these tools as they are today; `None` when one of them is gone.
    pub fn tools_signature<'a>(&self, names: impl IntoIterator<Item = &'a ExecutorName>) -> Option<String> {
        let tools: Option<BTreeSet<String>> = names
            .into_iter()
            .map(|name| Some(format!("{name}:{}", self.get(name)?.digest)))
            .collect();
        let tools: Vec<String> = tools?.into_iter().collect();
        Some(short_hash(tools.join("\n").as_bytes()))
    }

    /// A hash of the names that could answer this intent: changes when a better tool appears or one goes.
    pub fn pool_signature(&self, intent: &Intent) -> String {
        let families: Vec<String> = intent.clauses.iter().map(|clause| self.family(*clause)).collect();
        short_hash(families.join(";").as_bytes())
    }

    /// The names that could serve a clause. A part that was not understood stands for any.
    fn family(&self, clause: Clause) -> String {
        let names: Vec<&str> = self
            .all()
            .iter()
            .filter(|manifest| serves(manifest, clause))
            .map(|manifest| manifest.name.as_str())
            .collect();
        names.join(",")
    }
}

fn serves(manifest: &Manifest, clause: Clause) -> bool {
    let (Some(verb), Some(object)) = (manifest.verb, manifest.object) else {
        return false;
    };
    let verb_fits = clause
        .verb
        .is_none_or(|wanted| wanted == verb || (wanted.is_producer() && Verb::is_producer(verb)));
    let object_fits = clause.object.is_none_or(|wanted| {
        wanted == object
            || (matches!(wanted, Object::Images | Object::Texts) && matches!(object, Object::Files | Object::Dirs))
    });
    verb_fits && object_fits && (clause.verb.is_some() || clause.object.is_some())
}
