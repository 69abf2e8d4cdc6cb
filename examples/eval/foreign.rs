//! Executors of other people's catalogs, as far as the code under evaluation looks at them. Called by the kinds that
//! bring a catalog with their cases.

use std::collections::BTreeMap;

use metnos::domain::{
    ids::ExecutorName,
    lang::Lang,
    manifest::{Description, Effect, Feed, Kind, Manifest, Presentation},
    verdict::Risk,
    vocabulary::{Object, Qualifier, Verb},
};

/// An executor that is known by its name, what it says of itself and the words that call for it.
pub(crate) fn manifest(name: &str, purpose: &str, affinity: Vec<String>) -> Manifest {
    let mut parts = name.splitn(3, '_');
    let verb = parts.next().and_then(Verb::parse);
    let description = Description {
        purpose: purpose.to_owned(),
        pattern: String::new(),
        not: String::new(),
        out: String::new(),
    };
    let looks = verb.is_none_or(Verb::is_safe);
    Manifest {
        name: ExecutorName::from(name),
        version: "1.0.0".to_owned(),
        digest: name.to_owned(),
        verb,
        object: parts.next().and_then(Object::parse),
        qualifier: parts.next().and_then(Qualifier::parse),
        kind: Kind::Builtin,
        affinity,
        description: BTreeMap::from([(Lang::IT, description)]),
        args: Vec::new(),
        requires_one_of: Vec::new(),
        feed: Feed::None,
        capabilities: Vec::new(),
        hosts: Vec::new(),
        effect: if looks { Effect::Read } else { Effect::Reversible },
        risk: Risk::Low,
        timeout_s: 30,
        cacheable: true,
        companions: Vec::new(),
        entry_fields: Vec::new(),
        result_fields: Vec::new(),
        own_fields: Vec::new(),
        presentation: Presentation::Text("text".to_owned()),
        things: None,
        frames: Vec::new(),
    }
}
