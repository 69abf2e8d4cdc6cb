//! The shipped executors as a proposer sees them, for tests that need no catalog on disk.

#![expect(clippy::unwrap_used, reason = "a manifest that cannot be read fails the test")]

use std::sync::Arc;

use metnos::{
    catalog::{install::SHIPPED, parse},
    domain::manifest::Manifest,
};

/// Every shipped executor that a person can ask for, best known first.
pub(crate) const ALL: &str = "get_now list_dirs find_files get_files read_files write_files create_dirs move_files \
    delete_files get_urls read_urls_html filter_entries sort_entries group_entries compute_entries filter_texts_lines \
    describe_entries get_processes undo_last_turn request_new_executor";

/// The manifests of these names, in this order.
pub(crate) fn shortlist(names: &str) -> Vec<Arc<Manifest>> {
    names
        .split_whitespace()
        .map(|name| {
            let (_, text) = SHIPPED.iter().find(|(shipped, _)| *shipped == name).unwrap();
            Arc::new(parse::parse(text.as_bytes()).unwrap().manifest)
        })
        .collect()
}
