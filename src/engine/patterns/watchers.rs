//! Commands to watchers: stop one or start it again, by its name. Called by `patterns`.

use super::{
    Reply,
    classes::Class,
    command::{Command, Subject},
    household::{Household, Named},
    said::Said,
};
use crate::domain::message::Message;

/// Longest command, in words.
const WORDS_MAX: usize = 10;

/// What a message means for watchers, if it is about them at all.
pub(super) fn read(said: &Said<'_>, household: &Household) -> Option<Reply> {
    if said.len() > WORDS_MAX || !said.has(Class::Watcher) {
        return None;
    }
    let (mut stops, mut goes) = (0, 0);
    let mut known = None;
    let mut unknown: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < said.len() {
        let named = household.longest(&said.words, at).and_then(|(count, names)| {
            let watcher = names.iter().find_map(|named| match named {
                Named::Watcher(watcher) => household.watchers().get(*watcher),
                Named::Device(_) | Named::Area(_) | Named::Floor(_) => None,
            });
            Some((count, watcher?.clone()))
        });
        at += if let Some((count, name)) = named {
            known = Some(name);
            count
        } else if let Some(count) = said.is(at, Class::WatcherStops).filter(|_| stops + goes == 0) {
            stops += 1;
            count
        } else if let Some(count) = said.is(at, Class::WatcherGoes).filter(|_| stops + goes == 0) {
            goes += 1;
            count
        } else if let Some(count) = [Class::Watcher, Class::Filler, Class::Wake, Class::All]
            .into_iter()
            .find_map(|class| said.is(at, class))
        {
            count
        } else {
            unknown.push(at);
            1
        };
    }
    if stops + goes != 1 {
        return None;
    }
    let pause = stops == 1;
    let said_name = match (unknown.first(), unknown.last()) {
        (Some(first), Some(last)) => said.original(*first, last + 1).map(str::to_owned),
        _ => None,
    };
    match (known, said_name, household.watchers()) {
        (Some(name), None, _) => Some(hit(Some(name), pause)),
        // Nothing is known of the watchers here: what was said is the name.
        (None, said_name, []) => Some(hit(said_name, pause)),
        (None, None, [only]) => Some(hit(Some(only.clone()), pause)),
        (None, None, several) if !said.has(Class::All) => Some(Reply::Clarify(
            Message::new("pattern-watcher-which").with("names", several.join(", ")),
            Subject::Watchers,
        )),
        (None, None, _) => Some(hit(None, pause)),
        (_, Some(_), _) => None,
    }
}

fn hit(name: Option<String>, pause: bool) -> Reply {
    Reply::Hit(Command::Watcher { name, pause })
}
