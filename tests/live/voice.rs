//! A real Whisper: what a made voice says is heard in both languages, silence holds no words, and what is no sound is
//! refused. How many words are heard wrong, and how long a note takes, is printed.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]
#![expect(clippy::print_stdout, reason = "figures are for whoever runs them")]

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use metnos::{
    config::SpeechConfig,
    domain::lang::Lang,
    speech::{Speech, SpeechError},
};
use tempfile::TempDir;

use super::servers::speech_url;

const ENGLISH: &[&str] = &[
    "what is on my calendar tomorrow",
    "set a timer for ten minutes",
    "turn on the lights in the kitchen",
    "add milk and bread to the shopping list",
    "will it rain on saturday in turin",
    "when does the school send the letter",
];
const ITALIAN: &[&str] = &[
    "che cosa ho in calendario domani",
    "imposta un timer di dieci minuti",
    "accendi le luci della cucina",
    "aggiungi il latte e il pane alla lista della spesa",
    "sabato a torino piove",
    "quando arriva la lettera della scuola",
];
/// Ten seconds of speech.
const LONG: &str = "please remind me next tuesday at half past nine in the morning to call the dentist and to ask whether \
    the appointment of my daughter can be moved to the afternoon of the same day";

fn speech() -> Speech {
    let config = SpeechConfig {
        url: Some(speech_url()),
        timeout_s: 60,
        ..SpeechConfig::default()
    };
    Speech::from_config(&config).unwrap()
}

/// A made voice that says this, as a voice note.
fn note(folder: &Path, lang: Lang, words: &str) -> PathBuf {
    let path = folder.join("note.ogg");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/testbed/speech.sh");
    let made = Command::new(script)
        .args(["say", lang.code(), words])
        .arg(&path)
        .status();
    assert!(made.unwrap().success(), "{script} says nothing");
    path
}

fn words(text: &str) -> Vec<String> {
    let letters: String = text
        .to_lowercase()
        .chars()
        .map(|letter| if letter.is_alphanumeric() { letter } else { ' ' })
        .collect();
    letters.split_whitespace().map(str::to_owned).collect()
}

/// Words that were put in, left out or changed, of those that were said (Levenshtein's distance over words).
fn wrong(said: &[String], heard: &[String]) -> usize {
    let mut row: Vec<usize> = (0..=heard.len()).collect();
    for (i, one) in said.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, other) in heard.iter().enumerate() {
            let kept = row[j] + usize::from(one != other);
            next.push(kept.min(row[j + 1] + 1).min(next[j] + 1));
        }
        row = next;
    }
    row[heard.len()]
}

async fn errors(folder: &TempDir, lang: Lang, sentences: &[&str]) -> (usize, usize) {
    let speech = speech();
    let (mut errors, mut all) = (0, 0);
    for sentence in sentences {
        let heard = speech.hear(&note(folder.path(), lang, sentence), lang).await.unwrap();
        println!("{lang:?} {sentence:?} -> {:?}, sure: {}", heard.text, heard.is_sure);
        let said = words(sentence);
        errors += wrong(&said, &words(&heard.text));
        all += said.len();
    }
    println!("{lang:?}: {errors} of {all} words wrong");
    (errors, all)
}

#[tokio::test]
async fn a_made_voice_is_heard_in_both_languages() {
    let folder = tempfile::tempdir().unwrap();
    for (lang, sentences) in [(Lang::EN, ENGLISH), (Lang::IT, ITALIAN)] {
        let (errors, all) = errors(&folder, lang, sentences).await;
        assert!(
            errors * 2 < all,
            "{errors} of {all} words are wrong: this is not the language that was spoken"
        );
    }
}

#[tokio::test]
async fn a_note_of_ten_seconds_is_heard_before_one_looks_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = note(folder.path(), Lang::EN, LONG);
    let begun = Instant::now();
    let heard = speech().hear(&path, Lang::EN).await.unwrap();
    println!("ten seconds of speech: {:?}, {:?}", begun.elapsed(), heard.text);
    assert!(heard.text.to_lowercase().contains("dentist"), "{}", heard.text);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn silence_and_noise_are_told_apart_from_words() {
    let folder = tempfile::tempdir().unwrap();
    let silence = folder.path().join("silence.wav");
    std::fs::write(&silence, wave(&[0; 64_000])).unwrap();
    let heard = speech().hear(&silence, Lang::EN).await.unwrap();
    assert_eq!(heard.text, "");
    let noise = folder.path().join("note.ogg");
    std::fs::write(&noise, "this is no sound").unwrap();
    let refused = speech().hear(&noise, Lang::EN).await;
    assert!(matches!(refused, Err(SpeechError::Refused(400))), "{refused:?}");
}

/// Samples of 16 bits, 16,000 a second, as a WAV file.
fn wave(samples: &[u8]) -> Vec<u8> {
    let length = u32::try_from(samples.len()).unwrap();
    let mut file = b"RIFF".to_vec();
    file.extend((length + 36).to_le_bytes());
    file.extend(b"WAVEfmt ");
    for (value, bytes) in [(16, 4), (1, 2), (1, 2), (16_000, 4), (32_000, 4), (2, 2), (16, 2)] {
        let all: [u8; 4] = u32::to_le_bytes(value);
        file.extend(&all[..bytes]);
    }
    file.extend(b"data");
    file.extend(length.to_le_bytes());
    file.extend(samples);
    file
}
