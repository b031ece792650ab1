//! The program as a person runs it.

mod referee;
mod tools;
