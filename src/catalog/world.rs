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
        let with_parts = names.into_iter().flat_map(|name| {
            // A composite is what its parts are.
            let parts = self.get(name).map(|manifest| manifest.parts()).unwrap_or_default();
            std::iter::once(name.clone()).chain(parts)
        });
        let tools: Option<BTreeSet<String>> = with_parts
            .map(|name| Some(format!("{name}:{}", self.get(&name)?.digest)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::parse::parse;

    /// Any manifest that is good; only its name and its digest matter here.
    const FIND_FILES: &str = include_str!("../../executors/find_files/manifest.toml");

    fn name(text: &str) -> ExecutorName {
        ExecutorName::from(text)
    }

    fn manifest_named(full: &str, digest_salt: &str) -> Manifest {
        let text = FIND_FILES.replace("\"find_files\"", &format!("\"{full}\"")) + "# " + digest_salt;
        parse(text.as_bytes()).unwrap().manifest
    }

    fn intent(verb: Verb, object: Object) -> Intent {
        Intent {
            clauses: vec![Clause {
                verb: Some(verb),
                object: Some(object),
            }],
            keywords: Vec::new(),
            confidence: 1.0,
        }
    }

    #[test]
    fn world_signatures_change_with_the_world() {
        let of = |list: &[(&str, &str)]| {
            Catalog::from_manifests(list.iter().map(|(full, salt)| manifest_named(full, salt)).collect())
        };
        let before = of(&[("find_files", "1"), ("sort_entries", "1")]);
        let resigned = of(&[("find_files", "2"), ("sort_entries", "1")]);
        let grown = of(&[("find_files", "1"), ("find_files_pdf", "1"), ("sort_entries", "1")]);
        let (find, sort, gone) = (name("find_files"), name("sort_entries"), name("read_files"));

        let tools = before.tools_signature([&find, &sort]);
        assert!(tools.is_some());
        assert_eq!(
            before.tools_signature([&sort, &find, &find]),
            tools,
            "order and repetition do not matter"
        );
        assert_ne!(resigned.tools_signature([&find, &sort]), tools);
        assert_eq!(grown.tools_signature([&find, &sort]), tools);
        assert_eq!(before.tools_signature([&find, &gone]), None);

        let wanted = intent(Verb::List, Object::Files);
        assert_eq!(before.pool_signature(&wanted), resigned.pool_signature(&wanted));
        assert_ne!(
            before.pool_signature(&wanted),
            grown.pool_signature(&wanted),
            "producers stand for each other"
        );
        let texts = intent(Verb::Read, Object::Texts);
        assert_ne!(
            before.pool_signature(&texts),
            grown.pool_signature(&texts),
            "texts may be files"
        );
        let sorting = intent(Verb::Sort, Object::Entries);
        assert_eq!(before.pool_signature(&sorting), grown.pool_signature(&sorting));
    }
}
