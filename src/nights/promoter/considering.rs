//! A family looked at: a draft of its tool, and what is thought of that with what was measured of its requests. Called
//! by the promoter; it changes nothing.

use serde_json::Value;

use crate::{
    domain::{
        ids::{CanonicalHash, ExecutorName},
        lang::Lang,
        message::Message,
    },
    engine::fastpath::slots::Template,
    nights::{
        promoter::{Promoter, PromoterError},
        promotion::{
            cluster::Cluster,
            draft::{self, Draft, Stopped, Words, Workshop},
            evaluator::{self, Verdict},
            evidence::{self, Bench, Measured},
        },
    },
};

/// What the frequency of requests is counted over.
const SIXTY_DAYS_MS: i64 = 60 * 24 * 3_600 * 1_000;
/// Other wordings a request is tried with, in each language.
const REWORDINGS: [&str; 6] = [
    "rewording-1",
    "rewording-2",
    "rewording-3",
    "rewording-4",
    "rewording-5",
    "rewording-6",
];

impl Promoter<'_> {
    /// A draft with what is thought of it.
    pub(super) async fn considered(
        &self,
        cluster: &Cluster,
        named: Option<&str>,
    ) -> Result<Result<(Draft, Verdict), Stopped>, PromoterError> {
        let measured = self.measured(cluster).await?;
        Ok(self.consider(cluster, named, measured))
    }

    fn consider(
        &self,
        cluster: &Cluster,
        named: Option<&str>,
        measured: Measured,
    ) -> Result<(Draft, Verdict), Stopped> {
        let catalog = self.catalog.current();
        let manifest = |name: &ExecutorName| catalog.get(name).cloned();
        let words = |lang: Lang, example: &str| self.words(lang, example);
        let said = |request: &str| self.said(request);
        let workshop = Workshop {
            manifest: &manifest,
            named,
            words: &words,
            said: &said,
        };
        let draft = draft::draft(cluster, &workshop)?;
        let reworded = |lang: Lang, request: &str| self.reworded(lang, request);
        let bench = Bench {
            catalog: catalog.all(),
            language: self.language,
            now: &self.clock.zoned("UTC"),
            reworded: &reworded,
        };
        let verdict = evaluator::judge(evidence::gather(&draft, cluster, measured, &bench));
        Ok((draft, verdict))
    }

    async fn measured(&self, cluster: &Cluster) -> Result<Measured, PromoterError> {
        let hashes = cluster
            .members
            .iter()
            .map(|member| CanonicalHash::from(member.hash.as_str()));
        let since_ms = self.clock.now_ms().saturating_sub(SIXTY_DAYS_MS);
        let spans = self.store.spans(&cluster.actor, hashes.collect(), since_ms).await?;
        Ok(Measured {
            planned_ms: median(spans.planned_ms),
            remembered_ms: median(spans.remembered_ms),
            calls_60d: spans.calls,
        })
    }

    fn words(&self, lang: Lang, example: &str) -> Words {
        let say = |key: &str| self.i18n.say(lang, &Message::new(key).with("request", example));
        Words {
            purpose: say("composite-purpose"),
            not: self.i18n.say(lang, &Message::new("composite-not")),
            out: self.i18n.say(lang, &Message::new("composite-out")),
        }
    }

    /// A request as its words and its values, in each language it may be in.
    fn said(&self, request: &str) -> Vec<(String, Vec<Value>)> {
        let now = self.clock.zoned("UTC");
        let templates = Lang::BUILT_IN.into_iter().filter_map(|lang| {
            let template = Template::of(&self.language.read(request, lang, &now), self.language)?;
            Some((template.text, template.values))
        });
        templates.collect()
    }

    fn reworded(&self, lang: Lang, request: &str) -> Vec<String> {
        let say = |key: &&str| self.i18n.say(lang, &Message::new(key).with("request", request));
        REWORDINGS.iter().map(say).collect()
    }
}

/// The one in the middle.
fn median(mut spans: Vec<f64>) -> Option<f64> {
    spans.sort_by(f64::total_cmp);
    spans.get(spans.len() / 2).copied()
}
