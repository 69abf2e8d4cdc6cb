//! A whole metnos in a test: real runtime, real SQLite, real executors in their sandbox, a home of its own. A test is a
//! conversation with it; the transcript is what the test looks at.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use metnos::{
    app::{App, DATABASE},
    catalog::sign_one,
    clock::Clock,
    config::{
        Config, DigestForm, EngineChoice, LlmConfig, MailConfig, Mode, PlacesConfig, SearchConfig, SpeechConfig,
        WeatherConfig, env::Environment,
    },
    domain::{
        delivery::{Delivery, Parcel, Pressed},
        feedback::Sign,
        holidays::Patron,
        ids::{ChannelKind, ConversationId, ExecutorName, MessageId, SenderId},
        inbound::{Inbound, InboundBody},
        lang::Lang,
        location::SharedLocation,
        place::Point,
        reply::{Button, ButtonKind, Reply},
    },
    runtime::Submitted,
};
use tempfile::TempDir;

use super::turn_log::turn_log;

/// How long an answer may take before the test says that there was none; a real model takes longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// How a bot is set up.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    /// Base URL of a (scripted) llama-server.
    pub(crate) llm_url: Option<String>,
    /// The whole model section, with its time limits; wins over the address above.
    pub(crate) llm: Option<LlmConfig>,
    /// Geo services; without it none is there, so that no test asks the public one.
    pub(crate) places: Option<PlacesConfig>,
    /// The weather service; without it none is there.
    pub(crate) weather: Option<WeatherConfig>,
    /// Who searches the web; without it nobody does.
    pub(crate) search: Option<SearchConfig>,
    /// Who hears voice notes; without it nobody does.
    pub(crate) speech: Option<SpeechConfig>,
    /// Where the house is.
    pub(crate) location_home: Option<Point>,
    /// The town's own day.
    pub(crate) patron: Option<Patron>,
    /// Who writes plans.
    pub(crate) engine: EngineChoice,
    /// Whose model may be asked.
    pub(crate) mode: Mode,
    /// The clock.
    pub(crate) clock: Clock,
    /// The host's language.
    pub(crate) lang: Lang,
    /// How many requests are remembered, when not the default.
    pub(crate) fastpath_max: Option<usize>,
    /// How the digest comes in the morning; not at all unless a test is about it, as it would be an answer of its own.
    pub(crate) digest: DigestForm,
    /// What it takes to make a champion, when not the default.
    pub(crate) autopath_min_obs: Option<f64>,
    /// The household's own file.
    pub(crate) config_file: Option<PathBuf>,
    /// How long an answer may take.
    pub(crate) patience: Duration,
    /// The authority of the mail servers, when not that of the tests' own.
    pub(crate) ca_file: Option<PathBuf>,
    /// The authority of calendar servers.
    pub(crate) agenda_ca_file: Option<PathBuf>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            llm_url: None,
            llm: None,
            places: None,
            weather: None,
            search: None,
            speech: None,
            location_home: None,
            patron: None,
            engine: EngineChoice::Auto,
            mode: Mode::Local,
            clock: Clock::system(),
            lang: Lang::EN,
            fastpath_max: None,
            digest: DigestForm::Silent,
            autopath_min_obs: None,
            config_file: None,
            patience: PATIENCE,
            ca_file: None,
            agenda_ca_file: None,
        }
    }
}

/// A running metnos and the conversation with it.
pub(crate) struct TestBot {
    folder: TempDir,
    setup: Setup,
    app: Option<App>,
    messages: usize,
    transcript: String,
    buttons: Vec<Button>,
}

impl TestBot {
    /// No model, no config: what a first start has.
    pub(crate) async fn new() -> Self {
        Self::with(Setup::default()).await
    }

    /// A bot set up in some other way.
    pub(crate) async fn with(setup: Setup) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        let mut bot = Self {
            folder,
            setup,
            app: None,
            messages: 0,
            transcript: String::new(),
            buttons: Vec::new(),
        };
        bot.start().await;
        bot
    }

    /// Starts metnos on what is on disk; the answers it still owes come through `hears`.
    pub(crate) async fn start(&mut self) {
        let config = self.config();
        let binary = PathBuf::from(env!("CARGO_BIN_EXE_metnos"));
        let environment = self.environment();
        let app = App::start(&config, &environment, self.setup.clock.clone(), binary);
        self.app = Some(Box::pin(app).await.unwrap());
    }

    /// Stops metnos gracefully.
    pub(crate) async fn stop(&mut self) {
        if let Some(app) = self.app.take() {
            app.stop().await;
        }
    }

    /// Stops and starts again on the same folder.
    pub(crate) async fn restart(&mut self) {
        self.stop().await;
        self.start().await;
    }

    /// Puts a program of the household's own into the catalog, signed, as they would between a stop and a start.
    pub(crate) async fn add_program(&mut self, name: &str, manifest: &str, script: &str) {
        self.stop().await;
        let folder = self.data_dir().join("catalog").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("manifest.toml"), manifest).unwrap();
        let program = folder.join("run.sh");
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        sign_one(&self.data_dir(), &ExecutorName::from(name)).unwrap();
        self.start().await;
    }

    fn environment(&self) -> Environment {
        let environment = Environment {
            home: Some(self.home()),
            config: self.setup.config_file.clone(),
            ..Environment::default()
        };
        let environment = environment.saying("METNOS_DATA_DIR", self.data_dir().display().to_string());
        match &self.setup.llm_url {
            Some(url) => environment.saying("METNOS_LLM_URL", url.as_str()),
            None => environment,
        }
    }

    /// The configuration it runs with.
    pub(crate) fn config(&self) -> Config {
        let mut config = Config::load(&self.environment()).unwrap();
        if let Some(llm) = &self.setup.llm {
            config.llm = llm.clone();
        }
        config.places = self.setup.places.clone().unwrap_or_default();
        // The tests' own authority, and nothing waits to be taken back.
        config.mail = MailConfig {
            ca_file: Some(self.setup.ca_file.clone().unwrap_or_else(super::mailbox::ca_file)),
            hold_s: 0,
        };
        config.agenda.ca_file.clone_from(&self.setup.agenda_ca_file);
        config.weather = self.setup.weather.clone().unwrap_or_default();
        config.speech = self.setup.speech.clone().unwrap_or_default();
        config.search = self.setup.search.clone().unwrap_or_default();
        config.location.home = self.setup.location_home.or(config.location.home);
        config.days.patron.clone_from(&self.setup.patron);
        config.engine = self.setup.engine;
        config.mode = self.setup.mode;
        config.lang = self.setup.lang;
        config.timezone = "Europe/Rome".to_owned();
        if let Some(max) = self.setup.fastpath_max {
            config.memory.fastpath_max = max;
        }
        config.promoter.digest = self.setup.digest;
        if let Some(successes) = self.setup.autopath_min_obs {
            config.memory.autopath_min_obs = successes;
        }
        config
    }

    /// What `~` stands for.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The data folder.
    pub(crate) fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The running application.
    pub(crate) fn app(&self) -> &App {
        self.app.as_ref().unwrap()
    }

    /// Puts a file into the home folder, folders included.
    pub(crate) fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.home().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Whether a file is in the home folder.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.home().join(name).exists()
    }

    /// The host says something in the terminal; returns the answer as plain text.
    pub(crate) async fn says(&mut self, text: &str) -> String {
        self.says_silently(text).await;
        self.hears(ChannelKind::Terminal).await.plain()
    }

    /// The host says something in the terminal, and no answer is waited for.
    pub(crate) async fn says_silently(&mut self, text: &str) {
        let inbound = self.inbound(ChannelKind::Terminal, "local", InboundBody::Text(text.to_owned()));
        self.transcript.push_str(&format!("> {text}\n"));
        assert_eq!(self.app().runtime.submit(inbound).await.unwrap(), Submitted::Accepted);
    }

    /// The host taps a button under the last answer; returns the toast.
    pub(crate) async fn taps(&mut self, kind: ButtonKind) -> String {
        let button = self.buttons.iter().find(|button| button.kind == kind);
        let token = button
            .unwrap_or_else(|| panic!("no {kind:?} under the last answer"))
            .token
            .clone();
        let inbound = self.inbound(ChannelKind::Terminal, "local", InboundBody::Button(token));
        let Pressed { toast, .. } = self.app().runtime.press(inbound).await.unwrap();
        let toast = toast.unwrap_or_default();
        self.transcript.push_str(&format!("* {kind:?}: {toast}\n"));
        toast
    }

    /// Somebody says something on Telegram; returns the answer.
    pub(crate) async fn telegram(&mut self, sender: &str, text: &str) -> String {
        self.telegram_silently(sender, text).await;
        self.hears(ChannelKind::Telegram).await.plain()
    }

    /// Somebody says something on Telegram, and no answer is waited for.
    pub(crate) async fn telegram_silently(&mut self, sender: &str, text: &str) {
        let inbound = self.inbound(ChannelKind::Telegram, sender, InboundBody::Text(text.to_owned()));
        self.transcript.push_str(&format!("{sender}> {text}\n"));
        assert_eq!(self.app().runtime.submit(inbound).await.unwrap(), Submitted::Accepted);
    }

    /// Somebody on Telegram taps this button; returns the toast.
    pub(crate) async fn telegram_taps(&mut self, sender: &str, button: &Button) -> String {
        let inbound = self.inbound(ChannelKind::Telegram, sender, InboundBody::Button(button.token.clone()));
        self.app()
            .runtime
            .press(inbound)
            .await
            .unwrap()
            .toast
            .unwrap_or_default()
    }

    /// Somebody says something on Matrix; returns the answer.
    pub(crate) async fn matrix(&mut self, sender: &str, text: &str) -> String {
        let inbound = self.inbound(ChannelKind::Matrix, sender, InboundBody::Text(text.to_owned()));
        self.transcript.push_str(&format!("{sender}> {text}\n"));
        assert_eq!(self.app().runtime.submit(inbound).await.unwrap(), Submitted::Accepted);
        self.hears(ChannelKind::Matrix).await.plain()
    }

    /// Somebody on Matrix chooses this button; returns the toast.
    pub(crate) async fn matrix_taps(&mut self, sender: &str, button: &Button) -> String {
        let inbound = self.inbound(ChannelKind::Matrix, sender, InboundBody::Button(button.token.clone()));
        let pressed = self.app().runtime.press(inbound).await.unwrap();
        pressed.toast.unwrap_or_default()
    }

    /// Somebody on Telegram shares where they are; no answer is waited for.
    pub(crate) async fn shares(&mut self, sender: &str, shared: SharedLocation) {
        let inbound = self.inbound(ChannelKind::Telegram, sender, InboundBody::Location(shared));
        assert_eq!(self.app().runtime.submit(inbound).await.unwrap(), Submitted::Accepted);
    }

    /// Somebody on Telegram does something else; no answer is waited for.
    pub(crate) async fn telegram_does(&mut self, sender: &str, body: InboundBody) {
        let inbound = self.inbound(ChannelKind::Telegram, sender, body);
        assert_eq!(self.app().runtime.submit(inbound).await.unwrap(), Submitted::Accepted);
    }

    /// The name of what was last said or done here.
    pub(crate) fn last_message(&self) -> MessageId {
        MessageId::from(self.messages.to_string())
    }

    /// Somebody on Telegram puts a message of theirs otherwise; no answer is waited for.
    pub(crate) async fn telegram_edits(&mut self, sender: &str, of: &MessageId, text: &str) {
        let edit = self.inbound(ChannelKind::Telegram, sender, InboundBody::Unsupported);
        let own = edit.message.as_str().to_owned();
        let edit = edit.edit(of.clone(), &own, text.to_owned());
        self.transcript.push_str(&format!("{sender}> {of} is now: {text}\n"));
        assert_eq!(self.app().runtime.submit(edit).await.unwrap(), Submitted::Accepted);
    }

    /// Somebody on Telegram reacts to a message; returns the toast.
    pub(crate) async fn telegram_reacts(&mut self, sender: &str, sign: Sign, about: &str) -> String {
        let body = InboundBody::Sign {
            sign,
            about: Some(about.into()),
            text: String::new(),
        };
        let inbound = self.inbound(ChannelKind::Telegram, sender, body);
        let pressed = self.app().runtime.react(inbound).await.unwrap();
        pressed.toast.unwrap_or_default()
    }

    /// Waits for the next answer of a channel, notes it and reports it delivered. New keyboards are delivered
    /// on the way.
    pub(crate) async fn hears(&mut self, channel: ChannelKind) -> Reply {
        loop {
            let delivery = self.next_delivery(channel).await;
            let runtime = self.app().runtime.clone();
            runtime
                .part_delivered(delivery.id, MessageId::from(format!("m{}", delivery.id.0)))
                .await;
            runtime.delivered(delivery.id).await;
            let Parcel::Reply(reply) = &delivery.parcel else {
                continue;
            };
            let trace = match &delivery.turn {
                Some(turn) => runtime.trace(turn).await.unwrap_or_default(),
                None => "runtime".to_owned(),
            };
            self.buttons = reply.buttons.clone();
            self.note(reply, &trace);
            return reply.clone();
        }
    }

    /// The next thing for a channel, not yet reported delivered.
    pub(crate) async fn next_delivery(&self, channel: ChannelKind) -> Delivery {
        let patience = self.setup.patience;
        let waited = tokio::time::timeout(patience, self.app().runtime.next_delivery(channel)).await;
        waited.unwrap_or_else(|_| panic!("no answer in {patience:?}; so far:\n{}", self.transcript))
    }

    /// The buttons under the last answer.
    pub(crate) fn buttons(&self) -> &[Button] {
        &self.buttons
    }

    /// The conversation so far: requests, answers, buttons, the layer that answered and its model calls.
    /// Folders of this run are shown as `~` and `DATA`; times taken are left out.
    pub(crate) fn transcript(&self) -> String {
        self.transcript
            .replace(&self.home().display().to_string(), "~")
            .replace(&self.data_dir().display().to_string(), "DATA")
    }

    /// The lines of the turn log, oldest first, once every turn that has ended has its line: it is written after the
    /// answer was committed, and the answer may be on its way by then.
    pub(crate) async fn turn_log(&self) -> Vec<serde_json::Value> {
        let began = Instant::now();
        loop {
            let database = rusqlite::Connection::open(self.data_dir().join(DATABASE)).unwrap();
            let count = database.query_row("SELECT count(*) FROM turns", [], |row| row.get(0));
            let ended: usize = count.unwrap();
            let lines = turn_log(&self.data_dir());
            if lines.len() >= ended || began.elapsed() > PATIENCE {
                return lines;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn note(&mut self, reply: &Reply, trace: &str) {
        for line in reply.plain().lines() {
            self.transcript.push_str(&format!("< {line}\n"));
        }
        let labels: Vec<&str> = reply.buttons.iter().map(|button| button.label.as_str()).collect();
        let trace = trace.rsplit_once(", ").map_or(trace, |(without_time, _)| without_time);
        self.transcript.push_str(&format!("  [{}] {trace}\n", labels.join(" ")));
    }

    fn inbound(&mut self, channel: ChannelKind, sender: &str, body: InboundBody) -> Inbound {
        self.messages += 1;
        Inbound {
            channel,
            conversation: ConversationId::from(sender),
            sender: SenderId::from(sender),
            sender_name: Some(sender.to_owned()),
            lang_hint: Some(self.setup.lang),
            message: MessageId::from(format!("{}", self.messages)),
            body,
        }
    }
}

/// Reads a file as text.
pub(crate) fn text_of(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}
