//! A thing the digest speaks of, by the short name a person answers with: `a12`, `p3`, `r7`.

use std::fmt;

/// What it is, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// A plan of L1 that took its place.
    Autopath(i64),
    /// A tool that was made, or waits to be.
    Proposal(i64),
    /// Something memory let go.
    Removal(i64),
}

impl Item {
    /// The item of such a name.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim();
        let (kind, number) = name.split_at_checked(1)?;
        let number = number.parse().ok().filter(|number| *number > 0)?;
        match kind {
            "a" | "A" => Some(Self::Autopath(number)),
            "p" | "P" => Some(Self::Proposal(number)),
            "r" | "R" => Some(Self::Removal(number)),
            _ => None,
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Autopath(number) => write!(f, "a{number}"),
            Self::Proposal(number) => write!(f, "p{number}"),
            Self::Removal(number) => write!(f, "r{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_comes_back_as_it_was_and_nonsense_is_none() {
        for item in [Item::Autopath(12), Item::Proposal(3), Item::Removal(7)] {
            assert_eq!(Item::parse(&item.to_string()), Some(item));
        }
        for nonsense in ["", "a", "12", "x3", "a0", "a-1", "à2", "a1b"] {
            assert_eq!(Item::parse(nonsense), None, "{nonsense}");
        }
    }
}
