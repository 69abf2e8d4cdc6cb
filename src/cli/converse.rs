//! `metnos chat` and `metnos serve`: the program itself, with its channels, until it is told to stop.

use std::{io::IsTerminal as _, process::ExitCode, sync::Arc, time::Duration};

use anyhow::Context as _;
use tokio::{
    signal::unix::{SignalKind, signal},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{complain, pair, print};
use crate::{
    app::{self, App},
    channels::{
        matrix, telegram,
        terminal::{self, TerminalMode, TerminalOptions},
    },
    clock::Clock,
    config::{Config, env::Environment},
    domain::{folders, ids::ChannelKind, message::Message},
    telemetry::{self, Console},
};

/// How long a stop waits for the last answers to be brought.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// A conversation in this terminal.
pub(super) async fn chat(config: &Config, environment: &Environment, trace: bool) -> anyhow::Result<ExitCode> {
    app::make_private_dir(&config.data_dir)?;
    let guard = telemetry::start(
        &config.data_dir.join("logs"),
        environment.log.as_deref(),
        Console::Quiet,
    )
    .context(Message::new("start-logs"))?;
    let app = App::start(config, environment, Clock::system(), app::own_binary()?).await?;
    let interactive = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let mut greeting = greeting(config, &app).await?;
    // Of a pipe nothing is asked.
    if interactive && app.is_first_start {
        greeting.extend(
            terminal::first_question(&app.runtime)
                .await
                .map(|question| format!("\n{question}")),
        );
    }
    if !interactive && app.is_first_start {
        complain(&greeting);
    }
    let stop = CancellationToken::new();
    let watching = stop_on_signal(stop.clone());
    let channels = CancellationToken::new();
    // The terminal works without Matrix; why that does not is said there.
    let account = matrix::ready(&config.matrix).unwrap_or_else(|error| {
        complain(&app.i18n.say(config.lang, &error.advice()));
        None
    });
    let connected = connect(config, &app, account, &channels);
    let options = TerminalOptions {
        mode: if interactive {
            TerminalMode::Interactive
        } else {
            TerminalMode::Plain
        },
        lang: config.lang,
        session: Uuid::new_v4().simple().to_string(),
        history: Some(folders::typed(&config.data_dir)),
        greeting: Some(greeting),
        trace,
        words: Arc::clone(&app.i18n),
    };
    let ended = terminal::run(app.runtime.clone(), options, stop.clone()).await;
    watching.abort();
    finish(app, connected, &channels).await;
    drop(guard);
    ended?;
    Ok(ExitCode::SUCCESS)
}

/// Telegram and Matrix alone, as a service.
pub(super) async fn serve(config: &Config, environment: &Environment) -> anyhow::Result<ExitCode> {
    app::make_private_dir(&config.data_dir)?;
    let guard = telemetry::start(
        &config.data_dir.join("logs"),
        environment.log.as_deref(),
        Console::Shared,
    )
    .context(Message::new("start-logs"))?;
    let account = match matrix::ready(&config.matrix) {
        Ok(account) => account,
        // Whoever writes on the other channel is answered; what is wrong is said here, and by `metnos doctor`.
        Err(error) if config.telegram.token.is_some() => {
            tracing::error!(%error, "matrix is off; `metnos doctor` says what to do");
            complain(&app_words(config, &error.advice()));
            complain(&app_words(config, &Message::new("serve-without-matrix")));
            None
        }
        Err(error) => {
            complain(&app_words(config, &error.advice()));
            return Ok(ExitCode::FAILURE);
        }
    };
    if account.is_none() && config.telegram.token.is_none() {
        complain(&app_words(config, &Message::new("serve-no-channel")));
        return Ok(ExitCode::FAILURE);
    }
    let app = App::start(config, environment, Clock::system(), app::own_binary()?).await?;
    let stop = CancellationToken::new();
    let watching = stop_on_signal(stop.clone());
    let channels = CancellationToken::new();
    let has_owner = account.as_ref().is_some_and(|account| account.owner().is_some());
    let connected = connect(config, &app, account, &channels);
    if !has_owner && !host_is_on_any(&app, &connected).await? {
        print(&pair::host_invitation(config, &app.actors, &app.i18n).await?)?;
    }
    print(&app.i18n.say(config.lang, &Message::new("serve-ready")))?;
    stop.cancelled().await;
    watching.abort();
    finish(app, connected, &channels).await;
    drop(guard);
    Ok(ExitCode::SUCCESS)
}

fn app_words(config: &Config, message: &Message) -> String {
    crate::i18n::I18n::of_household(&config.data_dir)
        .map_or_else(|_broken| message.key.to_string(), |i18n| i18n.say(config.lang, message))
}

async fn host_is_on_any(app: &App, connected: &[Connected]) -> anyhow::Result<bool> {
    for connected in connected {
        if app.actors.host_is_on(connected.channel).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What is said first: on the first start what works now and how to connect the rest.
async fn greeting(config: &Config, app: &App) -> anyhow::Result<String> {
    let say = |message: &Message| app.i18n.say(config.lang, message);
    if !app.is_first_start {
        return Ok(say(&Message::new("welcome-back")));
    }
    let tools = app.catalog.current().all().len();
    let mut lines = vec![
        say(&Message::new("first-start-now").with("tools", tools)),
        say(&Message::new("first-start-channels")),
    ];
    if config.llm.url.is_none() {
        lines.push(say(&Message::new("first-start-model")));
    }
    if config.telegram.token.is_some() && !app.actors.host_is_on(ChannelKind::Telegram).await? {
        lines.push(pair::host_invitation(config, &app.actors, &app.i18n).await?);
    }
    Ok(lines.join("\n"))
}

/// A channel that runs beside us.
struct Connected {
    channel: ChannelKind,
    task: JoinHandle<()>,
}

/// Starts every channel there is a token or an account for.
fn connect(config: &Config, app: &App, account: Option<matrix::Ready>, stop: &CancellationToken) -> Vec<Connected> {
    let telegram = start_telegram(config, app, stop).map(|task| Connected {
        channel: ChannelKind::Telegram,
        task,
    });
    let matrix = account.map(|account| Connected {
        channel: ChannelKind::Matrix,
        task: start_matrix(account, app, stop),
    });
    telegram.into_iter().chain(matrix).collect()
}

fn start_matrix(account: matrix::Ready, app: &App, stop: &CancellationToken) -> JoinHandle<()> {
    let bot = matrix::start(app.runtime.clone(), account, stop.clone());
    tokio::spawn(async move {
        if let Err(error) = bot.await {
            tracing::error!(%error, "matrix is off; `metnos doctor` says what to do");
        }
    })
}

fn start_telegram(config: &Config, app: &App, stop: &CancellationToken) -> Option<JoinHandle<()>> {
    config.telegram.token.as_ref()?;
    let bot = telegram::start(
        app.runtime.clone(),
        config.telegram.clone(),
        Arc::clone(&app.i18n),
        stop.clone(),
    );
    Some(tokio::spawn(async move {
        if let Err(error) = bot.await {
            tracing::error!(%error, "telegram is off");
        }
    }))
}

/// Running turns finish first and their answers are brought, then the channels end.
async fn finish(app: App, connected: Vec<Connected>, channels: &CancellationToken) {
    app.runtime.stop().await;
    for Connected { channel, .. } in &connected {
        app.runtime.settle(*channel, LAST_ANSWERS).await;
    }
    channels.cancel();
    app.stop().await;
    for Connected { channel, task } in connected {
        if let Err(error) = task.await {
            tracing::error!(%channel, %error, "a channel did not end well");
        }
    }
}

/// SIGTERM and SIGINT end the program gracefully: running turns finish, everything else waits for the next start.
pub(super) fn stop_on_signal(stop: CancellationToken) -> JoinHandle<()> {
    // From here on, not only once the task runs.
    let listening = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()));
    tokio::spawn(async move {
        let (Ok(mut terminate), Ok(mut interrupt)) = listening else {
            tracing::error!("cannot listen for signals");
            return;
        };
        tokio::select! {
            () = async { terminate.recv().await; } => {}
            () = async { interrupt.recv().await; } => {}
        }
        stop.cancel();
    })
}
