//! The scylla driver behind a small C ABI; `include/footfall_cql.h` is its description.
//!
//! - `abi`: the exported functions. They check what C gives them, and nothing can unwind out of them.
//! - `session`: what a request is, and its attempts.
//! - `queue`: completions on their way to the one who takes them.
//! - `second_node`: whether and when a second node is asked what the first is slow to answer.
//! - `cells`: values as bytes, in and out.
//! - `log`: what the driver has to say, as lines in the queue.

mod abi;
mod cells;
mod log;
mod outcome;
mod queue;
mod second_node;
mod session;
