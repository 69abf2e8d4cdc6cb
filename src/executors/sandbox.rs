//! What one call may touch, and the kernel's help in holding it to that: Landlock for files, seccomp for everything
//! that is no file, resource limits for the rest. Nothing in it opens a socket.
//!
//! `process::Runner` computes the `Grants` from the manifest and the call; `worker` enforces them on itself before it
//! looks at the call. Grants name paths, never patterns, and only those in arguments of a path-like kind. A folder that
//! is written into is granted whole: Landlock knows no single file that does not exist yet.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetStatus, Scope, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, setrlimit};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, SeccompRule};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Call, CallContext, files::ocr, paths, reversal};
use crate::domain::{
    kind::Class,
    limits,
    manifest::{Capability, Manifest},
    run::Reversal,
};

/// The newest Landlock whose file rights we ask for; an older kernel enforces those it knows.
const FILE_ABI: ABI = ABI::V5;
/// System folders a program and its interpreter are loaded from.
const PROGRAM_DIRS: [&str; 8] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/nix/store",
];
/// Devices a program may open.
const PROGRAM_DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"];
/// Where the machine describes itself.
const SYSTEM_DIRS: [&str; 2] = ["/proc", "/sys/devices/system/cpu"];

/// Everything one call may touch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grants {
    /// Files and folders it may read.
    pub read: Vec<PathBuf>,
    /// Folders it may write into.
    pub write: Vec<PathBuf>,
    /// Whether it may look at other processes.
    pub system: bool,
    /// Whether it may start the program that reads words in pictures.
    pub ocr: bool,
    /// The folder of a program's own code; `None` for built-in code, which may start no other program.
    pub code_dir: Option<PathBuf>,
    /// Seconds of processor time.
    pub cpu_s: u64,
    /// It is kept and serves many calls: its address space and its processor time have no end, its memory has.
    pub is_lasting: bool,
}

impl Grants {
    /// What this call needs, within what the manifest declares.
    pub fn of(manifest: &Manifest, call: &Call, code_dir: Option<&Path>) -> Self {
        let mut grants = Self {
            system: manifest.has(Capability::SystemRead),
            ocr: manifest.has(Capability::OcrLocal),
            code_dir: code_dir.map(Path::to_path_buf),
            cpu_s: manifest.timeout_s.saturating_add(1),
            ..Self::default()
        };
        let may_write = manifest.has(Capability::FsWrite);
        let may_read = may_write || manifest.has(Capability::FsRead);
        for arg in &manifest.args {
            let is_folder = match arg.class() {
                Class::File => false,
                Class::Folder | Class::Target => true,
                Class::Address
                | Class::Glob
                | Class::Window
                | Class::Number
                | Class::Column
                | Class::Words
                | Class::Text
                | Class::Whereabouts
                | Class::Moment
                | Class::Choice
                | Class::Unknown => continue,
            };
            for path in named_paths(call.args.get(&arg.name), &call.context.home) {
                if may_write {
                    grants.add_write(&path, is_folder);
                }
                if may_read {
                    grants.read.push(path);
                }
            }
        }
        if may_write {
            grants.write.push(call.context.backup_dir.clone());
        }
        grants.tidy();
        grants
    }

    /// What taking these back needs.
    pub fn of_reversals(reversals: &[Reversal], context: &CallContext) -> Self {
        let mut grants = Self {
            write: vec![context.backup_dir.clone()],
            cpu_s: limits::EXECUTOR_TIMEOUT_S,
            ..Self::default()
        };
        for path in reversals.iter().flat_map(reversal::changed_paths) {
            grants.add_write(Path::new(path), false);
        }
        grants.tidy();
        grants
    }

    /// The folder in which a name is made, replaced or removed; for a link also the folder it points into.
    fn add_write(&mut self, path: &Path, is_folder: bool) {
        let mut targets = vec![path.to_path_buf()];
        // A path that does not exist yet has no other name.
        targets.extend(path.canonicalize().ok().filter(|real| real != path));
        for target in targets {
            let start = if is_folder {
                target.as_path()
            } else {
                target.parent().unwrap_or(&target)
            };
            self.write.extend(paths::nearest_dir(start));
        }
    }

    fn tidy(&mut self) {
        self.read.sort();
        self.read.dedup();
        self.write.sort();
        self.write.dedup();
    }
}

/// The paths in an argument: one text or a list of them.
fn named_paths(value: Option<&Value>, home: &Path) -> Vec<PathBuf> {
    let texts: Vec<&str> = match value {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => Vec::new(),
    };
    texts
        .into_iter()
        .filter_map(|text| paths::resolve(text, home).ok())
        .collect()
}

/// Why the sandbox could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// Resource limits.
    #[error("cannot set resource limits")]
    Limits(#[source] io::Error),
    /// Landlock failed half-way.
    #[error("cannot restrict files")]
    Files(#[from] landlock::RulesetError),
    /// The kernel has no Landlock, or it is off.
    #[error("this kernel does not offer landlock")]
    NoLandlock,
    /// The system call filter.
    #[error("cannot filter system calls")]
    Calls(#[source] seccompiler::Error),
}

/// Holds the calling process to these grants, for good. `is_required` makes a missing kernel feature an error.
pub(super) fn enter(grants: &Grants, is_required: bool) -> Result<(), SandboxError> {
    limit_resources(grants).map_err(SandboxError::Limits)?;
    let files = restrict_files(grants);
    let calls = filter_calls(grants);
    if is_required {
        files?;
        calls?;
    }
    Ok(())
}

fn limit_resources(grants: &Grants) -> io::Result<()> {
    let limit = |resource, maximum: u64| {
        let limit = Rlimit {
            current: Some(maximum),
            maximum: Some(maximum),
        };
        setrlimit(resource, limit).map_err(io::Error::from)
    };
    // A runtime such as Node's lays out far more addresses than it uses.
    let memory = if grants.is_lasting {
        Resource::Data
    } else {
        Resource::As
    };
    limit(memory, limits::EXECUTOR_MEMORY_BYTES_MAX)?;
    limit(Resource::Nofile, limits::EXECUTOR_FILES_MAX)?;
    limit(Resource::Fsize, limits::EXECUTOR_FILE_BYTES_MAX)?;
    limit(Resource::Core, 0)?;
    if grants.is_lasting {
        return Ok(());
    }
    limit(Resource::Cpu, grants.cpu_s)
}

fn restrict_files(grants: &Grants) -> Result<(), SandboxError> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let run = read | AccessFs::Execute;
    let not_ours: BitFlags<AccessFs> = AccessFs::Execute
        | AccessFs::MakeChar
        | AccessFs::MakeBlock
        | AccessFs::MakeSock
        | AccessFs::MakeFifo
        | AccessFs::IoctlDev;
    let write = AccessFs::from_all(FILE_ABI) & !not_ours;
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(FILE_ABI))?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?
        .add_rules(path_beneath_rules(&grants.read, read))?
        .add_rules(path_beneath_rules(&grants.write, write))?;
    if let Some(code_dir) = &grants.code_dir {
        ruleset = ruleset
            .add_rules(path_beneath_rules([code_dir], run))?
            .add_rules(path_beneath_rules(PROGRAM_DIRS, run))?
            .add_rules(path_beneath_rules(PROGRAM_DEVICES, read | AccessFs::WriteFile))?;
    }
    if grants.ocr {
        ruleset = ruleset
            .add_rules(path_beneath_rules(ocr::reads(), read))?
            .add_rules(path_beneath_rules(ocr::runs(), AccessFs::ReadFile | AccessFs::Execute))?
            .add_rules(path_beneath_rules(PROGRAM_DEVICES, read | AccessFs::WriteFile))?;
    }
    if grants.system {
        ruleset = ruleset.add_rules(path_beneath_rules(SYSTEM_DIRS, read))?;
    }
    match ruleset.restrict_self()?.ruleset {
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
        RulesetStatus::NotEnforced => Err(SandboxError::NoLandlock),
    }
}

/// System calls no executor needs: ways around the filter, into other processes, and into the kernel.
const NEVER: &[i64] = &[
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_kcmp,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_setsid,
    libc::SYS_setpgid,
];
/// System calls through which built-in code could start something else.
const START: &[i64] = &[libc::SYS_execve, libc::SYS_execveat];
/// The other numbers under which the same calls answer on this processor (the x32 interface).
#[cfg(target_arch = "x86_64")]
const OTHER_NUMBERS: Option<i64> = Some(0x4000_0000);
#[cfg(not(target_arch = "x86_64"))]
const OTHER_NUMBERS: Option<i64> = None;

fn filter_calls(grants: &Grants) -> Result<(), SandboxError> {
    let fault = |error: seccompiler::BackendError| SandboxError::Calls(seccompiler::Error::Backend(error));
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = NEVER.iter().map(|call| (*call, Vec::new())).collect();
    if grants.code_dir.is_none() && !grants.ocr {
        rules.extend(START.iter().map(|call| (*call, Vec::new())));
    }
    // What is read from the network is brought in by the process that started us (`urls::fetched`, `broker`).
    rules.insert(libc::SYS_socket, Vec::new());
    if let Some(offset) = OTHER_NUMBERS {
        let others: Vec<i64> = rules.keys().map(|call| call + offset).collect();
        rules.extend(others.into_iter().map(|call| (call, Vec::new())));
    }
    let architecture = std::env::consts::ARCH.try_into().map_err(fault)?;
    let denied = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, denied, architecture).map_err(fault)?;
    let program: BpfProgram = filter.try_into().map_err(fault)?;
    seccompiler::apply_filter_all_threads(&program).map_err(SandboxError::Calls)
}

/// What this kernel offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxStatus {
    /// The version of Landlock, 0 for none.
    pub landlock_abi: u8,
    /// Whether system calls can be filtered.
    pub seccomp: bool,
}

impl SandboxStatus {
    /// Whether executors can be held to their grants.
    pub fn is_complete(self) -> bool {
        self.landlock_abi > 0 && self.seccomp
    }
}

/// Asks the kernel what it offers; restricts nothing.
pub fn probe() -> SandboxStatus {
    let versions = [
        (7, ABI::V7),
        (6, ABI::V6),
        (5, ABI::V5),
        (4, ABI::V4),
        (3, ABI::V3),
        (2, ABI::V2),
        (1, ABI::V1),
    ];
    let offers = |abi: ABI| {
        let mut ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(abi))?;
        if abi >= ABI::V4 {
            ruleset = ruleset.handle_access(AccessNet::from_all(abi))?;
        }
        if abi >= ABI::V6 {
            ruleset = ruleset.scope(Scope::from_all(abi))?;
        }
        ruleset.create()
    };
    let landlock_abi = versions
        .into_iter()
        .find(|(_, abi)| offers(*abi).is_ok())
        .map_or(0, |(number, _)| number);
    SandboxStatus {
        landlock_abi,
        seccomp: Path::new("/proc/sys/kernel/seccomp/actions_avail").exists(),
    }
}
