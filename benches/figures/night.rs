//! What a night costs: memory as a household of three has it after a year, aged, promoted and judged in one go.

use std::time::Duration;

use metnos::{
    app::DATABASE,
    i18n::I18n,
    nights::{introspection, passages, promoter::Promoter, reaper},
};
use rusqlite::Connection;

use crate::{Figure, bot::TestBot};

/// Fastpaths of the night.
const FASTPATHS: u32 = 500;
/// Observations of it.
const OBSERVATIONS: u32 = 10_000;
/// Proposals of it.
const PROPOSALS: u32 = 50;
/// Processor time one night may take.
const CPU_MAX: Duration = Duration::from_secs(2);
/// Memory it may take beside what is there.
const MEMORY_MAX_KB: u64 = 20 * 1024;

pub(crate) async fn figures() -> Vec<Figure> {
    let bot = TestBot::new().await;
    fill(&bot);
    let engine = bot.app().runtime.engine();
    let i18n = I18n::embedded().unwrap();
    let promoter = Promoter::of(engine, &i18n);
    let (cpu, memory) = (used_cpu(), resident_kb());
    reaper::reap(engine).await.unwrap();
    promoter.propose().await.unwrap();
    passages::apply_ager(engine).await.unwrap();
    passages::suggest(engine).await.unwrap();
    promoter.night().await.unwrap();
    promoter.age().await.unwrap();
    introspection::propose(&promoter).await.unwrap();
    introspection::apply(&promoter).await.unwrap();
    let now_ms = engine.clock.now_ms();
    engine.store.aggregate_usual_times(0, now_ms).await.unwrap();
    promoter.clean_up().await.unwrap();
    let grown = resident_kb().saturating_sub(memory);
    vec![
        Figure::of_times("a night's processor time", vec![used_cpu() - cpu], CPU_MAX),
        Figure::of_count("nights that took more than 20 MB", u64::from(grown > MEMORY_MAX_KB), 0),
        Figure::remark("what a night took", format!("{grown} KB")),
    ]
}

/// Fills the memory of the host with what a year leaves.
fn fill(bot: &TestBot) {
    let connection = Connection::open(bot.data_dir().join(DATABASE)).unwrap();
    let plan = r#"{"steps":[{"tool":"list_dirs","args":{"path":"~/' || n || '"}},{"tool":"sort_entries","args":{"from_step":1,"by":"size"}}]}"#;
    let numbers = |count: u32| {
        format!("WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})")
    };
    let rows = [
        format!(
            "{} INSERT INTO fastpaths (actor, canonical_text, canonical_hash, plan, origin, intent, query_specific,
                 tools_sig, pool_sig, n_uses, created_at, last_used)
             SELECT 'host', 'sort folder ' || n, 'hash' || n, '{plan}', 'auto', 'sort|files', 1, '', '', 3,
                    unixepoch() * 1000 - 40 * 86400000, unixepoch() * 1000 - (n % 60) * 86400000 FROM numbers",
            numbers(FASTPATHS)
        ),
        format!(
            "{} INSERT INTO observations (turn, actor, intent, intent_hash, cluster, plan, plan_hash, query_specific,
                 tools_sig, pool_sig, at)
             SELECT 'turn' || n, 'host', 'sort|files', 'intent' || (n % 40), 'cluster' || (n % 40), '{plan}',
                    'plan' || (n % 80), 0, '', '', unixepoch() * 1000 - n FROM numbers",
            numbers(OBSERVATIONS)
        ),
        format!(
            "{} INSERT INTO autopaths (actor, intent, intent_hash, cluster, plan, plan_hash, status, champion, successes,
                 failures, confirmations, tools_sig, pool_sig, created_at, last_used)
             SELECT 'host', 'sort|files', 'intent' || n, 'cluster' || n, '{plan}', 'plan' || n, 'active', 1, 3, 0, 3,
                    '', '', 0, unixepoch() * 1000 FROM numbers",
            numbers(40)
        ),
        format!(
            "{} INSERT INTO proposals (actor, kind, key, state, payload, created_at, changed_at)
             SELECT 'host', 'promotion', 'key' || n, 'candidate', json_object('cluster', json_object('actor', 'host',
                    'key', 'key' || n, 'intent', 'sort|files', 'members', json_array(json_object('text',
                    'sort folder ' || n, 'hash', 'hash' || n, 'plan', json('{plan}'), 'uses', 3)), 'uses', 20,
                    'since_ms', 0)), unixepoch() * 1000, unixepoch() * 1000 FROM numbers",
            numbers(PROPOSALS)
        ),
    ];
    for sql in rows {
        connection.execute_batch(&sql).unwrap();
    }
}

/// Processor time of this process so far, in user and kernel.
fn used_cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let after = stat.rsplit_once(')').unwrap().1;
    let ticks: u64 = after
        .split_whitespace()
        .skip(11)
        .take(2)
        .map(|part| part.parse::<u64>().unwrap())
        .sum();
    Duration::from_millis(ticks * 10)
}

fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
