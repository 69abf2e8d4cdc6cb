//! What may be remembered, and how far it may be served. Asked once at the end of a
//! turn that went well; L0 and L1 both obey it.

use regex::Regex;
use serde_json::Value;

use crate::{
    catalog::Catalog,
    domain::{
        kind::Class,
        manifest::Manifest,
        plan::{Plan, Step, Validated},
        reference::{Argument, Part},
    },
};

/// Why a plan is not remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRemembered {
    /// It has no step.
    Empty,
    /// A tool whose meaning depends on the moment, such as undo.
    ToolForbidsIt,
    /// A frozen date would be wrong tomorrow.
    AbsoluteDate,
    /// A tool that is not in the catalog any more.
    ToolGone,
}

/// Judges plans. Holds its one regular expression.
#[derive(Debug)]
pub struct Cacheability {
    absolute_date: Regex,
}

impl Cacheability {
    /// Compiles the rule.
    pub fn new() -> Result<Self, regex::Error> {
        Ok(Self {
            absolute_date: Regex::new(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b")?,
        })
    }

    /// Whether a plan may be remembered; `Ok(true)` when it may be served by exact hash only.
    pub fn judge(&self, plan: &Plan<Validated>, catalog: &Catalog) -> Result<bool, NotRemembered> {
        if plan.steps.is_empty() {
            return Err(NotRemembered::Empty);
        }
        let mut query_specific = false;
        for step in &plan.steps {
            let manifest = catalog.get(&step.tool).ok_or(NotRemembered::ToolGone)?;
            if !manifest.cacheable {
                return Err(NotRemembered::ToolForbidsIt);
            }
            if self.has_absolute_date(step) {
                return Err(NotRemembered::AbsoluteDate);
            }
            query_specific |= carries_content(step, manifest) || manifest.effect.changes_something();
        }
        Ok(query_specific)
    }

    fn has_absolute_date(&self, step: &Step) -> bool {
        step.args.iter().any(|(_, argument)| self.is_dated(argument))
    }

    /// A date as digits, however deep in an argument it stands.
    fn is_dated(&self, argument: &Argument) -> bool {
        match argument {
            Argument::Literal(value) => self.absolute_date.is_match(&value.to_string()),
            Argument::Text(parts) => parts.iter().any(|part| match part {
                Part::Text(text) => self.absolute_date.is_match(text),
                Part::Reference(_) => false,
            }),
            Argument::List(items) => items.iter().any(|item| self.is_dated(item)),
            Argument::Object(fields) => fields.iter().any(|(_, field)| self.is_dated(field)),
            Argument::Reference(_) => false,
        }
    }
}

/// A literal that came from this very request. Switches are the only literals that say nothing about it.
fn carries_content(step: &Step, manifest: &Manifest) -> bool {
    step.args.iter().any(|(name, argument)| match argument {
        Argument::Literal(Value::Bool(_) | Value::Null) => false,
        Argument::Literal(Value::String(text)) if is_universal_glob(manifest, name, text) => false,
        Argument::Literal(_) | Argument::Text(_) | Argument::List(_) | Argument::Object(_) => true,
        Argument::Reference(_) => false,
    })
}

fn is_universal_glob(manifest: &Manifest, name: &str, text: &str) -> bool {
    manifest.arg(name).is_some_and(|arg| arg.class() == Class::Glob) && matches!(text, "*" | "*.*" | "**" | "")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_date_is_found_however_deep_it_stands() {
        let rule = Cacheability::new().unwrap();
        for (value, is_dated) in [
            (json!("2026-05-04"), true),
            (json!("of 2026-05-04: ${step1.count}"), true),
            (json!(["${step1.path}", "~/2026-05-04.txt"]), true),
            (json!({"from": {"day": "2026-05-04"}, "of": "${step1.path}"}), true),
            (json!({"of": ["${step1.path}", "on 2026-05-04 in ${step1.name}"]}), true),
            (json!("${step1.path} at ${RUNTIME:today}"), false),
            (json!(["${step1.path}", "today", 20_260_504]), false),
        ] {
            assert_eq!(rule.is_dated(&Argument::parse(&value)), is_dated, "{value}");
        }
    }
}
