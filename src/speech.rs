//! What hears voice notes: a server of the household with the interface `POST /v1/audio/transcriptions`, which
//! whisper.cpp's server, speaches and others have. Called by `runtime::voice`. It gives words and says how sure they
//! are; what becomes of them is decided there. Neither the sound nor the words reach a log.

use std::{path::Path, time::Duration};

use serde::Deserialize;

use crate::{
    config::SpeechConfig,
    domain::{failure::ErrorClass, lang::Lang, message::Message},
    net::{
        NetError,
        service::{Attached, Question, Service},
    },
    servers::{Kept, Kind, Supervised},
};

/// Where sounds are sent, below the server's address.
const PATH: &str = "v1/audio/transcriptions";
/// What answers quickly where such a server is.
const HEALTH: &str = "health";
/// How long that may take.
const HEALTH_WAIT: Duration = Duration::from_secs(1);
/// A part of a sound that is likelier than this to be no speech holds no words: of silence Whisper makes sentences of
/// its own. Its own `no_speech_threshold`.
const NO_SPEECH_FROM: f64 = 0.6;
/// Below this mean log probability of its pieces the words are a guess. Whisper's own `logprob_threshold`.
const GUESS_BELOW: f64 = -1.0;

/// Why nothing was heard.
#[derive(Debug, thiserror::Error)]
pub enum SpeechError {
    /// No server is set.
    #[error("no speech server is configured")]
    Off,
    /// It cannot be reached, or not in time.
    #[error("the speech server is out of reach: {0}")]
    Unavailable(String),
    /// It has no use for this sound.
    #[error("the speech server refused the sound with status {0}")]
    Refused(u16),
    /// It answered something else than words.
    #[error("the speech server answered something unreadable")]
    Unreadable,
    /// The file cannot be read.
    #[error("the sound cannot be read: {0}")]
    Disk(#[from] std::io::Error),
}

impl From<NetError> for SpeechError {
    fn from(error: NetError) -> Self {
        if error.class() == ErrorClass::Timeout {
            Self::Unavailable("no answer in time".to_owned())
        } else {
            Self::Unavailable(error.to_string())
        }
    }
}

/// What somebody said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// Their words, in one line; empty for silence.
    pub text: String,
    /// The server is sure enough of them.
    pub is_sure: bool,
}

/// The speech server. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Speech {
    server: Option<Service>,
    model: Option<String>,
    /// What became of the server we started, if we did.
    supervised: Supervised,
}

impl Kept for Speech {
    const KIND: Kind = Kind::Speech;

    async fn healthy(&self) -> bool {
        Self::healthy(self).await
    }

    fn supervised(&self) -> &Supervised {
        &self.supervised
    }
}

/// `verbose_json` of that interface; servers that know only `json` leave the rest out.
#[derive(Debug, Deserialize)]
struct Answer {
    text: String,
    #[serde(default)]
    segments: Vec<Segment>,
}

#[derive(Debug, Deserialize)]
struct Segment {
    text: String,
    avg_logprob: Option<f64>,
    no_speech_prob: Option<f64>,
}

impl Speech {
    /// As it was set up; connects to nothing yet.
    pub fn from_config(config: &SpeechConfig) -> Result<Self, NetError> {
        let timeout = Duration::from_secs(config.timeout_s);
        let server = config.url.as_deref().map(|url| Service::new(url, timeout));
        Ok(Self {
            server: server.transpose()?,
            model: config.model.clone(),
            supervised: Supervised::default(),
        })
    }

    /// What there is to say about the server we started: that it is starting, or keeps failing.
    pub fn server_trouble(&self) -> Option<Message> {
        self.supervised.trouble()
    }

    /// Whether something answers there right now; takes a second at most.
    pub async fn healthy(&self) -> bool {
        let Some(server) = &self.server else { return false };
        let question = Question {
            path: HEALTH,
            ..Question::default()
        };
        // Not every such server has this page; any answer tells that one is there, but for "still loading".
        let answered = tokio::time::timeout(HEALTH_WAIT, server.ask(question)).await;
        matches!(answered, Ok(Ok(answer)) if answer.status < 500)
    }

    /// The words of a sound, which the person speaks in this language: short notes are easily taken for another one.
    pub async fn hear(&self, sound: &Path, lang: Lang) -> Result<Heard, SpeechError> {
        let server = self.server.as_ref().ok_or(SpeechError::Off)?;
        let name = sound.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut fields = vec![
            ("language", lang.code().to_owned()),
            ("response_format", "verbose_json".to_owned()),
            ("temperature", "0".to_owned()),
        ];
        fields.extend(self.model.clone().map(|model| ("model", model)));
        let file = Attached {
            field: "file",
            name,
            bytes: tokio::fs::read(sound).await?,
        };
        let answer = server.send(PATH, fields, file).await?;
        if !(200..300).contains(&answer.status) {
            return Err(SpeechError::Refused(answer.status));
        }
        let answer: Answer = serde_json::from_slice(&answer.body).map_err(|_other| SpeechError::Unreadable)?;
        Ok(heard(&answer))
    }
}

fn heard(answer: &Answer) -> Heard {
    let in_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if answer.segments.is_empty() {
        return Heard {
            text: in_line(&answer.text),
            is_sure: true,
        };
    }
    let is_speech = |segment: &&Segment| segment.no_speech_prob.is_none_or(|share| share < NO_SPEECH_FROM);
    let spoken: Vec<&Segment> = answer.segments.iter().filter(is_speech).collect();
    let words: Vec<&str> = spoken.iter().map(|segment| segment.text.trim()).collect();
    let is_guess = |segment: &&Segment| segment.avg_logprob.is_some_and(|mean| mean < GUESS_BELOW);
    Heard {
        text: in_line(&words.join(" ")),
        is_sure: !spoken.iter().any(is_guess),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(json: &str) -> Heard {
        heard(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn silence_holds_no_words_and_a_guess_is_told_as_one() {
        let silent = of(
            r#"{"text": "Thank you.", "segments": [{"text": "Thank you.", "avg_logprob": -0.4, "no_speech_prob": 0.9}]}"#,
        );
        assert_eq!((silent.text.as_str(), silent.is_sure), ("", true));
        let guess = of(
            r#"{"text": "a b", "segments": [{"text": " a", "avg_logprob": -0.2}, {"text": " b", "avg_logprob": -1.4}]}"#,
        );
        assert_eq!((guess.text.as_str(), guess.is_sure), ("a b", false));
    }

    #[test]
    fn a_server_that_tells_the_words_alone_is_believed() {
        let plain = of(r#"{"text": " what is\n on my calendar "}"#);
        assert_eq!((plain.text.as_str(), plain.is_sure), ("what is on my calendar", true));
    }
}
