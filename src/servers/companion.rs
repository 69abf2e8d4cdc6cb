//! The other side of `servers`: what `metnos companion PARENT PROGRAM ARGS…` does. It ties its life to its parent's
//! and becomes the program, so that a server never outlives a metnos that was killed. Its process stays the same
//! one; its own code runs for an instant only.

use std::{
    ffi::OsString,
    io::{self, Write as _},
    os::unix::process::CommandExt as _,
    process::{Command, ExitCode},
};

use rustix::process::{Signal, getppid, set_parent_process_death_signal};

/// The exit status that says that there is no such program, as shells have it.
pub(super) const NOT_STARTED: u8 = 127;

/// Becomes the program; returns only when that failed. `args` are those after `companion`.
pub fn companion_main(args: &[OsString]) -> ExitCode {
    let error = become_program(args);
    // Standard error is the server's log.
    match writeln!(io::stderr(), "cannot start it: {error}") {
        Ok(()) | Err(_) => ExitCode::from(NOT_STARTED),
    }
}

fn become_program(args: &[OsString]) -> io::Error {
    let [parent, program, rest @ ..] = args else {
        return io::Error::other("usage: metnos companion PARENT PROGRAM ARGS…");
    };
    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        return error.into();
    }
    // It may have died before we asked for the signal.
    let lives = getppid().is_some_and(|pid| parent.to_str() == Some(&pid.as_raw_pid().to_string()));
    if !lives {
        return io::Error::other("the parent is gone");
    }
    Command::new(program).args(rest).exec()
}
