//! Where the values of a plan come from. What a page says, or the text of a file, may have been written by anybody: it
//! may be saved and shown, but it aims no change and no request to a web server that nobody has seen. Called by
//! dispatch before a plan runs. Pure, and it fails closed: a field that no manifest declares as the person's own
//! (`own_fields`) counts as from outside.

use crate::domain::{
    kind::Class,
    manifest::{Capability, Feed, Manifest},
    plan::{Plan, Step, Validated},
    reference::{Argument, Part, PathPart, Reference},
};

use super::{Lookup, references::references_in};

/// Steps deep that a list is followed back to where it came from; a plan has fewer.
const DEPTH_MAX: usize = 32;
/// Fields that hold the list itself.
const LISTS: [&str; 2] = ["entries", "results"];

/// Whether a step that changes something takes anything but the text it writes from outside: a page, a file's text, the
/// words of a model.
pub fn aims_from_outside(plan: &Plan<Validated>, manifests: Lookup<'_>) -> bool {
    let origins = Origins { plan, manifests };
    plan.steps.iter().any(|step| {
        manifests(&step.tool).is_some_and(|manifest| {
            manifest.effect.changes_something() && origins.takes_foreign(step, &manifest, &|class| class != Class::Text)
        })
    })
}

/// Whether an address that is fetched may carry what lies in the house: it is put together of other values, or is the
/// value of something else than a page or a search. One that stands in the request, or that a page of this turn gave
/// as it is, carries nothing.
pub fn carries_home_text(plan: &Plan<Validated>, step: &Step, manifests: Lookup<'_>) -> bool {
    let Some(manifest) = manifests(&step.tool) else {
        return true;
    };
    if manifest.effect.changes_something() {
        return false;
    }
    let origins = Origins { plan, manifests };
    let mut addresses = manifest.args.iter().filter(|spec| spec.class() == Class::Address);
    addresses.any(|spec| match step.args.iter().find(|(name, _)| *name == spec.name) {
        Some((_, argument)) => !origins.is_from_web(argument),
        None => {
            let is_fed = spec.from_entries_key.is_some() && step.from_step.is_some();
            is_fed && !step.from_step.is_some_and(|number| origins.is_web_step(number))
        }
    })
}

struct Origins<'a> {
    plan: &'a Plan<Validated>,
    manifests: Lookup<'a>,
}

impl Origins<'_> {
    /// Whether an argument of this kind, given or taken from the list that feeds the step, comes from outside.
    fn takes_foreign(&self, step: &Step, manifest: &Manifest, counts: &dyn Fn(Class) -> bool) -> bool {
        manifest.args.iter().filter(|spec| counts(spec.class())).any(|spec| {
            match (
                step.args.iter().find(|(name, _)| *name == spec.name),
                &spec.from_entries_key,
            ) {
                (Some((_, argument)), key) => !self.is_own(argument, key.as_deref()),
                (None, Some(key)) => step.from_step.is_some_and(|number| !self.owns(number, key, 0)),
                (None, None) => false,
            }
        })
    }

    fn is_own(&self, argument: &Argument, key: Option<&str>) -> bool {
        match argument {
            Argument::Literal(_) => true,
            Argument::Reference(reference) => self.is_own_reference(reference, key),
            Argument::Text(parts) => parts.iter().all(|part| match part {
                Part::Text(_) => true,
                Part::Reference(reference) => self.is_own_reference(reference, None),
            }),
            Argument::List(items) => items.iter().all(|item| self.is_own(item, key)),
            Argument::Object(fields) => fields.iter().all(|(_, field)| self.is_own(field, None)),
        }
    }

    fn is_own_reference(&self, reference: &Reference, key: Option<&str>) -> bool {
        match reference {
            Reference::Runtime(_) => true,
            // A model's words.
            Reference::Filler(_) => false,
            Reference::Step { number, path } => {
                let mut fields = path.iter().filter_map(|part| match part {
                    PathPart::Field(name) => Some(name.as_str()),
                    PathPart::Index(_) | PathPart::Every => None,
                });
                match fields.rfind(|name| !LISTS.contains(name)).or(key) {
                    Some(field) => self.owns(*number, field, 0),
                    None => false,
                }
            }
        }
    }

    /// Whether this field of a step's result names something of the person's own. A step that only works on a list has
    /// the fields of that list; what it makes of them is as much their own as all of them are.
    fn owns(&self, number: u32, field: &str, depth: usize) -> bool {
        let Some((step, manifest)) = self.step(number).filter(|_| depth < DEPTH_MAX) else {
            return false;
        };
        if manifest.own_fields.iter().any(|own| own == field) {
            return true;
        }
        let (Feed::Required, Some(source)) = (manifest.feed, step.from_step) else {
            return false;
        };
        let made = !self.gives(source, field, 0);
        if made && manifest.has(Capability::ComputePure) {
            let by = manifest.arg_of(Class::Column).and_then(|spec| {
                let given = step.args.iter().find(|(name, _)| *name == spec.name);
                given.and_then(|(_, argument)| match argument {
                    Argument::Literal(value) => value.as_str(),
                    Argument::Reference(_) | Argument::Text(_) | Argument::List(_) | Argument::Object(_) => None,
                })
            });
            // Without a field there is only a count.
            return by.is_none_or(|by| self.owns(source, by, depth + 1));
        }
        !made && self.owns(source, field, depth + 1)
    }

    /// Whether the entries of a step, or of the list it works on, have this field.
    fn gives(&self, number: u32, field: &str, depth: usize) -> bool {
        let Some((step, manifest)) = self.step(number).filter(|_| depth < DEPTH_MAX) else {
            return false;
        };
        match (manifest.feed, step.from_step) {
            (Feed::Required, Some(source)) => self.gives(source, field, depth + 1),
            (Feed::Required | Feed::Optional | Feed::None, _) => {
                manifest.entry_fields.iter().any(|known| known == field)
            }
        }
    }

    /// An address as it was said, or exactly as a page gave it.
    fn is_from_web(&self, argument: &Argument) -> bool {
        match argument {
            // That it was said is checked where the plan is judged.
            Argument::Literal(_) => true,
            Argument::Reference(Reference::Step { number, .. }) => self.is_web_step(*number),
            Argument::List(items) => items.iter().all(|item| self.is_from_web(item)),
            Argument::Reference(Reference::Filler(_) | Reference::Runtime(_))
            | Argument::Text(_)
            | Argument::Object(_) => false,
        }
    }

    /// Whether the list of a step comes from web servers alone.
    fn is_web_step(&self, number: u32) -> bool {
        let mut number = number;
        for _ in 0..DEPTH_MAX {
            let Some((step, manifest)) = self.step(number) else {
                return false;
            };
            match (manifest.is_pure(), step.from_step) {
                (true, Some(source)) => number = source,
                (true, None) => return false,
                (false, _) => return manifest.has(Capability::NetworkHttp) && !self.asks_with_foreign(step),
            }
        }
        false
    }

    /// A page that was fetched with something from the house in its address may give that back.
    fn asks_with_foreign(&self, step: &Step) -> bool {
        let fillers = |argument: &Argument| {
            let mut references = argument.references().into_iter();
            references.any(|reference| match reference {
                Reference::Filler(name) => {
                    let filler = self.plan.fillers.get(name);
                    filler.is_none_or(|filler| !references_in(&filler.prompt).is_empty())
                }
                Reference::Step { .. } | Reference::Runtime(_) => false,
            })
        };
        step.args.iter().any(|(_, argument)| fillers(argument))
    }

    fn step(&self, number: u32) -> Option<(&Step, std::sync::Arc<Manifest>)> {
        let at = usize::try_from(self.plan.position(number)?).ok()?;
        let step = self.plan.steps.get(at)?;
        Some((step, (self.manifests)(&step.tool)?))
    }
}
