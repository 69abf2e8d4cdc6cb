//! `get_processes`: what runs on this machine and what it uses. Names only: command lines may hold secrets.

use serde_json::{Value, json};
use sysinfo::{MINIMUM_CPU_UPDATE_INTERVAL, ProcessRefreshKind, ProcessesToUpdate, System};

use super::{Call, internal, object, wrong};
use crate::domain::{failure::ToolError, limits::ENTRIES_MAX, run::ToolResult};

/// The processes that use the most memory or processor time.
pub(super) fn get_processes(call: &Call) -> Result<ToolResult, ToolError> {
    let by_cpu = match call.optional_text("sort_by")?.unwrap_or("memory") {
        "memory" => false,
        "cpu" => true,
        _ => return Err(wrong("sort_by")),
    };
    let top = call.count("top")?;
    let system = measure()?;
    let mut processes: Vec<&sysinfo::Process> = system.processes().values().collect();
    processes.sort_by(|left, right| {
        let order = if by_cpu {
            right.cpu_usage().total_cmp(&left.cpu_usage())
        } else {
            right.memory().cmp(&left.memory())
        };
        order.then_with(|| left.pid().cmp(&right.pid()))
    });
    let available = processes.len();
    processes.truncate(top.unwrap_or(ENTRIES_MAX));
    let entries: Vec<Value> = processes.iter().map(|process| entry(process)).collect();
    Ok(ToolResult::ok(object(json!({
        "used": entries.len(),
        "available_total": available,
        // A cut that was asked for is no loss.
        "truncated": top.is_none() && entries.len() < available,
        "entries": entries,
    }))))
}

fn entry(process: &sysinfo::Process) -> Value {
    json!({
        "name": process.name().to_string_lossy(),
        "pid": process.pid().as_u32(),
        "memory": process.memory(),
        "cpu": (f64::from(process.cpu_usage()) * 10.0).round() / 10.0,
    })
}

/// Two looks with a pause between: processor use is a difference.
fn measure() -> Result<System, ToolError> {
    let what = ProcessRefreshKind::nothing().with_memory().with_cpu().without_tasks();
    let mut system = System::new().map_err(|error| internal(format!("cannot look at processes: {error}")))?;
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, what);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|error| internal(format!("cannot make a timer: {error}")))?;
    runtime.block_on(async { tokio::time::sleep(MINIMUM_CPU_UPDATE_INTERVAL).await });
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, what);
    Ok(system)
}
