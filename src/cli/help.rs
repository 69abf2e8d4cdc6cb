//! What the command line says about itself, in the household's language: help, version, and what is wrong with a line
//! that cannot be read. Called by `cli` once such a line came; it does nothing but speak.

use std::{ffi::OsString, process::ExitCode};

use clap::{
    Arg, ArgAction, Command, CommandFactory as _,
    error::{ContextKind, ContextValue, ErrorKind},
};

use super::{Arguments, complain, print};
use crate::{
    domain::{lang::Lang, message::Message},
    i18n::I18n,
};

/// What a shell expects of a command that was not understood.
const MISUSED: u8 = 2;

/// What can be wrong with a line, the text for it, and where the word in question stands.
const MISTAKES: [(ErrorKind, &str, ContextKind); 6] = [
    (
        ErrorKind::InvalidSubcommand,
        "cli-unknown",
        ContextKind::InvalidSubcommand,
    ),
    (ErrorKind::UnknownArgument, "cli-unknown", ContextKind::InvalidArg),
    (
        ErrorKind::MissingRequiredArgument,
        "cli-missing",
        ContextKind::InvalidArg,
    ),
    (ErrorKind::InvalidValue, "cli-needs-value", ContextKind::InvalidArg),
    (ErrorKind::TooManyValues, "cli-too-many", ContextKind::InvalidArg),
    (ErrorKind::ArgumentConflict, "cli-twice", ContextKind::InvalidArg),
];

/// Says what the line asked to be told, or what is wrong with it.
pub(super) fn answer(line: Vec<OsString>, lang: Lang) -> anyhow::Result<ExitCode> {
    let i18n = I18n::embedded()?;
    let say = |key: &str| i18n.say(lang, &Message::new(key));
    let Err(told) = spoken(Arguments::command(), "metnos", &say).try_get_matches_from(in_one_way(line)) else {
        return Ok(ExitCode::SUCCESS);
    };
    if matches!(told.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        print(told.render().to_string().trim_end())?;
        return Ok(ExitCode::SUCCESS);
    }
    if told.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        complain(told.render().to_string().trim_end());
        return Ok(ExitCode::from(MISUSED));
    }
    let mistake = MISTAKES.iter().find(|(kind, _, _)| *kind == told.kind());
    let (key, what) = match mistake.map(|(_, key, place)| (*key, told.get(*place))) {
        Some((key, Some(ContextValue::String(word)))) => (key, word.clone()),
        Some((key, Some(ContextValue::Strings(words)))) => (key, words.join(" ")),
        Some(_) | None => ("cli-unreadable", told.kind().to_string()),
    };
    complain(&i18n.say(lang, &Message::new(key).with("what", what)));
    complain(&say("cli-next"));
    Ok(ExitCode::from(MISUSED))
}

/// `metnos help people` is `metnos people --help`.
fn in_one_way(mut line: Vec<OsString>) -> Vec<OsString> {
    if line.get(1).is_some_and(|word| word == "help") {
        line.remove(1);
        line.push("--help".into());
    }
    line
}

/// The command with every text of `locales/`; its name with those of the commands above it is its `path`.
fn spoken(command: Command, path: &str, say: &dyn Fn(&str) -> String) -> Command {
    let options = say("cli-heading-options");
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help);
    let mut order = 0;
    let is_root = command.get_version().is_some();
    let version = Arg::new("version")
        .short('V')
        .long("version")
        .action(ArgAction::Version);
    command
        .about(say(&format!("cli-{path}")))
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .disable_version_flag(true)
        .help_template(format!(
            "{{about-with-newline}}\n{}: {{usage}}\n\n{{all-args}}",
            say("cli-heading-usage")
        ))
        .subcommand_help_heading(say("cli-heading-commands"))
        .subcommand_value_name(say("cli-value-command"))
        .arg(help)
        .args(is_root.then_some(version))
        .mut_args(|arg| {
            let heading = if arg.is_positional() {
                say("cli-heading-arguments")
            } else {
                options.clone()
            };
            let words = say(&format!("cli-arg-{}", arg.get_id()));
            let hides_default = arg.get_action().takes_values();
            // As they are typed; they would stand by the alphabet.
            order += 1;
            arg.help(words)
                .help_heading(heading)
                .hide_default_value(hides_default)
                .display_order(order)
        })
        .mut_subcommands(|sub| {
            if sub.is_hide_set() {
                return sub;
            }
            let path = format!("{path}-{}", sub.get_name());
            spoken(sub, &path, say)
        })
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn everything_has_a_text_in_every_language() {
        let i18n = I18n::embedded().unwrap();
        let asked = RefCell::new(Vec::new());
        let note = |key: &str| {
            asked.borrow_mut().push(key.to_owned());
            key.to_owned()
        };
        spoken(Arguments::command(), "metnos", &note).debug_assert();
        let keys = asked.into_inner();
        assert!(keys.len() > 40, "{keys:?}");
        for (key, lang) in keys.iter().flat_map(|key| Lang::BUILT_IN.map(|lang| (key, lang))) {
            assert!(i18n.has(lang, key), "{key} has no text in {}", lang.code());
        }
    }

    #[test]
    fn help_of_a_command_can_be_asked_both_ways() {
        let line = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let asked = in_one_way(line(&["metnos", "help", "people", "quota"]));
        assert_eq!(asked, line(&["metnos", "people", "quota", "--help"]));
        assert_eq!(in_one_way(line(&["metnos", "people"])), line(&["metnos", "people"]));
    }
}
