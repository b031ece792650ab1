#![no_main]

#[path = "../count.rs"]
mod counter;
#[path = "../scenario.rs"]
mod scenario;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    counter::add(bytes.len());
    let _done = scenario::lay(bytes);
});
