//! What `metnos doctor` says of accounts with services outside: whether each answers, and if not, why.

use super::{Finding, Speak, State};
use crate::{
    agenda::{Agenda, Seen},
    app::DATABASE,
    cli::account,
    clock::Clock,
    config::Config,
    domain::account::{PersonAccount, Service},
    mail::Mail,
    store::{Store, StoreError},
};

/// Every mail account of everybody here: whether one can read and send, and if not, why.
pub(super) async fn mail_findings(config: &Config, say: Speak<'_>) -> Vec<Finding> {
    let path = config.data_dir.join(DATABASE);
    if !path.exists() {
        return Vec::new();
    }
    let accounts = async {
        let store = Store::open(&path)?;
        let accounts = store.all_person_accounts().await?;
        Ok::<_, StoreError>((store, accounts))
    };
    let (store, accounts) = match accounts.await {
        Ok(found) => found,
        // The finding about the database says what is wrong with it.
        Err(error) => {
            tracing::debug!(%error, "the accounts cannot be looked at");
            return Vec::new();
        }
    };
    let mail = Mail::new(store.clone(), Clock::system(), config.mail.clone());
    let mut findings = Vec::new();
    for account in accounts.iter().filter(|account| account.service == Service::Mail) {
        let checked = mail.check(account).await;
        // Of a good one its first lines say enough; `account check` has the others.
        let shown = if checked.is_good() { 1 } else { 2 };
        findings.extend(
            account::lines(account, &checked)
                .iter()
                .take(shown)
                .map(|line| Finding {
                    state: State::of(checked.is_good()),
                    words: say(line),
                }),
        );
    }
    findings.extend(agenda_findings(config, store, &accounts, say).await);
    findings
}

/// Every account of devices, calendars and address books: whether its server answers, and if not, why.
async fn agenda_findings(config: &Config, store: Store, accounts: &[PersonAccount], say: Speak<'_>) -> Vec<Finding> {
    let agenda = Agenda::new(&config.agenda).with_servers(store.clone(), Clock::system());
    let mut findings = Vec::new();
    for account in accounts
        .iter()
        .filter(|account| account.service == Service::Homeassistant)
    {
        let (is_good, lines) = account::device_lines(account, &store).await;
        findings.extend(lines.iter().map(|line| Finding {
            state: State::of(is_good),
            words: say(line),
        }));
    }
    let are_elsewhere = |account: &&PersonAccount| !matches!(account.service, Service::Mail | Service::Homeassistant);
    for account in accounts.iter().filter(are_elsewhere) {
        let seen = agenda.check(account).await.unwrap_or_else(Seen::wrong);
        let lines = account::seen_lines(account, &seen);
        findings.extend(lines.iter().take(1).map(|line| Finding {
            state: State::of(seen.wrong.is_none()),
            words: say(line),
        }));
    }
    findings
}
