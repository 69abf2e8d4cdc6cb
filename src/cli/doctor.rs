//! `metnos doctor`: looks at every part and says what works, what does not, and what to do about it. Changes nothing
//! but what a first start would create.

use std::process::ExitCode;

use super::print;
use crate::{
    app::{self, DATABASE},
    channels::telegram,
    config::{Config, SandboxConfig},
    domain::{ids::ChannelKind, message::Message},
    executors::sandbox,
    i18n::I18n,
    llm::LlmClient,
    store::Store,
};

/// One finding.
struct Finding {
    good: bool,
    words: String,
}

pub(super) async fn run(config: &Config) -> anyhow::Result<ExitCode> {
    app::make_private_dir(&config.data_dir)?;
    let i18n = I18n::embedded()?;
    let say = |message: &Message| i18n.say(config.lang, message);
    let mut findings = vec![sandbox_finding(config, &say)];
    findings.extend(catalog_findings(config, &say)?);
    findings.push(database_finding(config, &say).await);
    findings.push(model_finding(config, &say).await?);
    findings.push(telegram_finding(config, &say).await);
    print(&say(
        &Message::new("doctor-data").with("path", config.data_dir.display().to_string())
    ))?;
    for finding in &findings {
        print(&format!("{} {}", if finding.good { "✓" } else { "✗" }, finding.words))?;
    }
    Ok(if findings.iter().all(|finding| finding.good) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

type Speak<'a> = &'a dyn Fn(&Message) -> String;

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
        good: complete || config.sandbox == SandboxConfig::Degraded,
        words,
    }
}

fn catalog_findings(config: &Config, say: Speak<'_>) -> anyhow::Result<Vec<Finding>> {
    let catalog = app::open_catalog(&config.data_dir)?.current();
    let tools = Message::new("doctor-catalog").with("tools", catalog.all().len());
    let mut findings = vec![Finding {
        good: !catalog.is_empty(),
        words: say(&tools),
    }];
    findings.extend(catalog.rejected().iter().map(|rejected| Finding {
        good: false,
        words: say(&rejected.message()),
    }));
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
            good: true,
            words: say(&Message::new("doctor-database-paired")),
        },
        Ok(false) => Finding {
            good: true,
            words: say(&Message::new("doctor-database")),
        },
        Err(error) => Finding {
            good: false,
            words: say(&Message::new("doctor-database-broken").with("reason", error.to_string())),
        },
    }
}

async fn model_finding(config: &Config, say: Speak<'_>) -> anyhow::Result<Finding> {
    let Some(url) = &config.llm.url else {
        return Ok(Finding {
            good: true,
            words: say(&Message::new("doctor-model-none")),
        });
    };
    let good = LlmClient::new(&config.llm)?.healthy().await;
    let key = if good { "doctor-model-up" } else { "doctor-model-down" };
    Ok(Finding {
        good,
        words: say(&Message::new(key).with("url", url.as_str())),
    })
}

async fn telegram_finding(config: &Config, say: Speak<'_>) -> Finding {
    if config.telegram.token.is_none() {
        return Finding {
            good: true,
            words: say(&Message::new("doctor-telegram-none")),
        };
    }
    match telegram::check(&config.telegram).await {
        Ok(bot) => Finding {
            good: true,
            words: say(&Message::new("doctor-telegram-up").with("bot", format!("@{}", bot.username))),
        },
        Err(error) => Finding {
            good: false,
            words: say(&error.advice()),
        },
    }
}
