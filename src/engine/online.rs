//! The online provider and the household's money: nobody asks the one without the other.
//!
//! Called by the proposer when dispatch decided that this plan may be asked for outside the house. The most a call can
//! cost is set aside before it is made and settled after it; what cannot be settled, because the process died or the
//! provider did not say, stays spent. Only a plan's prompt ever comes here: the request, the tools, and nothing that
//! was read in the house.

use jiff::Zoned;

use crate::{
    clock::Clock,
    config::{EngineChoice, LlmConfig, Mode, OnlineConfig, OnlineGap},
    domain::{message::Message, spending::MicroUsd, turn::Turn},
    llm::{
        Completion, Meter, Prompt,
        online::{OnlineClient, OnlineError},
    },
    store::{
        Store, StoreError,
        spending::{Budget, Intended, SetAside, Spent},
    },
};

/// Why a provider gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum NoAnswer {
    /// Something is missing in the configuration.
    #[error("the provider cannot be asked before `{}` is set", .0.setting())]
    NotReady(OnlineGap),
    /// The person has no calls left today.
    #[error("no model calls are left for today")]
    NoCallsLeft,
    /// Too little is left of what may be spent in a day.
    #[error("too little is left of the money for today")]
    DayIsSpent,
    /// Too little is left of what may be spent in a month.
    #[error("too little is left of the money for this month")]
    MonthIsSpent,
    /// The person was locked out or erased while the turn ran.
    #[error("the person is not let in any more")]
    NotLetIn,
    /// Without the ledger nothing is spent.
    #[error("the ledger does not answer")]
    Ledger(#[from] StoreError),
    /// The provider did not answer.
    #[error(transparent)]
    Provider(#[from] OnlineError),
}

impl NoAnswer {
    /// Whether it may pass by itself, so that asking again makes sense.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Provider(_) | Self::Ledger(_) => true,
            Self::NotReady(_) | Self::NoCallsLeft | Self::DayIsSpent | Self::MonthIsSpent | Self::NotLetIn => false,
        }
    }

    /// What the person is told, if nothing else could answer.
    pub fn message(&self) -> Message {
        match self {
            Self::NotReady(_) | Self::NotLetIn => Message::new("online-not-ready"),
            Self::NoCallsLeft => Message::new("llm-no-calls-left"),
            Self::DayIsSpent => Message::new("online-day-spent"),
            Self::MonthIsSpent => Message::new("online-month-spent"),
            Self::Ledger(_) => Message::new("store-failed"),
            Self::Provider(error) => error.message(),
        }
    }
}

/// For whom a plan is asked, and where that is counted.
#[derive(Clone, Copy, Debug)]
pub struct Asker<'a> {
    /// The turn.
    pub turn: &'a Turn,
    /// Counts the call.
    pub meter: &'a Meter,
    /// Holds the ledger.
    pub store: &'a Store,
    /// Says which day it is.
    pub clock: &'a Clock,
}

/// A household's terms with its provider.
#[derive(Debug)]
pub struct Online {
    mode: Mode,
    config: OnlineConfig,
    /// `None` while something is missing.
    client: Option<OnlineClient>,
    /// In this zone a day and a month begin.
    timezone: String,
}

impl Online {
    /// `None` where nobody outside may be asked: `mode` is `local`, or no model may write plans at all.
    pub fn from_config(
        mode: Mode,
        choice: EngineChoice,
        config: &LlmConfig,
        timezone: &str,
    ) -> Result<Option<Self>, OnlineError> {
        if mode == Mode::Local || choice == EngineChoice::Simple {
            return Ok(None);
        }
        Ok(Some(Self {
            mode,
            client: OnlineClient::new(&config.online)?,
            config: config.online.clone(),
            timezone: timezone.to_owned(),
        }))
    }

    /// Whose model comes first.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// What was spent today and this month.
    pub async fn spent(&self, store: &Store, clock: &Clock) -> Result<Spent, StoreError> {
        let budget = self.budget(&clock.zoned(&self.timezone));
        store.spent(budget.day_start_ms, budget.month_start_ms).await
    }

    /// Asks for one plan, if the household can afford it.
    pub async fn complete(&self, asker: &Asker<'_>, prompt: &Prompt) -> Result<Completion, NoAnswer> {
        let Some(client) = &self.client else {
            return Err(NoAnswer::NotReady(self.config.gap().unwrap_or(OnlineGap::Model)));
        };
        if asker.meter.is_used_up() {
            return Err(NoAnswer::NoCallsLeft);
        }
        let cost_max = client.worst_case(prompt);
        let row = self.set_aside(asker, cost_max).await?;
        asker.meter.begin_online(self.config.provider, cost_max);
        match client.complete(prompt).await {
            Ok(answer) => {
                let cost = answer.cost.unwrap_or(cost_max);
                asker.meter.end_online(cost, Some(&answer.completion));
                if answer.cost.is_some() {
                    settle(asker, row, cost, Some(&answer.completion)).await;
                }
                Ok(answer.completion)
            }
            Err(error) => {
                tracing::warn!(%error, "the provider gave no plan");
                if !error.may_have_cost() {
                    asker.meter.end_online(MicroUsd::default(), None);
                    settle(asker, row, MicroUsd::default(), None).await;
                }
                Err(error.into())
            }
        }
    }

    async fn set_aside(&self, asker: &Asker<'_>, cost_max: MicroUsd) -> Result<i64, NoAnswer> {
        let now = asker.clock.zoned(&self.timezone);
        let call = Intended {
            actor: asker.turn.actor.id.clone(),
            turn: asker.turn.id.clone(),
            provider: self.config.provider,
            model: self.config.model.clone().unwrap_or_default(),
            cost_max,
            at_ms: now.timestamp().as_millisecond(),
        };
        match asker.store.set_aside(call, self.budget(&now)).await? {
            SetAside::Yes(row) => Ok(row),
            SetAside::DayIsSpent => Err(NoAnswer::DayIsSpent),
            SetAside::MonthIsSpent => Err(NoAnswer::MonthIsSpent),
            SetAside::NotLetIn => Err(NoAnswer::NotLetIn),
        }
    }

    /// Where the calendar fails, everything that was ever spent counts.
    fn budget(&self, now: &Zoned) -> Budget {
        let start = |day: Result<Zoned, jiff::Error>| {
            day.and_then(|day| day.start_of_day())
                .map_or(i64::MIN, |start| start.timestamp().as_millisecond())
        };
        Budget {
            day_start_ms: start(Ok(now.clone())),
            month_start_ms: start(now.first_of_month()),
            day_max: self.config.spend_max_day,
            month_max: self.config.spend_max_month,
        }
    }
}

/// A ledger that fails now keeps the money set aside, which errs on the safe side.
async fn settle(asker: &Asker<'_>, row: i64, cost: MicroUsd, completion: Option<&Completion>) {
    let (tokens_in, tokens_out) = completion.map_or((0, 0), |completion| (completion.tokens_in, completion.tokens_out));
    if let Err(error) = asker.store.settle(row, cost, tokens_in, tokens_out).await {
        tracing::error!(%error, "a cost cannot be settled; what was set aside stays spent");
    }
}
