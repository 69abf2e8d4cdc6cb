//! People as address books write them (vCard 2.1 to 4.0): read within bounds, changed, and written back with all that
//! nobody here understands.

use jiff::civil::Date;

use crate::{
    lines::{self, Line, Part, escaped},
    object::Broken,
};

/// One card, with everything on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    part: Part,
}

/// A telephone number or an address, with what it is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// As it is written.
    pub text: String,
    /// "cell", "work", "home"; empty where nothing is said.
    pub kind: String,
}

/// A birthday, whose year may be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Birthday {
    /// The year, where it is known.
    pub year: Option<i16>,
    /// 1 to 12.
    pub month: i8,
    /// 1 to 31.
    pub day: i8,
}

/// What a card says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contact {
    /// Its name among all cards; empty where it has none.
    pub uid: String,
    /// The whole name.
    pub name: String,
    /// The given name.
    pub given: String,
    /// The family name.
    pub family: String,
    /// What else they are called: "mum", "Nino".
    pub nicknames: Vec<String>,
    /// What they do or where: "dentist", a firm.
    pub roles: Vec<String>,
    /// Telephone numbers.
    pub phones: Vec<Value>,
    /// Mail addresses.
    pub emails: Vec<Value>,
    /// Where they live or work, in one line each.
    pub addresses: Vec<Value>,
    /// When they were born.
    pub birthday: Option<Birthday>,
    /// What stands there besides.
    pub note: String,
}

/// What changes of a card; what is `None` stays, and what is added is added once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardChange {
    /// The whole name.
    pub name: Option<String>,
    /// One more thing they are called.
    pub nickname: Option<String>,
    /// What they do.
    pub role: Option<String>,
    /// A telephone number: it takes the place of the one of its kind, or of the only one.
    pub phone: Option<Value>,
    /// The same of a mail address.
    pub email: Option<Value>,
    /// The same of an address.
    pub address: Option<Value>,
    /// When they were born.
    pub birthday: Option<Birthday>,
    /// What stands there besides.
    pub note: Option<String>,
}

impl Birthday {
    /// A day of the calendar, with its year.
    pub fn on(day: Date) -> Self {
        Self {
            year: Some(day.year()),
            month: day.month(),
            day: day.day(),
        }
    }

    /// The next one from this day on, and how old they become. Who was born on a leap day has it on the 28th between.
    pub fn next(&self, today: Date) -> Option<(Date, Option<i16>)> {
        let in_year = |year: i16| {
            let day = Date::new(year, self.month, self.day);
            day.or_else(|_no_leap_year| Date::new(year, self.month, self.day - 1))
                .ok()
        };
        let day = in_year(today.year()).filter(|day| *day >= today);
        let day = day.or_else(|| in_year(today.year().checked_add(1)?))?;
        let age = self.year.map(|year| day.year() - year).filter(|age| *age >= 0);
        Some((day, age))
    }
}

impl Card {
    /// All cards of a text.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, Broken> {
        let parts = lines::read(text)?.into_iter().filter(|part| part.kind == "VCARD");
        let cards: Vec<Self> = parts.map(|part| Self { part }).collect();
        Some(cards).filter(|cards| !cards.is_empty()).ok_or(Broken::Unreadable)
    }

    /// A new card.
    pub fn new(uid: &str, change: &CardChange) -> Self {
        let mut part = Part::new("VCARD");
        part.lines = vec![Line::new("VERSION", "4.0"), Line::new("UID", escaped(uid))];
        let mut card = Self { part };
        card.change(change);
        card
    }

    /// The text of one card, in the version it came in.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.part.write(&mut text);
        text
    }

    /// What it says.
    pub fn contact(&self) -> Contact {
        let all = |name: &str, mark: char| -> Vec<String> {
            let texts = self.part.all(name).flat_map(|line| line.texts(mark));
            texts
                .map(|text| text.trim().to_owned())
                .filter(|text| !text.is_empty())
                .collect()
        };
        let valued = |name: &str| -> Vec<Value> {
            let values = self.part.all(name).map(|line| Value {
                text: plain_uri(line.text().trim()).to_owned(),
                kind: kind_of(line),
            });
            values.filter(|value| !value.text.is_empty()).collect()
        };
        let parts = self.part.line("N").map(|line| line.texts(';')).unwrap_or_default();
        let part = |index: usize| parts.get(index).map(|part| part.trim().to_owned()).unwrap_or_default();
        let (family, given) = (part(0), part(1));
        let written = self.part.text("FN");
        let joined = format!("{given} {family}").trim().to_owned();
        let mut roles = all("TITLE", '\0');
        roles.extend(all("ROLE", '\0'));
        roles.extend(all("ORG", ';'));
        roles.extend(all("CATEGORIES", ','));
        Contact {
            uid: self.part.text("UID"),
            name: if written.is_empty() { joined } else { written },
            given,
            family,
            nicknames: all("NICKNAME", ','),
            roles,
            phones: valued("TEL"),
            emails: valued("EMAIL"),
            addresses: self.addresses(),
            birthday: self.part.line("BDAY").and_then(birthday),
            note: self.part.text("NOTE"),
        }
    }

    fn addresses(&self) -> Vec<Value> {
        let one = |line: &Line| {
            let parts = line.texts(';').into_iter().map(|part| part.trim().to_owned());
            let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
            Value {
                text: parts.join(", "),
                kind: kind_of(line),
            }
        };
        let all = self.part.all("ADR").map(one);
        all.filter(|address| !address.text.is_empty()).collect()
    }

    /// Writes what changes.
    pub fn change(&mut self, change: &CardChange) {
        if let Some(name) = &change.name {
            let (given, family) = name.trim().rsplit_once(' ').unwrap_or((name.trim(), ""));
            self.part.set(Line::new("FN", escaped(name)));
            let parts = format!("{};{};;;", escaped(family), escaped(given));
            self.part.set(Line::new("N", parts));
        }
        for (name, text) in [("ROLE", &change.role), ("NOTE", &change.note)] {
            if let Some(text) = text {
                self.part.set(Line::new(name, escaped(text)));
            }
        }
        let known = self.contact().nicknames;
        if let Some(nickname) = change.nickname.as_ref().filter(|name| !known.contains(name)) {
            self.part.lines.push(Line::new("NICKNAME", escaped(nickname)));
        }
        for (name, value) in [
            ("TEL", &change.phone),
            ("EMAIL", &change.email),
            ("ADR", &change.address),
        ] {
            if let Some(value) = value {
                self.put(name, value);
            }
        }
        if let Some(born) = change.birthday {
            let day = match born.year {
                Some(year) => format!("{year:04}{:02}{:02}", born.month, born.day),
                None => format!("--{:02}{:02}", born.month, born.day),
            };
            self.part.set(Line::new("BDAY", day));
        }
    }

    /// Puts a value in place of the one of its kind, or of the only one; else beside the others.
    fn put(&mut self, name: &str, value: &Value) {
        let text = if name == "ADR" {
            format!(";;{};;;;", escaped(&value.text))
        } else {
            escaped(&value.text)
        };
        let own = self.part.lines.iter().enumerate().filter(|(_, line)| line.is(name));
        let known: Vec<(usize, String)> = own.map(|(index, line)| (index, kind_of(line))).collect();
        let of_kind = known.iter().find(|(_, kind)| *kind == value.kind);
        let alone = known.first().filter(|_| known.len() == 1 && value.kind.is_empty());
        let place = of_kind.or(alone).map(|(index, _)| *index);
        match place.and_then(|index| self.part.lines.get_mut(index)) {
            Some(line) => line.value = text,
            None if value.kind.is_empty() => self.part.lines.push(Line::new(name, text)),
            None => self.part.lines.push(Line::new(name, text).with("TYPE", &value.kind)),
        }
    }
}

/// "tel:+39…" and "mailto:…" are the number and the address.
fn plain_uri(text: &str) -> &str {
    let without = ["tel:", "mailto:"].iter().find_map(|scheme| {
        let head = text.get(..scheme.len())?;
        head.eq_ignore_ascii_case(scheme)
            .then(|| text.get(scheme.len()..))
            .flatten()
    });
    without.unwrap_or(text)
}

/// What a number is for: the first word that says so.
fn kind_of(line: &Line) -> String {
    let words = line.words("TYPE");
    let known = ["cell", "work", "home", "fax"];
    let mut found = known.iter().filter(|known| words.iter().any(|word| word == *known));
    found.next().map(|word| (*word).to_owned()).unwrap_or_default()
}

/// "1985-04-12", "19850412T000000", "--0412". Some programs write 1604 for a year that nobody knows.
fn birthday(line: &Line) -> Option<Birthday> {
    let text = line.value.trim();
    let has_year = !text.starts_with("--");
    let digits: String = text
        .chars()
        .filter(char::is_ascii_digit)
        .take(if has_year { 8 } else { 4 })
        .collect();
    let number = |from: usize, to: usize| digits.get(from..to)?.parse::<i16>().ok();
    let at = if has_year { 4 } else { 0 };
    let year = if has_year { Some(number(0, 4)?) } else { None };
    let is_unknown = line.param("X-APPLE-OMIT-YEAR").is_some() || year == Some(1604);
    let born = Birthday {
        year: year.filter(|_| !is_unknown),
        month: i8::try_from(number(at, at + 2)?).ok()?,
        day: i8::try_from(number(at + 2, at + 4)?).ok()?,
    };
    // A leap year has every day there is.
    let day = Date::new(2000, born.month, born.day).is_ok();
    day.then_some(born)
}
