//! How people ask for what an executor does: the deed, and what fills its arguments. Declared by manifests
//! (`[[frames]]`, or `role` and `kind` of an argument), read by `catalog::parse`, used by `engine::frames`. It names
//! roles and kinds, never words: those of a language are in `locales/`.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// The part an argument plays in what people say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SlotRole {
    /// What the deed is done to, or what is made.
    What,
    /// Where or whom it comes from.
    From,
    /// Where or whom it goes to.
    To,
    /// Where it is.
    In,
    /// What it is about.
    About,
    /// With whom or with what.
    With,
    /// For whom or for what.
    For,
    /// The name it has or gets.
    Named,
    /// When.
    When,
    /// How many.
    HowMany,
    /// What is left out.
    Except,
    /// In what order.
    Order,
}

impl SlotRole {
    const ALL: [(Self, &'static str); 12] = [
        (Self::What, "what"),
        (Self::From, "from"),
        (Self::To, "to"),
        (Self::In, "in"),
        (Self::About, "about"),
        (Self::With, "with"),
        (Self::For, "for"),
        (Self::Named, "named"),
        (Self::When, "when"),
        (Self::HowMany, "how-many"),
        (Self::Except, "except"),
        (Self::Order, "order"),
    ];

    /// The role of this name; `how-many`, `how_many` and `how many` are one.
    pub fn parse(name: &str) -> Option<Self> {
        let plain = name.trim().to_lowercase().replace(['_', ' '], "-");
        let mut all = Self::ALL.iter();
        all.find(|(_, known)| *known == plain).map(|(role, _)| *role)
    }

    /// Its name in manifests and locales.
    pub fn as_str(self) -> &'static str {
        let mut all = Self::ALL.iter();
        all.find(|(role, _)| *role == self).map_or("what", |(_, name)| name)
    }
}

impl<'de> Deserialize<'de> for SlotRole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::parse(&name).ok_or_else(|| serde::de::Error::custom(format!("`{name}` is no role of an argument")))
    }
}

/// What fills one argument.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// The argument; empty where it only narrows others or is taken by a further step.
    #[serde(default)]
    pub arg: String,
    /// Its part.
    pub role: SlotRole,
    /// What kind of thing it is, such as `file`, `person` or `window`. What no resolver and no reader of values knows
    /// is taken from the words.
    pub kind: String,
    /// The deed makes no sense without it.
    #[serde(default)]
    pub needed: bool,
}

/// A further step of the same executor.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Further {
    /// Arguments it fixes.
    #[serde(default)]
    pub set: Map<String, Value>,
    /// Arguments that take what a slot of this kind was filled with.
    #[serde(default)]
    pub take: BTreeMap<String, String>,
}

/// One way an executor is asked for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrameSpec {
    /// What is done, by its name in `locales/<lang>/frames.toml`.
    pub deed: String,
    /// Phrases, of any language, of which one stands in what is asked: this way of asking is told by them alone.
    #[serde(default)]
    pub says: Vec<String>,
    /// It is tried only where nothing else is meant.
    #[serde(default)]
    pub rest: bool,
    /// Arguments that this deed fixes.
    #[serde(default)]
    pub set: Map<String, Value>,
    /// What is filled from the words.
    #[serde(default)]
    pub slots: Vec<Slot>,
    /// What is done after it: a line is replaced by taking it off and adding another.
    #[serde(default)]
    pub then: Vec<Further>,
    /// It takes nothing away: where nothing else can be meant it is done without being shown first.
    #[serde(default)]
    pub adds: bool,
    /// The words it is asked for in; with these it is asked for in no others.
    #[serde(default)]
    pub said: Option<Said>,
}

/// A request word for word, with a place for each of its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// The canonical words, with the kind of each value in its place.
    pub words: String,
    /// The values, in their order.
    pub values: Vec<SaidValue>,
}

/// A value of a request that is known word for word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaidValue {
    /// It must be this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is: Option<Value>,
    /// The arguments that take it.
    #[serde(default)]
    pub args: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::SlotRole;

    #[test]
    fn a_role_has_one_name_in_three_spellings() {
        for name in ["how-many", "how_many", "How many"] {
            assert_eq!(SlotRole::parse(name), Some(SlotRole::HowMany), "{name}");
        }
        for (role, name) in SlotRole::ALL {
            assert_eq!((SlotRole::parse(name), role.as_str()), (Some(role), name));
        }
        assert_eq!(SlotRole::parse("whence"), None);
    }
}
