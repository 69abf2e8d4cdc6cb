//! Which folder plays which part: by what the server says (SPECIAL-USE, RFC 6154), else by a table of names in both
//! languages. Pure; called by `mailbox` with what LIST returned. Never gives two folders the same part.

use crate::utf7;

/// The part a folder plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// What comes in.
    Inbox,
    /// What was sent.
    Sent,
    /// What is being written.
    Drafts,
    /// What was deleted.
    Trash,
    /// Spam.
    Junk,
    /// What is kept.
    Archive,
    /// Every message, as Gmail has it.
    All,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Inbox,
        Self::Sent,
        Self::Drafts,
        Self::Trash,
        Self::Junk,
        Self::Archive,
        Self::All,
    ];

    /// Its name in plans.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Inbox => "inbox",
            Self::Sent => "sent",
            Self::Drafts => "drafts",
            Self::Trash => "trash",
            Self::Junk => "junk",
            Self::Archive => "archive",
            Self::All => "all",
        }
    }

    /// The role of this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }
}

/// A folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// As the server knows it.
    pub raw: String,
    /// As people read it.
    pub name: String,
    /// Between a folder and those in it.
    pub delimiter: Option<String>,
    /// Its part.
    pub role: Option<Role>,
    /// It holds folders only.
    pub is_closed: bool,
}

impl Folder {
    /// The last part of its name.
    pub fn short(&self) -> &str {
        match &self.delimiter {
            Some(sign) if !sign.is_empty() => self.name.rsplit(sign.as_str()).next().unwrap_or(&self.name),
            Some(_) | None => &self.name,
        }
    }
}

/// How the parts were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Server,
    Name,
}

/// The folders of a mailbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folders {
    list: Vec<Folder>,
    /// The server says itself which folder plays which part.
    pub are_marked: bool,
}

/// A folder as LIST names it.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) raw: String,
    pub(crate) delimiter: Option<String>,
    pub(crate) marked: Option<Role>,
    pub(crate) is_closed: bool,
}

impl Folders {
    pub(crate) fn of(listed: &[Listed]) -> Self {
        let are_marked = listed.iter().any(|folder| folder.marked.is_some());
        let mut list: Vec<Folder> = listed
            .iter()
            .map(|folder| Folder {
                raw: folder.raw.clone(),
                name: utf7::decode(&folder.raw),
                delimiter: folder.delimiter.clone(),
                role: None,
                is_closed: folder.is_closed,
            })
            .collect();
        for role in Role::ALL {
            let candidate = |by: By| {
                let plays = |place: &usize| {
                    let folder = list.get(*place);
                    folder.is_some_and(|folder| {
                        !folder.is_closed
                            && folder.role.is_none()
                            && listed.get(*place).is_some_and(|listed| match by {
                                By::Server => listed.marked == Some(role),
                                By::Name => listed.marked.is_none() && named(folder) == Some(role),
                            })
                    })
                };
                // The highest one: "Trash" before "Old/Trash".
                (0..list.len())
                    .filter(plays)
                    .min_by_key(|place| list.get(*place).map(depth))
            };
            let place = candidate(By::Server).or_else(|| candidate(By::Name));
            if let Some(folder) = place.and_then(|place| list.get_mut(place)) {
                folder.role = Some(role);
            }
        }
        Self { list, are_marked }
    }

    /// All of them.
    pub fn all(&self) -> &[Folder] {
        &self.list
    }

    /// The one that plays this part.
    pub fn of_role(&self, role: Role) -> Option<&Folder> {
        self.list.iter().find(|folder| folder.role == Some(role))
    }

    /// The one somebody means: a part, the name as the server knows it, a whole name, or the last part of one where no
    /// other folder has the same; upper and lower case alike.
    pub fn meant(&self, words: &str) -> Option<&Folder> {
        if let Some(exact) = self.list.iter().find(|folder| folder.raw == words) {
            return Some(exact);
        }
        if let Some(folder) = Role::parse(words).and_then(|role| self.of_role(role)) {
            return Some(folder);
        }
        let wanted = words.trim().to_lowercase();
        let open = || self.list.iter().filter(|folder| !folder.is_closed);
        if let Some(folder) = open().find(|folder| folder.name.to_lowercase() == wanted) {
            return Some(folder);
        }
        let mut same = open().filter(|folder| folder.short().to_lowercase() == wanted);
        if let Some(folder) = same.next() {
            return same.next().is_none().then_some(folder);
        }
        role_of_name(&wanted).and_then(|role| self.of_role(role))
    }
}

fn depth(folder: &Folder) -> (usize, usize) {
    let levels = folder
        .delimiter
        .as_deref()
        .filter(|sign| !sign.is_empty())
        .map_or(0, |sign| folder.name.matches(sign).count());
    (levels, folder.name.chars().count())
}

fn named(folder: &Folder) -> Option<Role> {
    if folder.raw.eq_ignore_ascii_case("inbox") {
        return Some(Role::Inbox);
    }
    role_of_name(&folder.short().to_lowercase())
}

/// Words that servers and programs put around the one that counts.
const FILLERS: &[&str] = &[
    "mail", "e-mail", "email", "messages", "items", "folder", "posta", "messaggi", "elementi", "my",
];

/// Names of parts, as servers and mail programs give them in English and Italian. A name with another word in it is a
/// folder of the person's own.
const NAMES: &[(Role, &[&str])] = &[
    (
        Role::Sent,
        &[
            "sent",
            "sent mail",
            "inviata",
            "inviate",
            "inviati",
            "inviato",
            "posta inviata",
            "outbox sent",
        ],
    ),
    (Role::Drafts, &["drafts", "draft", "bozze", "bozza"]),
    (
        Role::Trash,
        &[
            "trash",
            "bin",
            "deleted",
            "deleted items",
            "cestino",
            "eliminata",
            "eliminati",
            "eliminate",
            "posta eliminata",
        ],
    ),
    (
        Role::Junk,
        &[
            "junk",
            "spam",
            "bulk",
            "indesiderata",
            "posta indesiderata",
            "spazzatura",
            "bulk mail",
        ],
    ),
    (Role::Archive, &["archive", "archives", "archived", "archivio"]),
    (Role::Inbox, &["inbox", "in arrivo", "posta in arrivo"]),
];

/// The part that a folder of this name plays by itself; lower case.
pub fn role_of_name(name: &str) -> Option<Role> {
    let own = |words: &str| -> Option<Role> {
        NAMES
            .iter()
            .find(|(_, names)| names.contains(&words))
            .map(|(role, _)| *role)
    };
    let name = name.trim();
    own(name).or_else(|| {
        let words: Vec<&str> = name.split_whitespace().filter(|word| !FILLERS.contains(word)).collect();
        own(&words.join(" "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(raw: &str, marked: Option<Role>) -> Listed {
        Listed {
            raw: raw.to_owned(),
            delimiter: Some("/".to_owned()),
            marked,
            is_closed: false,
        }
    }

    fn role(folders: &Folders, role: Role) -> Option<&str> {
        folders.of_role(role).map(|folder| folder.raw.as_str())
    }

    #[test]
    fn what_the_server_says_wins_over_names() {
        let folders = Folders::of(&[
            listed("INBOX", None),
            listed("Trash", Some(Role::Drafts)),
            listed("Deleted Items", Some(Role::Trash)),
            listed("Old/Deleted Items", Some(Role::Trash)),
        ]);
        assert_eq!(role(&folders, Role::Trash), Some("Deleted Items"));
        assert_eq!(role(&folders, Role::Drafts), Some("Trash"));
        assert_eq!(role(&folders, Role::Inbox), Some("INBOX"));
    }

    #[test]
    fn names_in_both_languages_are_known_and_those_of_the_person_are_not() {
        let folders = Folders::of(
            &[
                "INBOX",
                "Posta inviata",
                "Bozze",
                "Cestino",
                "Posta indesiderata",
                "Spam vecchio",
                "Viaggi/Sent",
            ]
            .map(|raw| listed(raw, None)),
        );
        assert_eq!(role(&folders, Role::Sent), Some("Posta inviata"));
        assert_eq!(role(&folders, Role::Drafts), Some("Bozze"));
        assert_eq!(role(&folders, Role::Trash), Some("Cestino"));
        assert_eq!(role(&folders, Role::Junk), Some("Posta indesiderata"));
        assert_eq!(folders.of_role(Role::Archive), None);
    }

    #[test]
    fn a_folder_is_meant_by_part_name_or_its_last_part() {
        let folders = Folders::of(&[
            listed("INBOX", None),
            listed("[Gmail]/Cestino", Some(Role::Trash)),
            listed("Viaggi/Roma", None),
            listed("Lavoro/Fatture", None),
            listed("Casa/Fatture", None),
        ]);
        let meant = |words: &str| folders.meant(words).map(|folder| folder.raw.as_str());
        assert_eq!(meant("trash"), Some("[Gmail]/Cestino"));
        assert_eq!(meant("roma"), Some("Viaggi/Roma"));
        assert_eq!(meant("fatture"), None);
        assert_eq!(meant("casa/fatture"), Some("Casa/Fatture"));
        assert_eq!(meant("posta in arrivo"), Some("INBOX"));
        assert_eq!(meant("nowhere"), None);
    }
}
