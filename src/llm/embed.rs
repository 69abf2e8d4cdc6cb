//! Texts to vectors of length 1, from the embedding server when one is configured, else from the built-in recipe.
//!
//! Called by fastpath, autopath and the nightly re-embedding. A vector is stored with the embedder's id and compared
//! only with vectors of the same id; each embedder brings the thresholds that fit its own scale of similarity.

use super::{LlmClient, LlmError, Meter, lexical};
use crate::{config::LlmConfig, domain::limits};

/// From which similarity two texts are what to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// L0 may serve a remembered plan, if nothing else speaks against it.
    pub fastpath: f32,
    /// Both requests are the same cluster.
    pub cluster: f32,
    /// An intent match is not trusted below this.
    pub floor: f32,
}

/// The documented choice, BGE-M3: used for every served model.
const SERVER: Thresholds = Thresholds {
    fastpath: limits::FASTPATH_COSINE,
    cluster: limits::CLUSTER_COSINE,
    floor: limits::AUTOPATH_FLOOR_COSINE,
};

/// Calibrated on 1404 adversarial pairs in both languages (623 that mean the same, 781 that do not), by
/// `cargo test --lib lexical::tests::calibrate -- --ignored --nocapture`: at 0.95 and above it served 116 of the 623
/// and none of the 781; at 0.93 four that swap two names, at 0.85 already 43. The recipe gains nothing below 0.95 (the
/// same 116 at 0.90), so the strict value costs no hit. The cluster value is only asked together with an equal intent.
const LEXICAL: Thresholds = Thresholds {
    fastpath: 0.95,
    cluster: 0.87,
    floor: 0.75,
};

/// Who makes the vectors.
#[derive(Clone, Debug)]
pub enum Embedder {
    /// Built in: knows spelling, not meaning.
    Lexical(LexicalEmbedder),
    /// A model behind `/v1/embeddings`.
    Server(ServerEmbedder),
}

/// The recipe of `lexical`.
#[derive(Clone, Copy, Debug, Default)]
pub struct LexicalEmbedder;

/// A served embedding model.
#[derive(Clone, Debug)]
pub struct ServerEmbedder {
    id: String,
    client: LlmClient,
}

impl Embedder {
    /// The configured embedding model, or the built-in recipe when there is none.
    pub fn from_config(config: &LlmConfig, client: &LlmClient) -> Self {
        match &config.embedding_model {
            Some(model) if client.can_embed() => Self::Server(ServerEmbedder {
                id: format!("server:{model}"),
                client: client.clone(),
            }),
            Some(_) | None => Self::lexical(),
        }
    }

    /// The built-in one.
    pub fn lexical() -> Self {
        Self::Lexical(LexicalEmbedder)
    }

    /// Stored beside every vector.
    pub fn id(&self) -> &str {
        match self {
            Self::Lexical(LexicalEmbedder) => lexical::ID,
            Self::Server(server) => &server.id,
        }
    }

    /// What its similarities mean.
    pub fn thresholds(&self) -> Thresholds {
        match self {
            Self::Lexical(LexicalEmbedder) => LEXICAL,
            Self::Server(_) => SERVER,
        }
    }

    /// The vector of one text, of length 1.
    pub async fn embed(&self, text: &str, meter: &Meter) -> Result<Vec<f32>, LlmError> {
        match self {
            Self::Lexical(LexicalEmbedder) => Ok(lexical::embed(text)),
            Self::Server(server) => {
                let mut vector = server.client.embedding(text, meter).await?;
                lexical::normalize(&mut vector);
                Ok(vector)
            }
        }
    }
}

/// Sums kept beside each other in `cosine`.
const LANES: usize = 16;

/// Similarity of two vectors of length 1; 0 for vectors that cannot be compared. Several sums instead of one let the
/// compiler use the processor's wide registers: five times as fast over 500 vectors.
pub fn cosine(one: &[f32], other: &[f32]) -> f32 {
    if one.len() != other.len() {
        return 0.0;
    }
    let (ones, others) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest: f32 = ones
        .remainder()
        .iter()
        .zip(others.remainder())
        .map(|(a, b)| a * b)
        .sum();
    let mut sums = [0.0_f32; LANES];
    for (ones, others) in ones.zip(others) {
        for ((sum, a), b) in sums.iter_mut().zip(ones).zip(others) {
            *sum += a * b;
        }
    }
    rest + sums.iter().sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn without_an_embedding_model_the_built_in_recipe_answers() {
        let config = LlmConfig::default();
        let embedder = Embedder::from_config(&config, &LlmClient::new(&config).unwrap());
        assert_eq!(embedder.id(), "lexical-1");
        let meter = Meter::default();
        let vector = embedder.embed("list the files", &meter).await.unwrap();
        assert!((cosine(&vector, &vector) - 1.0).abs() < 1e-5);
        assert_eq!(meter.used().embeddings, 0, "no request was made");
    }

    #[test]
    fn a_served_model_has_its_own_name_and_scale() {
        let config = LlmConfig {
            url: Some("http://127.0.0.1:1".to_owned()),
            embedding_model: Some("bge-m3".to_owned()),
            ..LlmConfig::default()
        };
        let embedder = Embedder::from_config(&config, &LlmClient::new(&config).unwrap());
        assert_eq!(embedder.id(), "server:bge-m3");
        assert_eq!(embedder.thresholds(), SERVER);
    }

    #[test]
    fn vectors_of_two_kinds_are_never_close() {
        assert!(cosine(&[1.0, 0.0], &[1.0, 0.0, 0.0]).abs() < f32::EPSILON);
    }
}
