//! The languages people speak to us in: a code, nothing more. Those with a folder in `locales/` are built in, with
//! complete texts and a lexicon; any other may be added by a household, whose texts are data then. Named everywhere;
//! it must not know which ones a household added (`i18n` does).

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

mod codes;

/// Where languages that a household added are, inside its data folder: a folder for each, by its code.
pub const LANGUAGES_FOLDER: &str = "languages";

/// Those that write a point before a fraction; all others write a comma.
const POINT: [&str; 20] = [
    "en", "zh", "ja", "ko", "he", "yi", "hi", "bn", "ta", "te", "th", "my", "ms", "tl", "ga", "cy", "gd", "mt", "sw",
    "zu",
];

/// A language, by its ISO 639-1 code. There is no value for a code that the standard does not have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lang(&'static str);

impl Lang {
    /// English: what every text and rule falls back to.
    pub const EN: Self = Self("en");
    /// Italian.
    pub const IT: Self = Self("it");

    /// Every language that comes with the binary, in the order they are listed to people.
    pub const BUILT_IN: [Self; 2] = [Self::EN, Self::IT];

    /// The ISO 639-1 code.
    pub fn code(self) -> &'static str {
        self.0
    }

    /// What it is called in English, for a model.
    pub fn english_name(self) -> &'static str {
        let found = codes::KNOWN.binary_search_by_key(&self.0, |(code, _)| code);
        found
            .ok()
            .and_then(|at| codes::KNOWN.get(at))
            .map_or(self.0, |(_, name)| name)
    }

    /// Whether it comes with the binary: complete texts, and a lexicon that reads it without a model.
    pub fn is_built_in(self) -> bool {
        Self::BUILT_IN.contains(&self)
    }

    /// A number of bytes as people read it: `5.3 MB`, `5,3 MB`.
    pub fn bytes(self, bytes: f64) -> String {
        // As people write sizes in a request, too: what is "bigger than 1 MB" is shown with at least 1 MB.
        const STEP: f64 = 1_000.0;
        let mut value = bytes;
        let mut unit = "B";
        for larger in ["KB", "MB", "GB", "TB"] {
            if value < STEP {
                break;
            }
            value /= STEP;
            unit = larger;
        }
        let digits = if unit == "B" || value >= 100.0 { 0 } else { 1 };
        format!("{} {unit}", self.decimal(value, digits))
    }

    /// A number with so many digits after its point or comma.
    pub fn decimal(self, value: f64, digits: usize) -> String {
        // Nobody writes a minus before nothing.
        let number = format!("{:.digits$}", if value == 0.0 { 0.0 } else { value });
        self.with_its_mark(number)
    }

    /// Whether a comma stands before a fraction, and a point between thousands.
    pub fn writes_comma(self) -> bool {
        !POINT.contains(&self.0)
    }

    /// A number that was written with a point, as people of this language write it.
    pub fn with_its_mark(self, number: String) -> String {
        if self.writes_comma() {
            number.replace('.', ",")
        } else {
            number
        }
    }

    /// Reads a code such as `it`, `it-IT` or `it_IT.UTF-8`; `None` for what is no language. Whether it is spoken here
    /// is another question.
    pub fn from_code(code: &str) -> Option<Self> {
        let primary = code.split(['-', '_', '.']).next().unwrap_or(code);
        let known = codes::KNOWN.iter().find(|(code, _)| primary.eq_ignore_ascii_case(code));
        known.map(|(code, _)| Self(code))
    }
}

impl Default for Lang {
    fn default() -> Self {
        Self::EN
    }
}

impl std::fmt::Debug for Lang {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lang({})", self.0)
    }
}

impl Serialize for Lang {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'de> Deserialize<'de> for Lang {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Self::from_code(&code).ok_or_else(|| de::Error::custom(format!("`{code}` is no language code")))
    }
}

/// The same thing in every built-in language; one more is a field here. An added language reads the English one.
#[derive(Clone, Copy, Debug)]
pub struct InEach<T> {
    /// In English.
    pub english: T,
    /// In Italian.
    pub italian: T,
}

impl<T: Copy> InEach<T> {
    /// In one language.
    pub fn of(&self, lang: Lang) -> T {
        match lang {
            Lang::IT => self.italian,
            _ => self.english,
        }
    }

    /// In all of them, in the order of `Lang::BUILT_IN`.
    pub fn all(&self) -> impl Iterator<Item = T> {
        Lang::BUILT_IN.into_iter().map(|lang| self.of(lang))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_a_language_of_the_standard_or_none() {
        for (code, lang) in [
            ("it", Some(Lang::IT)),
            ("en_GB.UTF-8", Some(Lang::EN)),
            ("IT-it", Some(Lang::IT)),
            ("xx", None),
            ("fra", None),
            ("", None),
        ] {
            assert_eq!(Lang::from_code(code), lang, "{code}");
        }
        let french = Lang::from_code("fr-CA").unwrap();
        assert_eq!(
            (french.code(), french.english_name(), french.is_built_in()),
            ("fr", "French", false)
        );
        assert!(codes::KNOWN.is_sorted());
        let written = serde_json::to_string(&french).unwrap();
        assert_eq!(serde_json::from_str::<Lang>(&written).unwrap(), french);
        assert!(serde_json::from_str::<Lang>("\"xx\"").is_err());
    }

    #[test]
    fn sizes_read_as_people_write_them() {
        for (bytes, english, italian) in [
            (0.0, "0 B", "0 B"),
            (-0.0, "0 B", "0 B"),
            (1536.0, "1.5 KB", "1,5 KB"),
            (5_300_000.0, "5.3 MB", "5,3 MB"),
            (109_245_000.0, "109 MB", "109 MB"),
        ] {
            assert_eq!(Lang::EN.bytes(bytes), english);
            assert_eq!(Lang::IT.bytes(bytes), italian);
        }
    }
}
