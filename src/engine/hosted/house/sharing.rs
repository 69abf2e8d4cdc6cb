//! `share_files`: the host lets people of the house use a file, most of all a list, to read it or to change it as well.
//! For them it lies as a link in their own folder; what is shared is written down first, for policy lets nobody through
//! a link that is not. Only the host shares, only single files, and `undo` ends it.

use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt, symlink},
    path::{Path, PathBuf},
};

use serde_json::json;

use super::{super::Host, fields, joined, names_of, no};
use crate::{
    domain::{
        actor::{Actor, Role},
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        message::Message,
        run::{Reversal, ToolResult},
        share::Shared,
    },
    executors::{Call, free_place, resolve_path},
    language::Home,
    policy,
};

/// The executor.
pub(super) const SHARE: &str = "share_files";
/// Where it lies for somebody whose folder has no place for lists yet.
const FOLDER: &str = "notes";

impl Host<'_> {
    /// Those whom the host lets use something, each once; nobody else may, and for the host there is no need.
    pub(super) async fn borrowers(&self, call: &Call) -> Result<Vec<Actor>, ToolError> {
        if !call.context.is_host {
            return Err(no(Message::new("share-only-host")));
        }
        let people = self.told_people(call).await?;
        if people.iter().any(|person| person.role == Role::Host) {
            return Err(no(Message::new("share-with-host")));
        }
        Ok(people)
    }

    pub(super) async fn share_files(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let people = self.borrowers(call).await?;
        let mut files = Vec::new();
        for text in call.texts("paths")? {
            files.push(shareable(&resolve_path(&text, &call.context.home)?)?);
        }
        let is_end = call.flag("end", false)?;
        let may_write = !call.flag("read_only", false)?;
        for person in &people {
            for file in &files {
                if is_end {
                    self.end_share(person, file).await?;
                } else {
                    self.share(person, file, may_write).await?;
                }
            }
        }
        let name = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let names = joined(files.iter().map(name));
        let body = fields(json!({
            "ok_count": files.len(),
            "people": names_of(&people),
            "names": names,
            "how": how(is_end, may_write),
        }));
        let back = Reversal::Call {
            tool: ExecutorName::from(SHARE),
            args: fields(json!({
                "paths": files,
                "to": ids(&people),
                "end": !is_end,
            })),
            label: names,
        };
        Ok(ToolResult {
            reversals: vec![back],
            ..ToolResult::ok(body)
        })
    }

    /// Each file, and with whom.
    pub(super) async fn names_shared(&self, call: &Call) -> Vec<String> {
        let (Ok(paths), Ok(people)) = (call.texts("paths"), self.told_people(call).await) else {
            return Vec::new();
        };
        let people = names_of(&people);
        paths.into_iter().map(|path| format!("{path} → {people}")).collect()
    }

    /// Written down first: a link that nobody wrote down leads nowhere.
    async fn share(&self, person: &Actor, file: &Path, may_write: bool) -> Result<(), ToolError> {
        let known = self.store.shared_with(&person.id).await?;
        let known = known.into_iter().find(|shared| shared.path == file);
        let is_there = |shared: &Shared| fs::read_link(&shared.link).is_ok_and(|target| target == file);
        let is_linked = known.as_ref().is_some_and(is_there);
        let link = match known.filter(|_| is_linked) {
            Some(shared) => shared.link,
            None => self.place_for(person, file)?,
        };
        let shared = Shared {
            path: file.to_owned(),
            link,
            may_write,
        };
        let now_ms = self.clock.now_ms();
        self.store.share(&person.id, &shared, now_ms).await?;
        if is_linked {
            return Ok(());
        }
        symlink(file, &shared.link).map_err(|error| failed(file, &error))
    }

    async fn end_share(&self, person: &Actor, file: &Path) -> Result<(), ToolError> {
        let known = self.store.shared_with(&person.id).await?;
        let Some(shared) = known.into_iter().find(|shared| shared.path == file) else {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let message = Message::new("share-not")
                .with("name", name)
                .with("person", person.name.as_str());
            return Err(ToolError::new(ErrorClass::NotFound, message));
        };
        self.store.unshare(&person.id, file).await?;
        // Only ever the link, and only one of ours.
        let is_ours = fs::read_link(&shared.link).is_ok_and(|target| target == file);
        match is_ours.then(|| fs::remove_file(&shared.link)) {
            Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => Err(failed(file, &error)),
            Some(_) | None => Ok(()),
        }
    }

    /// A name among their lists that is free.
    fn place_for(&self, person: &Actor, file: &Path) -> Result<PathBuf, ToolError> {
        let home = policy::guest_dir(self.borders.data_dir, person);
        let notes = self.language.notes_at(&Home::at(home.clone()), person.lang);
        let folder = home.join(notes.as_deref().unwrap_or(FOLDER));
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder);
        made.map_err(|error| failed(file, &error))?;
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let ending = file
            .extension()
            .map(|ending| format!(".{}", ending.to_string_lossy()))
            .unwrap_or_default();
        free_place(&folder, &stem, &ending).ok_or_else(|| failed(file, &io::ErrorKind::AlreadyExists.into()))
    }
}

/// In one word: no longer, to change it, or to read it.
pub(super) fn how(is_end: bool, may_write: bool) -> &'static str {
    match (is_end, may_write) {
        (true, _) => "ended",
        (false, true) => "write",
        (false, false) => "read",
    }
}

/// Who they are, for the way back.
pub(super) fn ids(people: &[Actor]) -> Vec<&str> {
    people.iter().map(|person| person.id.as_str()).collect()
}

/// The file itself, every link followed; a folder is none.
fn shareable(path: &Path) -> Result<PathBuf, ToolError> {
    let real = fs::canonicalize(path).map_err(|error| failed(path, &error))?;
    if real.is_file() {
        return Ok(real);
    }
    Err(ToolError::new(ErrorClass::InvalidArgs, Message::new("share-one-file")))
}

fn failed(path: &Path, error: &io::Error) -> ToolError {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let class = if error.kind() == io::ErrorKind::NotFound {
        ErrorClass::NotFound
    } else {
        ErrorClass::Internal
    };
    ToolError::new(class, Message::new("share-failed").with("name", name)).with_detail(error.to_string())
}
