//! Texts of languages that the household added: so many a night are put into words by the model, and each is checked
//! before it is used. Without a model everything waits; a night that is cut off keeps what it did.

use super::{Done, Failed, House, Job};
use crate::{
    domain::{
        limits::{TRANSLATING_TIMEOUT, TRANSLATIONS_A_NIGHT},
        message::Message,
    },
    i18n::tongue::{self, Tongue},
    llm::{
        Meter,
        translate::{Matter, translate},
    },
};

pub(super) const JOB: Job = Job {
    limit: TRANSLATING_TIMEOUT,
    ..Job::new("i18n_translate_pending", "daily@02:00", |house| Box::pin(run(house)))
};

/// How a night of it went.
#[derive(Default)]
struct Night {
    made: usize,
    refused: usize,
    /// The model went away meanwhile.
    is_over: bool,
}

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let data_dir = &house.engine.data_dir;
    let mut night = Night::default();
    let mut waiting = 0;
    for lang in tongue::added(data_dir) {
        let mut tongue = Tongue::open(data_dir, lang);
        night.translate(&house, &mut tongue).await?;
        waiting += tongue.pending()?.len();
    }
    if night.made > 0 {
        house.i18n.reload();
    }
    Ok(night.done(waiting))
}

impl Night {
    async fn translate(&mut self, house: &House<'_>, tongue: &mut Tongue) -> Result<(), Failed> {
        let llm = &house.engine.llm;
        for (place, english) in tongue.pending()? {
            if self.is_over || self.made + self.refused >= TRANSLATIONS_A_NIGHT {
                return Ok(());
            }
            let matter = if place.is_prompt() {
                Matter::Prompt(&english)
            } else {
                Matter::Message(&english)
            };
            // A meter of its own: one text that failed says nothing about the next one.
            match translate(llm, matter, tongue.lang(), &Meter::default()).await {
                Ok(said) => match tongue.put(&place, &said)? {
                    Ok(()) => self.made += 1,
                    Err(wrong) => {
                        tracing::info!(key = place.key, ?wrong, "a translation is not used");
                        self.refused += 1;
                    }
                },
                Err(error) if error.is_outage() => {
                    tracing::info!(%error, "translating waits for the model");
                    self.is_over = true;
                }
                Err(error) => {
                    tracing::info!(key = place.key, %error, "a text was not translated");
                    tongue.put(&place, "")?.err();
                    self.refused += 1;
                }
            }
        }
        Ok(())
    }

    fn done(&self, waiting: usize) -> Done {
        let key = match (self.made + self.refused, waiting) {
            (0, 0) => "job-translate-nothing",
            (0, _) => "job-translate-no-model",
            _ => "job-translate",
        };
        Done {
            line: Message::new(key)
                .with("count", self.made)
                .with("refused", self.refused)
                .with("waiting", waiting),
            is_quiet: self.made == 0,
            again_ms: None,
        }
    }
}
