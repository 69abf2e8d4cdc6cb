//! Every sentence exists in every language, with the same values, and every sentence the code speaks has a text.
//! Texts are read by the same parser the program uses.

use std::collections::{BTreeMap, BTreeSet};

use fluent_syntax::ast;

use metnos::domain::lang::Lang;

use crate::tree::{File, Tree, names_in};

/// The language the others are compared with.
const REFERENCE: &str = "en";

/// The texts of one language, by key: the variables each uses.
type Texts = BTreeMap<String, BTreeSet<String>>;

#[test]
fn every_language_has_every_text() {
    let reference = texts_of(REFERENCE);
    let mut found = Vec::new();
    for lang in names_in("locales").iter().filter(|lang| *lang != REFERENCE) {
        found.extend(
            differences(&reference, &texts_of(lang))
                .into_iter()
                .map(|what| format!("{lang}: {what}")),
        );
        let files = (
            names_in(&format!("locales/{REFERENCE}")),
            names_in(&format!("locales/{lang}")),
        );
        if files.0 != files.1 {
            found.push(format!(
                "{lang}: its files are {:?}, those of {REFERENCE} {:?}",
                files.1, files.0
            ));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_is_built_in_is_what_has_a_folder() {
    let mut codes = Lang::BUILT_IN.map(|lang| lang.code().to_owned()).to_vec();
    codes.sort();
    assert_eq!(names_in("locales"), codes);
}

#[test]
fn every_key_the_code_speaks_has_a_text() {
    let texts = texts_of(REFERENCE);
    let missing: Vec<String> = Tree::of("src", "rs")
        .files
        .iter()
        .filter(|file| !file.path.ends_with("/tests.rs"))
        .flat_map(|file| {
            spoken_keys(shipped(&file.text))
                .into_iter()
                .map(|key| (file.path.clone(), key))
        })
        .filter(|(_, key)| !texts.contains_key(key))
        .map(|(path, key)| format!("{path}: `{key}` has no text in locales/{REFERENCE}"))
        .collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// A value under a name that the text does not use is a typing error, and the text would show a hole.
#[test]
fn every_value_handed_to_a_text_is_used() {
    let texts = texts_of(REFERENCE);
    let mut found = Vec::new();
    for file in &Tree::of("src", "rs").files {
        for (key, values) in spoken_values(shipped(&file.text)) {
            let used = texts.get(&key).cloned().unwrap_or_default();
            let unused = values
                .iter()
                .filter(|value| texts.contains_key(&key) && !used.contains(*value));
            found.extend(unused.map(|value| format!("{}: `{key}` does not use `{value}`", file.path)));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_text_is_without_a_speaker() {
    let mut speakers = Tree::of("src", "rs").files;
    speakers.extend(Tree::of("executors", "toml").files);
    speakers.extend(Tree::of("src", "toml").files);
    let unused = unspoken(&texts_of(REFERENCE), &speakers);
    assert!(
        unused.is_empty(),
        "nothing speaks these texts; take them out: {unused:#?}"
    );
}

#[test]
fn differences_are_noticed() {
    let english = parse("a = one { $x }\nb = two\nc = three\n").expect("good Fluent");
    let italian = parse("a = uno { $y }\nb = due\nd = quattro\n").expect("good Fluent");
    let expected = [
        "`a` uses [\"y\"] instead of [\"x\"]",
        "`c` is missing",
        "`d` is in no other language",
    ];
    assert_eq!(differences(&english, &italian), expected);
}

#[test]
fn variables_inside_plurals_and_functions_count() {
    let text = "n = { NUMBER($a) } { $b ->\n    [one] one { $c }\n   *[other] { $d }\n }\n    .title = { $e }\n";
    let texts = parse(text).expect("good Fluent");
    let variables: Vec<&str> = texts["n"].iter().map(String::as_str).collect();
    assert_eq!(variables, ["a", "b", "c", "d"]);
    assert_eq!(texts["n.title"].len(), 1);
}

#[test]
fn broken_texts_and_doubled_keys_are_noticed() {
    assert!(parse("a = { $x\n").is_err());
    assert!(parse("a = one\na = two\n").is_err());
}

#[test]
fn spoken_keys_are_found() {
    let code =
        "Message::new(\"a-b\"); Message::new(\n  \"c\",\n); Message::new(key); Message::new(&format!(\"d-{x}\"))";
    assert_eq!(spoken_keys(code), ["a-b", "c"]);
}

#[test]
fn handed_values_are_found() {
    let code = "Message::new(\"a\")\n  .with(\"x\", f(1).with(\"not\", 2))\n  .with(\"y\", \")\"); b.with(\"z\", 1)";
    let expected = ("a".to_owned(), vec!["x".to_owned(), "y".to_owned()]);
    assert_eq!(spoken_values(code), [expected]);
}

#[test]
fn a_text_without_speaker_is_noticed() {
    let texts = parse("said = { inner }\ninner = x\nforgotten = y\nkind-one = z\n").expect("good Fluent");
    let code = Tree::planted(&[("src/a.rs", "f(\"said\"); g(\"inner\"); format!(\"kind-{kind}\")")]);
    assert_eq!(unspoken(&texts, &code.files), ["forgotten"]);
}

fn texts_of(lang: &str) -> Texts {
    let mut texts = Texts::new();
    for file in &Tree::of(&format!("locales/{lang}"), "ftl").files {
        let parsed = parse(&file.text).unwrap_or_else(|error| panic!("{}: {error}", file.path));
        for (key, variables) in parsed {
            assert!(
                !texts.contains_key(&key),
                "{}: `{key}` is also in another file",
                file.path
            );
            texts.insert(key, variables);
        }
    }
    texts
}

/// Keys, attributes as `key.attribute` and terms as `-key`, each with its variables.
fn parse(text: &str) -> Result<Texts, String> {
    let resource = fluent_syntax::parser::parse(text).map_err(|(_, errors)| format!("not Fluent: {errors:?}"))?;
    let mut texts = Texts::new();
    for entry in &resource.body {
        let (key, value, attributes) = match entry {
            ast::Entry::Message(message) => (message.id.name.to_owned(), message.value.as_ref(), &message.attributes),
            ast::Entry::Term(term) => (format!("-{}", term.id.name), Some(&term.value), &term.attributes),
            ast::Entry::Comment(_) | ast::Entry::GroupComment(_) | ast::Entry::ResourceComment(_) => continue,
            ast::Entry::Junk { content } => return Err(format!("not Fluent: {content}")),
        };
        let mut patterns: Vec<(String, &ast::Pattern<&str>)> = attributes
            .iter()
            .map(|attribute| (format!("{key}.{}", attribute.id.name), &attribute.value))
            .collect();
        patterns.extend(value.map(|value| (key, value)));
        for (key, pattern) in patterns {
            let mut variables = BTreeSet::new();
            variables_of_pattern(pattern, &mut variables);
            if texts.insert(key.clone(), variables).is_some() {
                return Err(format!("`{key}` is written twice"));
            }
        }
    }
    Ok(texts)
}

fn variables_of_pattern(pattern: &ast::Pattern<&str>, into: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let ast::PatternElement::Placeable { expression } = element {
            variables_of_expression(expression, into);
        }
    }
}

fn variables_of_expression(expression: &ast::Expression<&str>, into: &mut BTreeSet<String>) {
    match expression {
        ast::Expression::Inline(inline) => variables_of_inline(inline, into),
        ast::Expression::Select { selector, variants } => {
            variables_of_inline(selector, into);
            for variant in variants {
                variables_of_pattern(&variant.value, into);
            }
        }
    }
}

fn variables_of_inline(inline: &ast::InlineExpression<&str>, into: &mut BTreeSet<String>) {
    match inline {
        ast::InlineExpression::VariableReference { id } => {
            into.insert(id.name.to_owned());
        }
        ast::InlineExpression::FunctionReference { arguments, .. } => variables_of_call(arguments, into),
        ast::InlineExpression::TermReference { arguments, .. } => {
            if let Some(arguments) = arguments {
                variables_of_call(arguments, into);
            }
        }
        ast::InlineExpression::Placeable { expression } => variables_of_expression(expression, into),
        ast::InlineExpression::StringLiteral { .. }
        | ast::InlineExpression::NumberLiteral { .. }
        | ast::InlineExpression::MessageReference { .. } => {}
    }
}

fn variables_of_call(arguments: &ast::CallArguments<&str>, into: &mut BTreeSet<String>) {
    for positional in &arguments.positional {
        variables_of_inline(positional, into);
    }
    for named in &arguments.named {
        variables_of_inline(&named.value, into);
    }
}

fn differences(reference: &Texts, other: &Texts) -> Vec<String> {
    let mut found = Vec::new();
    for (key, variables) in reference {
        match other.get(key) {
            None => found.push(format!("`{key}` is missing")),
            Some(theirs) if theirs != variables => {
                let (theirs, ours): (Vec<_>, Vec<_>) = (theirs.iter().collect(), variables.iter().collect());
                found.push(format!("`{key}` uses {theirs:?} instead of {ours:?}"));
            }
            Some(_) => {}
        }
    }
    let unknown = other.keys().filter(|key| !reference.contains_key(*key));
    found.extend(unknown.map(|key| format!("`{key}` is in no other language")));
    found
}

/// The literals handed to `Message::new`.
fn spoken_keys(code: &str) -> Vec<String> {
    code.split("Message::new(")
        .skip(1)
        .filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next())
        .map(str::to_owned)
        .collect()
}

/// The keys handed to `Message::new` with the names in the `.with(…)` calls that follow at once.
fn spoken_values(code: &str) -> Vec<(String, Vec<String>)> {
    let mut spoken = Vec::new();
    for rest in code.split("Message::new(").skip(1) {
        let Some(rest) = rest.trim_start().strip_prefix('"') else {
            continue;
        };
        let Some((key, rest)) = rest.split_once('"') else {
            continue;
        };
        let mut rest = after_call(rest);
        let mut values = Vec::new();
        while let Some(arguments) = rest.trim_start().strip_prefix(".with(") {
            values.extend(
                arguments
                    .trim_start()
                    .strip_prefix('"')
                    .and_then(|name| name.split('"').next()),
            );
            rest = after_call(arguments);
        }
        spoken.push((key.to_owned(), values.into_iter().map(str::to_owned).collect()));
    }
    spoken
}

/// What follows the parenthesis that closes the call whose arguments start here.
fn after_call(arguments: &str) -> &str {
    let mut depth = 1_usize;
    let mut in_text = false;
    for (at, char) in arguments.char_indices() {
        match char {
            '"' => in_text = !in_text,
            '(' if !in_text => depth += 1,
            ')' if !in_text => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &arguments[at + 1..];
        }
    }
    ""
}

/// Texts whose key no quoted word of the speakers names, in full or by the front of a made-up key such as `kind-{x}`.
fn unspoken(texts: &Texts, speakers: &[File]) -> Vec<String> {
    let words: BTreeSet<&str> = speakers.iter().flat_map(|file| file.text.split('"')).collect();
    let fronts: BTreeSet<&str> = words
        .iter()
        .filter_map(|word| {
            word.split_once('{')
                .map(|(front, _)| front)
                .or_else(|| word.ends_with('-').then_some(*word))
        })
        .filter(|front| front.len() > 1 && front.ends_with('-'))
        .collect();
    texts
        .keys()
        .filter(|key| !key.starts_with('-') && !key.contains('.'))
        .filter(|key| !words.contains(key.as_str()) && !fronts.iter().any(|front| key.starts_with(front)))
        .cloned()
        .collect()
}

/// The part of a file before its unit tests, which speak keys of their own.
fn shipped(text: &str) -> &str {
    text.split("\n#[cfg(test)]").next().unwrap_or(text)
}
