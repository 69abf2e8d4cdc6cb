//! `metnos doctor`: looks at every part and says what works, what does not, and what to do about it. Changes nothing
//! but what a first start would create.

use std::{process::ExitCode, sync::Arc};

use super::print;
use crate::{
    app::{self, DATABASE},
    channels::{matrix, telegram},
    clock::Clock,
    config::{Config, ConfigError, SandboxConfig, env::Environment},
    domain::{ids::ChannelKind, lang::Lang, limits::JOBS_SHOWN_MAX, message::Message},
    engine::online::Online,
    executors::sandbox,
    i18n::I18n,
    store::{Store, StoreError, outbox::Undelivered, spending::Spent, tasks::runs::RunsOf},
};

/// Accounts with services outside.
mod accounts;
/// Servers of tools of others.
mod mcp;
/// Models of the house.
mod models;

/// What a finding comes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// It works.
    Good,
    /// It does not.
    Bad,
    /// It is not set up, and nothing is wrong with that.
    Absent,
}

impl State {
    fn of(good: bool) -> Self {
        if good { Self::Good } else { Self::Bad }
    }

    fn sign(self) -> &'static str {
        match self {
            Self::Good => "✓",
            Self::Bad => "✗",
            Self::Absent => "·",
        }
    }
}

/// One finding.
struct Finding {
    state: State,
    words: String,
}

/// As much of the configuration as is good, and what is not. Fails when nothing can be made of it.
pub(super) fn configuration(environment: &Environment) -> anyhow::Result<(Config, Vec<ConfigError>)> {
    match Config::salvage(environment) {
        (Some(config), mistakes) => Ok((config, mistakes)),
        (None, mut mistakes) => Err(mistakes
            .pop()
            .map_or_else(|| anyhow::anyhow!(Message::new("start-broken")), Into::into)),
    }
}

pub(super) async fn run(config: &Config, mistakes: &[ConfigError]) -> anyhow::Result<ExitCode> {
    let i18n = I18n::of_household(&config.data_dir)?;
    let lang = household_lang(config).await;
    let say = |message: &Message| i18n.say(lang, message);
    let broken = |key: &str, error: &dyn std::error::Error| Finding {
        state: State::Bad,
        words: say(&Message::new(key).with("reason", app::reason_of(error).trim_end())),
    };
    let mut findings: Vec<Finding> = mistakes
        .iter()
        .map(|mistake| Finding {
            state: State::Bad,
            words: say(&Message::new("doctor-config-broken").with("mistake", mistake.told())),
        })
        .collect();
    findings.push(sandbox_finding(config, &say));
    // With a wrong configuration nothing is made: the folder may be meant to lie elsewhere.
    if mistakes.is_empty() || config.data_dir.exists() {
        app::make_private_dir(&config.data_dir)?;
        match catalog_findings(config, &say) {
            Ok(found) => findings.extend(found),
            Err(error) => findings.push(broken("doctor-catalog-broken", error.as_ref())),
        }
        findings.push(database_finding(config, &say).await);
        findings.extend(undelivered_findings(config, &say).await);
        findings.extend(job_findings(config, &say).await);
    }
    findings.push(models::model_finding(config, &say).await);
    findings.push(models::caption_finding(config, &say).await);
    findings.push(online_finding(config, &say).await);
    findings.push(models::speech_finding(config, &say).await);
    findings.push(models::ocr_finding(&say));
    findings.push(outside_finding(config, &say));
    findings.extend(mcp::mcp_findings(config, &say).await);
    findings.push(telegram_finding(config, &say).await);
    findings.extend(matrix_findings(config, &say).await);
    findings.extend(accounts::mail_findings(config, &say).await);
    print(&say(
        &Message::new("doctor-data").with("path", config.data_dir.display().to_string())
    ))?;
    for finding in &findings {
        print(&format!("{} {}", finding.state.sign(), finding.words))?;
    }
    Ok(if findings.iter().all(|finding| finding.state != State::Bad) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The language the host speaks here; the configured one before there is a host, and when nobody can look.
async fn household_lang(config: &Config) -> Lang {
    let path = config.data_dir.join(DATABASE);
    if !path.exists() {
        return config.lang;
    }
    let host = async { Store::open(&path)?.host().await };
    match host.await {
        Ok(Some(host)) => host.lang,
        Ok(None) => config.lang,
        Err(error) => {
            tracing::debug!(%error, "the host's language is not known");
            config.lang
        }
    }
}

type Speak<'a> = &'a dyn Fn(&Message) -> String;

/// The jobs of the house whose last run failed, each with its reason.
async fn job_findings(config: &Config, say: Speak<'_>) -> Vec<Finding> {
    let looked = async {
        let store = Store::open(&config.data_dir.join(DATABASE))?;
        let mut failed = Vec::new();
        for job in store.job_tasks().await?.into_iter().filter(|job| job.failures > 0) {
            let runs = store.runs(RunsOf::Task(job.id.clone()), 0, JOBS_SHOWN_MAX).await?;
            let reason = runs
                .into_iter()
                .find(|run| run.state.is_failure())
                .and_then(|run| run.outcome);
            failed.push((job, reason));
        }
        Ok::<_, StoreError>(failed)
    };
    match looked.await {
        Ok(failed) => failed
            .into_iter()
            .map(|(job, reason)| Finding {
                state: State::Bad,
                words: say(&Message::new("doctor-job-failed")
                    .with("name", job.name)
                    .with("times", u64::from(job.failures))
                    .with("reason", reason.map_or_else(String::new, |reason| say(&reason)))),
            })
            .collect(),
        // The finding about the database says what is wrong with it.
        Err(error) => {
            tracing::debug!(%error, "the jobs cannot be looked at");
            Vec::new()
        }
    }
}

fn sandbox_finding(config: &Config, say: Speak<'_>) -> Finding {
    let status = sandbox::probe();
    let complete = status.is_complete();
    let key = match (complete, config.sandbox) {
        (true, _) => "doctor-sandbox-full",
        (false, SandboxConfig::Degraded) => "doctor-sandbox-degraded",
        (false, SandboxConfig::Required) => "doctor-sandbox-missing",
    };
    let words = say(&Message::new(key).with("abi", f64::from(status.landlock_abi)));
    Finding {
        state: State::of(complete || config.sandbox == SandboxConfig::Degraded),
        words,
    }
}

fn catalog_findings(config: &Config, say: Speak<'_>) -> anyhow::Result<Vec<Finding>> {
    let handle = Arc::new(app::open_catalog(&config.data_dir)?);
    let catalog = handle.current();
    let tools = Message::new("doctor-catalog").with("tools", catalog.all().len());
    let mut findings = vec![Finding {
        state: State::of(!catalog.is_empty()),
        words: say(&tools),
    }];
    let reaching = catalog.all().iter().filter(|manifest| !manifest.hosts.is_empty());
    findings.extend(reaching.map(|manifest| {
        let reaches = Message::new("doctor-tool-reaches")
            .with("name", manifest.name.as_str())
            .with("hosts", manifest.hosts.join(", "));
        Finding {
            state: State::Good,
            words: say(&reaches),
        }
    }));
    findings.extend(catalog.rejected().iter().map(|rejected| Finding {
        state: State::Bad,
        words: say(&rejected.message()),
    }));
    if app::watch(&handle).is_none() {
        findings.push(Finding {
            state: State::Bad,
            words: say(&Message::new("doctor-catalog-unwatched")),
        });
    }
    Ok(findings)
}

async fn database_finding(config: &Config, say: Speak<'_>) -> Finding {
    let path = config.data_dir.join(DATABASE);
    let checked = async {
        let store = Store::open(&path)?;
        let paired = match store.host().await? {
            Some(host) => store.is_paired(ChannelKind::Telegram, &host.id).await?,
            None => false,
        };
        Ok::<bool, crate::store::StoreError>(paired)
    };
    match checked.await {
        Ok(true) => Finding {
            state: State::Good,
            words: say(&Message::new("doctor-database-paired")),
        },
        Ok(false) => Finding {
            state: State::Good,
            words: say(&Message::new("doctor-database")),
        },
        Err(error) => Finding {
            state: State::Bad,
            words: say(&Message::new("doctor-database-broken").with("reason", error.to_string())),
        },
    }
}

/// Answers that did not arrive: those that wait for a channel to be reached, and those it refused for good.
async fn undelivered_findings(config: &Config, say: Speak<'_>) -> Vec<Finding> {
    let path = config.data_dir.join(DATABASE);
    let undelivered = async { Store::open(&path)?.undelivered().await };
    let undelivered = match undelivered.await {
        Ok(undelivered) => undelivered,
        Err(error) => {
            // Said of the database already.
            tracing::debug!(%error, "cannot look for answers that did not arrive");
            return Vec::new();
        }
    };
    let about = |key: &str, who: &Undelivered| {
        Message::new(key)
            .with("name", who.name.as_str())
            .with("channel", who.channel.as_str())
    };
    let mut findings = Vec::new();
    for who in &undelivered {
        if let Some(since_ms) = who.since_ms {
            let hours = Clock::system().now_ms().saturating_sub(since_ms).max(0) / 3_600_000;
            let waits = about("doctor-answers-wait", who)
                .with("answers", u64::from(who.waiting))
                .with("hours", u64::try_from(hours).unwrap_or_default());
            findings.push(Finding {
                state: State::Bad,
                words: say(&waits),
            });
        }
        if who.refused > 0 {
            // Nothing here is out of order: it is the person's to let us in again.
            findings.push(Finding {
                state: State::Absent,
                words: say(&about("doctor-answers-refused", who).with("answers", u64::from(who.refused))),
            });
        }
    }
    findings
}

/// Who is asked for the weather and who searches the web; neither of them is asked anything here.
fn outside_finding(config: &Config, say: Speak<'_>) -> Finding {
    let off = || say(&Message::new("doctor-outside-nobody"));
    let host = |url: &Option<String>| url.clone().unwrap_or_else(off);
    let search = &config.search;
    let searches = match (&search.searx_url, &search.brave_key) {
        (Some(url), _) => url.clone(),
        (None, Some(_)) => search.brave_url.clone(),
        (None, None) => host(&search.wikipedia_url),
    };
    let words = Message::new("doctor-outside")
        .with("weather", host(&config.weather.url))
        .with("search", searches);
    Finding {
        state: State::Good,
        words: say(&words),
    }
}

/// The provider itself is not asked: that could cost money.
async fn online_finding(config: &Config, say: Speak<'_>) -> Finding {
    let online = match Online::from_config(config.mode, config.engine, &config.llm, &config.timezone) {
        Ok(Some(online)) => online,
        Ok(None) => {
            let words = say(&Message::new("doctor-online-off"));
            return Finding {
                state: State::Good,
                words,
            };
        }
        Err(error) => return online_broken(&error, say),
    };
    let terms = &config.llm.online;
    let mode = config.mode.as_str();
    if let Some(gap) = terms.gap() {
        let message = Message::new("doctor-online-gap")
            .with("mode", mode)
            .with("setting", gap.setting());
        return Finding {
            state: State::Bad,
            words: say(&message),
        };
    }
    let path = config.data_dir.join(DATABASE);
    let spent = async {
        if path.exists() {
            online.spent(&Store::open(&path)?, &Clock::system()).await
        } else {
            Ok(Spent::default())
        }
    };
    match spent.await {
        Ok(spent) => Finding {
            state: State::Good,
            words: say(&Message::new("doctor-online")
                .with("model", terms.model.clone().unwrap_or_default())
                .with("provider", terms.url.as_str())
                .with("mode", mode)
                .with("day", spent.day.to_string())
                .with("day_max", terms.spend_max_day.to_string())
                .with("month", spent.month.to_string())
                .with("month_max", terms.spend_max_month.to_string())),
        },
        Err(error) => online_broken(&error, say),
    }
}

fn online_broken(error: &dyn std::error::Error, say: Speak<'_>) -> Finding {
    Finding {
        state: State::Bad,
        words: say(&Message::new("doctor-online-broken").with("reason", app::reason_of(error))),
    }
}

async fn telegram_finding(config: &Config, say: Speak<'_>) -> Finding {
    if config.telegram.token.is_none() {
        return Finding {
            state: State::Absent,
            words: say(&Message::new("doctor-telegram-none")),
        };
    }
    match telegram::check(&config.telegram).await {
        Ok(bot) => Finding {
            state: State::Good,
            words: say(&Message::new("doctor-telegram-up").with("bot", format!("@{}", bot.username))),
        },
        Err(error) => Finding {
            state: State::Bad,
            words: say(&error.advice()),
        },
    }
}

/// Each of these fails alone, so each is said alone.
async fn matrix_findings(config: &Config, say: Speak<'_>) -> Vec<Finding> {
    let bad = |words: String| {
        vec![Finding {
            state: State::Bad,
            words,
        }]
    };
    let account = match matrix::ready(&config.matrix) {
        Ok(Some(account)) => account,
        Ok(None) => {
            let words = say(&Message::new("doctor-matrix-none"));
            return vec![Finding {
                state: State::Absent,
                words,
            }];
        }
        Err(error) => return bad(say(&error.advice())),
    };
    let health = match matrix::check(&account).await {
        Ok(health) => health,
        Err(error) => return bad(say(&error.advice())),
    };
    let finding = |good: bool, yes: &str, no: &str| Finding {
        state: State::of(good),
        words: say(&Message::new(if good { yes } else { no })),
    };
    let mut findings = vec![Finding {
        state: State::Good,
        words: say(&Message::new("doctor-matrix-up").with("user", health.user.as_str())),
    }];
    findings.extend([
        finding(health.device_signed, "doctor-matrix-signed", "doctor-matrix-unsigned"),
        finding(
            health.recovery_usable,
            "doctor-matrix-recovery",
            "doctor-matrix-no-recovery",
        ),
        finding(health.backup_usable, "doctor-matrix-backup", "doctor-matrix-no-backup"),
    ]);
    if !health.keys_fit {
        findings.push(finding(false, "", "doctor-matrix-old-keys"));
    }
    // Being verified is advice: everything works without it, with a warning in the owner's app.
    let owner = match health.owner_verified {
        Some(true) => "doctor-matrix-verified",
        Some(false) => "doctor-matrix-unverified",
        None => "doctor-matrix-no-owner",
    };
    findings.push(Finding {
        state: if health.owner_verified == Some(true) {
            State::Good
        } else {
            State::Absent
        },
        words: say(&Message::new(owner)),
    });
    findings
}
