//! The terminal through a pipe: a request a line, its answer under it.
