//! Parses the command line and starts; nothing else.
fn main() {}
