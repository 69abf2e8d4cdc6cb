//! Hands over to the command line; nothing else.

fn main() -> std::process::ExitCode {
    metnos::cli::run()
}
