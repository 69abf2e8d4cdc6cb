//! What the doctor finds about the models of the house: who plans, sees, hears and reads. Each is asked at most
//! whether it is there and what it takes.

use super::{Finding, Speak, State};
use crate::{
    config::Config,
    domain::message::Message,
    executors::files::ocr,
    llm::LlmClient,
    servers::{self, Kind},
    speech::Speech,
};

/// Who writes plans.
pub(super) async fn model_finding(config: &Config, say: Speak<'_>) -> Finding {
    let Some(url) = &config.llm.url else {
        return Finding {
            state: State::Absent,
            words: say(&Message::new("doctor-model-none")),
        };
    };
    let good = match LlmClient::new(&config.llm) {
        Ok(client) => client.healthy().await,
        Err(error) => {
            tracing::debug!(%error, "no client for the model");
            false
        }
    };
    let key = match (good, config.llm.server_command.is_empty()) {
        (true, _) => "doctor-model-up",
        (false, true) => "doctor-model-down",
        // It runs only as long as metnos does.
        (false, false) => "doctor-model-own-down",
    };
    let log = servers::log_in(&config.data_dir.join("logs"), Kind::Llama);
    let message = Message::new(key)
        .with("url", url.as_str())
        .with("log", log.display().to_string());
    Finding {
        state: State::of(good),
        words: say(&message),
    }
}

/// Who writes captions of photos, if anybody does.
pub(super) async fn caption_finding(config: &Config, say: Speak<'_>) -> Finding {
    let model = match LlmClient::new(&config.llm) {
        Ok(client) => client.sees().await,
        Err(_told_above) => None,
    };
    match model {
        Some(model) => Finding {
            state: State::of(true),
            words: say(&Message::new("doctor-captions").with("model", model)),
        },
        None => Finding {
            state: State::Absent,
            words: say(&Message::new("doctor-captions-none")),
        },
    }
}

/// Who hears voice notes.
pub(super) async fn speech_finding(config: &Config, say: Speak<'_>) -> Finding {
    let Some(url) = &config.speech.url else {
        return Finding {
            state: State::Absent,
            words: say(&Message::new("doctor-speech-none")),
        };
    };
    let good = match Speech::from_config(&config.speech) {
        Ok(speech) => speech.healthy().await,
        Err(error) => {
            tracing::debug!(%error, "no client for the speech server");
            false
        }
    };
    let key = if good { "doctor-speech-up" } else { "doctor-speech-down" };
    Finding {
        state: State::of(good),
        words: say(&Message::new(key).with("url", url.as_str())),
    }
}

/// Who reads words in pictures.
pub(super) fn ocr_finding(say: Speak<'_>) -> Finding {
    let languages = ocr::languages();
    if ocr::program().is_none() || languages.is_empty() {
        return Finding {
            state: State::Absent,
            words: say(&Message::new("doctor-ocr-none")),
        };
    }
    Finding {
        state: State::of(true),
        words: say(&Message::new("doctor-ocr").with("languages", languages.join(", "))),
    }
}
