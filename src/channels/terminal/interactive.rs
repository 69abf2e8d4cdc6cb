//! The conversation with a person at the keyboard: line editing and history by rustyline, answers and progress above
//! the prompt, and single keys on an empty line for the buttons of the last answer. The editor blocks, so it has a
//! thread of its own; everything else is one task. What is printed goes through `screen`.

use std::{
    fs::OpenOptions,
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use rustyline::{
    Cmd, ConditionalEventHandler, Editor, Event, EventContext, EventHandler, KeyEvent, RepeatCount,
    error::ReadlineError, history::DefaultHistory,
};
use tokio::{sync::mpsc, time::Instant};
use tokio_util::sync::CancellationToken;

use super::{
    TerminalError, TerminalOptions,
    desk::{Desk, News},
    draw::{self, Look},
    screen::{PROMPT, Prompt, Screen},
    session::{Line, Session},
};
use crate::{
    domain::{
        delivery::{Delivery, Parcel},
        inbound::Inbound,
        message::Message,
        reply::{Button, ButtonKind, Expects},
    },
    runtime::{Runtime, SubmitError},
};

/// Lines typed and not yet handed up.
const TYPED_MAX: usize = 16;
/// The command Ctrl-C stands for while a turn runs.
const STOP: &str = "/stop";
/// Lines of history kept.
const HISTORY_MAX: usize = 1_000;
/// The keys that act at once on an empty line.
const SINGLE_KEYS: [ButtonKind; 3] = [ButtonKind::Confirm, ButtonKind::Reject, ButtonKind::Retry];
/// Progress is shown from here on, and no more often than this.
const PROGRESS_EVERY: Duration = Duration::from_millis(1_000);

/// What the keyboard gives.
#[derive(Debug)]
enum Typed {
    Line(String),
    Key(ButtonKind),
    /// Ctrl-C.
    Stop,
    Left,
}

/// Which single keys have a button now; shared with the editor's thread.
type Live = Arc<Mutex<Vec<ButtonKind>>>;

/// Holds the conversation until the person leaves or metnos stops.
pub(super) async fn converse(
    runtime: Runtime,
    options: &TerminalOptions,
    stop: CancellationToken,
) -> Result<(), TerminalError> {
    let (typed, mut keyboard) = mpsc::channel(TYPED_MAX);
    let live = Live::default();
    let prompt = Prompt::default();
    let screen = Screen::new(prompt.clone());
    let editor = editor(options.history.as_deref(), &typed, &live, &prompt)?;
    let mut talk = Talk {
        desk: Desk::new(runtime),
        session: Session::new(&options.session, options.lang, Look::Styled),
        options,
        screen,
        live,
        secret_asked: Arc::default(),
        next_progress: Instant::now(),
        progress: None,
    };
    if let Some(greeting) = &options.greeting {
        talk.screen.print(greeting.trim_end())?;
    }
    let runtime = talk.desk.runtime().clone();
    let asked = Arc::clone(&talk.secret_asked);
    let memory = Memory {
        path: options.history.clone(),
        is_secret: Box::new(move |line| asked.load(Ordering::Acquire) || runtime.holds_secret(line)),
        leaves: options.leaving(),
    };
    thread::spawn(move || edit(editor, &memory, &typed, &prompt));
    talk.hold(&mut keyboard, &stop).await
}

struct Talk<'a> {
    desk: Desk,
    session: Session,
    options: &'a TerminalOptions,
    screen: Screen,
    live: Live,
    /// The last answer asked for a secret: what is typed now is kept nowhere.
    secret_asked: Arc<AtomicBool>,
    next_progress: Instant,
    /// What a turn is doing and nobody was shown yet.
    progress: Option<String>,
}

impl Talk<'_> {
    async fn hold(
        &mut self,
        keyboard: &mut mpsc::Receiver<Typed>,
        stop: &CancellationToken,
    ) -> Result<(), TerminalError> {
        loop {
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                typed = keyboard.recv() => match typed {
                    Some(Typed::Line(line)) => self.line(&line).await?,
                    Some(Typed::Key(kind)) => self.key(kind).await?,
                    Some(Typed::Stop) => self.stop().await?,
                    Some(Typed::Left) | None => return Ok(()),
                },
                news = self.desk.news() => match news {
                    Some(News::Delivery(delivery)) => self.print(&delivery).await?,
                    Some(News::Progress(text)) => self.progress = Some(text),
                    Some(News::Notice(text)) => self.screen.print(&text)?,
                    Some(News::Turns) => {
                        self.next_progress = Instant::now() + PROGRESS_EVERY;
                        self.progress = None;
                    }
                    None => return Ok(()),
                },
                () = tokio::time::sleep_until(self.next_progress), if self.progress.is_some() => self.show_progress()?,
            }
        }
    }

    /// Stops the turn that runs; without one it only empties the line.
    async fn stop(&mut self) -> Result<(), TerminalError> {
        if !self.desk.is_busy() {
            return Ok(());
        }
        let inbound = self.session.text(STOP.to_owned());
        self.submit(inbound).await
    }

    async fn line(&mut self, line: &str) -> Result<(), TerminalError> {
        self.screen.entered();
        match self.session.read(line) {
            Line::Blank => Ok(()),
            Line::Tap(button) => self.press(&button).await,
            Line::File(file) => {
                let inbound = self.session.file(file);
                self.submit(inbound).await
            }
            Line::Text(text) => {
                let inbound = self.session.text(text);
                self.submit(inbound).await
            }
        }
    }

    async fn submit(&mut self, inbound: Inbound) -> Result<(), TerminalError> {
        match self.desk.submit(inbound).await {
            Ok(()) => Ok(()),
            Err(error) => self.not_kept(&error),
        }
    }

    async fn key(&mut self, kind: ButtonKind) -> Result<(), TerminalError> {
        match self.session.button(kind).cloned() {
            Some(button) => self.press(&button).await,
            None => Ok(()),
        }
    }

    async fn press(&mut self, button: &Button) -> Result<(), TerminalError> {
        let inbound = self.session.tap(button);
        match self.desk.press(inbound).await {
            Ok(pressed) => match pressed.toast {
                Some(toast) => {
                    self.session.said(&toast);
                    self.screen.print(&draw::aside(&toast, self.session.look()))
                }
                None => Ok(()),
            },
            Err(error) => self.not_kept(&error),
        }
    }

    async fn print(&mut self, delivery: &Delivery) -> Result<(), TerminalError> {
        let drawn = self.session.draw(delivery);
        if let Parcel::Reply(reply) = &delivery.parcel {
            self.secret_asked
                .store(reply.expects == Expects::Secret, Ordering::Release);
        }
        *self.live.lock().unwrap_or_else(PoisonError::into_inner) =
            self.session.buttons().iter().map(|button| button.kind).collect();
        if let Some(text) = &drawn.text {
            self.screen.print(text)?;
        }
        self.desk.printed(delivery, drawn.message).await;
        Ok(())
    }

    fn show_progress(&mut self) -> Result<(), TerminalError> {
        let Some(text) = self.progress.take() else {
            return Ok(());
        };
        self.next_progress = Instant::now() + PROGRESS_EVERY;
        self.screen
            .print_passing(&draw::aside(&format!("… {text}"), self.session.look()))
    }

    fn not_kept(&mut self, error: &SubmitError) -> Result<(), TerminalError> {
        tracing::error!(%error, "line not taken");
        let text = self
            .options
            .words
            .say(self.options.lang, &Message::new("terminal-not-kept"));
        self.screen.print(&text)
    }
}

type LineEditor = Editor<Prompt, DefaultHistory>;

fn editor(
    history: Option<&Path>,
    typed: &mpsc::Sender<Typed>,
    live: &Live,
    prompt: &Prompt,
) -> Result<LineEditor, TerminalError> {
    let config = rustyline::Config::builder()
        .max_history_size(HISTORY_MAX)
        .and_then(|builder| builder.history_ignore_dups(true))
        .map_err(|source| TerminalError::Editor { source })?
        .history_ignore_space(true)
        .build();
    let mut editor = LineEditor::with_config(config).map_err(|source| TerminalError::Editor { source })?;
    editor.set_helper(Some(prompt.clone()));
    for kind in SINGLE_KEYS {
        let key = SingleKey {
            kind,
            typed: typed.clone(),
            live: Arc::clone(live),
        };
        editor.bind_sequence(
            KeyEvent::from(draw::key_of(kind)),
            EventHandler::Conditional(Box::new(key)),
        );
    }
    if let Some(path) = history
        && let Err(error) = create_private(path).and_then(|()| editor.load_history(path).map_err(io::Error::other))
    {
        tracing::warn!(%error, "terminal history not read");
    }
    Ok(editor)
}

/// What people ask is theirs alone: the file is readable by its owner only, from the first byte.
fn create_private(path: &Path) -> io::Result<()> {
    let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))
}

/// Where typed lines are kept, and which must not be.
struct Memory {
    path: Option<PathBuf>,
    is_secret: Box<dyn Fn(&str) -> bool + Send>,
    /// Whether a line only says that the person leaves.
    leaves: Box<dyn Fn(&str) -> bool + Send>,
}

impl Memory {
    fn remember(&self, editor: &mut LineEditor, line: &str) {
        if (self.is_secret)(line) {
            return;
        }
        let added = editor.add_history_entry(line);
        let saved = added.and_then(|_is_new| self.path.as_ref().map_or(Ok(()), |path| editor.append_history(path)));
        if let Err(error) = saved {
            tracing::debug!(%error, "terminal history not kept");
        }
    }
}

/// The editor's thread: reads lines until the person leaves.
fn edit(mut editor: LineEditor, memory: &Memory, typed: &mpsc::Sender<Typed>, prompt: &Prompt) {
    loop {
        prompt.opened();
        let read = editor.readline(PROMPT);
        prompt.closed();
        let next = match read {
            Ok(line) if (memory.leaves)(&line) => Typed::Left,
            Ok(line) => {
                memory.remember(&mut editor, &line);
                Typed::Line(line)
            }
            Err(ReadlineError::Interrupted) => Typed::Stop,
            Err(ReadlineError::Eof) => Typed::Left,
            Err(error) => {
                tracing::error!(%error, "cannot read from the terminal");
                Typed::Left
            }
        };
        let is_last = matches!(next, Typed::Left);
        if typed.blocking_send(next).is_err() || is_last {
            return;
        }
    }
}

/// A key that presses a button while the line is empty, and is a character otherwise.
struct SingleKey {
    kind: ButtonKind,
    typed: mpsc::Sender<Typed>,
    live: Live,
}

impl ConditionalEventHandler for SingleKey {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        let has_button = self
            .live
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(&self.kind);
        if !context.line().is_empty() || !has_button {
            return None;
        }
        if let Err(error) = self.typed.try_send(Typed::Key(self.kind)) {
            tracing::debug!(%error, "key not taken");
        }
        Some(Cmd::Noop)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::{Live, Memory, Prompt, create_private, editor};
    use crate::language::secrets::Redactor;

    #[test]
    fn the_history_keeps_no_secret() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history");
        let (typed, _keyboard) = tokio::sync::mpsc::channel(1);
        let mut editor = editor(Some(&path), &typed, &Live::default(), &Prompt::default()).unwrap();
        let redactor = Redactor::new().unwrap();
        let memory = Memory {
            path: Some(path.clone()),
            is_secret: Box::new(move |line| redactor.finds(line)),
            leaves: Box::new(|_line| false),
        };
        for line in ["what time is it", "my password is hunter2", "who are you"] {
            memory.remember(&mut editor, line);
        }
        let kept = std::fs::read_to_string(&path).unwrap();
        assert!(
            kept.ends_with("what time is it\nwho are you\n") && !kept.contains("hunter2"),
            "{kept}"
        );
    }

    #[test]
    fn the_history_is_private_even_when_it_was_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history");
        std::fs::write(&path, "old\n").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        create_private(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old\n");
    }
}
