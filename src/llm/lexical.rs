//! The built-in embedder: hashed words, word pairs and letter groups of a text. No model, no download.
//!
//! Used by `embed::Embedder` when no embedding model is configured. It knows spelling, not meaning: two requests are
//! close when they are nearly the same words in nearly the same order. Its id names the recipe; a change of anything
//! below needs a new id, or stored vectors would be compared with vectors of another kind.

use unicode_normalization::UnicodeNormalization;

/// Names the recipe; stored beside every vector it made.
pub const ID: &str = "lexical-1";
/// Length of a vector.
pub const DIMENSIONS: usize = 512;

/// Weight of a word, of a pair of neighbours (which carries the order), and of a letter group (which forgives a typo).
const WORD_WEIGHT: f32 = 1.0;
const PAIR_WEIGHT: f32 = 1.2;
const LETTERS_WEIGHT: f32 = 0.25;
/// Words that carry little; they never change what a request asks for, yet stay visible in the pairs.
const LIGHT_WORDS: &[&str] = &[
    "a", "an", "the", "please", "me", "can", "could", "you", "would", "of", "il", "lo", "la", "i", "gli", "le", "un",
    "uno", "una", "l", "mi", "per", "favore", "puoi", "potresti", "di", "del", "della", "dei", "delle",
];
const LIGHT_SHARE: f32 = 0.15;
/// Length of a letter group.
const LETTERS: usize = 4;
/// Longest text looked at, in characters: a request has a limit of its own, this one bounds the work.
const CHARS_MAX: usize = 4_000;

/// The vector of a text, of length 1; all zeros for a text without a single letter or digit.
pub fn embed(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0_f32; DIMENSIONS];
    let folded = fold(text);
    let mut before: Option<&str> = None;
    for word in folded.split(' ').filter(|word| !word.is_empty()) {
        let share = if LIGHT_WORDS.contains(&word) { LIGHT_SHARE } else { 1.0 };
        add(&mut vector, hash(b'w', "", word), WORD_WEIGHT * share);
        add_letters(&mut vector, word, share);
        if share < 1.0 {
            continue;
        }
        add(&mut vector, hash(b'p', before.unwrap_or("^"), word), PAIR_WEIGHT);
        before = Some(word);
    }
    normalize(&mut vector);
    vector
}

/// Scales a vector to length 1; a zero vector stays as it is.
pub fn normalize(vector: &mut [f32]) {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        for value in vector.iter_mut() {
            *value /= length;
        }
    }
}

/// Lower case without accents; everything but letters, digits and the signs inside paths and addresses is a space.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.chars().take(CHARS_MAX).nfkd() {
        if character.is_alphanumeric() || matches!(character, '/' | '~' | '.' | '@' | '*' | '-' | '_') {
            folded.extend(character.to_lowercase());
        } else if !is_mark(character) {
            folded.push(' ');
        }
    }
    // A full stop, a dash or a slash at a word's edge is punctuation; inside it belongs to a path or an address.
    folded
        .split(' ')
        .map(|word| word.trim_matches(['.', '-']))
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn is_mark(character: char) -> bool {
    ('\u{0300}'..='\u{036f}').contains(&character)
}

fn add_letters(vector: &mut [f32], word: &str, share: f32) {
    let letters: Vec<char> = std::iter::once('<')
        .chain(word.chars())
        .chain(std::iter::once('>'))
        .collect();
    let mut buffer = [0_u8; LETTERS * 4];
    for group in letters.windows(LETTERS.min(letters.len())) {
        let mut length = 0;
        for character in group {
            if let Some(room) = buffer.get_mut(length..) {
                length += character.encode_utf8(room).len();
            }
        }
        let bytes = buffer.get(..length).unwrap_or_default();
        add(vector, hash_bytes(b'l', bytes), LETTERS_WEIGHT * share);
    }
}

fn add(vector: &mut [f32], hash: u64, weight: f32) {
    let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
    let at = usize::try_from(hash % DIMENSIONS as u64).unwrap_or(0);
    if let Some(value) = vector.get_mut(at) {
        *value += sign * weight;
    }
}

fn hash(kind: u8, before: &str, word: &str) -> u64 {
    let state = fnv(FNV_OFFSET ^ u64::from(kind), before.as_bytes());
    mix(fnv(fnv(state, b" "), word.as_bytes()))
}

fn hash_bytes(kind: u8, bytes: &[u8]) -> u64 {
    mix(fnv(FNV_OFFSET ^ u64::from(kind), bytes))
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

/// FNV-1a: fixed for ever, unlike the standard library's hasher, as its values end in the database.
fn fnv(state: u64, bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(state, |state, byte| (state ^ u64::from(*byte)).wrapping_mul(FNV_PRIME))
}

/// Spreads the low bits over the high ones, which choose the sign.
fn mix(mut state: u64) -> u64 {
    state ^= state >> 32;
    state = state.wrapping_mul(0xd6e8_feb8_6659_fd93);
    state ^ (state >> 32)
}

#[cfg(test)]
mod tests;
