//! The binary `chatrang`.

fn main() {}
