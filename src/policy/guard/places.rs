//! Where a path leads, and which places are closed. `guard` and `policy::trust` ask; the only file of policy that looks
//! at the disk, and only at where links point.

use std::path::{Component, Path, PathBuf};

use globset::GlobBuilder;

use super::Refusal;

/// Links inside links are followed this often.
const LINKS_MAX: usize = 40;

/// Secrets, wherever they lie: names that follow each other anywhere in a path.
const SECRETS: &[&[&str]] = &[
    &[".ssh"],
    &[".gnupg"],
    &[".aws", "credentials*"],
    &[".aws", "sso"],
    &[".aws", "cli"],
    &[".azure"],
    &[".config", "gcloud"],
    &[".config", "*", "credentials.env"],
    &[".netrc"],
    &[".pgpass"],
    &[".git-credentials"],
    &[".password-store"],
    &[".kube", "config"],
    &[".docker", "config.json"],
    &[".config", "gh", "hosts.yml"],
    &[".local", "share", "keyrings"],
];

/// Our own keys, wherever a copy that `metnos backup` made lies. Patterns may go over them: what they find is looked at
/// again by its name.
const OWN_KEYS: &[&[&str]] = &[
    &["seal.key"],
    &["keys", "author_priv.bin"],
    &["matrix", "session.json"],
    &["matrix", "recovery-key.txt"],
];

/// Places of the system, from the root; a name that ends in `*` stands for all that begin so.
const SYSTEM: &[&[&str]] = &[
    &["etc", "passwd*"],
    &["etc", "shadow*"],
    &["etc", "gshadow*"],
    &["etc", "sudoers*"],
    &["etc", "ssh"],
    &["root"],
    &["boot"],
    &["sys"],
    &["proc"],
    &["dev", "sd*"],
    &["dev", "hd*"],
    &["dev", "vd*"],
    &["dev", "xvd*"],
    &["dev", "nvme*"],
    &["dev", "mmcblk*"],
    &["dev", "loop*"],
    &["dev", "dm-*"],
    &["dev", "md*"],
    &["dev", "disk"],
    &["dev", "mapper"],
    &["dev", "block"],
    &["dev", "mem"],
    &["dev", "kmem"],
    &["dev", "core"],
    &["dev", "port"],
    &["dev", "input"],
    &["dev", "fd"],
    &["dev", "tcp"],
    &["dev", "udp"],
];

/// Places of a system on a disk that is mounted elsewhere.
const MOUNTED: &[&[&str]] = &[&["etc", "shadow"], &["etc", "gshadow"]];

/// Folders of the operating system: read, but never changed.
const SYSTEM_TREES: &[&str] = &[
    "/etc", "/usr", "/var", "/sys", "/proc", "/root", "/boot", "/dev", "/lib", "/lib32", "/lib64", "/libx32", "/sbin",
    "/bin", "/opt", "/run", "/snap",
];
/// Folders in them that are everybody's.
const SHARED_TREES: &[&str] = &["/var/tmp", "/dev/shm"];
/// Patterns that mean everything in a folder.
const EVERYTHING: &[&str] = &["*", "**", "*.*", ".*"];

/// The places that are closed in this household.
pub(super) struct Closed<'a> {
    pub(super) home: &'a Path,
    pub(super) data_dir: &'a Path,
    pub(super) protected: &'a [PathBuf],
    /// The part of our own folder that is open.
    pub(super) guests: PathBuf,
}

impl Closed<'_> {
    /// Why this text may not be a target.
    pub(super) fn target(&self, text: &str) -> Option<Refusal> {
        of(text, self.home).iter().find_map(|place| self.place(place))
    }

    /// Why this relative text may not be a target below another folder than the home.
    pub(super) fn target_below(&self, base: &str, text: &str) -> Option<Refusal> {
        if text.starts_with(['/', '~']) {
            return None;
        }
        self.target(&format!("{base}/{text}"))
    }

    fn place(&self, place: &Path) -> Option<Refusal> {
        let names = names(place);
        let has = |rules: &[&[&str]]| {
            let mut tails = (0..names.len()).map(|start| names.get(start..).unwrap_or_default());
            tails.any(|tail| rules.iter().any(|rule| begins(rule, tail)))
        };
        if has(SECRETS) {
            return Some(Refusal::Secrets);
        }
        let is_key = |key: &&[&str]| key.iter().rev().eq(names.iter().rev().take(key.len()));
        if OWN_KEYS.iter().any(is_key) {
            return Some(Refusal::Own);
        }
        if !self.is_in_home(place) && (SYSTEM.iter().any(|rule| begins(rule, &names)) || has(MOUNTED)) {
            return Some(Refusal::System);
        }
        let home_in_own_folder = self.home != self.data_dir && self.home.starts_with(self.data_dir);
        if place.starts_with(&self.guests) || (home_in_own_folder && self.is_in_home(place)) {
            return None;
        }
        let own = |closed: &Path| {
            of(&closed.to_string_lossy(), self.home)
                .iter()
                .any(|closed| is_within(place, closed))
        };
        (own(self.data_dir) || self.protected.iter().any(|closed| own(closed))).then_some(Refusal::Own)
    }

    /// A home that is the whole disk, as of some system users, opens nothing.
    fn is_in_home(&self, place: &Path) -> bool {
        self.home.file_name().is_some() && place.starts_with(self.home)
    }

    /// In a folder of the operating system, and not in a part of it that is the household's.
    pub(super) fn in_system_tree(&self, text: &str) -> bool {
        of(text, self.home).iter().any(|place| {
            let ours = self.is_in_home(place) || place.starts_with(&self.guests);
            let shared = SHARED_TREES.iter().any(|tree| place.starts_with(tree));
            let names = names(place);
            let tree = |tree: &&str| begins(&[tree.trim_start_matches('/')], &names);
            !ours && !shared && SYSTEM_TREES.iter().any(tree)
        })
    }

    /// Holds the home, our own folder, another closed place, places of secrets or the whole disk.
    pub(super) fn is_too_wide(&self, text: &str) -> bool {
        let closed: Vec<Vec<String>> = [self.home, self.data_dir]
            .into_iter()
            .chain(self.protected.iter().map(PathBuf::as_path))
            .flat_map(|closed| of(&closed.to_string_lossy(), self.home))
            .map(|closed| names(&closed))
            .collect();
        of(text, self.home).iter().any(|place| {
            let mut whole = place.as_path();
            while whole
                .file_name()
                .is_some_and(|name| EVERYTHING.iter().any(|pattern| name == *pattern))
            {
                whole = whole.parent().unwrap_or(Path::new("/"));
            }
            let whole = names(whole);
            closed.iter().any(|closed| holds(&whole, closed)) || holds_secrets(&whole)
        })
    }
}

/// Whether a pattern picks everything in its folder.
pub(super) fn is_everything(pattern: &str) -> bool {
    pattern.split('/').all(|part| EVERYTHING.contains(&part))
}

/// Where a text leads: by its letters, and after following every link.
pub(super) fn of(text: &str, home: &Path) -> Vec<PathBuf> {
    let path = absolute(text, home);
    let by_name = by_name(&path);
    let by_links = by_links(&path);
    if by_name == by_links {
        vec![by_name]
    } else {
        vec![by_name, by_links]
    }
}

/// `~`, `~somebody` and relative paths made absolute.
fn absolute(text: &str, home: &Path) -> PathBuf {
    let Some(rest) = text.strip_prefix('~') else {
        return home.join(text);
    };
    let (who, below) = rest.split_once('/').unwrap_or((rest, ""));
    let base = match who {
        "" | "+" | "-" => home.to_owned(),
        "root" => PathBuf::from("/root"),
        _ => home.with_file_name(who),
    };
    base.join(below.trim_start_matches('/'))
}

fn by_name(path: &Path) -> PathBuf {
    let mut place = PathBuf::from("/");
    for component in path.components() {
        match component {
            Component::ParentDir => {
                place.pop();
            }
            Component::Normal(name) => place.push(name),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    place
}

/// Walks the path as the kernel does. What does not exist (yet) is taken by name; a knot of links leads to `/proc`,
/// which is closed.
fn by_links(path: &Path) -> PathBuf {
    let mut place = PathBuf::from("/");
    let mut waiting: Vec<PathBuf> = components_reversed(path);
    let mut links = 0;
    while let Some(part) = waiting.pop() {
        if part.as_os_str() == ".." {
            place.pop();
            continue;
        }
        place.push(&part);
        if let Ok(target) = std::fs::read_link(&place) {
            links += 1;
            if links > LINKS_MAX {
                return PathBuf::from("/proc");
            }
            place.pop();
            if target.is_absolute() {
                place = PathBuf::from("/");
            }
            waiting.extend(components_reversed(&target));
        }
    }
    place
}

fn components_reversed(path: &Path) -> Vec<PathBuf> {
    let mut parts: Vec<PathBuf> = path
        .components()
        .filter(|component| matches!(component, Component::Normal(_) | Component::ParentDir))
        .map(|component| PathBuf::from(component.as_os_str()))
        .collect();
    parts.reverse();
    parts
}

fn names(place: &Path) -> Vec<String> {
    place
        .components()
        .filter(|component| matches!(component, Component::Normal(_)))
        .map(|component| component.as_os_str().to_string_lossy().to_lowercase())
        .collect()
}

/// In a closed folder, or a pattern that reaches into it.
fn is_within(place: &Path, closed: &Path) -> bool {
    let closed = names(closed);
    let rule: Vec<&str> = closed.iter().map(String::as_str).collect();
    !rule.is_empty() && begins(&rule, &names(place))
}

/// Whether a folder, perhaps a pattern of folders, is the closed place or lies above it.
fn holds<T: AsRef<str>>(whole: &[String], closed: &[T]) -> bool {
    let Some((name, whole_rest)) = whole.split_first() else {
        return true;
    };
    let Some((token, closed_rest)) = closed.split_first() else {
        return false;
    };
    if name == "**" {
        let absorbs = !token.as_ref().starts_with('.') && holds(whole, closed_rest);
        return absorbs || holds(whole_rest, closed);
    }
    could_be(name, token.as_ref()) && holds(whole_rest, closed_rest)
}

/// Whether a folder is one that secrets lie below, such as `.config`. A folder whose name could be any is not.
fn holds_secrets(whole: &[String]) -> bool {
    SECRETS.iter().any(|rule| {
        let parents = rule.split_last().map_or(&[][..], |(_, parents)| parents);
        let named = parents.iter().take_while(|token| **token != "*").count();
        (1..=named).any(|depth| {
            let tail = whole.len().checked_sub(depth).and_then(|start| whole.get(start..));
            tail.is_some_and(|tail| holds(tail, parents.get(..depth).unwrap_or_default()))
        })
    })
}

/// Whether the names begin with the rule, patterns in the names taken for what they could match.
fn begins(rule: &[&str], names: &[String]) -> bool {
    let (Some((token, rule_rest)), Some((name, names_rest))) = (rule.split_first(), names.split_first()) else {
        return rule.is_empty();
    };
    if name == "**" {
        // A shell's `**` stays out of hidden folders.
        let absorbs = !token.starts_with('.') && begins(rule_rest, names);
        return absorbs || begins(rule, names_rest);
    }
    could_be(name, token) && begins(rule_rest, names_rest)
}

/// Whether a name, perhaps a pattern, could stand for a token of a rule, perhaps a beginning.
fn could_be(name: &str, token: &str) -> bool {
    let wildcard = name.find(['*', '?', '[']);
    match (token.strip_suffix('*'), wildcard) {
        (Some(""), _) => true,
        (Some(beginning), None) => name.starts_with(beginning),
        (Some(beginning), Some(at)) => {
            let fixed = name.get(..at).unwrap_or_default();
            fixed.starts_with(beginning) || beginning.starts_with(fixed)
        }
        (None, None) => name == token,
        (None, Some(_)) => {
            let hidden = token.starts_with('.') && !name.starts_with('.') && !name.starts_with('[');
            !hidden && glob_matches(name, token)
        }
    }
}

/// A pattern that cannot be read could mean anything.
fn glob_matches(pattern: &str, name: &str) -> bool {
    GlobBuilder::new(pattern)
        .backslash_escape(false)
        .build()
        .map_or(true, |glob| glob.compile_matcher().is_match(name))
}
