//! What the lexicon says of the words of a request, as signs that frames weigh. Called by `outline`; it decides
//! nothing.

use super::{Sign, Word};
use crate::{
    Role, Side,
    lexicon::Lexicon,
    sense::{Changing, Sense},
};
use metnos_domain::{frame::SlotRole, vocabulary::Verb};

/// What the lexicon says of each word and of the phrases that begin with it.
pub(super) fn mark_senses(words: &mut [Word], lexicon: &Lexicon) {
    let folds: Vec<String> = words.iter().map(|word| word.fold.clone()).collect();
    for at in 0..folds.len() {
        let behind: Vec<&str> = folds
            .iter()
            .skip(at)
            .take_while(|fold| !fold.is_empty())
            .map(String::as_str)
            .collect();
        let Some(fold) = behind.first() else { continue };
        let single = lexicon.senses(fold);
        let inflected = lexicon.inflected(fold).filter(|_| single.is_none());
        if let Some(word) = words.get_mut(at) {
            let senses = single.unwrap_or_default();
            word.is_glue |= senses.iter().any(Sense::is_function_word) || senses.contains(&Sense::Definite);
            if lexicon.may_be_many(fold) {
                word.signs.push((Sign::Many, 1));
            }
            if let Some(inflected) = &inflected {
                let own = inflected.senses.iter().filter_map(sign_of);
                word.signs.extend(own.map(|sign| (sign, 1)));
                if inflected.points || inflected.there {
                    word.signs.push((Sign::Pointer, 1));
                }
            }
        }
        let Some((length, senses)) = lexicon.longest_match(&behind) else {
            continue;
        };
        let signs: Vec<Sign> = senses.iter().filter_map(sign_of).collect();
        let is_glue = senses.iter().any(Sense::is_function_word);
        for (index, word) in words.iter_mut().skip(at).take(length).enumerate() {
            word.is_glue |= is_glue;
            let joins = |sign: &Sign| matches!(sign, Sign::Deed(_) | Sign::Most(..));
            word.is_rest |= index > 0 && signs.iter().any(joins);
            if index == 0 {
                word.signs.extend(signs.iter().map(|sign| (sign.clone(), length)));
            }
        }
    }
}

/// What a sense comes to where nothing is decided yet.
#[expect(clippy::wildcard_enum_match_arm, reason = "most senses say nothing to a frame")]
fn sign_of(sense: &Sense) -> Option<Sign> {
    let deed = |name: &str| Some(Sign::Deed(name.to_owned()));
    match sense {
        Sense::Verb(verb) if verb.is_producer() => deed("look"),
        Sense::Verb(Verb::Describe) | Sense::Show | Sense::Opens | Sense::Searches | Sense::WhereIs => deed("look"),
        Sense::Verb(verb) => deed(verb.as_str()),
        Sense::Option(option) if option == "append" => deed("add"),
        Sense::Option(option) if matches!(option.as_str(), "copy" | "rename") => deed(option),
        Sense::Changing(Changing::TakeOff) => deed("take-off"),
        Sense::Changing(Changing::Tick) => deed("tick"),
        Sense::Changing(Changing::Clear) => deed("clear"),
        Sense::Changing(Changing::List) => Some(Sign::List),
        Sense::Changing(Changing::ListName | Changing::ToDo) => Some(Sign::ListName),
        Sense::Changing(Changing::CallIt | Changing::NewName) | Sense::Named => Some(Sign::Role(SlotRole::Named)),
        Sense::HowMany => deed("count"),
        Sense::Says => Some(Sign::Role(SlotRole::What)),
        Sense::Role(Role::From) => Some(Sign::Role(SlotRole::From)),
        Sense::Role(Role::To) => Some(Sign::Role(SlotRole::To)),
        Sense::Role(Role::In) => Some(Sign::Role(SlotRole::In)),
        Sense::Role(Role::Of) | Sense::About => Some(Sign::Role(SlotRole::About)),
        Sense::With => Some(Sign::Role(SlotRole::With)),
        Sense::Except | Sense::Without => Some(Sign::Role(SlotRole::Except)),
        Sense::Globs { extensions, .. } => Some(Sign::Endings(extensions.clone())),
        Sense::Negation => Some(Sign::Negation),
        Sense::All => Some(Sign::All),
        Sense::Both => Some(Sign::Both),
        Sense::Anaphora => Some(Sign::Pointer),
        Sense::Connector => Some(Sign::Connector),
        Sense::Conditional | Sense::HowTo => Some(Sign::Condition),
        Sense::Side(side) => Some(Sign::End(*side == Side::First)),
        Sense::Ordinal(place) => i64::try_from(*place).ok().map(Sign::Place),
        Sense::Superlative { field, desc } => Some(Sign::Most(field.clone(), *desc)),
        Sense::Plural => Some(Sign::Many),
        Sense::Object(object, _) => Some(Sign::Object(*object)),
        // What says more is for the reading to find.
        _ => None,
    }
}
