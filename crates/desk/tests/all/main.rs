//! All tests of the desk in one program, so that a long one and many short ones share the cores.

mod aims;
mod answers;
mod battery;
mod bots_and_luck;
mod common;
mod crawl;
mod deductions;
mod glossary;
mod lessons;
mod log;
mod non_interference;
mod puzzles;
mod records;
mod snapshots;
mod table;
mod table_owed;
mod table_words;
mod taking_back;
mod undo;
