//! "Near me": where the person is, when a request for places names no other place. Called by the chain for producers
//! that look around a point.

use super::{
    arguments::Filled,
    chain::{Chain, grammar},
};
use crate::domain::{
    kind::Class,
    manifest::Manifest,
    reference::Argument,
    vocabulary::{Object, Verb},
};

/// The field under which a locator gives the point where the person is.
const POINT: &str = "point";

impl<'a> Chain<'a> {
    /// The executor that tells where the person is. It can only come first.
    pub(super) fn locator(&self) -> Option<&'a Manifest> {
        self.catalog
            .iter()
            .map(|manifest| &**manifest)
            .find(|manifest| grammar(manifest) == (Some(Verb::Get), Some(Object::Location)))
            .filter(|locator| locator.result_fields.iter().any(|field| field == POINT))
            .filter(|_| self.steps.is_empty())
    }

    /// "Near me" and nothing at all mean around the person: the point of the first step, which then is the locator.
    pub(super) fn around_person(&self, manifest: &Manifest, filled: &mut Filled) {
        let open = manifest.arg_of(Class::Whereabouts).filter(|arg| !filled.has(&arg.name));
        if let (Some(arg), Some(_)) = (open, self.locator()) {
            filled.set_argument(&arg.name, Argument::parse_text(&format!("${{step1.{POINT}}}")));
        }
    }
}
