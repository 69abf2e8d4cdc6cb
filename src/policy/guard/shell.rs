//! Commands that destroy, for executors that run code (`code:exec`). `guard` asks before anything else.
//! Reads a command line as a shell would, roughly: commands, words, quotes, substitutions. When a part cannot be read
//! (it is decoded and piped into a shell, for instance) it is refused. A list can never be complete: such executors
//! are sandboxed and ask for approval as well.

use super::{
    Refusal, expansion,
    places::Closed,
    readings::{Readings, percent_decoded, unescaped, without_echo},
};

/// Programs that make, wipe or re-partition disks.
const DISK_PROGRAMS: &[&str] = &[
    "mkswap",
    "mke2fs",
    "wipefs",
    "blkdiscard",
    "sgdisk",
    "gdisk",
    "cgdisk",
    "parted",
    "fdisk",
    "sfdisk",
    "cfdisk",
    "hdparm",
    "cryptsetup",
    "lvremove",
    "vgremove",
    "pvremove",
    "badblocks",
    "nvme",
];
/// Programs that only start another one.
const WRAPPERS: &[&str] = &[
    "sudo", "doas", "nice", "ionice", "nohup", "time", "env", "command", "exec", "builtin", "setsid", "stdbuf",
    "timeout", "chroot", "xargs", "then", "do", "else", "if", "while", "until", "!", "{", "busybox", "watch",
    "parallel",
];
/// Programs that run text.
const INTERPRETERS: &[&str] = &[
    "sh", "bash", "zsh", "dash", "ksh", "fish", "eval", "source", "python", "python2", "python3", "perl", "ruby",
    "node", "php", "lua", "awk",
];
/// Programs that start another one behind arguments of their own, or are given one as a text.
const LAUNCHERS: &[&str] = &[
    "su",
    "runuser",
    "pkexec",
    "ssh",
    "script",
    "flock",
    "strace",
    "ltrace",
    "taskset",
    "chrt",
    "unshare",
    "nsenter",
    "setpriv",
    "systemd-run",
    "fakeroot",
    "unbuffer",
    "tmux",
    "screen",
    "xterm",
    "trap",
    "docker",
    "podman",
    "sg",
];
/// Programs that do what they are handed on their input.
const READERS: &[&str] = &["at", "batch", "crontab"];
/// Programs that write to the places they are given, and those that do to the last of them.
const WRITERS: &[&str] = &["tee", "touch", "mkdir", "patch", "sponge"];
const WRITERS_TO_LAST: &[&str] = &["cp", "install", "ln", "scp"];
/// Devices that swallow or show what is written to them.
const OUTLETS: &[&str] = &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/full"];
/// Programs that take things away or change who may touch them.
const TAKERS: &[&str] = &[
    "rm", "rmdir", "unlink", "shred", "truncate", "mv", "rsync", "chmod", "chown", "chgrp", "setfacl", "chattr",
];
/// Command lines inside command lines are followed this deep.
const DEPTH_MAX: usize = 4;

/// Why this command may not run.
pub(super) fn refusal(text: &str, closed: &Closed<'_>) -> Option<Refusal> {
    let plain = without_echo(&text.replace("${IFS}", " ").replace("$IFS", " "));
    let unescaped = unescaped(&plain.replace("$'", "'"));
    let Some(unfolded) = expansion::lines(&plain) else {
        return Some(Refusal::Command);
    };
    let lines = [plain, unescaped].into_iter().chain(unfolded);
    lines.into_iter().find_map(|line| analyse(&line, closed, 0))
}

fn analyse(text: &str, closed: &Closed<'_>, depth: usize) -> Option<Refusal> {
    if depth > DEPTH_MAX || is_fork_bomb(text) {
        return Some(Refusal::Command);
    }
    let commands = commands(text);
    if is_fed(text) || writes_to_system(text, closed) {
        return Some(Refusal::Command);
    }
    let mut folder = None;
    let at_root = commands.iter().any(|words| is_cd_to_root(words, closed));
    let decodes = commands.iter().any(|words| decodes_or_downloads(words));
    let lists_root = commands
        .iter()
        .any(|words| words.iter().skip(1).any(|word| word == "/"));
    for words in &commands {
        // A library put before all others sees and does everything the program can.
        if words.iter().any(|word| word.starts_with("LD_") && word.contains('=')) {
            return Some(Refusal::Command);
        }
        let words = unwrapped(words);
        let Some((program, args)) = words.split_first() else {
            continue;
        };
        let name = program_name(program);
        let runs_text = INTERPRETERS.contains(&name.as_str());
        if runs_text && decodes {
            return Some(Refusal::Command);
        }
        let everything = args.iter().any(|arg| matches!(arg.as_str(), "*" | "." | "./*" | "{}"))
            || args.iter().all(|arg| arg.starts_with('-'));
        if name == "rm" && everything && (at_root || lists_root) {
            return Some(Refusal::Command);
        }
        if is_destructive(&name, args, closed) {
            return Some(Refusal::Command);
        }
        if let Some(refusal) = args.iter().chain([program]).find_map(|word| word_refusal(word, closed)) {
            return Some(refusal);
        }
        let launches = LAUNCHERS.contains(&name.as_str());
        if (runs_text || launches || matches!(name.as_str(), "alias" | "find"))
            && let Some(refusal) = args.iter().find_map(|arg| inner(arg, closed, depth))
        {
            return Some(refusal);
        }
        // `env -S "rm -rf /"`: the program is a whole line.
        if program.contains(' ')
            && let Some(refusal) = analyse(program, closed, depth + 1)
        {
            return Some(refusal);
        }
        if launches && (1..args.len()).any(|at| starts_destructive(args.get(at..).unwrap_or_default(), closed)) {
            return Some(Refusal::Command);
        }
        folder = goes_to(&name, args, folder.as_deref()).or(folder);
        if let Some(refusal) = folder
            .as_deref()
            .and_then(|folder| in_folder(folder, &name, args, closed))
        {
            return Some(refusal);
        }
    }
    substitutions(text)
        .iter()
        .find_map(|command| analyse(command, closed, depth + 1))
}

/// A program behind the arguments of the one that starts it.
fn starts_destructive(words: &[String], closed: &Closed<'_>) -> bool {
    let words = unwrapped(words);
    let Some((program, args)) = words.split_first() else {
        return false;
    };
    let name = program_name(program);
    !name.is_empty() && is_destructive(&name, args, closed)
}

/// Text that comes out of a pipe is run as it is: `echo … | sh`, `… | at now`. With a script of its own, it is read.
fn is_fed(text: &str) -> bool {
    let piped = text.replace("||", ";");
    let mut behind = piped.split('|').skip(1);
    behind.any(|tail| {
        let commands = commands(tail);
        let Some(words) = commands.first().map(|words| unwrapped(words)) else {
            return false;
        };
        let Some((program, args)) = words.split_first() else {
            return false;
        };
        let name = program_name(program);
        let is_own = |arg: &String| !arg.starts_with('-') && !arg.starts_with("/dev/stdin");
        READERS.contains(&name.as_str()) || INTERPRETERS.contains(&name.as_str()) && !args.iter().any(is_own)
    })
}

/// `echo x > /etc/hosts`.
fn writes_to_system(text: &str, closed: &Closed<'_>) -> bool {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '>') => {
                let behind = text
                    .get(at + 1..)
                    .unwrap_or_default()
                    .trim_start_matches(['>', '|', '&', ' ']);
                let target = commands(behind)
                    .into_iter()
                    .next()
                    .and_then(|words| words.into_iter().next());
                if target.is_some_and(|target| is_written_in_system(&target, closed)) {
                    return true;
                }
            }
            (Some(_) | None, _) => {}
        }
    }
    false
}

fn is_written_in_system(target: &str, closed: &Closed<'_>) -> bool {
    let readings = Readings::of(target, closed.home).texts;
    let is_system = |text: &String| text.starts_with('/') && closed.in_system_tree(text);
    !OUTLETS.contains(&target) && readings.iter().any(is_system)
}

/// The folder that later commands of the line start in.
fn goes_to(name: &str, args: &[String], before: Option<&str>) -> Option<String> {
    let target = match name {
        "cd" | "pushd" => args.iter().find(|arg| !arg.starts_with('-')),
        _ => args.iter().skip_while(|arg| *arg != "-C").nth(1),
    }?;
    Some(match before {
        Some(before) if !target.starts_with(['/', '~', '$']) => format!("{before}/{target}"),
        _ => target.clone(),
    })
}

/// What is named from the folder that the line went to: `cd /etc && cat shadow`.
fn in_folder(folder: &str, name: &str, args: &[String], closed: &Closed<'_>) -> Option<Refusal> {
    let own = args.iter().filter(|arg| !arg.starts_with(['-', '/', '~']));
    let named: Vec<&String> = own.filter(|_| !matches!(name, "cd" | "pushd")).collect();
    let refused = named.iter().find_map(|arg| closed.target_below(folder, arg));
    let takes = TAKERS.contains(&name) || WRITERS.contains(&name);
    let changed = takes
        && named
            .iter()
            .any(|arg| closed.in_system_tree(&format!("{folder}/{arg}")));
    refused.or(changed.then_some(Refusal::Command))
}

/// An argument that is itself a command line or a program text.
fn inner(arg: &str, closed: &Closed<'_>, depth: usize) -> Option<Refusal> {
    let assigned = arg.split_once('=').map_or(arg, |(_, value)| value);
    let in_call: String = assigned
        .chars()
        .map(|c| if "()'\"".contains(c) { '\n' } else { c })
        .collect();
    let forks = arg.contains("fork") && ["while", "loop", "for"].iter().any(|word| arg.contains(word));
    if forks {
        return Some(Refusal::Command);
    }
    (assigned.contains(' ') || in_call != assigned)
        .then(|| analyse(assigned, closed, depth + 1).or_else(|| analyse(&in_call, closed, depth + 1)))
        .flatten()
}

/// Splits into simple commands of words; redirections become words of their command.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word = String::new();
    let mut quote = None;
    let mut chars = text.chars().peekable();
    let end_word = |commands: &mut Vec<Vec<String>>, word: &mut String| {
        if !word.is_empty()
            && let Some(command) = commands.last_mut()
        {
            command.push(std::mem::take(word));
        }
    };
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('"'), '\\') => word.extend(chars.next()),
            (Some(_), c) => word.push(c),
            (None, '\'' | '"') => quote = Some(c),
            (None, '\\') => word.extend(chars.next()),
            (None, '#') if word.is_empty() => while chars.next_if(|c| *c != '\n').is_some() {},
            (None, ';' | '\n' | '\r' | '|' | '&') => {
                end_word(&mut commands, &mut word);
                commands.push(Vec::new());
            }
            (None, '<' | '>') => end_word(&mut commands, &mut word),
            (None, c) if c.is_whitespace() => end_word(&mut commands, &mut word),
            (None, c) => word.push(c),
        }
    }
    end_word(&mut commands, &mut word);
    commands.retain(|command| !command.is_empty());
    commands
}

/// What stands in `$(…)`, `<(…)` and backticks.
fn substitutions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for opening in ["$(", "<("] {
        for (at, _) in text.match_indices(opening) {
            let rest = text.get(at + opening.len()..).unwrap_or_default();
            let end = rest.find(')').unwrap_or(rest.len());
            found.extend(rest.get(..end).map(str::to_owned));
        }
    }
    found.extend(text.split('`').skip(1).step_by(2).map(str::to_owned));
    found
}

/// Without assignments, wrappers and their options; an assignment that loads foreign code stays to be seen.
fn unwrapped(words: &[String]) -> Vec<String> {
    let mut rest = words;
    while let Some((first, tail)) = rest.split_first() {
        let assigns = first
            .split_once('=')
            .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
        let program = program_name(first);
        if !assigns && !WRAPPERS.contains(&program.as_str()) {
            break;
        }
        rest = tail;
        // Its options and their numbers, and the folder `chroot` goes to.
        let is_option = |word: &str| word.starts_with('-') || word.starts_with(|c: char| c.is_ascii_digit());
        while let Some((option, tail)) = rest.split_first()
            && is_option(option)
        {
            rest = tail;
        }
        if program == "chroot" {
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    rest.to_vec()
}

fn program_name(word: &str) -> String {
    let word = word.replace("$(echo ", "").replace([')', '(', '`'], "");
    word.rsplit('/').next().unwrap_or_default().to_ascii_lowercase()
}

fn word_refusal(word: &str, closed: &Closed<'_>) -> Option<Refusal> {
    let target = |text: &str| {
        let readings = Readings::of(text, closed.home);
        readings.texts.iter().find_map(|reading| closed.target(reading))
    };
    // A quoted sentence is no path; `of=/dev/sda` and `user@host:/etc/shadow` hold one.
    if word.contains(' ') {
        return None;
    }
    if Readings::of(word, closed.home).is_too_long() {
        return Some(Refusal::Malformed);
    }
    target(word).or_else(|| {
        word.split(['=', ':', ','])
            .filter(|part| part.starts_with(['/', '~', '$', '.']))
            .find_map(target)
    })
}

fn is_cd_to_root(words: &[String], closed: &Closed<'_>) -> bool {
    let mut words = words.iter();
    let goes = words.next().is_some_and(|word| word == "cd" || word == "pushd");
    goes && words.all(|word| closed.is_too_wide(word))
}

fn decodes_or_downloads(words: &[String]) -> bool {
    let words = unwrapped(words);
    let has = |option: &str| words.iter().any(|word| word == option);
    let any_word = |names: &[&str]| words.iter().any(|word| names.contains(&program_name(word).as_str()));
    (any_word(&["base64", "base32"]) && (has("-d") || has("--decode") || has("-D")))
        || (any_word(&["xxd"]) && words.iter().any(|word| word.starts_with('-') && word.contains('r')))
        || any_word(&[
            "curl", "wget", "fetch", "rev", "tr", "openssl", "gunzip", "zcat", "uudecode",
        ])
}

/// Whether a program with these arguments is one of those nobody may run.
fn is_destructive(name: &str, args: &[String], closed: &Closed<'_>) -> bool {
    let has = |wanted: &str| args.iter().any(|arg| arg == wanted);
    let starts = |wanted: &str| args.iter().any(|arg| arg.starts_with(wanted));
    let short = |letter: char| {
        args.iter()
            .any(|arg| arg.starts_with('-') && !arg.starts_with("--") && arg.contains(letter))
    };
    let mut wide = args
        .iter()
        .flat_map(|arg| Readings::of(arg, closed.home).texts)
        .filter(|arg| arg.starts_with(['/', '.', '~']))
        .filter(|arg| closed.is_too_wide(arg) || closed.in_system_tree(arg));
    let first = args.first().map_or("", String::as_str);
    let system = |target: &str| is_written_in_system(target, closed);
    let mut places = args.iter().filter(|arg| !arg.starts_with('-')).map(String::as_str);
    match name {
        "dd" => starts("of=/dev/") || args.iter().filter_map(|arg| arg.strip_prefix("of=")).any(system),
        "rm" if has("--no-preserve-root") => true,
        "chmod"
            if args
                .iter()
                .any(|arg| arg.contains("+s") || (arg.len() == 4 && arg.starts_with(['2', '4', '6']))) =>
        {
            true
        }
        "find" => (has("-delete") || starts("-exec") || starts("-ok")) && wide.next().is_some(),
        "mount" => has("--bind") || has("-B") || has("--rbind"),
        "docker" | "podman" => args.iter().any(|arg| arg.starts_with("/:") || arg == "--privileged"),
        "git" => args
            .iter()
            .any(|arg| arg.to_ascii_lowercase().contains("sshcommand") || arg.contains("core.pager")),
        "gpg" | "gpg2" => starts("--export-secret") || starts("--delete-secret"),
        "crontab" => short('r'),
        "history" => short('c'),
        "killall" | "pkill" => short('u') || has("-1"),
        "kill" => has("-1"),
        "passwd" | "usermod" | "useradd" | "userdel" | "visudo" | "chpasswd" | "insmod" | "modprobe" | "iptables"
        | "nft" | "ufw" => true,
        "systemctl" | "service" => ["disable", "stop", "mask", "poweroff", "halt", "kexec", "isolate"].contains(&first),
        "nc" | "ncat" | "netcat" | "socat" => {
            short('e') || short('l') || short('c') || starts("exec:") || starts("EXEC:")
        }
        "zpool" | "zfs" => first == "destroy",
        "btrfs" => has("delete"),
        "shutdown" | "reboot" | "poweroff" | "halt" | "rmmod" | "setcap" => true,
        "init" | "telinit" => first.len() == 1,
        "adduser" | "deluser" | "groupadd" | "groupdel" | "groupmod" | "chsh" | "chage" | "vipw" | "vigr" => true,
        "secret-tool" | "kwallet-query" => true,
        "getent" => places.any(|base| matches!(base, "shadow" | "gshadow" | "passwd")),
        "sysctl" => short('w') || first.contains('='),
        "umount" => short('a'),
        "sed" | "perl" if short('i') || starts("--in-place") => places.any(system),
        "curl" | "wget" => args.windows(2).any(|pair| match pair {
            [option, target] => matches!(option.as_str(), "-o" | "-O" | "--output") && system(target),
            _ => false,
        }),
        _ if WRITERS.contains(&name) => places.any(system),
        _ if WRITERS_TO_LAST.contains(&name) => places.next_back().is_some_and(system),
        "alias" => args
            .iter()
            .flat_map(|arg| arg.split([' ', '=']))
            .any(|word| TAKERS.contains(&word)),
        _ if name.starts_with("mkfs") || DISK_PROGRAMS.contains(&name) => true,
        _ => TAKERS.contains(&name) && wide.next().is_some(),
    }
}

/// Something that starts itself, without end.
pub(in crate::policy) fn is_fork_bomb(text: &str) -> bool {
    let text = expansion::plain_functions(&percent_decoded(text));
    let dense: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let defines = dense.match_indices("(){").any(|(at, _)| {
        let before = dense.get(..at).unwrap_or_default();
        let name: String = before
            .chars()
            .rev()
            .take_while(|c| c.is_alphanumeric() || "_:.".contains(*c))
            .collect();
        let name: String = name.chars().rev().collect();
        let body = dense.get(at + 3..).unwrap_or_default();
        let body = body.split('}').next().unwrap_or_default();
        // Words before a name of signs run into it once the spaces are gone.
        let signs = name.trim_start_matches(char::is_alphanumeric);
        let calls_itself = |name: &str| !name.is_empty() && body.contains(name);
        (calls_itself(&name) || calls_itself(signs)) && body.contains('&')
    });
    let endless = ["whiletrue;do", "while:;do", "while[1];do", "for((;;));do"]
        .iter()
        .any(|head| dense.contains(head))
        && dense.contains('&');
    let itself = dense.contains("$0&");
    let many = dense.contains("xargs-P0") && dense.contains('&');
    defines || endless || itself || many
}
