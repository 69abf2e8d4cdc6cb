//! Mailboxes of people who watch for something, listened to while their servers say by themselves that something came
//! (IDLE, RFC 2177): whoever watches is looked for at once, and not only every five minutes. Started by `app`, and by
//! nobody else. It reads no mail; what may have come between two connections is looked for when the next one stands.

use std::{collections::HashMap, sync::Arc, time::Duration};

use metnos_mail::News;
use tokio::{task::JoinHandle, time::sleep};

use super::Mail;
use crate::domain::{account::PersonAccount, failure::ToolError, ids::PersonAccountId};

/// The folder that new mail comes to, by the name every server has for it.
const INBOX: &str = "INBOX";
/// How often it is asked who watches.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// A wait is begun anew after so long: routers forget a connection on which nothing is said.
const WAIT_MAX: Duration = Duration::from_secs(5 * 60);
/// After news nothing more is said for so long: mails come in heaps.
const REST_AFTER_NEWS: Duration = Duration::from_secs(5);
/// The first and the longest rest after a failure.
const REST: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(30 * 60));

/// Listens until it is dropped.
#[derive(Debug)]
pub struct Listening {
    task: JoinHandle<()>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Listening {
    /// Begins to listen for everybody who watches, now and later.
    pub fn start(mail: Arc<Mail>) -> Self {
        Self {
            task: tokio::spawn(listen(mail)),
        }
    }
}

/// One account that is listened to; it ends with this.
struct Ear(JoinHandle<()>);

impl Drop for Ear {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn listen(mail: Arc<Mail>) {
    let mut ears: HashMap<PersonAccountId, Ear> = HashMap::new();
    loop {
        match wanted(&mail).await {
            Ok(wanted) => {
                ears.retain(|id, ear| !ear.0.is_finished() && wanted.iter().any(|account| account.id == *id));
                for account in wanted {
                    let id = account.id.clone();
                    let mail = Arc::clone(&mail);
                    ears.entry(id).or_insert_with(|| Ear(tokio::spawn(hear(mail, account))));
                }
            }
            Err(error) => tracing::warn!(?error, "cannot tell who watches a mailbox"),
        }
        sleep(LOOK_EVERY).await;
    }
}

async fn wanted(mail: &Mail) -> Result<Vec<PersonAccount>, ToolError> {
    let watching = mail.store.watching().await;
    let mut accounts = Vec::new();
    for actor in watching? {
        let own = mail.accounts(&actor).await;
        accounts.extend(own?);
    }
    Ok(accounts)
}

/// Listens to one account. A server that cannot say so is looked at as often as every watch is.
async fn hear(mail: Arc<Mail>, account: PersonAccount) {
    let mut rest = REST.0;
    let mut missed = false;
    loop {
        match mail.open_alone(&account).await {
            Ok(mut mailbox) => {
                if !mailbox.can_wait() {
                    sleep(REST.1).await;
                    continue;
                }
                if missed {
                    came(&mail, &account).await;
                }
                while let Ok(news) = mailbox.wait(INBOX, WAIT_MAX).await {
                    rest = REST.0;
                    if news == News::Some {
                        came(&mail, &account).await;
                        sleep(REST_AFTER_NEWS).await;
                    }
                }
            }
            Err(error) => tracing::debug!(?error, account = account.id.as_str(), "a mailbox is not listened to"),
        }
        missed = true;
        sleep(rest).await;
        rest = (rest * 2).min(REST.1);
    }
}

async fn came(mail: &Mail, account: &PersonAccount) {
    let looked = mail.store.watchers_due(&account.actor, mail.clock.now_ms()).await;
    if let Err(error) = looked {
        tracing::warn!(%error, "a watch is looked at when it is due anyway");
    }
}
