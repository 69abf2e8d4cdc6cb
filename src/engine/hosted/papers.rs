//! `find_texts`: what the documents of a home answer to a question, with the file and the page. A family of
//! `engine::families`, which also tells whether a question is one for them. It reads and changes nothing else, asks no
//! model, and where the documents are about something else it says so.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jiff::{Span, Zoned, civil::Date};
use metnos_papers::{Answer, Finding, How, Paper, Reckoned, Words};
use serde_json::json;

use super::{Host, fields, outside};
use crate::{
    domain::{
        dialogue::FILE,
        failure::{ErrorClass, ToolError},
        ids::{ExecutorName, TurnId},
        lang::Lang,
        limits::{PAPERS_ANSWER_WAIT, PAPERS_ASKED, PAPERS_WAIT},
        message::Message,
        run::ToolResult,
    },
    engine::{
        families::{Family, Knowing, Running, Scene},
        things::Resolver,
    },
    executors::Call,
    language::{
        Home, Language,
        time::{Conventions, Value},
    },
    papers::{self, Desk, Owner},
    store::{Store, StoreError, papers::PaperText},
};

mod things;

use things::Questions;

/// Documents, asked.
#[derive(Debug)]
pub struct Papers {
    words: Arc<Words>,
    /// The last turn before which every document was read: what answers it need not look at all of them again.
    all_read: Mutex<Option<TurnId>>,
}

impl Papers {
    /// With the words of this program.
    ///
    /// # Errors
    /// The words are damaged.
    pub fn embedded() -> Result<Self, metnos_papers::PapersError> {
        Ok(Self {
            words: Arc::new(Words::embedded()?),
            all_read: Mutex::default(),
        })
    }

    fn note_all_read(&self, turn: &TurnId) {
        *self.all_read.lock().unwrap_or_else(PoisonError::into_inner) = Some(turn.clone());
    }

    /// The document that was shown before, or that answered the question before.
    async fn spoken_of(&self, scene: &Scene<'_>, owner: &Owner<'_>) -> Option<PaperText> {
        let before = scene.turn.before.as_ref()?;
        let shown = before.dialogue.pointed(FILE).filter(|shown| shown.ids.len() == 1);
        if let Some(path) = shown.and_then(|shown| shown.at(1)) {
            return scene.store.paper_at(owner.actor, path).await.ok().flatten();
        }
        let asked = Question {
            text: &before.text,
            lang: scene.lang,
            language: scene.language,
            words: &self.words,
        };
        let found = look_up(scene.store, owner, &asked.stems()).await.ok()?;
        let answer = asked.answer(&opened(&found, None))?;
        found.into_iter().nth(answer.paper)
    }

    fn are_all_read(&self, turn: &TurnId) -> bool {
        self.all_read.lock().unwrap_or_else(PoisonError::into_inner).as_ref() == Some(turn)
    }
}

impl Family for Papers {
    fn executors(&self) -> &'static [&'static str] {
        &["find_texts"]
    }

    fn run<'a>(&'a self, host: &'a Host<'a>, _name: &'a ExecutorName, call: &'a Call) -> Running<'a> {
        Box::pin(host.find_texts(call, self))
    }

    fn things<'a>(&'a self, scene: Scene<'a>) -> Knowing<'a> {
        Box::pin(async move {
            let asked = Question {
                text: &scene.turn.text,
                lang: scene.lang,
                language: scene.language,
                words: &self.words,
            };
            let (mut found, mut spoken) = (Vec::new(), None);
            // Most of what is said asks for nothing that stands on papers: no file is looked at for it.
            let stems = asked.stems();
            let owner = Owner {
                actor: &scene.turn.actor.id,
                home: scene.root.clone(),
                now: scene.turn.now.clone(),
            };
            let desk = Desk {
                store: scene.store,
                runner: scene.runner,
                catalog: &scene.catalog,
                language: scene.language,
                data_dir: scene.data_dir,
            };
            if asked.asks() {
                spoken = self.spoken_of(&scene, &owner).await;
            }
            if !stems.is_empty() && !self.are_all_read(&scene.turn.id) {
                // Whoever asks is told by the executor that the documents cannot be looked up.
                match desk.refresh(&owner, &papers::of(&scene.home), PAPERS_WAIT).await {
                    Ok(0) => self.note_all_read(&scene.turn.id),
                    Ok(_) => {}
                    Err(error) => tracing::warn!(%error, "documents cannot be kept"),
                }
            }
            if !stems.is_empty() {
                found = look_up(scene.store, &owner, &stems).await.unwrap_or_default();
            }
            let all: Box<dyn Resolver + 'a> = Box::new(Questions {
                found,
                spoken,
                lang: scene.lang,
                language: scene.language,
                words: Arc::clone(&self.words),
                opened: OnceLock::new(),
                answers: Mutex::default(),
            });
            Some(all)
        })
    }
}

/// A question, and what it is read with.
struct Question<'a> {
    text: &'a str,
    lang: Lang,
    language: &'a Language,
    words: &'a Words,
}

impl Question<'_> {
    /// What documents for it are looked up by.
    fn stems(&self) -> Vec<String> {
        metnos_papers::wanted(self.text, self.lang, self.language, self.words)
    }

    /// Whether it asks for something that may stand on papers.
    fn asks(&self) -> bool {
        metnos_papers::asks(self.text, self.lang, self.language, self.words)
    }

    fn answer(&self, papers: &[Paper]) -> Option<Answer> {
        metnos_papers::answer(self.text, self.lang, papers, self.language, self.words)
    }
}

/// The documents that are likeliest to answer what has these stems.
async fn look_up(store: &Store, owner: &Owner<'_>, stems: &[String]) -> Result<Vec<PaperText>, StoreError> {
    store.papers_with(owner.actor, stems, PAPERS_ASKED).await
}

/// Documents as they were kept, the one that was spoken of first.
fn opened(found: &[PaperText], spoken: Option<&PaperText>) -> Vec<Paper> {
    let open = |one: &PaperText| Paper::new(&one.path, one.changed, &one.parts);
    let spoken = spoken.map(|one| Paper {
        is_spoken_of: true,
        ..open(one)
    });
    let path = spoken.as_ref().map(|paper| paper.path.clone());
    let others = found.iter().filter(|one| Some(&one.path) != path.as_ref()).map(open);
    spoken.into_iter().chain(others).collect()
}

impl Host<'_> {
    /// Where documents and pictures are looked at.
    pub(super) fn desk(&self) -> Desk<'_> {
        Desk {
            store: self.store,
            runner: self.runner,
            catalog: self.catalog,
            language: self.language,
            data_dir: self.borders.data_dir,
        }
    }

    /// The last day that a passage names, with the words it stands in: `2027-03-15 The contract expires …`.
    fn deadline(&self, answer: &Answer, paper: &Paper, words: &Words, now: &Zoned) -> Option<String> {
        let Finding::Passage(text) = &answer.finding else {
            return None;
        };
        let named = metnos_papers::deadlines(text, words);
        let day = |line: &String| Some((day_in(line, self.language, now)?, line.clone()));
        let (day, line) = named.iter().find_map(day)?;
        Some(format!("{day} {line} ({})", paper.path))
    }

    async fn find_texts(&self, call: &Call, papers: &Papers) -> Result<ToolResult, ToolError> {
        let (text, words) = (call.text("question")?.trim(), &papers.words);
        let (desk, owner) = (self.desk(), Owner::of(&call.context));
        let home = Home::at(owner.home.clone()).without(self.borders.data_dir);
        let unread = if papers.are_all_read(&call.context.turn) {
            0
        } else {
            desk.refresh(&owner, &papers::of(&home), PAPERS_ANSWER_WAIT).await?
        };
        let spoken = match call.optional_text("path")? {
            Some(path) => self.store.paper_at(owner.actor, path).await?,
            None => None,
        };
        // A question may be asked in another language than the person's own.
        let other = Lang::BUILT_IN.into_iter().filter(|lang| *lang != call.context.lang);
        for lang in std::iter::once(call.context.lang).chain(other) {
            let question = Question {
                text,
                lang,
                language: self.language,
                words,
            };
            let found = look_up(self.store, &owner, &question.stems()).await?;
            let papers = opened(&found, spoken.as_ref());
            let Some(answer) = question.answer(&papers) else {
                continue;
            };
            if let Some(paper) = papers.get(answer.paper) {
                let deadline = self.deadline(&answer, paper, words, &call.context.now);
                return Ok(told(&answer, paper, unread, (call.context.lang, deadline)));
            }
        }
        let message = match papers::of(&home).len() {
            0 => Message::new("papers-none"),
            count => Message::new("papers-nothing")
                .with("count", count)
                .with("unread", unread),
        };
        Err(ToolError::new(ErrorClass::NotFound, message))
    }
}

/// The day that a line names and that is still to come, as the last one where it names several.
fn day_in(line: &str, language: &Language, now: &Zoned) -> Option<Date> {
    let days = |lang: Lang| {
        let times = language.times(line, lang, now, &Conventions::HOUSEHOLD);
        times.into_iter().filter_map(|time| match time.readings.first() {
            Some(Value::Date(day)) => Some(*day),
            // "… on 14 January 2027 at noon".
            Some(Value::Moment(moment)) => Some(moment.date()),
            // "By 12 December" ends with that day.
            Some(Value::Range(_, Some(end))) => Some(end.saturating_sub(Span::new().nanoseconds(1)).date()),
            Some(Value::Range(_, None) | Value::Duration(_)) | None => None,
        })
    };
    let ahead = Lang::BUILT_IN
        .into_iter()
        .flat_map(days)
        .filter(|day| *day > now.date());
    ahead.max()
}

/// The answer, with where it stands, and the day it names by which something has to be done.
fn told(answer: &Answer, paper: &Paper, unread: usize, (lang, deadline): (Lang, Option<String>)) -> ToolResult {
    let part = paper.parts.get(answer.part);
    let place = part.and_then(|part| {
        let page = part.page.filter(|_| paper.parts.len() > 1);
        let sheet = part.sheet.clone().filter(|_| paper.parts.len() > 1);
        let of_page = page.map(|page| Message::new("papers-page").with("page", page));
        of_page.or_else(|| sheet.map(|sheet| Message::new("papers-sheet").with("sheet", sheet)))
    });
    let mut from = Message::new("papers-from").with("path", paper.path.clone());
    from = match place {
        Some(place) => from.with("where", "part").with("part", place),
        None => from.with("where", "whole"),
    };
    let mut lines: Vec<Message> = match &answer.finding {
        Finding::Passage(text) => vec![Message::new("papers-text").with("text", text.clone())],
        Finding::Rows { rows, more } => {
            let rows = rows
                .iter()
                .map(|row| Message::new("papers-text").with("text", row.clone()));
            let more = (*more > 0).then(|| Message::new("papers-more").with("count", *more));
            rows.chain(more).collect()
        }
        Finding::Numbers(all) => all.iter().map(|one| number(one, lang)).collect(),
    };
    let entries: Vec<_> = lines
        .iter()
        .map(|line| json!({"line": line, "path": paper.path}))
        .collect();
    lines.push(from);
    let mut body = fields(json!({"path": paper.path, "entries": entries, "used": entries.len()}));
    body.extend(outside::lines(lines).map(|says| ("says".to_owned(), json!(says))));
    if let Some(deadline) = deadline {
        body.insert("deadline".to_owned(), json!(deadline));
        body.insert("note".to_owned(), json!(Message::new("papers-deadline")));
    }
    if unread > 0 {
        let note = Message::new("papers-unread").with("count", unread);
        body.insert("note".to_owned(), json!(note));
    }
    ToolResult::ok(body)
}

/// A number that was worked out, with what it is of.
fn number(one: &Reckoned, lang: Lang) -> Message {
    let how = match one.how {
        How::Sum => "sum",
        How::Mean => "mean",
        How::Median => "median",
        How::Difference => "difference",
        How::Count => "count",
    };
    Message::new("papers-number")
        .with("how", how)
        .with("column", one.column.clone())
        .with("number", one.number.text(lang))
        .with("rows", one.rows)
}
