//! The files of a person's home, as things that words mean. No executor of files runs inside metnos.

use crate::engine::{
    families::{Family, Knowing, Scene},
    things::{Resolver, files::Files},
};

/// Knows files, folders and lists.
#[derive(Clone, Copy, Debug)]
pub struct HomeFiles;

impl Family for HomeFiles {
    fn things<'a>(&'a self, scene: Scene<'a>) -> Knowing<'a> {
        let files: Box<dyn Resolver + 'a> = Box::new(Files::new(scene.root, scene.home, scene.language, scene.lang));
        Box::pin(std::future::ready(Some(files)))
    }
}
