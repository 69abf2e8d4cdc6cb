//! Parses the command line and starts; nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    match args.next() {
        Some(command) if command == "executor" => metnos::executors::worker::worker_main(args),
        Some(_) | None => ExitCode::FAILURE,
    }
}
