//! The integration tests: one binary, so that the program is linked once.

mod catalog;
mod policy;
