//! What a model saw in the photos of a person: written at night by the job of photos, read when one is asked for. A
//! caption counts only for the file it was made of.

use rusqlite::{ToSql, params, params_from_iter};

use super::{Store, StoreError, papers::FileStamp};
use crate::domain::{ids::ActorId, limits::PHOTO_CAPTIONS_ASKED};

/// What a model saw in a photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    /// The file it looked at.
    pub stamp: FileStamp,
    /// Which model.
    pub model: String,
    /// The language it is in.
    pub lang: String,
    /// What it wrote, made harmless; empty where that was nothing.
    pub text: String,
    /// Stems by which it is found.
    pub stems: Vec<String>,
}

impl Store {
    /// The photos of a person that this model was not asked about in this language, the newest files first; those
    /// without any caption before the others.
    pub async fn photos_without_caption(
        &self,
        actor: &ActorId,
        model: &str,
        lang: &str,
        most: usize,
    ) -> Result<Vec<FileStamp>, StoreError> {
        let (actor, model, lang) = (actor.clone(), model.to_owned(), lang.to_owned());
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.read("photos without caption", move |connection| {
            connection
                .prepare_cached(
                    "SELECT p.path, p.size, p.changed FROM photos p
                     LEFT JOIN photo_captions c ON c.actor = p.actor AND c.path = p.path
                          AND c.size = p.size AND c.changed = p.changed
                     WHERE p.actor = ?1 AND coalesce(json_extract(nullif(p.told, ''), '$.sort'), '') <> 'video'
                           AND (c.id IS NULL OR c.model <> ?2 OR c.lang <> ?3)
                     ORDER BY c.id IS NOT NULL, p.changed DESC LIMIT ?4",
                )?
                .query_map(params![actor.as_str(), model, lang, most], |row| {
                    Ok(FileStamp {
                        path: row.get(0)?,
                        size: row.get(1)?,
                        changed: row.get(2)?,
                    })
                })?
                .collect()
        })
        .await
    }

    /// Keeps a caption, in the place of an older one.
    pub async fn put_caption(&self, actor: &ActorId, caption: Caption) -> Result<(), StoreError> {
        let actor = actor.clone();
        self.write("caption", move |tx| {
            let Caption {
                stamp: FileStamp { path, size, changed },
                model,
                lang,
                text,
                stems,
            } = caption;
            let words = format!(" {} ", stems.join(" "));
            tx.execute(
                "INSERT OR REPLACE INTO photo_captions (actor, path, size, changed, model, lang, caption, words)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![actor.as_str(), path, size, changed, model, lang, text, words],
            )
            .map(drop)
        })
        .await
    }

    /// The captions of a person's photos that hold any of these stems, those of the newest files first.
    pub async fn captions_with(&self, actor: &ActorId, stems: &[String]) -> Result<Vec<Caption>, StoreError> {
        if stems.is_empty() {
            return Ok(Vec::new());
        }
        let mut values = vec![actor.as_str().to_owned()];
        values.extend(stems.iter().map(|stem| format!(" {stem} ")));
        self.read("captions", move |connection| {
            let holds: Vec<String> = (2..=values.len())
                .map(|at| format!("instr(c.words, ?{at}) > 0"))
                .collect();
            let sql = format!(
                "SELECT c.path, c.size, c.changed, c.model, c.lang, c.caption, c.words FROM photo_captions c
                 JOIN photos p ON p.actor = c.actor AND p.path = c.path AND p.size = c.size AND p.changed = c.changed
                 WHERE c.actor = ?1 AND ({}) ORDER BY c.changed DESC LIMIT {PHOTO_CAPTIONS_ASKED}",
                holds.join(" OR ")
            );
            let values = values.iter().map(|value| value as &dyn ToSql);
            connection
                .prepare(&sql)?
                .query_map(params_from_iter(values), |row| {
                    Ok(Caption {
                        stamp: FileStamp {
                            path: row.get(0)?,
                            size: row.get(1)?,
                            changed: row.get(2)?,
                        },
                        model: row.get(3)?,
                        lang: row.get(4)?,
                        text: row.get(5)?,
                        stems: row.get::<_, String>(6)?.split_whitespace().map(str::to_owned).collect(),
                    })
                })?
                .collect()
        })
        .await
    }
}
