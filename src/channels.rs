//! Floor 5: where people talk to us. A channel turns what arrives into an `Inbound`, hands it to the runtime, and
//! brings the runtime's deliveries back; it decides nothing and never asks what a message means.
//! To add one: a file here, a variant in `domain::ids::ChannelKind`, and a line in `app`.

mod attached;
mod printable;
mod table;

/// A Matrix account.
pub mod matrix;
/// A Telegram bot.
pub mod telegram;
/// The terminal of this machine.
pub mod terminal;
