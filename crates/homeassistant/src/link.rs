//! The connection to a Home Assistant: kept by a task of its own, made again when it breaks, with what is in the home
//! behind it. Used by `devices` of the program. A token goes to the address it was given for and nowhere else. What is
//! open ends with the `Link`.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::{
    net::TcpStream,
    sync::{mpsc, oneshot, watch},
    task::JoinHandle,
    time::{Instant, sleep, timeout, timeout_at},
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, client_async_tls_with_config,
    tungstenite::{self, Message, protocol::WebSocketConfig},
};

use crate::{
    Address, Failure, Token,
    home::{Home, Lists},
    todo::Item,
    wire::{ASSISTANT, EVENTS, EXPOSES_NEW, Incoming, LISTS, Required, Service, Wrong},
};

/// Time to connect, and for each answer of the server.
pub(crate) const ANSWER_TIME: Duration = Duration::from_secs(10);
/// A quiet connection is asked whether it lives so often.
const PING_EVERY: Duration = Duration::from_secs(30);
/// First and longest rest before a connection is tried again.
const RESTS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// Registries often change in a row: they are read once after the last of them.
const SETTLES_IN: Duration = Duration::from_millis(500);
/// Largest message of the server: states of several thousand entities.
const MESSAGE_BYTES_MAX: usize = 32 << 20;
/// A list that is not yet as it should be is read again after this.
const LOOKS_AGAIN: Duration = Duration::from_millis(200);
/// Calls that wait to be sent.
const ORDERS_MAX: usize = 32;

/// How the connection is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Standing {
    /// It is being made.
    Coming,
    /// What is in the home is known; the number grows with every change.
    There(u64),
    /// It could not be made, or ended.
    Away(Failure),
}

struct Order {
    command: Value,
    answer: oneshot::Sender<Result<Value, Failure>>,
}

/// A connection that is kept.
#[derive(Debug)]
pub struct Link {
    home: Arc<RwLock<Arc<Home>>>,
    standing: watch::Receiver<Standing>,
    orders: mpsc::Sender<Order>,
    task: JoinHandle<()>,
}

impl Drop for Link {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Link {
    /// Begins to connect, and goes on trying. Needs a tokio runtime.
    pub fn open(address: Address, token: Token) -> Self {
        let home = Arc::new(RwLock::new(Arc::new(Home::default())));
        let (standing, seen) = watch::channel(Standing::Coming);
        let (orders, to_do) = mpsc::channel(ORDERS_MAX);
        let keeper = Keeper {
            address,
            token,
            home: Arc::clone(&home),
            standing,
            changes: 0,
        };
        Self {
            home,
            standing: seen,
            orders,
            task: tokio::spawn(keeper.keep(to_do)),
        }
    }

    /// What is in the home now; waits so long for a connection that is being made.
    pub async fn home(&self, wait: Duration) -> Result<Arc<Home>, Failure> {
        let mut standing = self.standing.clone();
        let settled = standing.wait_for(|standing| *standing != Standing::Coming);
        let settled = match timeout(wait, settled).await {
            Ok(Ok(standing)) => standing.clone(),
            Ok(Err(_)) => return Err(Failure::Closed),
            Err(_) => return Err(Failure::Timeout),
        };
        match settled {
            Standing::There(_) => Ok(self.now()),
            Standing::Coming => Err(Failure::Timeout),
            Standing::Away(failure) => Err(failure),
        }
    }

    /// Calls a service, and waits for what the server says of it. That it did is no proof that a device did.
    pub async fn call(&self, service: Service) -> Result<(), Failure> {
        self.ask(service.command()).await.map(drop)
    }

    /// What stands on a to-do list now, by what services call it.
    pub async fn items(&self, list: &str) -> Result<Vec<Item>, Failure> {
        let answer = self.ask(json!({"type": "todo/item/list", "entity_id": list})).await?;
        Ok(Item::of_answer(&answer))
    }

    /// Reads a list until `look` sees on it what it looks for, or the time is over.
    pub async fn items_until<T>(
        &self,
        list: &str,
        wait: Duration,
        look: impl Fn(&[Item]) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        let ends = Instant::now() + wait;
        loop {
            if let Some(seen) = look(&self.items(list).await?) {
                return Ok(Some(seen));
            }
            if timeout_at(ends, sleep(LOOKS_AGAIN)).await.is_err() {
                return Ok(None);
            }
        }
    }

    async fn ask(&self, command: Value) -> Result<Value, Failure> {
        let (answer, heard) = oneshot::channel();
        let sent = self.orders.send_timeout(Order { command, answer }, ANSWER_TIME).await;
        sent.map_err(|_busy| Failure::Timeout)?;
        match timeout(ANSWER_TIME, heard).await {
            Ok(Ok(said)) => said,
            Ok(Err(_)) => Err(Failure::Closed),
            Err(_) => Err(Failure::Timeout),
        }
    }

    /// Looks at the home now and at every change of it, until `look` sees what it looks for or the time is over.
    pub async fn until<T>(&self, wait: Duration, look: impl Fn(&Home) -> Option<T>) -> Option<T> {
        let ends = Instant::now() + wait;
        let mut standing = self.standing.clone();
        loop {
            standing.mark_unchanged();
            if let Some(seen) = look(&self.now()) {
                return Some(seen);
            }
            match timeout_at(ends, standing.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return None,
            }
        }
    }

    fn now(&self) -> Arc<Home> {
        Arc::clone(&self.home.read().unwrap_or_else(PoisonError::into_inner))
    }
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The task behind a `Link`.
struct Keeper {
    address: Address,
    token: Token,
    home: Arc<RwLock<Arc<Home>>>,
    standing: watch::Sender<Standing>,
    changes: u64,
}

/// A connection with what it still waits for.
struct Talk {
    socket: Socket,
    last_id: u64,
    /// Calls of others, by the number of their command.
    waiting: HashMap<u64, oneshot::Sender<Result<Value, Failure>>>,
    /// Events that came while something else was waited for.
    unread: Vec<(String, Value)>,
}

impl Keeper {
    async fn keep(mut self, mut orders: mpsc::Receiver<Order>) {
        let mut rest = RESTS.0;
        loop {
            let ended = self.once(&mut orders, &mut rest).await;
            tracing::info!(error = %ended, "Home Assistant is away");
            let is_over = ended == Failure::Refused;
            self.standing.send_replace(Standing::Away(ended.clone()));
            if is_over {
                // Trying a token again that is not taken gets this machine banned.
                while let Some(order) = orders.recv().await {
                    drop(order.answer.send(Err(ended.clone())));
                }
                return;
            }
            let woken = Instant::now() + rest;
            loop {
                match timeout_at(woken, orders.recv()).await {
                    Ok(Some(order)) => drop(order.answer.send(Err(ended.clone()))),
                    Ok(None) => return,
                    Err(_) => break,
                }
            }
            rest = (rest * 2).min(RESTS.1);
        }
    }

    /// One connection, until it ends; why it did.
    async fn once(&mut self, orders: &mut mpsc::Receiver<Order>, rest: &mut Duration) -> Failure {
        let mut talk = match self.connect().await {
            Ok(talk) => talk,
            Err(failure) => return failure,
        };
        match self.settle(&mut talk).await {
            Ok(()) => *rest = RESTS.0,
            Err(failure) => return failure,
        }
        self.follow(&mut talk, orders).await
    }

    async fn connect(&self) -> Result<Talk, Failure> {
        let host = self.address.host();
        let addresses = self.address.resolve().await?;
        let connecting = TcpStream::connect(addresses.as_slice());
        let stream = match timeout(ANSWER_TIME, connecting).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(_)) => return Err(Failure::Unreachable(host)),
            Err(_) => return Err(Failure::Timeout),
        };
        drop(stream.set_nodelay(true));
        let config = WebSocketConfig::default()
            .max_message_size(Some(MESSAGE_BYTES_MAX))
            .max_frame_size(Some(MESSAGE_BYTES_MAX));
        let shaking = client_async_tls_with_config(self.address.socket(), stream, Some(config), None);
        let (socket, _response) = match timeout(ANSWER_TIME, shaking).await {
            Ok(Ok(there)) => there,
            Ok(Err(tungstenite::Error::Tls(_) | tungstenite::Error::Io(_))) if self.address.is_encrypted() => {
                return Err(Failure::Certificate(host));
            }
            Ok(Err(tungstenite::Error::Io(_))) => return Err(Failure::Closed),
            Ok(Err(_)) => return Err(Failure::SomethingElse),
            Err(_) => return Err(Failure::Timeout),
        };
        let mut talk = Talk {
            socket,
            last_id: 0,
            waiting: HashMap::new(),
            unread: Vec::new(),
        };
        if !matches!(talk.next().await?, Incoming::AuthRequired {}) {
            return Err(Failure::SomethingElse);
        }
        let token = self.token.0.as_str();
        talk.send(&json!({"type": "auth", "access_token": token})).await?;
        match talk.next().await? {
            Incoming::AuthOk {} => Ok(talk),
            Incoming::AuthInvalid {} => Err(Failure::Refused),
            Incoming::AuthRequired {}
            | Incoming::Result { .. }
            | Incoming::Event { .. }
            | Incoming::Pong {}
            | Incoming::Other => Err(Failure::SomethingElse),
        }
    }

    /// Asks for events first and for everything there is after that, so that nothing falls between them.
    async fn settle(&mut self, talk: &mut Talk) -> Result<(), Failure> {
        for event in EVENTS {
            talk.ask(json!({"type": "subscribe_events", "event_type": event}))
                .await?;
        }
        self.read_all(talk).await
    }

    async fn read_all(&mut self, talk: &mut Talk) -> Result<(), Failure> {
        let mut answers = Vec::new();
        for (list, required) in LISTS {
            let mut command = json!({"type": list});
            if list == EXPOSES_NEW {
                command["assistant"] = json!(ASSISTANT);
            }
            let answer = talk.ask(command).await;
            answers.push(match answer {
                Err(Failure::Call { code, .. }) if code == "unauthorized" => return Err(Failure::NotAdministrator),
                Err(Failure::Call { .. }) if required == Required::No => Value::Null,
                answer => answer?,
            });
        }
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let lists = Lists {
            states: next(),
            areas: next(),
            devices: next(),
            entities: next(),
            exposed: next(),
            exposes_new: next(),
            floors: next(),
        };
        let entities = lists.exposed_entities();
        let command = json!({"type": "config/entity_registry/get_entries", "entity_ids": entities});
        let aliases = match talk.ask(command).await {
            Err(Failure::Call { .. }) => Value::Null,
            answer => answer?,
        };
        let mut home = lists.home(&aliases);
        // What changed while it was read.
        for (kind, data) in talk.unread.drain(..) {
            if kind == "state_changed" {
                home.apply(&data);
            }
        }
        *self.home.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(home);
        self.changed();
        Ok(())
    }

    fn changed(&mut self) {
        self.changes += 1;
        self.standing.send_replace(Standing::There(self.changes));
    }

    /// Hears what happens and passes on what is to be done, until the connection ends.
    async fn follow(&mut self, talk: &mut Talk, orders: &mut mpsc::Receiver<Order>) -> Failure {
        let mut heard = Instant::now();
        let mut is_asked = false;
        let mut stale: Option<Instant> = None;
        loop {
            let quiet = sleep(PING_EVERY.saturating_sub(heard.elapsed()));
            let settles = sleep(stale.map_or(PING_EVERY, |at| SETTLES_IN.saturating_sub(at.elapsed())));
            let step = tokio::select! {
                incoming = talk.socket.next() => {
                    heard = Instant::now();
                    is_asked = false;
                    match read(incoming) {
                        Ok(incoming) => self.take(talk, incoming, &mut stale),
                        Err(failure) => Err(failure),
                    }
                }
                order = orders.recv() => match order {
                    Some(order) => talk.pass_on(order).await,
                    None => Err(Failure::Closed),
                },
                () = settles, if stale.is_some() => {
                    stale = None;
                    self.read_all(talk).await
                }
                () = quiet => {
                    heard = Instant::now();
                    if std::mem::replace(&mut is_asked, true) {
                        Err(Failure::Timeout)
                    } else {
                        talk.command(json!({"type": "ping"})).await.map(drop)
                    }
                }
            };
            if let Err(failure) = step {
                return failure;
            }
        }
    }

    fn take(&mut self, talk: &mut Talk, incoming: Incoming, stale: &mut Option<Instant>) -> Result<(), Failure> {
        match incoming {
            Incoming::Event { event } if event.event_type == "state_changed" => {
                let mut home = self.home.write().unwrap_or_else(PoisonError::into_inner);
                let is_known = Arc::make_mut(&mut home).apply(&event.data);
                drop(home);
                if is_known {
                    self.changed();
                }
            }
            Incoming::Event { .. } => *stale = Some(Instant::now()),
            Incoming::Result {
                id,
                success,
                result,
                error,
            } => talk.settle_call(id, came(success, result, error)),
            Incoming::AuthRequired {}
            | Incoming::AuthOk {}
            | Incoming::AuthInvalid {}
            | Incoming::Pong {}
            | Incoming::Other => {}
        }
        Ok(())
    }
}

impl Talk {
    async fn send(&mut self, value: &Value) -> Result<(), Failure> {
        let sending = self.socket.send(Message::text(value.to_string()));
        match timeout(ANSWER_TIME, sending).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Failure::Closed),
            Err(_) => Err(Failure::Timeout),
        }
    }

    async fn command(&mut self, mut command: Value) -> Result<u64, Failure> {
        self.last_id += 1;
        command["id"] = json!(self.last_id);
        self.send(&command).await?;
        Ok(self.last_id)
    }

    async fn next(&mut self) -> Result<Incoming, Failure> {
        match timeout(ANSWER_TIME, self.socket.next()).await {
            Ok(incoming) => read(incoming),
            Err(_) => Err(Failure::Timeout),
        }
    }

    /// Sends a command and waits for its answer; what comes between is kept.
    async fn ask(&mut self, command: Value) -> Result<Value, Failure> {
        let asked = self.command(command).await?;
        loop {
            match self.next().await? {
                Incoming::Result {
                    id,
                    success,
                    result,
                    error,
                } if id == asked => return came(success, result, error),
                Incoming::Event { event } => self.unread.push((event.event_type, event.data)),
                Incoming::Result {
                    id,
                    success,
                    result,
                    error,
                } => self.settle_call(id, came(success, result, error)),
                Incoming::AuthRequired {}
                | Incoming::AuthOk {}
                | Incoming::AuthInvalid {}
                | Incoming::Pong {}
                | Incoming::Other => {}
            }
        }
    }

    async fn pass_on(&mut self, order: Order) -> Result<(), Failure> {
        match self.command(order.command).await {
            Ok(id) => {
                self.waiting.insert(id, order.answer);
                Ok(())
            }
            Err(failure) => {
                drop(order.answer.send(Err(failure.clone())));
                Err(failure)
            }
        }
    }

    fn settle_call(&mut self, id: u64, said: Result<Value, Failure>) {
        if let Some(answer) = self.waiting.remove(&id) {
            drop(answer.send(said));
        }
    }
}

/// A frame as what it says. A frame of the socket itself says nothing.
fn read(incoming: Option<Result<Message, tungstenite::Error>>) -> Result<Incoming, Failure> {
    match incoming {
        Some(Ok(Message::Text(text))) => serde_json::from_str(&text).map_err(|_not_theirs| Failure::SomethingElse),
        Some(Ok(Message::Close(_)) | Err(_)) | None => Err(Failure::Closed),
        Some(Ok(_)) => Ok(Incoming::Other),
    }
}

fn came(success: bool, result: Value, error: Option<Wrong>) -> Result<Value, Failure> {
    if success {
        return Ok(result);
    }
    let error = error.unwrap_or_default();
    Err(Failure::Call {
        code: error
            .code
            .as_str()
            .map_or_else(|| error.code.to_string(), str::to_owned),
        message: error.message,
    })
}
