//! A narrow door to Home Assistant: one WebSocket, what is in the home, and calls of its services. `home`, `todo` and
//! `wire` are pure; `link` holds the socket. Used by `devices` of the program. It logs no token, no name and no state,
//! decides nothing, and shows only what the owner exposed to Assist.

pub mod address;
pub mod failure;
pub mod home;
pub mod link;
pub mod todo;
pub mod wire;

pub use address::{Address, Token};
pub use failure::Failure;
pub use home::{Device, Home, State};
pub use link::Link;
pub use todo::Item;
pub use wire::Service;

#[cfg(test)]
mod tests;
