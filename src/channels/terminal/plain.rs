//! The conversation when no person sits at the keyboard: a request a line, and under each its answer, so that
//! scripts and tests can hold it. Keys are lines, too. It ends with the input, after the last answer.

use std::{
    io::{self, Write},
    time::Duration,
};

use tokio::{
    sync::mpsc,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use super::{
    Input, TerminalError, TerminalOptions,
    desk::{Desk, News, Until},
    draw::Look,
    session::{Line, Session},
};
use crate::{
    domain::{
        delivery::{Delivery, Parcel},
        inbound::Inbound,
        limits::REQUEST_CHARS_MAX,
        message::Message,
        reply::{Button, ButtonKind},
    },
    runtime::Runtime,
};

/// After ✓ or ✗ this much silence means there is nothing more to say.
const FEEDBACK_SILENCE: Duration = Duration::from_millis(500);
/// After ↺ or an approval an answer follows; this much silence means the button was too old.
const ANSWER_SILENCE: Duration = Duration::from_secs(3);
/// At the end of the input, before leaving.
const LAST_SILENCE: Duration = Duration::from_millis(100);

/// Holds the conversation of `lines`, writing to `out`.
pub(super) async fn converse(
    runtime: Runtime,
    options: &TerminalOptions,
    mut lines: mpsc::Receiver<Input>,
    out: &mut (impl Write + Send),
    stop: CancellationToken,
) -> Result<(), TerminalError> {
    let mut talk = Talk {
        desk: Desk::new(runtime),
        session: Session::new(&options.session, options.lang, Look::Plain),
        options,
        out,
        stop,
        asked: Instant::now(),
    };
    let leaves = options.leaving();
    while let Some(input) = talk.next_line(&mut lines).await? {
        let line = match input {
            Input::Line(line) => line,
            Input::TooLong(head) => {
                talk.refuse(&head)?;
                continue;
            }
        };
        if leaves(&line) {
            talk.leave(&line)?;
            break;
        }
        match talk.session.read(&line) {
            Line::Blank => {}
            Line::File(file) => {
                let inbound = talk.session.file(file);
                talk.ask(&line, inbound).await?;
            }
            Line::Text(text) => {
                let inbound = talk.session.text(text);
                talk.ask(&line, inbound).await?;
            }
            Line::Tap(button) => talk.press(&line, &button).await?,
        }
    }
    talk.wait(&Until::Quiet(LAST_SILENCE)).await
}

struct Talk<'a, W: Write> {
    desk: Desk,
    session: Session,
    options: &'a TerminalOptions,
    out: &'a mut W,
    stop: CancellationToken,
    /// When the last line was handed up.
    asked: Instant,
}

impl<W: Write + Send> Talk<'_, W> {
    /// The next line; meanwhile prints what comes unasked. `None` at the end and when stopped.
    async fn next_line(&mut self, lines: &mut mpsc::Receiver<Input>) -> Result<Option<Input>, TerminalError> {
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return Ok(None),
                line = lines.recv() => return Ok(line),
                news = self.desk.news() => match news {
                    Some(News::Delivery(delivery)) => self.print(&delivery).await?,
                    Some(News::Notice(text)) => self.write(&text)?,
                    Some(News::Progress(_) | News::Turns) => {}
                    None => return Ok(None),
                },
            }
        }
    }

    async fn ask(&mut self, line: &str, inbound: Inbound) -> Result<(), TerminalError> {
        self.write(&format!("> {}", line.trim()))?;
        self.asked = Instant::now();
        let asked = inbound.message.clone();
        if let Err(error) = self.desk.submit(inbound).await {
            return self.not_kept(&error);
        }
        self.wait(&Until::AnswerTo(asked)).await
    }

    fn leave(&mut self, line: &str) -> Result<(), TerminalError> {
        self.write(&format!("> {}", line.trim()))?;
        let farewell = Message::new("terminal-left");
        self.write(&self.options.words.say(self.options.lang, &farewell))
    }

    /// Says that a line is too long; nothing of it is handed up.
    fn refuse(&mut self, head: &str) -> Result<(), TerminalError> {
        self.write(&format!("> {head}…"))?;
        let message = Message::new("request-too-long").with("limit", REQUEST_CHARS_MAX);
        self.write(&self.options.words.say(self.options.lang, &message))
    }

    async fn press(&mut self, line: &str, button: &Button) -> Result<(), TerminalError> {
        self.write(&format!("> {}", line.trim()))?;
        self.asked = Instant::now();
        let inbound = self.session.tap(button);
        let pressed = match self.desk.press(inbound).await {
            Ok(pressed) => pressed,
            Err(error) => return self.not_kept(&error),
        };
        let is_told = pressed.toast.is_some();
        if let Some(toast) = pressed.toast {
            self.session.said(&toast);
            self.write(&toast)?;
        }
        let until = match button.kind {
            ButtonKind::Confirm | ButtonKind::Reject if is_told => return Ok(()),
            ButtonKind::Task(_) | ButtonKind::Keep | ButtonKind::Unlearn if is_told => return Ok(()),
            ButtonKind::Confirm | ButtonKind::Reject | ButtonKind::Task(_) | ButtonKind::Keep | ButtonKind::Unlearn => {
                Until::Acknowledged(FEEDBACK_SILENCE)
            }
            ButtonKind::Retry
            | ButtonKind::Resend
            | ButtonKind::Approve
            | ButtonKind::Refuse
            | ButtonKind::Amend
            | ButtonKind::Choose { .. }
            | ButtonKind::Done { .. }
            | ButtonKind::Cancel { .. } => Until::Settled(ANSWER_SILENCE),
        };
        self.wait(&until).await
    }

    /// Prints what comes until the wait is over.
    async fn wait(&mut self, until: &Until) -> Result<(), TerminalError> {
        let silence = until.silence();
        let mut is_replied = false;
        loop {
            let quiet = sleep(silence.unwrap_or_default());
            tokio::select! {
                () = self.stop.cancelled() => return Ok(()),
                news = self.desk.news() => match news {
                    Some(News::Delivery(delivery)) => {
                        self.print(&delivery).await?;
                        is_replied |= until.is_over_with(&delivery);
                        if is_replied && self.is_all(until).await {
                            return Ok(());
                        }
                    }
                    Some(News::Notice(text)) => self.write(&text)?,
                    Some(News::Progress(_) | News::Turns) => {}
                    None => return Ok(()),
                },
                () = quiet, if silence.is_some() && !self.desk.is_busy() => return Ok(()),
            }
        }
    }

    /// Whether a reply was the last one: that a question is set aside is said before the answer itself.
    async fn is_all(&self, until: &Until) -> bool {
        match until {
            Until::AnswerTo(message) => self.desk.is_answered(message).await,
            Until::Settled(_) | Until::Acknowledged(_) | Until::Quiet(_) => true,
        }
    }

    async fn print(&mut self, delivery: &Delivery) -> Result<(), TerminalError> {
        let drawn = self.session.draw(delivery);
        if let Some(text) = &drawn.text {
            self.write(text)?;
        }
        if self.options.trace && matches!(delivery.parcel, Parcel::Reply(_)) {
            let trace = self.trace(delivery).await;
            self.write(&format!("({trace})"))?;
        }
        self.desk.printed(delivery, drawn.message).await;
        Ok(())
    }

    /// The layer, model calls and time of an answer; one that needed no turn, such as a command's, has only the time.
    async fn trace(&self, delivery: &Delivery) -> String {
        let traced = match &delivery.turn {
            Some(turn) => self.desk.trace(turn).await,
            None => None,
        };
        let waited = || format!("runtime, 0 model calls, {} ms", self.asked.elapsed().as_millis());
        traced.unwrap_or_else(waited)
    }

    fn not_kept(&mut self, error: &crate::runtime::SubmitError) -> Result<(), TerminalError> {
        tracing::error!(%error, "line not taken");
        let text = self
            .options
            .words
            .say(self.options.lang, &Message::new("terminal-not-kept"));
        self.write(&text)
    }

    fn write(&mut self, text: &str) -> Result<(), TerminalError> {
        let written = writeln!(self.out, "{text}").and_then(|()| self.out.flush());
        written.map_err(|source: io::Error| TerminalError::Write { source })
    }
}
