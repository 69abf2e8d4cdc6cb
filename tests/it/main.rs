//! The integration tests: one binary, so that the program is linked once.

mod catalog;
mod policy;
//! The one integration binary: one module an area, helpers under `support`.

mod executors;
mod support;
