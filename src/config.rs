//! What a household may change, resolved and checked once, before anything starts.
//!
//! `config.example.toml` is embedded and holds every default; the household's file is laid over it; the few
//! environment variables (`env`) come last. `app` reads it and hands each part its own section, never the whole.

use std::path::PathBuf;

use crate::domain::lang::Lang;

/// Everything, resolved.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where the database, the keys, the catalog and the logs live. Absolute.
    pub data_dir: PathBuf,
    /// The home folder `~` stands for. Absolute.
    pub home: PathBuf,
    /// The language of people we know nothing about yet.
    pub lang: Lang,
    /// IANA zone of people we know nothing about yet.
    pub timezone: String,
    /// Who writes plans.
    pub engine: EngineChoice,
    /// Language model.
    pub llm: LlmConfig,
    /// Telegram.
    pub telegram: TelegramConfig,
    /// Plan memory.
    pub memory: MemoryConfig,
    /// Sandbox of executor processes.
    pub sandbox: SandboxConfig,
}

/// Who writes plans (`engine` in the config).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// The model when it answers, else the composer.
    Auto,
    /// The composer only; never a model.
    Simple,
    /// The model; the composer only while it is down.
    Metis,
}

/// Language model (`[llm]`).
#[derive(Clone, Debug, Default)]
pub struct LlmConfig {
    /// Base URL of a llama-server, such as `http://127.0.0.1:8080`; `None` for no model.
    pub url: Option<String>,
    /// The model's name, for servers that hold several.
    pub model: Option<String>,
    /// Name of the embedding model on the same server; `None` for the built-in lexical embedder.
    pub embedding_model: Option<String>,
    /// Base URL for embeddings when it is another server.
    pub embedding_url: Option<String>,
    /// Seconds one plan may take.
    pub plan_timeout_s: u64,
    /// Seconds any smaller call may take.
    pub call_timeout_s: u64,
    /// The server slot kept for plans, so that their common prefix stays cached; `None` lets the server choose.
    pub slot: Option<u32>,
    /// Sampling seed; the same seed and prompt give the same plan.
    pub seed: i64,
    /// Let the model think before it writes a plan.
    pub think: bool,
    /// Command that starts a llama-server for us, program first; empty when somebody else runs it.
    pub server_command: Vec<String>,
}

/// Telegram (`[telegram]`).
#[derive(Clone, Debug, Default)]
pub struct TelegramConfig {
    /// The bot's token, from the environment or a 0600 file; `None` leaves Telegram off.
    pub token: Option<Secret>,
    /// Base URL of the Bot API server.
    pub api_url: String,
    /// Seconds one long poll may last.
    pub poll_s: u32,
}

/// Plan memory (`[memory]`).
#[derive(Clone, Debug)]
pub struct MemoryConfig {
    /// Weighted observations that promote a plan to L1.
    pub autopath_min_obs: f64,
    /// Seconds a plan stays banned after three rejections.
    pub ban_s: i64,
    /// Seconds a plan stays out after ↺.
    pub retry_ban_s: i64,
    /// Most remembered requests.
    pub fastpath_max: usize,
}

/// Sandbox of executor processes (`[sandbox]`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SandboxConfig {
    /// Landlock and seccomp, or the step fails.
    Required,
    /// Go on with resource limits alone where the kernel offers nothing better; `metnos doctor` says so.
    Degraded,
}

/// A text that must never be shown: no `Debug` of its content, no `Serialize`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The secret itself, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}
