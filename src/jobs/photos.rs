//! When and where pictures were taken, and what they look like, looked at by night for the questions of the day: those
//! of everybody who has a home here. Where the model takes pictures, it writes so many captions a night after that; one
//! that does not is asked nothing, and nothing is said of it.

use std::time::Instant;

use super::{
    Done, Failed, First, House, Job,
    papers::{at_every_home, desk, owner},
};
use crate::{
    domain::{
        lang::Lang,
        limits::{PHOTO_CAPTIONS_A_NIGHT, PHOTOS_NIGHT},
        message::Message,
    },
    language::Home,
    llm::{Jpeg, LlmClient, Meter, caption::caption},
    papers::{Desk, Owner},
    photos,
    store::{StoreError, captions::Caption, papers::FileStamp},
};

pub(super) const JOB: Job = Job {
    first: First::Now,
    breaks_off: true,
    limit: PHOTOS_NIGHT,
    ..Job::new("images_index_refresh", "daily@03:00", |house| Box::pin(run(house)))
};

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let look = async |desk: &Desk<'_>, owner: &Owner<'_>, home: &Home| {
        let unread = desk.look_at(owner, &photos::of(home), PHOTOS_NIGHT / 4).await?;
        Ok(unread + desk.compare(owner, PHOTOS_NIGHT / 4).await?)
    };
    let left = at_every_home(house, look).await?;
    write_captions(house).await?;
    Ok(Done {
        line: Message::new("job-photos").with("left", left),
        is_quiet: left == 0,
        again_ms: None,
    })
}

/// So many photos a night may fail with a model that says it is well; after that it is left alone.
const FAILED_MAX: usize = 3;

/// One night of captions, shared by all homes.
struct Night<'a> {
    llm: &'a LlmClient,
    model: String,
    began: Instant,
    left: usize,
    /// Photos that a model which is well failed at.
    failed: usize,
}

async fn write_captions(house: House<'_>) -> Result<(), Failed> {
    let llm = &house.engine.llm;
    let Some(model) = llm.sees().await else {
        return Ok(());
    };
    let mut night = Night {
        llm,
        model,
        began: Instant::now(),
        left: PHOTO_CAPTIONS_A_NIGHT,
        failed: 0,
    };
    let engine = house.engine;
    let catalog = engine.catalog.current();
    let desk = desk(engine, &catalog);
    for person in engine.store.people().await? {
        let owner = owner(engine, &person.actor);
        if !night.of_home(&desk, &owner, person.actor.lang).await? {
            break;
        }
    }
    Ok(())
}

impl Night<'_> {
    /// Captions of one home; `false` when the night is over, or the model went away.
    async fn of_home(&mut self, desk: &Desk<'_>, owner: &Owner<'_>, lang: Lang) -> Result<bool, StoreError> {
        let store = desk.store;
        let wanting = store
            .photos_without_caption(owner.actor, &self.model, lang.code(), self.left)
            .await?;
        for photo in wanting {
            if self.left == 0 || self.began.elapsed() >= PHOTOS_NIGHT / 4 {
                return Ok(false);
            }
            let Some(text) = self.of_photo(desk, owner, &photo, lang).await else {
                return Ok(false);
            };
            self.left -= 1;
            let caption = Caption {
                stems: metnos_papers::stems(desk.language, &text),
                stamp: photo,
                model: self.model.clone(),
                lang: lang.code().to_owned(),
                text,
            };
            store.put_caption(owner.actor, caption).await?;
        }
        Ok(self.left > 0)
    }

    /// The caption of one photo, empty where there is none to be had; `None` when the model went away.
    async fn of_photo(&mut self, desk: &Desk<'_>, owner: &Owner<'_>, photo: &FileStamp, lang: Lang) -> Option<String> {
        let Some(small) = desk.small(owner, photo).await else {
            return Some(String::new());
        };
        // A meter of its own: one photo that failed says nothing about the next one.
        match caption(self.llm, Jpeg(&small), lang, &Meter::default()).await {
            Ok(text) => Some(text),
            // A photo that a model which is well fails at would keep all others from their turn, every night.
            Err(error) if error.is_outage() => {
                self.failed += 1;
                let is_its_own = self.failed <= FAILED_MAX && self.llm.healthy().await;
                tracing::info!(%error, is_its_own, "a photo has no caption");
                is_its_own.then(String::new)
            }
            Err(error) => {
                tracing::info!(%error, "a photo has no caption");
                Some(String::new())
            }
        }
    }
}
