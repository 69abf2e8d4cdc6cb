//! Floor 0: the vocabulary everything else speaks. No I/O, no async, no sentence.

pub mod account;
pub mod actor;
pub mod attachment;
pub mod delivery;
pub mod failure;
pub mod feedback;
pub mod ids;
pub mod inbound;
pub mod intent;
pub mod lang;
pub mod limits;
pub mod location;
pub mod manifest;
pub mod message;
pub mod outcome;
pub mod place;
pub mod plan;
pub mod quota;
pub mod question;
pub mod reference;
pub mod reply;
pub mod run;
pub mod spending;
pub mod turn;
pub mod verdict;
pub mod vocabulary;
