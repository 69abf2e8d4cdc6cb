//! `get_disks`: how full the file systems are that a household fills: the one of its home and the one of the machine.
//! It asks the system for their figures and opens nothing.

use std::{os::unix::fs::MetadataExt as _, path::Path};

use serde_json::{Value, json};

use super::{Call, internal, object, wrong};
use crate::domain::{failure::ToolError, run::ToolResult};

/// The disks, or those fuller than asked for.
pub(super) fn get_disks(call: &Call) -> Result<ToolResult, ToolError> {
    let over = match call.args.get("over_pct") {
        None | Some(Value::Null) => None,
        Some(value) => Some(value.as_f64().ok_or_else(|| wrong("over_pct"))?),
    };
    let mut seen = Vec::new();
    let mut disks = Vec::new();
    for path in [Path::new("/"), call.context.home.as_path()] {
        let device = std::fs::metadata(path).map(|found| found.dev());
        let device = device.map_err(|error| internal(format!("cannot look at a disk: {error}")))?;
        if !seen.contains(&device) {
            seen.push(device);
            disks.push(disk(path)?);
        }
    }
    let available = disks.len();
    let is_fuller = |disk: &Value| {
        let used = disk.get("used_pct").and_then(Value::as_f64).unwrap_or_default();
        over.is_none_or(|over| used > over)
    };
    disks.retain(is_fuller);
    Ok(ToolResult::ok(object(json!({
        "used": disks.len(),
        "available_total": available,
        "entries": disks,
    }))))
}

/// What is used counts without what only the system may use, as `df` does.
fn disk(path: &Path) -> Result<Value, ToolError> {
    let found = rustix::fs::statvfs(path).map_err(|error| internal(format!("cannot measure a disk: {error}")))?;
    let bytes = |blocks: u64| blocks.saturating_mul(found.f_frsize);
    let used = found.f_blocks.saturating_sub(found.f_bfree);
    let usable = used.saturating_add(found.f_bavail).max(1);
    let share = used as f64 * 100.0 / usable as f64;
    Ok(json!({
        "name": path.to_string_lossy(),
        "used_pct": (share * 10.0).round() / 10.0,
        "free": bytes(found.f_bavail),
        "total": bytes(found.f_blocks),
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;
    use crate::executors::CallContext;

    #[test]
    fn one_disk_is_told_once_and_only_when_it_is_as_full() {
        let told = |over: Option<f64>| {
            let mut args = Map::new();
            args.extend(over.map(|over| ("over_pct".to_owned(), json!(over))));
            let call = Call {
                args,
                password: None,
                context: CallContext::in_folder(Path::new("/")),
            };
            get_disks(&call).unwrap().entries().unwrap().clone()
        };
        let all = told(None);
        assert_eq!(all.len(), 1, "{all:?}");
        let used = all[0]["used_pct"].as_f64().unwrap();
        assert!((0.0..=100.0).contains(&used), "{used}");
        assert_eq!(told(Some(100.0)).len(), 0);
    }
}
