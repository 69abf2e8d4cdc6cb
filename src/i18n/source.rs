//! Texts as Fluent has them, one message at a time: what stands in a file of texts, in one spelling, so that two of
//! them can be compared and neither their order nor their spaces count. Asked by the rest of `i18n`. It must not know
//! which language a text is in.

use std::collections::BTreeMap;

use fluent_syntax::{
    ast::{Comment, Entry, Message, Resource},
    parser, serializer,
};
use sha2::{Digest, Sha256};

use crate::domain::hex;

/// Digits of a hash; it tells edits apart, and guards nothing.
const HASH_BYTES: usize = 8;

/// One message of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// Its key.
    pub(super) key: String,
    /// The whole message, from its key on, in Fluent's own spelling.
    pub(super) text: String,
    /// The lines of the comment above it.
    pub(super) comment: Vec<String>,
}

/// The messages of a file in their order, and whether all of it could be read.
pub(super) fn read(file: &str) -> (Vec<Text>, bool) {
    let (resource, is_whole) = match parser::parse(file) {
        Ok(resource) => (resource, true),
        Err((resource, _)) => (resource, false),
    };
    let texts = resource.body.into_iter().filter_map(|entry| {
        let Entry::Message(message) = entry else { return None };
        let comment = message.comment.clone();
        let lines = |comment: Comment<&str>| comment.content.into_iter().map(str::to_owned).collect();
        Some(Text {
            key: message.id.name.to_owned(),
            text: spelled(message),
            comment: comment.map(lines).unwrap_or_default(),
        })
    });
    (texts.collect(), is_whole)
}

fn spelled(message: Message<&str>) -> String {
    let alone = Message {
        comment: None,
        ..message
    };
    let resource = Resource {
        body: vec![Entry::Message(alone)],
    };
    serializer::serialize(&resource).trim_end().to_owned()
}

/// What tells one wording from another.
pub(super) fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.trim().as_bytes());
    hex::hex(digest.get(..HASH_BYTES).unwrap_or_default())
}

/// The English texts, file by file, in the order they are translated: what everybody reads comes first.
pub(super) fn english(files: &[(&'static str, &'static str)]) -> Vec<(&'static str, Text)> {
    let texts = files
        .iter()
        .flat_map(|(file, text)| read(text).0.into_iter().map(move |text| (*file, text)));
    texts.collect()
}

/// The texts of a file by their keys.
pub(super) fn by_key(file: &str) -> (BTreeMap<String, Text>, bool) {
    let (texts, is_whole) = read(file);
    (
        texts.into_iter().map(|text| (text.key.clone(), text)).collect(),
        is_whole,
    )
}
