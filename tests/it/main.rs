//! The integration tests: one binary, so that the program is linked once. One module an area, helpers under `support`.

mod catalog;
mod executors;
mod policy;
mod support;
