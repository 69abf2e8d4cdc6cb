//! Folders of mail, as things that words mean: the parts that every mailbox has, by the names people and servers give
//! them. Any other word behind one that leads to a place is taken as the name of a folder; whether there is one, who
//! looks says.

use serde_json::json;

use super::{Asking, Meant, Resolver};
use crate::{language::outline::Sign, mail::role_of_name};

/// Words of the longest name of a part.
const WORDS_MAX: usize = 3;

/// A mail that was shown or spoken of.
const MESSAGE: &str = "message";
/// The same, where nothing has to point at it.
const AT_HAND: &str = "message-at-hand";

/// The folders of mailboxes, and the mails of a conversation.
#[derive(Clone, Copy, Debug)]
pub struct Mailboxes;

impl Resolver for Mailboxes {
    fn knows(&self, kind: &str) -> bool {
        matches!(kind, "mailbox" | MESSAGE | AT_HAND)
    }

    fn is_certain(&self) -> bool {
        true
    }

    fn meant(&self, asking: &Asking<'_>) -> Option<Meant> {
        match asking.slot.kind.as_str() {
            // No words name one: "the second", "it" and the like are understood before this.
            MESSAGE => return None,
            // Who answers does not say which one: the one that was spoken of last.
            AT_HAND => {
                let listed = asking.view.pointed(MESSAGE).filter(|listed| listed.ids.len() == 1)?;
                return Some(Meant::by(json!(listed.ids), Vec::new(), true));
            }
            _ => {}
        }
        if !asking.is_led {
            return None;
        }
        let is_telling = |at: &usize| {
            let word = asking.words.get(*at);
            word.is_some_and(|word| word.is_content() && !word.is_time)
        };
        let first = asking.own.iter().position(is_telling)?;
        let run = asking.own.get(first..)?;
        let part = (1..=WORDS_MAX.min(run.len())).rev().find_map(|length| {
            let places = run.get(..length)?;
            let written = asking.written(places)?;
            role_of_name(&written.to_lowercase()).map(|_| Meant::by(json!(written), places.to_vec(), true))
        });
        part.or_else(|| {
            // "Put in Travel all mails of this week": a name ends before what is moved.
            let goes_on = |at: &&usize| {
                let word = asking.words.get(**at);
                word.is_some_and(|word| !word.is_bound() && !word.may_be(&Sign::All)) && !asking.named.contains(*at)
            };
            let name: Vec<usize> = run.iter().take_while(goes_on).copied().collect();
            let last = name.iter().rposition(is_telling)?;
            let places = name.get(..=last)?.to_vec();
            Some(Meant::by(json!(asking.written(&places)?), places, false))
        })
    }
}
